"""When a release is saved: compared with earlier ones before, recorded afterwards."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.ledger.entry import Entry, entry_of
from kohort.ledger.ledger import Comparison, Ledger
from kohort.plan import Plan
from kohort.table import Table

FILE = "kohort-ledger.duckdb"
LOCATION = "KOHORT_LEDGER"  # environment variable


@dataclass(frozen=True, eq=False)
class Pending:
    """A release that was compared and is yet to be recorded."""

    facts: dict[str, Any]  # for the public: how many releases, shares in whole per cent
    private: dict[str, Any]
    record: Callable[[], None] = field(default=lambda: None)


def ledger_path(plan: Plan, directory: Path) -> Path | None:
    """Return where releases are recorded; None where they are not.

    As `[output] ledger` says, relative to the plan; without it in KOHORT_LEDGER or beside the release, if a
    respondent column is named: then the table is known to be about people who may come again. `ledger = ""`
    records nothing.
    """
    told = plan.output.ledger
    if told == "" or (told is None and plan.input.respondent is None):
        return None
    if told is not None:
        return plan.base / told
    return Path(os.environ[LOCATION]) if os.environ.get(LOCATION) else directory.parent / FILE


def recorder(
    table: Table, plan: Plan, tables: Mapping[str, Table], rows: IntArray
) -> Callable[[Path], Pending | None]:
    """Return what compares a release with earlier ones when it is saved, and records it once it stands.

    A ledger that cannot be used does not lose the release: it is written, and then the problem is raised.
    """

    def compare(directory: Path) -> Pending | None:
        directory = directory.resolve()
        path = ledger_path(plan, directory)
        if path is None:
            return None
        ledger, entry = Ledger(path), entry_of(table, plan, tables, rows)
        try:
            found = ledger.compare(entry, directory)
        except InputError as problem:
            return _failed(problem, directory)
        return Pending(*_told(found, entry), lambda: _record(ledger, entry, directory))

    return compare


def _record(ledger: Ledger, entry: Entry, directory: Path) -> None:
    try:
        ledger.record(entry, directory)
    except (InputError, OSError) as problem:
        raise _unrecorded(problem, directory) from None


def _failed(problem: InputError, directory: Path) -> Pending:
    def complain() -> None:
        raise _unrecorded(problem, directory)

    return Pending({"compared": None}, {"compared": None, "problem": str(problem)}, complain)


def _unrecorded(problem: Exception, directory: Path) -> InputError:
    return InputError(
        f"the release was verified and stands in {directory}, but it is not in the ledger, nor compared with what a later "
        f"release may add: {problem}. Do not share it before it is recorded: run the same command again"
    )


def _told(found: list[Comparison], entry: Entry) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the public may know of the comparison, and all of it."""
    people = max(len(np.unique(entry.person_of)), 1)
    worst = {
        name: max((getattr(c, name) for c in found), default=0)
        for name in ("shared", "below_k", "single_value")
    }
    public: dict[str, Any] = {"compared": len(found)}
    public |= {name: round(count / people, 2) for name, count in worst.items()}
    smallest = [c.smallest for c in found if c.smallest is not None]
    private = {
        "compared": len(found),
        **worst,
        "smallest": min(smallest, default=None),
        "releases": [asdict(comparison) for comparison in found],
    }
    return public, private
