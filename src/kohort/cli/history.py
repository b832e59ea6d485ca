"""`kohort history`: the releases that the ledger knows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def run(ledger_path: Path | None, as_json: bool) -> None:
    """List the releases, the earliest first."""
    from kohort.ledger import FILE, LOCATION, Ledger

    found = Ledger(ledger_path or Path(os.environ.get(LOCATION) or FILE)).releases()
    if as_json:
        shown = [release | {"made": release["made"].isoformat()} for release in found]
        print(json.dumps({"releases": shown}, ensure_ascii=False))  # noqa: T201
    else:
        _show(found)


def _show(found: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "no.", "made (UTC)", "promises", "people", "rows", "classes", "directory", box=None, pad_edge=False
    )
    for release in found:
        place = release["directory"] + (" (replaced since)" if release["replaced"] else "")
        figures = (f"{release[name]:,}" for name in ("people", "rows", "classes"))
        made = f"{release['made']:%Y-%m-%d %H:%M}"
        table.add_row(str(release["id"]), made, ", ".join(release["promises"]), *figures, place)
    Console().print(table)


def said_of(compared: Mapping[str, Any]) -> str:
    """Return what a comparison with earlier releases means, in one sentence."""
    if not compared["compared"]:
        return "ledger: no earlier release to compare with"
    if not compared["below_k"] and not compared["single_value"]:
        return (
            f"ledger: compared with {compared['compared']} earlier releases; together they give nobody away"
        )
    return (
        f"ledger: together with one of {compared['compared']} earlier releases, {compared['below_k']:,} people hide among "
        f"fewer than promised and {compared['single_value']:,} are left with one sensitive value; do not share both"
    )
