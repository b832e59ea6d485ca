"""Personalized anonymity: every respondent says what must not be learnt about them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, inf
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.hierarchy import meaning
from kohort.models.demand import Demand, Room
from kohort.models.model import Attribute, Monotone, Reference
from kohort.models.of_people import alone
from kohort.models.plain_words import Counted, per_cent
from kohort.models.segments import sums
from kohort.models.sensitive import attribute_of, histogram_of, number
from kohort.models.threshold import at_most, rational
from kohort.typed import Named, Share


@dataclass(frozen=True)
class Personalized:
    """Nobody's sensitive value is placed under their guarding node with a probability above `breach`.

    The column `guard`, of role "guard", holds, for every record, a label of the sensitive column's hierarchy above
    the record's own value: the least specific statement its respondent wants protected. A missing guard asks for
    nothing. It is read and never released: who guards what tells what there is to guard.

    In a class of n records of which b hold values under a guarding node, that statement is true of a member with
    probability b/n. Where people have several rows, it is true of somebody with c of them with probability
    1 − C(n−b, c)/C(n, c); c is the most rows that anybody has in the class; and the share of the people of the
    class of whom it is true in some row, whose rows may lie apart, must be at most `breach` too. Each class is
    judged by itself: what a person's rows in several classes tell together is not bounded. A class of one person is
    never released.

    Here sensitive values stay exact, while the paper may generalize them as well.

    Complexity: guarding nodes × (class, value) entries.

    >>> from kohort.demo.ward import crowds
    >>> from dataclasses import replace
    >>> from kohort.hierarchy import Hierarchy
    >>> classes, table = crowds(["flu", "cold"], ["flu", "gout", "gout"])
    >>> rows = [("cold", "lung", "*"), ("flu", "lung", "*"), ("gout", "joint", "*")]
    >>> ill = replace(table.attributes["ill"], hierarchy=Hierarchy.from_rows("ill", rows), ground=np.arange(3))
    >>> guards, wishes = crowds(["lung", "none"], ["lung", "none", "none"])  # one of each class guards diseases of the lung
    >>> asked = replace(wishes.attributes["ill"], name="guard", labels=("lung", None))
    >>> classes = replace(classes, sensitive={**classes.sensitive, "guard": guards.sensitive["ill"]})
    >>> table = replace(table, attributes={"ill": ill}, guards={"guard": asked})
    >>> Personalized(0.5, "ill", "guard").bind(table).failing(classes)
    array([ True, False])

    References: Xiao, Tao. Personalized privacy preservation. SIGMOD 2006. De Capitani di Vimercati et al., section 2.3.
    """

    breach: Share
    column: Named
    guard: Named
    _below: tuple[BoolArray, ...] | None = field(default=None, init=False, repr=False, compare=False)
    _labels: tuple[str | None, ...] = field(default=(), init=False, repr=False, compare=False)

    card: ClassVar = Card(
        "personalized",
        "nobody's sensitive value is found under the guarding node they chose with more than a set probability",
        guarantee="what a respondent wants protected follows from their class with probability at most breach",
        paper="Xiao and Tao 2006",
        counts="values",
    )

    def __post_init__(self) -> None:
        number("personalized", "breach", self.breach, above=0, most=1)
        for name, column, kind in (
            ("column", self.column, "sensitive column"),
            ("guard", self.guard, "guard"),
        ):
            if not isinstance(column, str) or not column:
                raise InputError(
                    f"personalized: {name} must name a {kind}",
                    code="model.parameter",
                    model="personalized",
                    option=name,
                )
        if self.column == self.guard:
            raise InputError(
                "personalized: guard must be another column than the one it guards",
                code="model.parameter",
                model="personalized",
                option="guard",
                value=self.guard,
            )

    @property
    def monotone(self) -> Monotone:
        """A guard of one class may be broken by the values of another that is merged with it."""
        return Monotone.NOTHING

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"breach of {self.column} as guarded by {self.guard} with probability at most {self.breach:g}"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        whose, their = (
            ("each person wants", "their") if counted == "people" else ("each row asks to be", "its")
        )
        return (
            f"what {whose} kept from others about {self.column} follows from {their} {crowd} with a probability of at most "
            f"{per_cent(self.breach)}"
        )

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive column and the guards."""
        return frozenset({self.column, self.guard})

    @property
    def guards(self) -> frozenset[str]:
        """The column that is read and never released."""
        return frozenset({self.guard})

    @property
    def demand(self) -> Demand:
        """A class of one person is never released."""
        return Demand(fewest=2, room=Room())

    def bind(self, reference: Reference) -> Personalized:
        """Return the model with the values below every guarding node looked up."""
        attribute = attribute_of("personalized", reference, self.column)
        guards = reference.guards.get(self.guard)
        if guards is None:
            raise InputError(
                f"personalized: there is no guard column {self.guard!r} in the table it compares with",
                code="model.unknown-column",
                model="personalized",
                column=self.guard,
            )
        bound = copy(self)
        object.__setattr__(bound, "_below", tuple(_below(attribute, label) for label in guards.labels))
        object.__setattr__(bound, "_labels", guards.labels)
        return bound

    def check_rows(self, codes: Mapping[str, IntArray]) -> None:
        """Refuse rows whose guard does not stand above their own value."""
        if self._below is None:
            raise InputError(
                "personalized: bind it to the whole table's Reference before rows are looked at",
                code="model.unbound",
                model="personalized",
            )
        values, guards = codes[self.column], codes[self.guard]
        asked = np.array([label is not None for label in self._labels], np.bool_)
        above = np.stack(self._below)[guards, values] if len(values) else np.zeros(0, np.bool_)
        wrong = int((asked[guards] & ~above).sum())
        if wrong:
            raise InputError(
                f"personalized: in {wrong:,} of {len(values):,} rows the guard {self.guard!r} is no label above the row's "
                f"own {self.column!r}, and so would protect nothing; correct these guards, or leave them empty",
                code="model.guard",
                model="personalized",
                column=self.guard,
                rows=wrong,
            )

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes in which some guard of theirs is breached."""
        broken = alone(classes)
        bound = rational(self.breach)
        for held, below, totals, rows in self._guarded(classes):
            broken[held] |= ~at_most(below, totals, bound)
            for i in np.flatnonzero(rows > 1):
                broken[held[i]] |= _found(int(below[i]), int(totals[i]), int(rows[i])) > bound
        return broken

    def achieved(self, classes: Classes) -> float:
        """Return the greatest probability with which a guard is breached."""
        if len(classes) == 0:
            return -inf
        return max(
            (
                float(_found(int(b), int(n), int(c)))
                for _, below, totals, rows in self._guarded(classes)
                for b, n, c in set(zip(below.tolist(), totals.tolist(), rows.tolist(), strict=True))
            ),
            default=0.0,
        )

    def holds(self, classes: Classes) -> bool:
        """Whether no guard is breached in any class."""
        return not self.failing(classes).any()

    def _guarded(self, classes: Classes) -> list[tuple[IntArray, IntArray, IntArray, IntArray]]:
        """Return, per guarding node, the classes with such a guard: which, records below it, records, most of a person."""
        if self._below is None:
            raise InputError(
                "personalized: bind it to the whole table's Reference before classes are judged",
                code="model.unbound",
                model="personalized",
            )
        values = histogram_of("personalized", classes, self.column)
        guards = histogram_of("personalized", classes, self.guard)
        totals, owners, rows = sums(values.starts, values.counts), guards.owners, _most_rows(classes)
        found = []
        for code, mask in enumerate(self._below):
            held = owners[guards.values == code]
            below = sums(values.starts, np.where(mask[values.values], values.counts, 0))
            found.append((held, below[held], totals[held], rows[held]))
            if self.column in classes.holders:
                people = classes.holders[self.column].rolled_up(mask.astype(np.int64), 2).people
                among = sums(people.starts, np.where(people.values == 1, people.counts, 0))
                found.append((held, among[held], classes.sizes[held], np.ones_like(held)))
        return found


def _most_rows(classes: Classes) -> IntArray:
    """Return, per class, the most records that are one person's."""
    people = classes.respondents
    if people is None or len(classes) == 0:
        return np.ones(len(classes), np.int64)
    return np.asarray(np.maximum.reduceat(people.counts, people.starts[:-1]), np.int64)


def _found(below: int, totals: int, rows: int) -> Fraction:
    """Return the probability that some of `rows` records, drawn from `totals`, are among the `below`."""
    return 1 - Fraction(comb(totals - below, rows), comb(totals, rows))


def _below(attribute: Attribute, label: str | None) -> BoolArray:
    """Mark the value codes that lie under the label; none under a missing guard."""
    if attribute.hierarchy is None or attribute.ground is None:
        raise InputError(
            f"personalized: column {attribute.name!r} has no hierarchy for guards to name; declare one in [columns]",
            code="model.no-hierarchy",
            model="personalized",
            column=attribute.name,
        )
    if label is None:
        return np.zeros(len(attribute.labels), np.bool_)
    mask = meaning(attribute.hierarchy, label)
    if mask is None:
        raise InputError(
            f"personalized: a guard is no label of the hierarchy of {attribute.name!r}; every guard must be one, or missing",
            code="model.guard",
            model="personalized",
            column=attribute.name,
        )
    return np.asarray(mask[attribute.ground])
