"""(α,k)-anonymity: k respondents in every class, and no chosen sensitive value in more than a share α."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, inf
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes import Classes, Histogram
from kohort.errors import InputError
from kohort.models.demand import Demand, Room
from kohort.models.model import Monotone, Reference
from kohort.models.of_people import OfPeople, alone
from kohort.models.plain_words import Counted, each_of, many_counted, per_cent
from kohort.models.segments import maxima
from kohort.models.sensitive import attribute_of, named_columns, number, people_holding, spoken, whole_number
from kohort.models.threshold import at_most, rational
from kohort.table.texts import text_of
from kohort.typed import Count, Named, Share


@dataclass(frozen=True)
class AlphaK(OfPeople):
    """Every class holds at least `k` respondents, and each watched value is held by at most a share `alpha`.

    `value` or `values` are the sensitive values watched, one by one; every value of the columns where none is
    named. Shares are of people: who holds a value in any row of the class holds it. A class of one person is never
    released, whatever `alpha` and `k` say.

    Complexity: linear in the (class, value) entries.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "flu", "cold"], ["flu", "cold", "gout"])
    >>> AlphaK(0.5, 3, "ill").bind(table).failing(classes)
    array([ True, False])

    References: Wong, Li, Fu, Wang. (α,k)-anonymity: an enhanced k-anonymity model for privacy preserving data
    publishing. KDD 2006. Truta et al., section 1.
    """

    alpha: Share
    k: Count
    column: Named | None = None
    value: str | None = None
    values: tuple[str | None, ...] = ()
    columns: tuple[Named, ...] = ()
    _watched: dict[str, BoolArray] | None = field(default=None, init=False, repr=False, compare=False)

    card: ClassVar = Card(
        "alpha-k",
        "every class holds at least k respondents and no watched value in more than a share alpha",
        guarantee="a watched value follows from belonging to a class with confidence at most alpha",
        paper="Wong et al. 2006",
        counts="values",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns("alpha-k", self.column, self.columns))
        listed = isinstance(self.values, list | tuple | set | frozenset)
        values: tuple[Any, ...] = tuple(self.values) if listed else (self.values,)
        if self.value is not None:
            values = (self.value, *(value for value in values if value != self.value))
        object.__setattr__(self, "values", values)
        number("alpha-k", "alpha", self.alpha, above=0, most=1)
        whole_number("alpha-k", "k", self.k, least=1)
        if not all(value is None or isinstance(value, str | int | float) for value in self.values):
            raise InputError(
                "alpha-k: values must be a list of values of the sensitive column",
                code="model.parameter",
                model="alpha-k",
                option="values",
            )

    @property
    def monotone(self) -> Monotone:
        """A share in merged classes lies between those merged; suppression is not monotone."""
        return self.kept_by_merging(Monotone.GENERALIZATION)

    @property
    def label(self) -> str:
        """The promise in words."""
        many = "a value" if len(self.values) == 1 else f"{len(self.values)} values"
        watched = f"{many} of " if self.values else ""
        return f"({self.alpha:g}, {self.k})-anonymity of {watched}{spoken(self.columns)}"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        watched = {0: "one and the same value", 1: "the watched value"}.get(
            len(self.values), f"one and the same of the {len(self.values)} watched values"
        )
        whom = "whom" if counted == "people" else "which"
        return (
            f"every {crowd} holds at least {many_counted(max(self.k, 2), counted)}, of {whom} at most {per_cent(self.alpha)} hold "
            f"{watched} of {each_of(self.columns)}"
        )

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive columns named."""
        return frozenset(self.columns)

    @property
    def demand(self) -> Demand:
        """A crowd of k, nobody alone, and so many people that one of them is no larger a share than alpha."""
        fewest = 1 if self.values else ceil(1 / rational(self.alpha))
        return Demand(crowd=self.k, fewest=max(2, fewest), room=Room(values=fewest))

    def bind(self, reference: Reference) -> AlphaK:
        """Return the model with the watched values looked up.

        A value need not occur: the plan is public, and would tell that somebody left out has it.
        """
        if not self.values:
            return self.bound_to(reference)
        texts = set(map(text_of, self.values))
        watched = {
            column: np.array([label in texts for label in self._labels(reference, column)], np.bool_)
            for column in self.columns
        }
        return self.bound_to(reference, _watched=watched)

    def unheld(self, reference: Reference) -> int:
        """Return how many of the values named nobody in the table has."""
        held = {label for column in self.columns for label in self._labels(reference, column)}
        return len(set(map(text_of, self.values)) - held)

    @staticmethod
    def _labels(reference: Reference, column: str) -> tuple[str | None, ...]:
        return attribute_of("alpha-k", reference, column).labels

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes with fewer than k respondents or too large a share of a watched value."""
        broken = alone(classes) | (classes.sizes < self.k)
        for column in self.columns:
            greatest = self._greatest(column, people_holding("alpha-k", classes, column))
            broken |= ~at_most(greatest, classes.sizes, rational(self.alpha))
        return broken

    def achieved(self, classes: Classes) -> float:
        """Return the least alpha that every class meets."""
        if len(classes) == 0:
            return -inf
        shares = []
        for column in self.columns:
            greatest = self._greatest(column, people_holding("alpha-k", classes, column))
            shares.append(float((greatest / classes.sizes).max()))
        return max(shares)

    @classmethod
    def figures(cls, classes: Classes, column: str, reference: Reference) -> dict[str, Any]:  # noqa: ARG003
        """Return the least alpha."""
        return {"alpha": cls(1, 1, column).achieved(classes)}

    def holds(self, classes: Classes) -> bool:
        """Whether every class keeps both parts of the promise."""
        return not self.failing(classes).any()

    def _greatest(self, column: str, histogram: Histogram) -> IntArray:
        """Return the people who hold the most frequent watched value in each class."""
        counts = histogram.counts
        if self.values:
            if self._watched is None:
                raise InputError(
                    "alpha-k: bind it to the whole table's Reference to look its values up",
                    code="model.unbound",
                    model="alpha-k",
                )
            counts = np.where(self._watched[column][histogram.values], counts, 0)
        return maxima(histogram.starts, counts)
