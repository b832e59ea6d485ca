"""Rows dealt anew: which of several rows with equal tuples stands where, when a search looks at single rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.facts.figures import Sizes
from kohort.facts.head import Apart
from kohort.metrics import Outcome
from kohort.recode.decision import Decision
from kohort.recode.problem import Problem
from kohort.recode.publication import InOneTable, Publication
from kohort.recode.recoded import Recoded
from kohort.table import Table


@dataclass(frozen=True, eq=False)
class Dealing:
    """At each place a row stands whose tuple is that of the row which stood there before; which of them, chance says.

    A search that is given the dealt problem sees the same tuples in the same sequence, so what it finds by them is the same.
    What it finds by who came first among equals says nothing of who came first in the original.
    """

    order: IntArray  # the row of the original that stands at each place

    @cached_property
    def places(self) -> IntArray:
        """The place at which each row of the original stands."""
        places = np.empty_like(self.order)
        places[self.order] = np.arange(len(self.order))
        return places

    def of(self, problem: Problem) -> Problem:
        """Return the problem with its rows at their places; its classes are the same."""
        return replace(
            problem,
            class_of=problem.class_of[self.order],
            sensitive={name: values[self.order] for name, values in problem.sensitive.items()},
            respondents=None if problem.respondents is None else problem.respondents[self.order],
        )


@dataclass(frozen=True, eq=False)
class Dealt:
    """A decision about rows at their places, told for the rows as they stand in the original."""

    decision: Decision
    dealing: Dealing

    def apply(self, problem: Problem) -> Recoded:
        """Return the released values of every row of the original."""
        found = self.decision.apply(self.dealing.of(problem))
        places = self.dealing.places
        publication: Publication = found.publication
        if not isinstance(publication, InOneTable):
            publication = DealtPublication(publication, self.dealing)
        if found.class_of is not None:
            return replace(found, class_of=found.class_of[places], publication=publication)
        columns = tuple(replace(column, codes=column.codes[places]) for column in found.columns)
        return replace(found, columns=columns, kept=found.kept[places], publication=publication)

    def facts(self, problem: Problem) -> dict[str, Any]:
        """Return what the decision tells of itself."""
        return self.decision.facts(self.dealing.of(problem))


@dataclass(frozen=True, eq=False)
class DealtPublication:
    """What a decision about rows at their places publishes."""

    publication: Publication
    dealing: Dealing

    def tables(self, released: Table, rows: IntArray) -> dict[str, Table]:
        """Return the tables, from the released rows and the original row of each."""
        return self.publication.tables(released, self.dealing.places[rows])

    def told(self, problem: Problem, outcome: Outcome) -> Classes:
        """Return the classes in which sensitive values are told."""
        return self.publication.told(self.dealing.of(problem), outcome)

    def facts(self, sizes: tuple[Sizes, ...]) -> Apart | None:
        """Return what is told of these classes."""
        return self.publication.facts(sizes)
