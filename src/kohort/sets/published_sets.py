"""`PublishedSets`: what is to be released of sets, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from kohort.card import Card
from kohort.facts import NotedOriginal
from kohort.facts.ledger import LedgerFacts
from kohort.ledger import Recorded
from kohort.plan import Plan
from kohort.preparation.sources import reread
from kohort.release.published import Content, Facts, Shown, in_memory
from kohort.report.first_screen import first_screen
from kohort.report.html import render
from kohort.sets.facts import NOTHING_LEFT, SetFacts, of_sets
from kohort.sets.judges import OriginalSets, judge_sets
from kohort.sets.original import promises_of
from kohort.sets.pages import release_page
from kohort.sets.public_side import documents_of, shown_of
from kohort.sets.set_evidence import release_facts
from kohort.sets.set_problem import SetProblem, SetSolution
from kohort.sets.set_rules import set_column
from kohort.table import Table
from kohort.verification.judges import Verdict

UNRECORDED = (
    "what several releases of the same people's sets tell together is not computed; release them once"
)


@dataclass(frozen=True, eq=False, repr=False)
class SetJudgement:
    """The verdicts on a written table of sets, and what follows from it."""

    verdicts: list[Verdict]
    table: Table
    plan: Plan

    def told(self, facts: Facts) -> Facts:
        """Return the facts as they are."""
        return facts

    def documents(self, digests: Mapping[str, str]) -> dict[str, bytes]:
        """Return manifest and report."""
        return documents_of(self.table, self.plan, digests)

    def shown(self) -> Shown:
        """Return what the written table shows in a few words."""
        return shown_of(self.table, self.plan)


@dataclass(frozen=True, eq=False, repr=False)
class PublishedSets:
    """One table: a set of labels for each person."""

    plan: Plan
    source: Table
    original: OriginalSets
    problem: SetProblem
    card: Card  # of the search
    solution: SetSolution
    released: Table
    converted: Callable[[pa.Table], Any]

    @property
    def tables(self) -> Mapping[str, Content]:
        """The released table."""
        return {"table": self.released}

    @property
    def private_tables(self) -> Mapping[str, Content]:
        """None: a released set is one person's, and whose is not kept."""
        return {}

    def facts(self) -> SetFacts:
        """Return the private facts."""
        return release_facts(self.plan, self.source, self.original, self.problem, self.solution, self.card)

    def judge(self, written: Mapping[str, Any]) -> SetJudgement:
        """Judge what was written, beside the original."""
        table = reread(written["table"])
        name, column = set_column(self.plan)
        verdicts = judge_sets(table, name, column.written_separator, promises_of(self.plan), self.original)
        return SetJudgement(verdicts, table, self.plan)

    def noted(self) -> NotedOriginal:
        """Return how many people there are."""
        return NotedOriginal(self.problem.baskets.n_people)

    def record(self, directory: Path, files: Mapping[str, str]) -> Recorded:  # noqa: ARG002
        """Record nothing, and say so."""
        return Recorded(LedgerFacts(compared=None, because=UNRECORDED))

    def page(self, facts: Facts) -> str:
        """Return the private report."""
        return render(release_page(of_sets(facts)))

    def screen(self, facts: Facts) -> str:
        """Return what of the private report is seen first."""
        return first_screen(release_page(of_sets(facts)))

    def cautions(self, facts: Facts) -> list[str]:
        """Return that nothing is left of the items, where one label stands for all, and what was odd."""
        told = of_sets(facts)
        gone = [NOTHING_LEFT] if len(told.labels) == 1 and told.items > 1 else []
        return [*gone, *told.warnings]

    def convert(self, released: Content) -> Any:
        """Return the released table in the type of the source."""
        return self.converted(in_memory(released))
