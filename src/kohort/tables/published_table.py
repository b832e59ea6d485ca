"""`PublishedTable`: what is to be released of a table, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kohort.engines import Released
from kohort.engines.preparing import odd_population, odd_values
from kohort.evidence import as_facts, release_facts, singling_out, task_facts
from kohort.evidence.release import released_levels
from kohort.evidence.why import STEM, left_out_rows
from kohort.facts import Noted, NotedOriginal, ReleaseFacts
from kohort.facts.release import Forecast, of_table
from kohort.ledger import Recorded
from kohort.models import Attribute
from kohort.models.model import spelled_orders, unheld_names
from kohort.plan import Plan
from kohort.preparation.effects import idle
from kohort.recode import Recoded
from kohort.release.published import Content, Facts, Shown
from kohort.report import html
from kohort.report.first_screen import first_screen
from kohort.report.regions import grouped_apart
from kohort.report.release_page import release_page
from kohort.report.several_classes_words import laid_over
from kohort.table import Table
from kohort.tables.cautions import cautions
from kohort.tables.public_side import public_files, shown_of
from kohort.verification.judges import Contents, Judged, Verdict

if TYPE_CHECKING:
    from kohort.tables.steps import FoundTable


@dataclass(frozen=True, eq=False, repr=False)
class TableJudgement:
    """The verdicts on written tables, and what these say."""

    judged: Judged
    plan: Plan

    @property
    def verdicts(self) -> list[Verdict]:
        """A verdict on every promise."""
        return self.judged.verdicts

    @cached_property
    def contents(self) -> Contents:
        """What the written tables say."""
        return self.judged.tell()

    def told(self, facts: Facts) -> Facts:
        """Return the facts with the rows that no other row equals."""
        return replace(of_table(facts), singling_out=singling_out(self.contents))

    def documents(self, digests: Mapping[str, str]) -> dict[str, bytes]:
        """Return manifest and report, from what the written tables say."""
        return public_files(self.contents, self.plan, digests)

    def shown(self) -> Shown:
        """Return what the written tables show in a few words."""
        return shown_of(self.contents, self.plan)


@dataclass(frozen=True, eq=False, repr=False)
class PublishedTable:
    """The tables that a decision makes of a table: mostly one."""

    found: FoundTable
    recoded: Recoded
    released: Released

    @property
    def source(self) -> Any:
        """What was handed in: a frame, or a path."""
        return self.found.prepared.held.job.source

    @property
    def original(self) -> Table:
        """The table that was read, as its engine holds it."""
        return self.found.prepared.held.keeper.table

    @property
    def tables(self) -> Mapping[str, Content]:
        """The released tables by file stem."""
        return self.released.tables

    @property
    def private_tables(self) -> Mapping[str, Content]:
        """A pseudonym per released row, where people are counted; which rows were left out, and why."""
        prepared = self.found.prepared
        levels = released_levels(prepared.algorithm, self.found.solution, prepared.problem)
        rows = left_out_rows(prepared.problem, self.recoded, levels)
        return dict(self.released.private_tables) | ({} if rows is None else {STEM: rows})

    def facts(self) -> ReleaseFacts:
        """Return the facts of the release; where the plan asks for it, how well a model learns before and after."""
        prepared, solution = self.found.prepared, self.found.solution
        job, problem = prepared.held.job, prepared.problem
        table, card = prepared.held.keeper.table, prepared.algorithm.card
        facts = release_facts(table, job.plan, problem, prepared.algorithm, solution, self.recoded)
        job.clock.lap("recode")
        if job.plan.output.task is not None:
            job.progress.update("training a model before and after")
            released = self.released.in_memory("table")
            task = task_facts(job.plan.output.task, table, problem, released, card.truthful)
            facts = replace(facts, task=task)
            job.clock.lap("task")
        return replace(
            facts,
            forecast=as_facts(prepared.forecast, tuple[Forecast, ...]),
            several_rows=prepared.several_rows,
            warnings=(
                *odd_values(prepared.held.keeper, job.plan),
                *odd_population(prepared.held.population, job.plan),
                *unheld_names(problem.models, problem.reference),
                *spelled_orders(problem.models, problem.reference),
                *idle(job.plan, card, problem.objective),
                *laid_over(facts.across),
                *grouped_apart(card.name, solution.facts),
            ),
        )

    def judge(self, written: Mapping[str, Any]) -> TableJudgement:
        """Judge written tables, beside the original."""
        prepared = self.found.prepared
        plan = prepared.held.job.plan
        return TableJudgement(prepared.held.keeper.judge(written, plan, prepared.problem), plan)

    def noted(self) -> NotedOriginal:
        """Return how many people there are, and how the original's sensitive columns are distributed."""
        reference = self.found.prepared.problem.reference
        noted = {name: _noted(attribute) for name, attribute in reference.attributes.items()}
        return NotedOriginal(reference.people, noted)

    def record(self, directory: Path, files: Mapping[str, str]) -> Recorded:
        """Compare the release with those that were shared, and record it as a draft."""
        held = self.found.prepared.held
        return held.keeper.record(held.job.plan, self.released, directory, files)

    def page(self, facts: Facts) -> str:
        """Return the private report."""
        return html(of_table(facts))

    def screen(self, facts: Facts) -> str:
        """Return what of the private report is seen first."""
        return first_screen(release_page(of_table(facts)))

    def cautions(self, facts: Facts) -> list[str]:
        """Return values that are not true or not hidden, columns without a promise or of which nothing is left, what was odd."""
        return cautions(of_table(facts))

    def convert(self, released: Content) -> Any:
        """Return a released table in the type of the source."""
        return self.found.prepared.held.keeper.convert(released)


def _noted(attribute: Attribute) -> Noted:
    """Return a sensitive column's distribution, and what people hold together where they have several rows."""
    held = None if attribute.pairs is None else attribute.pairs.profiles()
    return Noted(tuple(attribute.labels), tuple(attribute.totals.tolist()), held)
