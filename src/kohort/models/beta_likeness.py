"""β-likeness: no sensitive value becomes much more likely in a class than in the whole table."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Annotated, Any, ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.models.demand import Demand, Room
from kohort.models.model import Monotone, Reference
from kohort.models.of_people import OfPeople, alone
from kohort.models.plain_words import Counted, exact, share_holding
from kohort.models.segments import maxima
from kohort.models.sensitive import attribute_of, named_columns, number, people_holding, spoken
from kohort.models.threshold import at_most, rational
from kohort.typed import Named, Threshold, one_of

VARIANTS = ("basic", "enhanced")


@dataclass(frozen=True)
class BetaLikeness(OfPeople):
    """A value of share p in the table has in every class a share q with (q − p)/p ≤ `beta`.

    `enhanced` demands min(β, −ln p) instead of β, so that frequent values gain less. Only gains count: a
    value that becomes less likely breaks nothing. The table compared with is the original one. Shares are of
    people: who holds a value in any row holds it. A class of one person is never released.

    Complexity: linear in the (class, value) entries; of `enhanced` those nearest the bound are settled one by one.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "flu", "cold"], ["cold", "cold", "flu"])
    >>> round(BetaLikeness(0.5, "ill").bind(table).achieved(classes), 3)
    0.333

    References: Cao, Karras. Publishing microdata with a robust privacy guarantee. PVLDB 5(11), 2012.
    """

    beta: Threshold
    column: Named | None = None
    variant: Annotated[str, one_of(VARIANTS)] = "basic"
    columns: tuple[Named, ...] = ()
    _people: dict[str, tuple[IntArray, int]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    card: ClassVar = Card(
        "beta-likeness",
        "no sensitive value gains more than a factor 1 + beta in a class over the whole table",
        guarantee="belonging to a class raises the likelihood of a sensitive value by at most beta, relatively",
        paper="Cao and Karras 2012",
        compares=True,
        counts="values",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns("beta-likeness", self.column, self.columns))
        number("beta-likeness", "beta", self.beta, above=0)
        if self.variant not in VARIANTS:
            raise InputError(
                f"beta-likeness: variant is {self.variant!r}; it must be one of: {', '.join(VARIANTS)}",
                code="model.parameter",
                model="beta-likeness",
                option="variant",
                value=self.variant,
                allowed=VARIANTS,
            )

    @property
    def monotone(self) -> Monotone:
        """A share in merged classes is at most the greatest of those merged; suppression is not monotone."""
        return self.kept_by_merging(Monotone.GENERALIZATION)

    @property
    def label(self) -> str:
        """The promise in words."""
        enhanced = "enhanced " if self.variant == "enhanced" else ""
        return f"{enhanced}{self.beta:g}-likeness of {spoken(self.columns)}"

    @property
    def guarantee(self) -> str:
        """What follows from it, by its variant."""
        beside = (
            "; by no more than −ln p for a value of share p, whatever beta"
            if self.variant == "enhanced"
            else ""
        )
        return f"{self.card.guarantee}{beside}"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        less = "; of a value that is frequent there, still less" if self.variant == "enhanced" else ""
        return (
            f"{share_holding(self.columns, counted)} is in no {crowd} more than "
            f"{exact(self.beta, plus=1)} times that in the whole original table{less}"
        )

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive columns named."""
        return frozenset(self.columns)

    @property
    def demand(self) -> Demand:
        """A class of one person is never released; values that gain by no more than beta have a share to gain from."""
        return Demand(fewest=2, room=Room(share=1 / (1 + self.beta)))

    def bind(self, reference: Reference) -> BetaLikeness:
        """Return the model with the people of the whole table to compare with."""
        attributes = [attribute_of("beta-likeness", reference, column) for column in self.columns]
        return self.bound_to(reference, _people={a.name: (a.holding, a.people) for a in attributes})

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes in which some value gains too much."""
        broken = alone(classes)
        for column in self.columns:
            starts, gain, base, shares = self._gains(classes, column)
            too_much = ~at_most(gain, base, rational(self.beta))
            if self.variant == "enhanced":
                # ln p is irrational for a share p < 1, so a gain never equals it: floating point decides.
                with np.errstate(divide="ignore"):
                    too_much |= gain / base > -np.log(shares)
            broken |= maxima(starts, too_much)
        return broken

    def achieved(self, classes: Classes) -> float:
        """Return the least beta that every class meets; infinite where the bound −ln p is passed."""
        if len(classes) == 0:
            return -inf
        worst = 0.0
        for column in self.columns:
            _, gain, base, shares = self._gains(classes, column)
            with np.errstate(divide="ignore"):
                relative = gain / base
                if self.variant == "enhanced" and (relative > -np.log(shares)).any():
                    return inf
            worst = max(worst, float(relative.max()))
        return worst

    @classmethod
    def figures(cls, classes: Classes, column: str, reference: Reference) -> dict[str, Any]:
        """Return the least beta of both variants."""
        return {
            "beta": cls(1, column).bind(reference).achieved(classes),
            "beta_enhanced": cls(1, column, "enhanced").bind(reference).achieved(classes),
        }

    def holds(self, classes: Classes) -> bool:
        """Whether no value gains too much in any class."""
        return not self.failing(classes).any()

    def _gains(self, classes: Classes, column: str) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
        """Return, per (class, value): starts, c·N − C·n, C·n and the value's share C/N of the table's people."""
        if self._people is None:
            raise InputError(
                "beta-likeness: bind it to the whole table's Reference before classes are judged",
                code="model.unbound",
                model="beta-likeness",
            )
        self.demand_same_people(classes)
        histogram, (holding, whole) = people_holding("beta-likeness", classes, column), self._people[column]
        n = np.repeat(classes.sizes, np.diff(histogram.starts))
        held = holding[histogram.values].astype(np.int64)
        return histogram.starts, histogram.counts * whole - held * n, held * n, held / whole
