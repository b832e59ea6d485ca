"""δ-disclosure privacy: no sensitive value's share in a class differs from the table's by a factor e^δ."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, inf
from typing import Annotated, Any, ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.models.demand import Demand, Room
from kohort.models.model import Monotone, Reference
from kohort.models.of_people import OfPeople, alone
from kohort.models.plain_words import Counted, power_of_e, share_holding
from kohort.models.segments import maxima
from kohort.models.sensitive import attribute_of, named_columns, number, people_holding, spoken
from kohort.models.threshold import NEAR, logarithm, rational
from kohort.typed import Named, Threshold, one_of


@dataclass(frozen=True)
class DeltaDisclosure(OfPeople):
    """For every class and every sensitive value of the table, |ln(q/p)| < `delta`.

    q is the value's share in the class, p its share in the original table. A value that is absent from a
    class has q = 0 and breaks the promise, as the definition says; `absent = "ignore"` judges only the values
    that occur in a class, as some tools do: this is weaker, and merging classes may then break it.
    e^δ is irrational, so the strict comparison has no boundary case; what lies next to δ is settled by logarithms to
    fifty digits. Shares are of people: who holds a value in any
    row holds it. A class of one person is never released.

    Complexity: linear in the (class, value) entries.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "flu", "cold"], ["cold", "cold", "flu"])
    >>> round(DeltaDisclosure(0.5, "ill").bind(table).achieved(classes), 3)
    0.405

    References: Brickell, Shmatikov. The cost of privacy: destruction of data-mining utility in anonymized
    data publishing. KDD 2008.
    """

    delta: Threshold
    column: Named | None = None
    absent: Annotated[str, one_of(("breaks", "ignore"))] = "breaks"
    columns: tuple[Named, ...] = ()
    _people: dict[str, tuple[IntArray, int]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    card: ClassVar = Card(
        "delta-disclosure",
        "no sensitive value's share in a class differs from the table's by a factor of e^delta or more",
        guarantee="belonging to a class changes the likelihood of a sensitive value by less than a factor e^delta, up or down",
        paper="Brickell and Shmatikov 2008",
        compares=True,
        counts="values",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns("delta-disclosure", self.column, self.columns))
        number("delta-disclosure", "delta", self.delta, above=0)
        if self.absent not in ("breaks", "ignore"):
            raise InputError(
                f"delta-disclosure: absent is {self.absent!r}; it must be one of: breaks, ignore",
                code="model.parameter",
                model="delta-disclosure",
                option="absent",
                value=self.absent,
                allowed=("breaks", "ignore"),
            )

    @property
    def monotone(self) -> Monotone:
        """A share in merged classes lies between those merged, unless absent values go unjudged."""
        return self.kept_by_merging(Monotone.GENERALIZATION if self.absent == "breaks" else Monotone.NOTHING)

    @property
    def label(self) -> str:
        """The promise in words."""
        present = "" if self.absent == "breaks" else " (values that occur)"
        return f"{self.delta:g}-disclosure privacy of {spoken(self.columns)}{present}"

    @property
    def guarantee(self) -> str:
        """What follows from it, by what it makes of absent values."""
        beside = "" if self.absent == "breaks" else "; that a class lacks a value altogether is not bounded"
        return f"{self.card.guarantee}{beside}"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        beside = "" if self.absent == "breaks" else f"; which values a {crowd} lacks is not promised"
        factor = power_of_e(self.delta)
        return (
            f"{share_holding(self.columns, counted)} is in every {crowd} less than {factor} times, and "
            f"more than 1/{factor} of, that in the whole original table{beside}"
        )

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive columns named."""
        return frozenset(self.columns)

    @property
    def demand(self) -> Demand:
        """A class of one person is never released; values that gain by no more than e^delta have a share to gain from."""
        return Demand(fewest=2, room=Room(share=exp(-self.delta)))

    def bind(self, reference: Reference) -> DeltaDisclosure:
        """Return the model with the people of the whole table to compare with."""
        attributes = [attribute_of("delta-disclosure", reference, column) for column in self.columns]
        return self.bound_to(reference, _people={a.name: (a.holding, a.people) for a in attributes})

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes in which some value's share differs too much."""
        broken = alone(classes)
        for column in self.columns:
            differences = self._differences(classes, column)
            far = differences >= self.delta
            for i in np.flatnonzero(np.abs(differences - self.delta) <= NEAR * self.delta):
                far[i] = self._reached(classes.kept(np.array([i])), column)
            broken |= far
        return broken

    def achieved(self, classes: Classes) -> float:
        """Return the greatest |ln(q/p)|: the promise holds for every delta above it."""
        if len(classes) == 0:
            return -inf
        return max(float(self._differences(classes, column).max()) for column in self.columns)

    @classmethod
    def figures(cls, classes: Classes, column: str, reference: Reference) -> dict[str, Any]:
        """Return the least delta: infinite where a value is absent from a class, and of values that occur."""
        return {
            "delta": cls(1, column).bind(reference).achieved(classes),
            "delta_of_values_that_occur": cls(1, column, absent="ignore").bind(reference).achieved(classes),
        }

    def holds(self, classes: Classes) -> bool:
        """Whether no value's share differs too much in any class."""
        return not self.failing(classes).any()

    def _reached(self, one: Classes, column: str) -> bool:
        """Tell whether |ln(q/p)| reaches delta in a class that is too near to it for floating point."""
        assert self._people is not None
        held, (holding, whole) = one.people_holding(column), self._people[column]
        size = int(one.sizes[0])
        ratios = (
            Fraction(int(c) * whole, int(holding[value]) * size)
            for value, c in zip(held.values, held.counts, strict=True)
        )
        return any(abs(Fraction(logarithm(ratio))) >= rational(self.delta) for ratio in ratios)

    def _differences(self, classes: Classes, column: str) -> FloatArray:
        """Return each class's greatest |ln(q/p)|."""
        if self._people is None:
            raise InputError(
                "delta-disclosure: bind it to the whole table's Reference first",
                code="model.unbound",
                model="delta-disclosure",
            )
        self.demand_same_people(classes)
        histogram, (holding, whole) = (
            people_holding("delta-disclosure", classes, column),
            self._people[column],
        )
        n = np.repeat(classes.sizes, np.diff(histogram.starts))
        with np.errstate(divide="ignore"):
            ratio = np.log(histogram.counts / n) - np.log(holding[histogram.values] / whole)
        worst = maxima(histogram.starts, np.abs(ratio))
        if self.absent == "breaks":
            worst = np.where(histogram.distinct() < np.count_nonzero(holding), inf, worst)
        return np.asarray(worst)
