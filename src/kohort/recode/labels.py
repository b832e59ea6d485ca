"""The one label of every group of records in an attribute: an interval on the grid, or a label of the hierarchy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label
from kohort.hierarchy.grid import Grid
from kohort.hierarchy.spans import Ranges, exact_label, is_clear, label_at

_DENSE = 1 << 26  # (group, value) pairs up to which presence is marked in a dense table


@dataclass(frozen=True, eq=False)
class GroupLabels:
    """The label of every group in one attribute: a code per group into the distinct labels."""

    codes: IntArray  # int32 (n_groups)
    labels: tuple[Label, ...]


@dataclass(frozen=True, eq=False)
class Held:
    """The distinct ground codes of every group, group by group, ascending."""

    values: IntArray
    starts: IntArray  # (n_groups + 1) where each group begins

    @classmethod
    def of(cls, ground: IntArray, group_of: IntArray, n_groups: int, size: int) -> Held:
        """Return what the groups 0 … n_groups - 1 hold, each of which has at least one item."""
        keys = group_of.astype(np.int64) * size + ground
        if n_groups * size <= _DENSE:
            present = np.zeros(n_groups * size, np.bool_)
            present[keys] = True
            pairs = np.flatnonzero(present)
        else:
            pairs = np.unique(keys)
        return cls(pairs % size, np.searchsorted(pairs, np.arange(n_groups + 1) * size))

    def extremes(self, hierarchy: Hierarchy) -> tuple[IntArray, IntArray, BoolArray]:
        """Return the least and the greatest value of each group, and whether the missing one is held beside them."""
        least, greatest = self.values[self.starts[:-1]], self.values[self.starts[1:] - 1]
        missing = np.zeros(len(least), np.bool_)
        if hierarchy.ground[-1] is None:
            missing = (least < greatest) & (greatest == hierarchy.size - 1)
            greatest = np.where(missing, self.values[self.starts[1:] - 2], greatest)
        return least, greatest, missing


@dataclass(frozen=True, eq=False)
class Extents:
    """What labels are told by: the least and the greatest value of every group, and the lowest level that covers all of it."""

    least: IntArray
    greatest: IntArray  # the missing value aside, where others are held
    missing: BoolArray  # whether it is held beside them
    level: IntArray

    @classmethod
    def of(cls, hierarchy: Hierarchy, held: Held) -> Extents:
        """Return the extents of groups, from all that they hold."""
        return cls(*held.extremes(hierarchy), _covering_levels(hierarchy, held))


def nothing() -> GroupLabels:
    """Return the labels of no group."""
    return GroupLabels(np.zeros(0, np.int32), (SUPPRESSED,))


def label_groups(
    hierarchy: Hierarchy, ground: IntArray, group_of: IntArray, n_groups: int, tight: bool = False
) -> GroupLabels:
    """Return one label per group over the ground codes of its items, which are rows or base classes.

    Numbers and dates with a grid are told as the interval of all cells of level 1 (with `tight` of the finest
    cells) from that of the least value to that of the greatest, or as the value that all share; whatever else by
    the lowest label above all values of the group.
    """
    if n_groups == 0:
        return nothing()
    held = Held.of(ground, group_of, n_groups, hierarchy.size)
    grid = hierarchy.grid if tight else hierarchy.wide_grid
    if grid is None:
        return label_ancestors(hierarchy, Extents.of(hierarchy, held))
    return _label_spans(hierarchy, grid, *held.extremes(hierarchy))


def label_extents(hierarchy: Hierarchy, extents: Extents, tight: bool = False) -> GroupLabels:
    """Return what `label_groups` does, of groups that are known by their extents."""
    grid = hierarchy.grid if tight else hierarchy.wide_grid
    if grid is None:
        return label_ancestors(hierarchy, extents)
    return _label_spans(hierarchy, grid, extents.least, extents.greatest, extents.missing)


def _label_spans(
    hierarchy: Hierarchy, grid: Grid, least: IntArray, greatest: IntArray, missing: BoolArray
) -> GroupLabels:
    alone = (least == greatest) & ~missing
    low, high = (np.where(alone, x, ends[x]) for x, ends in ((least, grid.first), (greatest, grid.last)))
    return label_ranges(hierarchy, low, high, missing, alone=alone)


def label_ranges(
    hierarchy: Hierarchy,
    low: IntArray,
    high: IntArray,
    missing: BoolArray,
    lowest: int = 0,
    alone: BoolArray | None = None,
    ceiling: int | None = None,
) -> GroupLabels:
    """Return the interval of the ground codes low … high of each group, both ends included, no finer than `lowest`.

    `missing` marks groups that cover the missing value beside their range, `alone` those that share one value. Where a level
    is the `ceiling`, its label is told in the place of `*`.
    """
    exact = np.zeros(len(low), np.bool_) if alone is None else alone
    size, last = hierarchy.size, hierarchy.size - 1
    keys = ((low.astype(np.int64) * size + high) * 2 + missing) * 2 + exact
    distinct, codes = np.unique(keys, return_inverse=True)
    m = distinct // 2 % 2
    a, b = np.divmod(distinct // 4, size)
    released = np.concatenate([a, b, [last] * int(m.any())]).astype(np.int64)
    ranges = Ranges.of(hierarchy, lowest, released, ceiling)
    labels = [
        exact_label(hierarchy, one)
        if shared or hierarchy.ground[other] is None
        else ranges.label(one, other, bool(more))
        for one, other, more, shared in zip(
            a.tolist(), b.tolist(), m.tolist(), (distinct % 2).tolist(), strict=True
        )
    ]
    leaves = (b - a + 1 + m).astype(np.float64)
    return _told(hierarchy, codes.reshape(-1), labels, leaves, None if ceiling is None else (ceiling, a))


def label_ancestors(
    hierarchy: Hierarchy, extents: Extents, lowest: int = 0, ceiling: int | None = None
) -> GroupLabels:
    """Return the lowest label above all values of each group, none below the level `lowest`.

    Where a level is the `ceiling`, its label is told in the place of `*`.
    """
    level = np.maximum(extents.level, lowest)
    first = extents.least
    offsets = np.cumsum([0] + [len(domain.labels) for domain in hierarchy.levels])
    for depth, domain in enumerate(hierarchy.levels[:-1]):
        # A label that also stands for other values, at another level, would be read as both.
        used = np.unique(domain.of_ground[first[level == depth]])
        clear = np.ones(len(domain.labels), np.bool_)
        clear[used] = [is_clear(hierarchy, depth, code) for code in used.tolist()]
        level[(level == depth) & ~clear[domain.of_ground[first]]] += 1
    keys = np.empty(len(first), np.int64)
    for depth, domain in enumerate(hierarchy.levels):
        here = level == depth
        keys[here] = offsets[depth] + domain.of_ground[first[here]]
    distinct, codes = np.unique(keys, return_inverse=True)
    heights = np.searchsorted(offsets, distinct, side="right") - 1
    nodes = [(int(d), int(key - offsets[d])) for d, key in zip(heights, distinct, strict=True)]
    labels = [
        hierarchy.levels[d].labels[c] if d < hierarchy.height or is_clear(hierarchy, d, c) else SUPPRESSED
        for d, c in nodes
    ]
    leaves = np.array([float(hierarchy.levels[d].leaves[c]) for d, c in nodes])
    firsts = first[np.unique(codes, return_index=True)[1]]
    return _told(hierarchy, codes.reshape(-1), labels, leaves, None if ceiling is None else (ceiling, firsts))


def _covering_levels(hierarchy: Hierarchy, held: Held) -> IntArray:
    """Return the lowest level at which all values of each group have one label."""
    level = np.zeros(len(held.starts) - 1, np.int64)
    for domain in hierarchy.levels:
        above = domain.of_ground[held.values]
        parts = held.starts[:-1]
        level += np.minimum.reduceat(above, parts) != np.maximum.reduceat(above, parts)
    return level


def _told(
    hierarchy: Hierarchy,
    codes: IntArray,
    labels: list[Label],
    leaves: FloatArray,
    ceiling: tuple[int, IntArray] | None = None,
) -> GroupLabels:
    """Return the labels, each once.

    A span that is spelled like a label of the hierarchy with another meaning gives way to `*`. Where a `ceiling` rules `*`
    out, the label of that level above a value of each is told in its place.
    """
    for i, (label, covered) in enumerate(zip(labels, leaves.tolist(), strict=True)):
        found = ((domain, domain.code_of.get(label)) for domain in hierarchy.levels)
        if label != SUPPRESSED and all(
            code is None or domain.leaves[code] == covered for domain, code in found
        ):
            continue
        labels[i] = SUPPRESSED
        if ceiling is not None:
            labels[i], _ = label_at(hierarchy, ceiling[0], int(ceiling[1][i]))
    place: dict[Label, int] = {}
    merged = np.array([place.setdefault(label, len(place)) for label in labels], np.int32)
    return GroupLabels(merged[codes], tuple(place))
