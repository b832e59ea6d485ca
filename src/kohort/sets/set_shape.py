"""`SetShape`: what each step of the flow is for sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kohort.arrays import IntArray
from kohort.errors import InputError, VerificationError
from kohort.plan import Plan
from kohort.preparation.effects import refuse_unread
from kohort.preparation.sources import options_of_release, reread
from kohort.release.opening import original_of
from kohort.release.published import Facts
from kohort.sets.facts import of_sets
from kohort.sets.judges import OriginalSets, judge_sets
from kohort.sets.original import original_sets, promises_of
from kohort.sets.public_side import documents_of
from kohort.sets.searches import search_of
from kohort.sets.set_rules import set_column
from kohort.sets.set_sources import read_sets
from kohort.sets.set_steps import HeldSets
from kohort.shapes import Findings, Inspection, Job, Terms
from kohort.table import Table
from kohort.verification.judges import Verdict
from kohort.verification.judges.beside import judge_beside
from kohort.verification.judges.loose import judge_loose

READABLE = "the table can be read and judged"
COUNT = "as many sets as were released"


class SetShape:
    """Sets of items, one a person; the items are told by labels of their hierarchy, the same in all sets."""

    def check(self, plan: Plan) -> None:
        """Refuse an algorithm or options that there are not for sets."""
        search_of(plan)

    def read(self, job: Job) -> HeldSets:
        """Read the table."""
        refuse_unread(job.plan, job.source)
        job.progress.update("reading the table")
        return HeldSets(job, *read_sets(job.source, job.plan))

    def stems(self, plan: Plan) -> tuple[str, ...]:  # noqa: ARG002
        """Return the name of the one table."""
        return ("table",)

    def documents(
        self, tables: Mapping[str, Table], plan: Plan, digests: Mapping[str, str]
    ) -> dict[str, bytes]:
        """Return manifest and report."""
        return documents_of(tables["table"], plan, digests)

    def judge(self, tables: Mapping[str, Table], terms: Terms) -> Findings:
        """Judge the table of a folder, by the original where it is at hand and its labels are vouched for."""
        released = terms.audit.facts.released if terms.audit is not None else None
        counts = [] if released is None else [Verdict(COUNT, tables["table"].n_rows == released)]
        return Findings(counts, judged_or_failed(tables["table"], terms.plan, _original(terms)))

    def verify(
        self,
        released: Any,
        plan: Plan,
        original: Any,
        respondents: Sequence[int] | IntArray | None,
    ) -> list[Verdict]:
        """Judge a released table by the promises of a plan; every row is a person."""
        if respondents is not None:
            raise InputError(
                "verify: of released sets every row is a person; leave respondents out", code="verify.people"
            )
        source = None if original is None else read_sets(original, plan)[0]
        table = reread(released)
        verdicts = judged_or_failed(table, plan, None if source is None else original_sets(source, plan))
        loose = judge_loose(
            released,
            lambda path: options_of_release(path, plan),
            lambda: judge_beside({Path(released): table}),
        )
        return [*verdicts, *loose]

    def demand_on(self, engine: str, files: Mapping[str, Path], memory: str | None) -> None:  # noqa: ARG002
        """Refuse every engine but the default: the rules offer no other."""
        raise _elsewhere(engine)

    def inspect_on(
        self,
        engine: str,
        files: Mapping[str, Path],  # noqa: ARG002
        plan: Plan,  # noqa: ARG002
        memory: str | None,  # noqa: ARG002
    ) -> Inspection:
        """Refuse it."""
        raise _elsewhere(engine)

    def verify_on(
        self,
        engine: str,
        memory: str | None,  # noqa: ARG002
        released: Any,  # noqa: ARG002
        plan: Plan,  # noqa: ARG002
        original: Any,  # noqa: ARG002
        respondents: Sequence[int] | IntArray | None,  # noqa: ARG002
    ) -> list[Verdict]:
        """Refuse it."""
        raise _elsewhere(engine)

    def outcome(self, facts: Facts, plan: Path | None = None) -> Sequence[object]:  # noqa: ARG002
        """Return people, labels, the loss, and what must not be overlooked."""
        from kohort.sets.set_outcome import outcome  # brings rich, which only terminals need

        return list(outcome(of_sets(facts)))

    def summary(self, facts: Facts) -> dict[str, Any]:
        """Return the facts that scripts ask for first."""
        from kohort.sets.set_outcome import summary

        return summary(of_sets(facts))


def _elsewhere(engine: str) -> InputError:
    return InputError(
        f"sets are kept in memory, and the engine {engine!r} does not serve them; leave it out",
        code="engine.needs-rows",
        engine=engine,
    )


def judged_or_failed(table: Table, plan: Plan, original: OriginalSets | None) -> list[Verdict]:
    """Return the verdicts on released sets; what contradicts its plan or its original fails with the reason."""
    name, column = set_column(plan)
    try:
        return judge_sets(table, name, column.written_separator, promises_of(plan), original)
    except (InputError, VerificationError) as problem:
        return [Verdict(READABLE, False, note=str(problem))]


def _original(terms: Terms) -> OriginalSets | None:
    """Return the original; one that was not named but found, and is no longer what it was, is left aside."""
    place = original_of(terms.original, terms.audit) if terms.vouched else None
    if place is None:
        return None
    try:
        return original_sets(read_sets(place, terms.plan)[0], terms.plan)
    except InputError:
        if terms.original is not None:
            raise
        return None
