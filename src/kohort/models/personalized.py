"""Personalized anonymity: every respondent says what must not be learnt about them."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.hierarchy import meaning
from kohort.models.model import Attribute, Monotone, Reference
from kohort.models.segments import sums
from kohort.models.sensitive import attribute_of, histogram_of, number
from kohort.models.threshold import at_most, rational


@dataclass(frozen=True)
class Personalized:
    """Nobody's sensitive value is placed under their guarding node with a probability above `breach`.

    The column `guard` holds, for every record, a label of the sensitive column's hierarchy: the least specific
    statement its respondent wants protected. A missing guard asks for nothing. In a class of n records
    of which b hold values under a guarding node, that statement is true of a member with probability b/n. Both
    columns are read and both are released; a guard is only as telling as the class it is shown in.

    Here sensitive values stay exact, while the paper may generalize them as well.

    References: Xiao, Tao. Personalized privacy preservation. SIGMOD 2006. De Capitani di Vimercati et al., section 2.3.
    """

    breach: float
    column: str
    guard: str
    _below: tuple[BoolArray, ...] | None = field(default=None, init=False, repr=False, compare=False)

    card: ClassVar = Card(
        "personalized",
        "nobody's sensitive value is found under the guarding node they chose with more than a set probability",
        guarantee="what a respondent wants protected follows from their class with probability at most breach",
        paper="Xiao and Tao 2006",
    )
    bounds_linking: ClassVar[bool] = False

    def __post_init__(self) -> None:
        number("personalized", "breach", self.breach, above=0, most=1)
        for name, column in (("column", self.column), ("guard", self.guard)):
            if not isinstance(column, str) or not column:
                raise InputError(f"personalized: {name} must name a sensitive column")
        if self.column == self.guard:
            raise InputError("personalized: guard must be another column than the one it guards")

    @property
    def monotone(self) -> Monotone:
        """A guard of one class may be broken by the values of another that is merged with it."""
        return Monotone.NOTHING

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"breach of {self.column} as guarded by {self.guard} with probability at most {self.breach:g}"

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive column and the guards."""
        return frozenset({self.column, self.guard})

    def bind(self, reference: Reference) -> Personalized:
        """Return the model with the values below every guarding node looked up."""
        attribute = attribute_of("personalized", reference, self.column)
        guards = attribute_of("personalized", reference, self.guard)
        bound = copy(self)
        object.__setattr__(bound, "_below", tuple(_below(attribute, label) for label in guards.labels))
        return bound

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes in which some guard of theirs is breached."""
        broken = np.zeros(len(classes), np.bool_)
        for held, below, totals in self._guarded(classes):
            broken[held] |= ~at_most(below, totals, rational(self.breach))
        return broken

    def achieved(self, classes: Classes) -> float:
        """Return the greatest probability with which a guard is breached."""
        if len(classes) == 0:
            return -inf
        return max(
            (float((below / totals).max()) for held, below, totals in self._guarded(classes) if len(held)),
            default=0.0,
        )

    def holds(self, classes: Classes) -> bool:
        """Whether no guard is breached in any class."""
        return not self.failing(classes).any()

    def _guarded(self, classes: Classes) -> list[tuple[IntArray, IntArray, IntArray]]:
        """Return, per guarding node: the classes with such a guard, their records below it, their records."""
        if self._below is None:
            raise InputError("personalized: bind it to the whole table's Reference before classes are judged")
        values = histogram_of("personalized", classes, self.column)
        guards = histogram_of("personalized", classes, self.guard)
        totals, owners = sums(values.starts, values.counts), guards.owners
        found = []
        for code, mask in enumerate(self._below):
            held = owners[guards.values == code]
            below = sums(values.starts, np.where(mask[values.values], values.counts, 0))
            found.append((held, below[held], totals[held]))
        return found


def _below(attribute: Attribute, label: str | None) -> BoolArray:
    """Mark the value codes that lie under the label; none under a missing guard."""
    if attribute.hierarchy is None or attribute.ground is None:
        raise InputError(
            f"personalized: column {attribute.name!r} has no hierarchy for guards to name; declare one in [columns]"
        )
    if label is None:
        return np.zeros(len(attribute.labels), np.bool_)
    mask = meaning(attribute.hierarchy, label)
    if mask is None:
        raise InputError(
            f"personalized: a guard is no label of the hierarchy of {attribute.name!r}; every guard must be one, or missing"
        )
    return np.asarray(mask[attribute.ground])
