"""Sets on their way to a release: read, put under their hierarchy, searched, told by its labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from kohort.sets.item_tree import ItemTree
from kohort.sets.judges import OriginalSets
from kohort.sets.original import original_sets, promises_of
from kohort.sets.published_sets import PublishedSets
from kohort.sets.released_sets import check_labels, released_sets
from kohort.sets.searches import SetSearch, search_of
from kohort.sets.set_problem import SetProblem, SetSolution
from kohort.sets.set_rules import set_column
from kohort.shapes import Job
from kohort.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class HeldSets:
    """A table of sets, and how a released one becomes of the type that was handed in."""

    job: Job
    table: Table
    convert: Callable[[pa.Table], Any]

    def prepare(self) -> PreparedSets:
        """Put the items under their hierarchy, and choose the search."""
        plan = self.job.plan
        self.job.progress.update("reading the sets")
        original = original_sets(self.table, plan)
        tree = ItemTree.of(original.hierarchy)
        check_labels(tree, set_column(plan)[1].written_separator)
        held = original.held
        baskets = held.baskets.recoded(original.hierarchy.encode(held.items))
        problem = SetProblem(baskets, tree, promises_of(plan), plan.recode.time_limit)
        return PreparedSets(self, original, problem, search_of(plan))


@dataclass(frozen=True, eq=False, repr=False)
class PreparedSets:
    """People's sets under a tree of items, what is promised of them, and who searches."""

    held: HeldSets
    original: OriginalSets
    problem: SetProblem
    search_for: SetSearch

    def search(self) -> FoundSets:
        """Search for the labels by which items are told."""
        return FoundSets(self, self.search_for.solve(self.problem, self.held.job.progress))


@dataclass(frozen=True, eq=False, repr=False)
class FoundSets:
    """A label for every item."""

    prepared: PreparedSets
    solution: SetSolution

    def publish(self) -> PublishedSets:
        """Tell every person's items by their labels."""
        held, problem = self.prepared.held, self.prepared.problem
        held.job.progress.update("recoding the sets")
        separator = set_column(held.job.plan)[1].written_separator
        released = released_sets(problem.baskets, problem.tree, self.solution.node_of_item, separator)
        return PublishedSets(
            held.job.plan,
            held.table,
            self.prepared.original,
            problem,
            self.prepared.search_for.card,
            self.solution,
            released,
            held.convert,
        )
