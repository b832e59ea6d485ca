"""When a release is saved: compared with those that were shared and recorded before it stands, taken out if it does not."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

from kohort.arrays import IntArray
from kohort.errors import InfeasibleError, InputError
from kohort.facts.ledger import LedgerFacts
from kohort.interrupts import postponed
from kohort.ledger.entry import entry_of
from kohort.ledger.ledger import Comparison, Ledger
from kohort.ledger.room import Room
from kohort.paths import usable
from kohort.plan import Plan
from kohort.plurals import many
from kohort.table import Table

FILE = "kohort-ledger.duckdb"
LOCATION = "KOHORT_LEDGER"  # environment variable
UNRECORDED = {
    "none": 'the plan says so ([output] ledger = "")',
    "nobody": "the plan names no respondent ([input] respondent), so that nobody can be recognised in another release; "
    "where every row is another person, `kohort share` marks it all the same",
}


@dataclass(frozen=True, eq=False)
class Recorded:
    """What the ledger says of a release; `retract` takes it out again, where it does not come to stand, or else it is `settle`d."""

    facts: LedgerFacts | None  # private
    retract: Callable[[], str] = field(default=str)  # returns what is to be said where that failed
    settle: Callable[[], object] = field(default=bool)


def ledger_path(plan: Plan, directory: Path) -> Path | None:
    """Return where releases are recorded; None where they are not.

    As `[output] ledger` says, relative to the plan; without it in KOHORT_LEDGER or beside the release, if a
    respondent column is named: then the table is known to be about people who may come again. `ledger = ""`
    records nothing.
    """
    told = plan.output.ledger
    if told == "" or (told is None and plan.input.respondent is None):
        return None
    return usual_place(directory) if told is None else usable(plan.base / told, "[output] ledger")


def usual_place(directory: Path) -> Path:
    """Return where releases are recorded whose plans do not say where."""
    return Path(os.environ[LOCATION]) if os.environ.get(LOCATION) else directory.absolute().parent / FILE


def check_ledger(plan: Plan, directory: Path) -> None:
    """Refuse a ledger that cannot be used before the search, not after it."""
    path = ledger_path(plan, directory)
    if path is not None:
        Ledger(path).check()


def unrecorded(plan: Plan) -> Recorded:
    """Return what is said of a release that is in no ledger."""
    reason = UNRECORDED["none" if plan.output.ledger == "" else "nobody"]
    return Recorded(LedgerFacts(compared=None, because=reason))


def recorder(
    table: Table, plan: Plan, tables: Mapping[str, Table], rows: IntArray, read: Table
) -> Callable[[Path, Mapping[str, str]], Recorded]:
    """Return what compares a release with those that were shared when it is saved, and records it before it stands.

    A process that is killed in between leaves a record of a draft that nobody has, never a release without a
    record: a draft too many is told and can be withdrawn, one too few could be given away and never be compared.
    """

    def record(directory: Path, files: Mapping[str, str]) -> Recorded:
        path = ledger_path(plan, directory)
        if path is None:
            return unrecorded(plan)
        ledger, entry = Ledger(path), entry_of(table, plan, tables, rows, read)
        try:
            room = Room(ledger.path, entry.cells_kept)
        except InputError as problem:
            raise problem.reworded(f"nothing was released: {problem}") from None
        with ExitStack() as on_failure:
            on_failure.callback(room.free)
            try:
                with ExitStack() as late:
                    with ledger.recording(entry, directory.absolute(), files) as (number, found):
                        if plan.output.together == "demand":
                            demand_together(found, entry.k)
                        late.enter_context(postponed())  # whoever ends it now takes it out again
                    recorded = Recorded(
                        facts_of(number, found), lambda: _retract(ledger, number, room), room.free
                    )
                    on_failure.callback(recorded.retract)
            except InputError as problem:
                raise problem.reworded(f"nothing was released: {problem}") from None
            on_failure.pop_all()
        return recorded

    return record


def _retract(ledger: Ledger, number: int, room: Room) -> str:
    """Take a release out that does not come to stand; where that fails, too much is recorded, never too little, and it is said."""
    room.free()
    try:
        ledger.retract(number)
    except InputError:
        return (
            f"nor could it be taken out of {ledger.path} again, where it may be listed as release {number}, a draft that never "
            f"stood: once that can be written, withdraw it there (`kohort history`), as one that nobody has"
        )
    return ""


def facts_of(number: int, found: Comparison, marked: bool = False) -> LedgerFacts:
    """Return what is told of a comparison; `marked`: the release is shared."""
    return LedgerFacts(
        compared=len(found.compared),
        release=number,
        releases=tuple(found.compared),
        drafts=found.drafts,
        marked=marked,
        marked_before=found.marked_before,
        book=found.book,
        not_compared=dict(found.not_compared),
        **({} if found.together is None else asdict(found.together) | {"changing": found.changing}),
    )


def demand_together(found: Comparison, k: int, outcome: str = "nothing was released") -> None:
    """Refuse a release that cannot be compared with a shared one, or gives people away together with them.

    `outcome` says what comes of that.
    """
    if found.not_compared:
        which, why = next(iter(found.not_compared.items()))
        raise InfeasibleError(
            f'[output] together is "demand", but release {which} of the ledger could not be compared ({why}); so '
            f'{outcome}: withdraw it if nobody has it, or set together = "report"',
            code="infeasible.together",
            releases=[which],
        )
    seen = found.together
    if seen is None or not (seen.below_k or seen.below_l or seen.laid_open):
        return
    most, would = ("up to ", "may") if seen.unsure else ("", "would")
    small = f"{most}{many(seen.below_k, 'person', 'people')} {would} hide among fewer than promised (the fewest: {seen.smallest})"
    if seen.disagreeing:
        most, would = "", "may"
    elif seen.unlike:
        most, would = "up to ", "may"
    few = f"{most}{seen.below_l:,} {would} keep fewer sensitive values than promised"
    alone = f"{seen.laid_open:,} who are in this one only would be given away to whoever knows what the others call quasi"
    said = ((small, seen.below_k), (few, seen.below_l), (alone, seen.laid_open))
    told = " and ".join(text for text, count in said if count)
    raise InfeasibleError(
        f'[output] together is "demand", but with the earlier releases {", ".join(map(str, found.compared))}: {told}; so '
        f"{outcome}: recode as in the earlier releases, generalize further, or withdraw a release that nobody has; "
        f"k is {k}",
        {
            "below_k": seen.below_k,
            "below_l": seen.below_l,
            "smallest": seen.smallest,
            "laid_open": seen.laid_open,
        },
        code="infeasible.together",
        releases=list(found.compared),
    )
