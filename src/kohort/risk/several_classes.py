"""What the classes of a person with several rows tell together, where each of them keeps its promise alone.

Whoever knows the quasi-identifiers of all of a person's rows knows all of the person's classes; and who knows besides that
the value is the same in all of them (a chronic illness, a place of birth) knows that it occurs in every one of these
classes. What is left is the intersection of what they hold. How likely each of these values is then depends on what else
is believed, so of promises about likelihoods (shares, entropy, distances) one side is told: for how many people no belief
about what is left keeps them (`kohort.models.Room`). For others they may be broken too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, group
from kohort.models import Attribute, Room

NEAR = 1e-9  # what lies so near to a bound is not said to be beyond it


@dataclass(frozen=True)
class Across:
    """How many people stand in several classes, and for how many of them these leave fewer values than each alone."""

    people: int  # who have rows in several classes
    least: int  # values that a class promises to hold
    below: int  # of them, whose classes share a value, but fewer than that
    single: int  # of them, whose classes share one value, though each holds more
    beyond: (
        int | None
    )  # of them, for whom every belief breaks a promise about likelihoods; None: there is none


def across(
    classes: Classes, column: str, least: int, rooms: Sequence[Room], attribute: Attribute
) -> Across | None:
    """Return what people's classes leave together of a sensitive column; None where nobody stands in several.

    A person whose classes share no value has different ones, so nothing follows. People of the same classes
    are looked at once, in time of the values of the shortest of them.
    """
    people = below = single = beyond = 0
    for vectors in _vectors(classes):
        distinct, of_person = group(vectors.astype(np.int32))
        copies = np.bincount(of_person, minlength=len(distinct))
        left, weight = _left(classes, column, distinct.astype(np.int64), attribute.holding)
        alone = classes.sensitive[column].distinct()[distinct].min(axis=1)
        people += len(vectors)
        below += int(copies[(left > 0) & (left < least)].sum())
        single += int(copies[(left == 1) & (alone > 1)].sum())
        short = [
            (left < room.values) | (weight < room.share * (1 - NEAR) * attribute.people) for room in rooms
        ]
        beyond += int(copies[(left > 0) & np.logical_or.reduce([*short, left < 0])].sum())
    return Across(people, least, below, single, beyond if rooms else None) if people else None


def _vectors(classes: Classes) -> list[IntArray]:
    """Return the classes of everybody who stands in several, in one array for each number of classes."""
    held = classes.respondents
    if held is None:
        return []
    order = np.lexsort((held.owners, held.values))
    owners = held.owners[order]
    _, starts, lengths = np.unique(held.values[order], return_index=True, return_counts=True)
    return [
        owners[starts[lengths == number][:, None] + np.arange(number)]
        for number in np.unique(lengths[lengths > 1]).tolist()
    ]


def _left(classes: Classes, column: str, vectors: IntArray, weights: IntArray) -> tuple[IntArray, IntArray]:
    """Return how many values all classes of each vector share, and how many people of the table hold them, each for each value."""
    from kohort.classes.intersection_kernels import common

    held = classes.sensitive[column]
    return common(
        vectors, held.starts.astype(np.int64), held.values.astype(np.int64), weights.astype(np.int64)
    )
