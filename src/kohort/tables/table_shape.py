"""`TableShape`: what each step of the flow is for a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kohort.arrays import IntArray
from kohort.engines import DEFAULT, Wanted, bounded_engine, demand_release, opened
from kohort.engines import engine as engine_of
from kohort.engines.engine import Targeting
from kohort.engines.memory.reading import TablesInMemory
from kohort.evidence import check_task
from kohort.facts.release import of_table
from kohort.plan import Plan
from kohort.preparation import check_algorithm
from kohort.preparation.effects import refuse_idle, refuse_unread
from kohort.preparation.kind import Kind
from kohort.preparation.sources import read_population
from kohort.release.published import Facts
from kohort.shapes import Findings, Job, Terms
from kohort.table import Table
from kohort.tables.inspection import TableInspection, demand_inspection, verify_table
from kohort.tables.judged_again import judge_again
from kohort.tables.public_side import documents_of
from kohort.tables.steps import HeldTable
from kohort.verification.judges import Verdict


class TableShape:
    """One table, of which every row is about a person; it is reduced to its classes, and these are searched."""

    def check(self, plan: Plan) -> None:
        """Refuse a task or an algorithm that the plan cannot have, and what it says to nobody."""
        refuse_idle(plan)
        check_task(plan)
        check_algorithm(plan)

    def read(self, job: Job) -> HeldTable:
        """Hand the source to the engine, and read the population; refuse what the engine does not serve first."""
        kind = bounded_engine(job.engine, job.memory)
        demand_release(kind, job.plan)
        refuse_unread(job.plan, job.source)
        job.progress.update("reading the table")
        if issubclass(kind, Targeting):
            kind.demand_target(job.source, job.plan)
        keeper = opened(job.engine, job.source, Wanted.by(job.plan), job.memory)
        return HeldTable(job, keeper, read_population(job.plan))

    def stems(self, plan: Plan) -> tuple[str, ...]:
        """Return the names of the tables that the plan's algorithm releases."""
        return Kind.of(plan).layout.stems

    def documents(
        self, tables: Mapping[str, Table], plan: Plan, digests: Mapping[str, str]
    ) -> dict[str, bytes]:
        """Return manifest and report."""
        return documents_of(tables, plan, digests)

    def judge(self, tables: Mapping[str, Table], terms: Terms) -> Findings:
        """Judge the tables of a folder by the original, or by what the private audit notes of it."""
        return judge_again(TablesInMemory(tables, {}), terms)

    def inspect_on(
        self, engine: str, files: Mapping[str, Path], plan: Plan, memory: str | None
    ) -> TableInspection:
        """Read the tables of a folder into an engine, which judges them by GROUP BY over their cells."""
        return TableInspection.of(bounded_engine(engine, memory), files, plan, memory)

    def demand_on(self, engine: str, files: Mapping[str, Path], memory: str | None) -> None:
        """Refuse a release that the engine does not judge."""
        demand_inspection(bounded_engine(engine, memory), files)

    def verify(
        self, released: Any, plan: Plan, original: Any, respondents: Sequence[int] | IntArray | None
    ) -> list[Verdict]:
        """Judge a released table by the promises of a plan."""
        return verify_table(engine_of(DEFAULT), None, released, plan, original, respondents)

    def verify_on(
        self,
        engine: str,
        memory: str | None,
        released: Any,
        plan: Plan,
        original: Any,
        respondents: Sequence[int] | IntArray | None,
    ) -> list[Verdict]:
        """Judge a released table by the promises of a plan, its rows where an engine keeps them."""
        return verify_table(bounded_engine(engine, memory), memory, released, plan, original, respondents)

    def outcome(self, facts: Facts, plan: Path | None = None) -> Sequence[object]:
        """Return rows, classes, levels, losses, and what must not be overlooked."""
        from kohort.tables.outcome import outcome  # brings rich, which only terminals need

        return list(outcome(of_table(facts), plan))

    def summary(self, facts: Facts) -> dict[str, Any]:
        """Return the facts that scripts ask for first."""
        from kohort.tables.outcome import summary

        return summary(of_table(facts))
