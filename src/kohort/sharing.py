"""`share`: a release that stands is marked as shared, once it is judged again and laid over all that were shared before."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from kohort.errors import InfeasibleError, InputError, VerificationError
from kohort.facts import Audit, ReleaseFacts
from kohort.facts.ledger import LedgerFacts
from kohort.folders.release_folder import AUDIT, REPORT, private_of, settled
from kohort.folders.workshop import amending, recover
from kohort.interrupts import uninterrupted
from kohort.ledger import (
    Comparison,
    Ledger,
    demand_together,
    entry_of_nobody,
    facts_of,
    ledger_path,
    promised_crowd,
    usual_place,
)
from kohort.ledger.recording import UNRECORDED
from kohort.paths import usable
from kohort.plan import Plan
from kohort.release.documents import load_audit
from kohort.release.opening import open_release
from kohort.release.release import TogetherWarning
from kohort.release.saving import audit_text
from kohort.report import html
from kohort.report.ledger import gives_away, gives_more_away, said_of
from kohort.verification.verify import verify_directory

TableAudit: TypeAlias = Audit[ReleaseFacts]
Write: TypeAlias = Callable[[Path, Mapping[str, str]], None]
REFUSED = ("release.unwritable", "ledger.refused")  # by the system, before anything was changed
STAYS = "it was not marked as shared, and stays a draft"
_MENDED = {
    UNRECORDED["none"]: ": take that out of the plan, and release anew",
}
NOBODY = (
    "the plan names no respondent, so that every row was taken for another person, and nobody can be recognised in releases that "
    "were shared before or will be"
)


def share(directory: str | Path, *, ledger: str | Path | None = None, anyway: bool = False) -> LedgerFacts:
    """Mark a release as shared, before anybody gets it; return how it goes together with all that were shared.

    The folder is judged again first, and one that is damaged, changed or cannot be judged is refused. It is compared with
    everything that is marked as shared by now and marked in the same act: of two at once, the second sees the first. One that
    together with them gives more people away is refused and stays a draft, unless it is to be marked `anyway`, as one that
    others have already: then a TogetherWarning says whom they give away, and it counts. `[output] together = "demand"` is
    kept in any case. Where the plan names no respondent, there is nothing to compare by: it is recorded when it is marked, as one
    with which no other is compared, and refused where people seem to have several rows. The private report then tells this
    comparison in place of the one that was made when it was written. `ledger` is where it was recorded, unless the plan and its
    place tell.
    """
    told = mark_as_shared(
        usable(directory, "the release"),
        None if ledger is None else usable(ledger, "the ledger"),
        anyway=anyway,
    )
    if gives_away(told):
        warnings.warn(said_of(told), TogetherWarning, stacklevel=2)
    return told


def mark_as_shared(directory: Path, place: Path | None = None, *, anyway: bool = False) -> LedgerFacts:
    """Mark a release as shared and return the comparison; nobody is warned of it here."""
    final = settled(directory)
    with ExitStack() as leaving:  # what was judged is what is marked, and told
        with _unmarked(final):
            recover(final)
            write = leaving.enter_context(amending(final))
            plan, number = _recorded(final)
            _demand_whole(final)
            audit = load_audit(private_of(final) / AUDIT)
            if not anyway:
                _demand_people(final, audit)
            ledger = Ledger(place or ledger_path(plan, final) or usual_place(final))
            if number is None:
                told = _entered(ledger, plan, final, audit, leaving)
            else:
                told = _marked(ledger, plan, number, audit, leaving, anyway=anyway)
        _tell(write, final, audit, told)
    return told


def several_rows_of(directory: Path) -> list[str]:
    """Return what speaks for people with several rows in a release with its audit, as a warning; nothing where nothing does."""
    said = load_audit(private_of(settled(directory)) / AUDIT).facts.several_rows
    return [said] if said else []


@contextmanager
def _unmarked(directory: Path) -> Iterator[None]:
    """Say what comes of it where the system refuses to write something before the release is marked."""
    try:
        yield
    except InputError as problem:
        if problem.code not in REFUSED:
            raise
        raise problem.reworded(
            f"{directory} was not marked as shared, and stays as it was: {problem}"
        ) from None


def _recorded(directory: Path) -> tuple[Plan, int | None]:
    """Return the plan of a release and its number in the ledger; refuse one that is in none, unless it could name nobody."""
    path = private_of(directory) / AUDIT
    if not directory.is_dir() or not path.exists():
        raise InputError(
            f"{directory} is not a release with its private audit ({private_of(directory).name}) beside it; share it where it "
            "was made",
            code="release.not-one",
            path=directory,
        )
    plan = open_release(directory).plan()
    ledger = load_audit(path).facts.ledger if "audit" in plan.rules.offers else None
    if ledger is not None and ledger.release is None and _names_nobody(plan):
        return plan, None
    if ledger is None or ledger.release is None:
        because = (ledger and ledger.because) or "nothing of its kind is recorded"
        raise InputError(
            f"{directory} is in no ledger, because {because}; so it cannot be compared, and nothing can be marked"
            f"{_MENDED.get(because, '')}",
            code="ledger.not-shared",
            path=directory,
        )
    return plan, ledger.release


def _names_nobody(plan: Plan) -> bool:
    """Tell whether a release was not recorded for want of a respondent, and not because its plan says so."""
    return plan.input.respondent is None and plan.output.ledger is None


def _demand_whole(directory: Path) -> None:
    """Refuse a folder that is not what was released, or of which a promise does not hold or cannot be judged."""
    broken = [verdict for verdict in verify_directory(directory) if verdict.holds is not True]
    if broken:
        found = "; ".join(": ".join(filter(None, (v.promise, v.note))) for v in broken)
        raise VerificationError(
            f"{directory} does not pass verification ({found}), and was not marked as shared; make it anew from its plan",
            code="verify.failed",
            path=directory,
        )


def _demand_people(directory: Path, audit: TableAudit) -> None:
    """Refuse a draft whose promises count rows where people seem to have several; what is shared already is told, not refused."""
    facts = audit.facts
    if facts.several_rows and not (facts.ledger is not None and facts.ledger.marked):
        raise InfeasibleError(
            f"{directory}: {facts.several_rows}; a crowd may be fewer people than promised. So {STAYS}: name the column that "
            "tells whose each row is as [input] respondent, or add one, and release anew; if others have it already, mark it "
            "anyway, so that it counts",
            code="ledger.gives-away",
            releases=[],
        )


def _marked(
    ledger: Ledger, plan: Plan, number: int, audit: TableAudit, leaving: ExitStack, *, anyway: bool
) -> LedgerFacts:
    """Compare a release with everything shared and mark it, in one act, where nobody more is given away or it is shared already.

    From the mark on nothing is cut short any more: whoever is told that nothing was done must find nothing done.
    """
    book = "" if audit.facts.ledger is None else audit.facts.ledger.book
    with ledger.sharing(number, audit.facts.files, plan.input.respondent, book, [*plan.columns]) as found:
        told = _told(number, found, plan)
        if plan.output.together == "demand":
            demand_together(found, promised_crowd(plan), STAYS)
        if gives_more_away(told) and not (anyway or found.marked_before):
            raise InfeasibleError(
                f"{said_of(told)}. So {STAYS}; if others have it already, mark it anyway, so that it counts",
                code="ledger.gives-away",
                releases=list(found.compared),
            )
        leaving.enter_context(uninterrupted(for_good=True))
    return told


def _entered(
    ledger: Ledger, plan: Plan, directory: Path, audit: TableAudit, leaving: ExitStack
) -> LedgerFacts:
    """Record a release in which nobody can be recognised, as shared."""
    facts = audit.facts
    entry = entry_of_nobody(plan, facts.released, facts.classes)
    with ledger.entering(entry, directory.absolute(), facts.files) as (number, found):
        leaving.enter_context(uninterrupted(for_good=True))
    return _told(number, found, plan)


def _told(number: int, found: Comparison, plan: Plan) -> LedgerFacts:
    told = facts_of(number, found, marked=True)
    return told if plan.input.respondent is not None else replace(told, because=NOBODY)


def _tell(write: Write, directory: Path, audit: TableAudit, told: LedgerFacts) -> None:
    """Write audit and private report anew; the mark stands already, so nothing that fails here hides the release."""
    facts = replace(audit.facts, ledger=told)
    texts = {REPORT: html(facts), AUDIT: audit_text(replace(audit, facts=facts))}
    try:
        write(private_of(directory), texts)
    except InputError as problem:
        raise problem.reworded(
            f"{directory} is marked as shared, but its private audit or report may still call it a draft: {problem}, then share "
            "it again"
        ) from None
