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
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        "no.", "made (UTC)", "promises", "people", "rows", "classes", "directory", box=None, pad_edge=False
    )
    for release in found:
        place = release["directory"] + (" (replaced since)" if release["replaced"] else "")
        figures = (f"{release[name]:,}" for name in ("people", "rows", "classes"))
        made = f"{release['made']:%Y-%m-%d %H:%M}"
        table.add_row(
            str(release["id"]), made, escape(", ".join(release["promises"])), *figures, escape(place)
        )
    Console().print(table)


def said_of(compared: Mapping[str, Any]) -> str:
    """Return what a comparison with earlier releases means, in one sentence."""
    earlier, fewer, single = compared["compared"], compared["below_k"], compared["single_value"]
    if not earlier:
        return "ledger: no earlier release to compare with"
    if not fewer and not single:
        releases = "1 earlier release" if earlier == 1 else f"{earlier:,} earlier releases"
        return f"ledger: compared with {releases}; together they give nobody away"
    found = [f"{_people(fewer, 'hides', 'hide')} among fewer than promised"] if fewer else []
    found += [f"{_people(single, 'is', 'are')} left with one sensitive value"] if single else []
    which = "the earlier release" if earlier == 1 else f"one of the {earlier:,} earlier releases"
    return f"ledger: together with {which} (see `kohort history`), {' and '.join(found)}; do not share both"


def _people(count: int, one: str, several: str) -> str:
    return f"1 person {one}" if count == 1 else f"{count:,} people {several}"
