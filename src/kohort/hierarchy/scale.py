"""`Scale`: what the ground values are beside texts, and the order that follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple, TypeAlias

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.hierarchy.calendar import ascending_days
from kohort.hierarchy.domain import Domain, Label, used
from kohort.hierarchy.numerals import numbers_of
from kohort.hierarchy.spelling import Spelling


class Pitch(NamedTuple):
    """Where the finest intervals begin and how wide they are, and beyond what nothing but an open end is told."""

    origin: Decimal
    width: Decimal
    low: Decimal | None = None
    high: Decimal | None = None
    reach: Decimal | None = None  # from the least to the greatest value that the plan declares


Marks: TypeAlias = tuple[tuple[Decimal, ...], ...]  # where the plan has the intervals of each level end


@dataclass(frozen=True, eq=False)
class Scale:
    """What the ground values are beside texts: numbers, days, declared or read from the table."""

    numbers: FloatArray | None = None
    days: IntArray | None = None
    declared: bool = True
    closed: bool = True
    pitch: Pitch | None = None
    coded: Mapping[str, str] = field(default_factory=dict)
    open_ended: bool = False
    spellings: tuple[Spelling, ...] = ()
    marks: Marks = ()


def scale_of(ground: Sequence[Label], declared: bool = True, closed: bool = True) -> Scale:
    """Return the scale of ground values that nobody has said anything about: numbers where all are."""
    return Scale(numbers_of(ground), None, declared, closed)


def by_value(numbers: FloatArray, labels: Sequence[Label]) -> IntArray:
    """Return the order of the numbers, missing ones (nan) last; one number spelled twice by its spelling."""
    order = np.argsort(numbers, kind="stable")
    if (np.diff(numbers[order]) != 0).all():
        return order
    texts = [label or "" for label in labels]
    return np.array(sorted(order.tolist(), key=lambda i: (np.isnan(numbers[i]), numbers[i], texts[i])))


def days_in_order(scale: Scale, ground: Sequence[Label], order: IntArray) -> IntArray | None:
    """Return the days of the ground values where these are dates, in the order of time."""
    if scale.days is not None:
        return scale.days[order]
    return ascending_days(ground) if scale.numbers is None else None


def side_by_side(domains: Sequence[Domain], order: IntArray) -> bool:
    """Tell whether the values under every label stand side by side in that order.

    Where they do not, the numbers are codes for something else and have no order worth keeping.
    """
    for domain in domains:
        codes = domain.of_ground[order]
        runs = 1 + int((codes[1:] != codes[:-1]).sum())
        if runs > used(codes):
            return False
    return True


def leaf_order(domains: Sequence[Domain]) -> IntArray:
    """Return the order in which the values under every label stand side by side, missing ones last."""
    keys = []
    for domain in domains:
        rank = np.arange(len(domain.labels))
        rank[[label is None for label in domain.labels]] = len(rank)  # the missing value comes last
        keys.append(rank[domain.of_ground])
    return np.lexsort(keys)
