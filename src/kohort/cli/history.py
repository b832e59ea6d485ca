"""`kohort history`: the releases that the ledger knows."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

SHOWN = (
    "id", "made", "directory", "plan", "promises", "people", "rows", "classes", "k", "withdrawn", "forgotten",
)  # fmt: skip


def run(ledger_path: Path | None, withdraw: int | None, forget: int | None, as_json: bool) -> None:
    """Mark releases where that is asked for, then list all of them, the earliest first."""
    from kohort.ledger import FILE, LOCATION, Ledger

    ledger = Ledger(ledger_path or Path(os.environ.get(LOCATION) or FILE))
    found = ledger.releases()
    if withdraw is not None:
        ledger.withdraw(withdraw)
    if forget is not None:
        ledger.forget(forget)
    if withdraw is not None or forget is not None:
        found = ledger.releases()
    shown = [{name: release[name] for name in SHOWN} for release in found]
    if as_json:
        told = [release | {"made": release["made"].isoformat()} for release in shown]
        print(json.dumps({"releases": told}))  # noqa: T201
    else:
        _show(shown)


def _show(found: list[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal

    table = Table(
        "no.", "made (UTC)", "promises", "people", "rows", "classes", "directory", box=None, pad_edge=False
    )
    last = {release["directory"]: release["id"] for release in found}
    for release in found:
        states = [name for name in ("withdrawn", "forgotten") if release[name]]
        states += ["replaced since"] if last[release["directory"]] != release["id"] else []
        place = release["directory"] + (f" ({', '.join(states)})" if states else "")
        figures = ("?" if release[n] is None else f"{release[n]:,}" for n in ("people", "rows", "classes"))
        made = f"{release['made']:%Y-%m-%d %H:%M}"
        table.add_row(
            str(release["id"]), made, escape(", ".join(release["promises"])), *figures, escape(place)
        )
    terminal().print(table)
