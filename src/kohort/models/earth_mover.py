"""The earth mover's distance from a class's values to the whole table's, as exact ratios of counts.

With c of n records in the class and C of N in the table holding a value, the class's excess at that value
is c·N − C·n, a whole number; every distance below is a sum of such excesses over n·N times a constant.
Where the products could pass 64 bits, floating point is used, and Python's whole numbers for whoever asks for `exact`
ones: too slow for all classes, and needed for the few whose distance floating point cannot tell from a threshold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kohort.arrays import IntArray
from kohort.classes import Histogram
from kohort.errors import InputError
from kohort.models.model import Attribute
from kohort.models.segments import sums

_DATE = re.compile(r"\d{4}-\d\d-\d\d([ T].*)?")  # spelled so that the alphabet is the calendar
Work = tuple[NDArray[Any], NDArray[Any]]


class EarthMover(Protocol):
    """Measures how much earth must be moved how far."""

    def work(self, histogram: Histogram, exact: bool = False) -> Work:
        """Return numerators and denominators of each class's distance: whole numbers, or floats unless `exact`."""


class Equal:
    """Every two values are 1 apart: the distance is half the L1 norm, the sum of the positive excesses."""

    def __init__(self, attribute: Attribute) -> None:
        self.totals = attribute.totals.astype(np.int64)
        self.n = int(self.totals.sum())
        self.fits = _fits(self.n, 2)

    def work(self, histogram: Histogram, exact: bool = False) -> Work:
        """Return the positive excesses of each class over n·N: values absent from a class have none."""
        n = sums(histogram.starts, histogram.counts).astype(kind_of(self.fits, exact))
        return _positive_excess(histogram, n, self.totals, self.n), n * self.n


class Ordered:
    """Values are |i − j|/(m − 1) apart: the distance is the mean absolute difference of the prefix sums.

    Between two values that occur in a class its prefix sum is constant while the table's rises, so the
    absolute differences over such a stretch follow from two lookups in sums of the table's prefix sums:
    the matrix of classes × values is never made.
    """

    def __init__(self, attribute: Attribute) -> None:
        order = domain_order(attribute)
        totals = attribute.totals[order].astype(np.int64)
        self.m = len(order)
        self.rank = np.empty(self.m, np.int64)
        self.rank[order] = np.arange(self.m)
        self.n = int(totals.sum())
        self.fits = _fits(self.n, self.m + 1)
        self.prefix = np.cumsum(totals)
        summed = self.prefix.astype(kind_of(self.n * self.m < 2**62, exact=True))
        self.area = np.concatenate([[0], np.cumsum(summed)])

    def work(self, histogram: Histogram, exact: bool = False) -> Work:
        """Return Σ|prefix differences| of each class over (m − 1)·n·N."""
        starts, lengths = histogram.starts, np.diff(histogram.starts)
        owners = np.repeat(np.arange(len(lengths)), lengths)
        ranks = self.rank[histogram.values]
        order = np.argsort(owners * self.m + ranks)
        ranks, counts = ranks[order], histogram.counts[order]
        n = sums(starts, counts)
        running = np.cumsum(counts)
        held = running - np.repeat((running[starts[1:] - 1] - n)[lengths > 0], lengths[lengths > 0])
        begins = ranks
        ends = np.append(ranks[1:], self.m)
        ends[starts[1:][lengths > 0] - 1] = self.m
        first = np.where(lengths > 0, ranks[np.minimum(starts[:-1], max(len(ranks) - 1, 0))], self.m)
        kind = kind_of(self.fits, exact)
        size, level, area = n[owners].astype(kind), held.astype(kind) * self.n, self.area.astype(kind)
        # Up to `turn` the table's prefix sum is at most the class's; beyond, it is greater.
        share = (level // size).astype(np.int64)
        turn = np.searchsorted(self.prefix, share, side="right")
        turn = np.clip(turn, begins, ends)
        moved = level * (turn - begins) - size * (area[turn] - area[begins])
        moved += size * (area[ends] - area[turn]) - level * (ends - turn)
        work = sums(starts, moved) + n.astype(kind) * area[first]
        return work, n.astype(kind) * (max(self.m - 1, 1) * self.n)


class Hierarchical:
    """Values are as far apart as their lowest common ancestor is high, relative to the hierarchy's height.

    Moving within the subtrees of a node of height h costs h/H times the lesser of its children's positive and
    negative excess. Summed over a level that is what the positive excess loses from the level below, so the
    distance is the mean, over the levels below the root, of the equal distance at that level.
    """

    def __init__(self, attribute: Attribute) -> None:
        hierarchy, ground = attribute.hierarchy, attribute.ground
        if hierarchy is None or ground is None:
            raise InputError(
                f"t-closeness: the hierarchical distance needs a hierarchy for column {attribute.name!r}; "
                "declare one in [columns], or use the distance equal or ordered",
                code="model.no-hierarchy",
                column=attribute.name,
            )
        self.n = int(attribute.totals.sum())
        self.height = max(hierarchy.height, 1)
        self.fits = _fits(self.n, 2 * self.height)
        self.ground = attribute.totals.astype(np.int64)
        self.up = [hierarchy.levels[level].of_ground[ground] for level in range(1, self.height)]
        self.totals = [
            np.bincount(up, attribute.totals, minlength=len(level.labels)).astype(np.int64)
            for up, level in zip(self.up, hierarchy.levels[1:-1], strict=True)
        ]

    def work(self, histogram: Histogram, exact: bool = False) -> Work:
        """Return the positive excesses over all levels below the root, over H·n·N."""
        n = sums(histogram.starts, histogram.counts).astype(kind_of(self.fits, exact))
        work = _positive_excess(histogram, n, self.ground, self.n)
        for up, totals in zip(self.up, self.totals, strict=True):
            work = work + _positive_excess(rolled_up(histogram, up, len(totals)), n, totals, self.n)
        return work, n * (self.height * self.n)


def rolled_up(histogram: Histogram, up: IntArray, size: int) -> Histogram:
    """Return the histogram over coarser values: value v counts as `up[v]` of `size`."""
    n_classes = len(histogram.starts) - 1
    keys = histogram.owners * size + up[histogram.values]
    if n_classes * size > 8 * len(keys) + 65_536:
        return Histogram.of(histogram.owners, up[histogram.values], n_classes, size, histogram.counts)
    dense = np.bincount(keys, histogram.counts, minlength=n_classes * size).astype(np.int64)
    held = np.flatnonzero(dense)
    starts = np.zeros(n_classes + 1, np.int64)
    np.cumsum(np.bincount(held // size, minlength=n_classes), out=starts[1:])
    return Histogram(starts, (held % size).astype(np.int32), dense[held], size)


def demand_order(attributes: Iterable[Attribute]) -> None:
    """Refuse columns whose values are ordered by a hierarchy that is not at hand."""
    for attribute in attributes:
        if attribute.unordered:
            raise InputError(
                f"t-closeness: the values of column {attribute.name!r} are in the order of a hierarchy that is not at hand; "
                "give the plan that names it",
                code="model.no-hierarchy",
                column=attribute.name,
            )


def domain_order(attribute: Attribute) -> IntArray:
    """Return the value codes in the order of their domain, missing last."""
    if attribute.ground is not None:
        return np.argsort(attribute.ground, kind="stable")
    labels, numbers = attribute.labels, _numbers(attribute.labels)
    keys: list[Any] = [(text is None, text or "") for text in labels]
    if numbers is not None:
        # one number may be spelled twice: no order is left to chance
        keys = [(is_missing, number, text) for (is_missing, text), number in zip(keys, numbers, strict=True)]
    return np.array(sorted(range(len(labels)), key=keys.__getitem__), np.int64)


def told_order(attribute: Attribute) -> str:
    """Return in words in which order `domain_order` puts the values, so that others can."""
    hierarchy = None if attribute.ground is None else attribute.hierarchy
    if hierarchy is None:
        by = "texts" if _numbers(attribute.labels) is None else "numbers"
    elif by_spelling(attribute):
        by = "texts"
    elif hierarchy.numbers is None and hierarchy.days is None:
        return f"in the order of its {'declared ' if hierarchy.declared else ''}hierarchy"
    else:
        by = "dates" if hierarchy.numbers is None else "numbers"
    return f"in the order of its {by}, missing values last"


def by_spelling(attribute: Attribute) -> bool:
    """Whether nothing but the spelling of texts orders the values: nobody declared an order, and none are numbers or dates."""
    hierarchy = attribute.hierarchy
    if attribute.unordered:
        return False
    if hierarchy is None or attribute.ground is None:
        dated = all(text is None or _DATE.fullmatch(text) for text in attribute.labels)
        return _numbers(attribute.labels) is None and not dated
    if hierarchy.declared or hierarchy.numbers is not None or hierarchy.days is not None:
        return False
    labels = [label for label in hierarchy.levels[0].labels if label is not None]
    return labels == sorted(labels)


def _numbers(labels: Sequence[str | None]) -> list[Decimal] | None:
    """Return the labels as numbers, exactly, for floats take long ones for one another; None where some is not."""
    try:
        finite = np.isfinite([0.0 if text is None else float(text) for text in labels]).all()
        return [Decimal(text or 0) for text in labels] if finite else None
    except (ValueError, InvalidOperation):  # the second: exponents of more digits than any number has
        return None


def _positive_excess(histogram: Histogram, n: NDArray[Any], totals: IntArray, whole: int) -> NDArray[Any]:
    """Return the positive excesses of each class of `n` records over a table of `whole`, numbers as those of `n` are."""
    size = np.repeat(n, np.diff(histogram.starts))
    excess = histogram.counts.astype(n.dtype) * whole - totals[histogram.values].astype(n.dtype) * size
    return sums(histogram.starts, np.maximum(excess, 0))


def kind_of(fits: bool, exact: bool) -> np.dtype[Any]:
    """Return what is reckoned in: 64 bits where these hold all products, else floats, or numbers of any length."""
    if fits:
        return np.dtype(np.int64)
    return np.dtype(object if exact else np.float64)


def _fits(n: int, factor: int) -> bool:
    return n * n * factor < 2**62
