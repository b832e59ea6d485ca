"""`kohort history`: the drafts and releases that the ledger knows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SHOWN = (
    "id", "made", "shared", "directory", "plan", "promises", "people", "rows", "classes", "k", "withdrawn", "forgotten",
)  # fmt: skip
TIMES = ("made", "shared")


def run(
    ledger_path: Path | None,
    withdraw: int | None,
    shared: int | None,
    forget: int | None,
    discard_drafts: bool,
    as_json: bool,
) -> None:
    """Mark releases where that is asked for, then list all of them, the earliest first."""
    from kohort.ledger import FILE, LOCATION, Ledger

    ledger = Ledger(ledger_path or Path(os.environ.get(LOCATION) or FILE))
    ledger.releases()  # one that cannot be read is refused before anything is marked
    if withdraw is not None:
        ledger.withdraw(withdraw)
    if shared is not None:
        ledger.mark_shared(shared)
    if forget is not None:
        ledger.forget(forget)
    if discard_drafts:
        ledger.discard_drafts()
    shown = [{name: release[name] for name in SHOWN} for release in ledger.releases()]
    if as_json:
        print(json.dumps({"releases": [_spelled(release) for release in shown]}))  # noqa: T201
    else:
        _show(shown)


def _spelled(release: Mapping[str, Any]) -> dict[str, Any]:
    return dict(release) | {name: release[name] and release[name].isoformat() for name in TIMES}


def _show(found: list[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal

    headings = ("no.", "made (UTC)", "shared (UTC)", "promises", "people", "rows", "classes", "directory")
    table = Table(*headings, box=None, pad_edge=False)
    last = {release["directory"]: release["id"] for release in found}
    for release in found:
        states = list(_states(release, last[release["directory"]]))
        place = release["directory"] + (f" ({', '.join(states)})" if states else "")
        figures = ("?" if release[n] is None else f"{release[n]:,}" for n in ("people", "rows", "classes"))
        times = ("draft" if release[n] is None else f"{release[n]:%Y-%m-%d %H:%M}" for n in TIMES)
        promises = escape(", ".join(release["promises"]))
        table.add_row(str(release["id"]), *times, promises, *figures, escape(place))
    terminal().print(table)


def _states(release: Mapping[str, Any], last: int) -> Iterator[str]:
    yield from (name for name in ("withdrawn", "forgotten") if release[name])
    if last != release["id"]:
        yield "replaced since"
