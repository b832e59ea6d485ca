"""What all models of sensitive values share: they count people, each of whom may have several rows.

Where nobody has several rows, everything here is what the papers say of records.
"""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar, Self

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes import Classes, Histogram
from kohort.errors import InputError
from kohort.models.model import Monotone, Reference
from kohort.models.segments import descending, sums


class OfPeople:
    """A model that knows, once bound, whether people of the table have several rows.

    If so, merging classes promises nothing: a person may stand in both with different values, so that merged
    classes may hold fewer people than records, and more values per person.
    """

    card: ClassVar[Card]
    several_rows = False

    def bound_to(self, reference: Reference, **looked_up: Any) -> Self:
        """Return a copy that is bound to the table, with what was looked up in it; self where nothing is to be known."""
        if not looked_up and reference.people is None:
            return self
        bound = copy(self)
        object.__setattr__(bound, "several_rows", reference.people is not None)
        for name, found in looked_up.items():
            object.__setattr__(bound, name, found)
        return bound

    def demand_same_people(self, classes: Classes) -> None:
        """Refuse to compare classes of people with a table that was counted in rows."""
        if classes.holders and not self.several_rows:
            raise InputError(
                f"{self.card.name}: people have several rows here, and the table to compare with was counted in rows; "
                "name the respondent column under [input]",
                code="model.no-people",
                model=self.card.name,
            )

    def kept_by_merging(self, flags: Monotone) -> Monotone:
        """Return the flags that hold for people with one row each, or none."""
        return Monotone.NOTHING if self.several_rows else flags


def alone(classes: Classes) -> BoolArray:
    """Mark the classes of one person: whoever finds it knows all its values, whatever is promised about shares."""
    return np.asarray(classes.sizes < 2)


def least_diverse(held: Histogram, people: IntArray) -> Histogram:
    """Return counts that are no more diverse than any choice of one value for each person of a class.

    With r₁ ≥ r₂ ≥ … people holding each value and n people in the class, the counts are r₁, r₂, … as long
    as they sum to at most n, and then what is left of n. Whatever values are chosen for the people, one of
    their own each, the j most frequent ones are chosen by at most min(n, r₁ + … + r_j) of them: these counts
    majorize all choices. So the number of values and the entropy of a choice are at least theirs (entropy is
    Schur-concave), its greatest count at most theirs and its tails at least theirs. Where every person holds one
    value, the counts are r themselves. The values of the histogram returned are ranks.
    """
    if (sums(held.starts, held.counts) == people).all():
        return held
    counts, lengths = descending(held.starts, held.counts), np.diff(held.starts)
    before = np.cumsum(counts) - counts
    before -= np.repeat(before[held.starts[:-1][lengths > 0]], lengths[lengths > 0])
    counted = np.minimum(counts, np.repeat(people, lengths) - before)
    left = counted > 0
    starts = np.zeros(len(held.starts), np.int64)
    np.cumsum(np.bincount(held.owners[left], minlength=len(lengths)), out=starts[1:])
    ranks = np.arange(len(counts)) - np.repeat(held.starts[:-1], lengths)
    return Histogram(starts, ranks[left].astype(np.int32), counted[left], held.size)
