"""`even-crowd`: crowds of at least k people, and of an even number: a promise that merging may break."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from kohort.arrays import BoolArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.models import Demand, Monotone, Reference
from kohort.verification.judges.definitions import Counted, Finding


@dataclass(frozen=True)
class EvenCrowd:
    """Every class holds at least `k` people, two by two.

    Complexity: linear in the classes.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "cold"], ["flu", "cold", "gout"])
    >>> EvenCrowd(2).bind(table).failing(classes)
    array([False,  True])

    References: Noah, N. On boarding. An old story.
    """

    k: int

    card: ClassVar = Card(
        "even-crowd",
        "every class holds at least k people, and an even number of them",
        guarantee="whoever is found in a class has company",
        paper="Noah",
    )

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 2:
            raise InputError("even-crowd: k must be a whole number of at least 2")

    @property
    def monotone(self) -> Monotone:
        """Even crowds that do not overlap stay even when they are merged; what is suppressed may grow."""
        return Monotone.NOTHING

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"even crowds of at least {self.k}"

    @property
    def reads(self) -> frozenset[str]:
        """No sensitive attribute is looked at."""
        return frozenset()

    @property
    def demand(self) -> Demand:
        """A crowd of k."""
        return Demand(crowd=self.k)

    def bind(self, reference: Reference) -> EvenCrowd:
        """Return self: a class is judged by itself."""
        return self

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes that are too small or odd."""
        return (classes.sizes < self.k) | (classes.sizes % 2 == 1)

    def achieved(self, classes: Classes) -> float:
        """Return the size of the smallest class."""
        return float(classes.sizes.min()) if len(classes) else float("inf")

    def holds(self, classes: Classes) -> bool:
        """Whether no class is too small or odd."""
        return not self.failing(classes).any()

    def judge(self, counted: Counted) -> Finding:
        """The definition once more, for the verifier."""
        crowds = counted.people.tolist()
        return Finding(all(n >= self.k and n % 2 == 0 for n in crowds), float(min(crowds, default=inf)))
