"""`kohort history`: the drafts and releases that the ledger knows."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from kohort.errors import InputError

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
    from kohort.interrupts import uninterrupted
    from kohort.ledger import FILE, LOCATION, Ledger

    _refuse_both(withdraw, shared)
    ledger = Ledger(ledger_path or Path(os.environ.get(LOCATION) or FILE))
    ledger.releases()  # one that cannot be read is refused before anything is marked
    if discard_drafts or any(number is not None for number in (withdraw, shared, forget)):
        with uninterrupted(for_good=True):  # whoever is told that nothing was marked must find nothing marked
            ledger.amend(withdraw=withdraw, shared=shared, forget=forget, discard_drafts=discard_drafts)
    shown = [{name: release[name] for name in SHOWN} for release in ledger.releases()]
    if as_json:
        print(json.dumps({"releases": [_spelled(release) for release in shown]}))  # noqa: T201
    else:
        _show(shown, ledger.book())


def _refuse_both(withdraw: int | None, shared: int | None) -> None:
    """Refuse to say of one release that nobody has it and that somebody has."""
    if withdraw is not None and withdraw == shared:
        raise InputError(
            f"--withdraw {withdraw} says that nobody has release {withdraw}, and --shared {shared} that somebody has; name one "
            "of the two (nothing was marked)",
            code="cli.option",
            option="shared",
            value=shared,
        )


def _spelled(release: Mapping[str, Any]) -> dict[str, Any]:
    return dict(release) | {name: release[name] and release[name].isoformat() for name in TIMES}


def _show(found: list[dict[str, Any]], book: str) -> None:
    from rich.markup import escape
    from rich.table import Column, Table

    from kohort.cli.terminal import terminal

    state = Column("state", no_wrap=True)
    promised, place = (Column(name, overflow="fold") for name in ("promises", "directory"))
    headings = ("no.", "made (UTC)", state, promised, "people", "rows", "classes", place)
    table = Table(*headings, box=None, pad_edge=False)
    times = Counter(release["directory"] for release in found)
    standing = {place: _standing(Path(place), book) for place, count in times.items() if count > 1}
    for release in found:
        figures = ("?" if release[n] is None else f"{release[n]:,}" for n in ("people", "rows", "classes"))
        made = f"{release['made']:%Y-%m-%d %H:%M}"
        promises = escape(", ".join(release["promises"]))
        found_in = escape(release["directory"])
        states = _state(release, standing.get(release["directory"], release["id"]))
        table.add_row(str(release["id"]), made, states, promises, *figures, found_in)
    terminal().print(table)


def _standing(directory: Path, book: str) -> int | None:
    """Return which release of a ledger stands in a directory, by its audit; None where that is not known."""
    from kohort.folders.release_folder import AUDIT, private_of
    from kohort.release.documents import load_json

    with suppress(InputError, OSError, KeyError, TypeError):
        told = load_json(private_of(directory) / AUDIT)["facts"]["ledger"]
        if directory.is_dir() and told["book"] == book and isinstance(told["release"], int):
            return int(told["release"])
    return None


def _state(release: Mapping[str, Any], standing: int | None) -> str:
    """Return whether a release counts, whether it is known who is in it, and whether it is the one that stands in its directory.

    `standing` is that one. A later one may be that of a run that was killed before it stood.
    """
    states = ["withdrawn" if release["withdrawn"] else "draft" if release["shared"] is None else "shared"]
    states += ["forgotten"] if release["forgotten"] else []
    if standing is None:
        states += ["not known to stand"]
    elif standing != release["id"]:
        states += ["replaced since" if release["id"] < standing else "does not stand"]
    return "\n".join(states)
