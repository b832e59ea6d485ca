"""How much of an attribute a released value leaves open (Truta et al., Definition 9).

A number loses the width of its interval as a share of the whole range, any other value the height of the tree
below its label as a share of the height of the hierarchy. The range is that of the ground values: the domain
as declared, or the table's own values where none is. A label that stands at several levels is one node of the
tree. A value that may be missing as well as a number loses all, and so does `*`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label, covered, lowest_common_ancestor
from kohort.hierarchy.standing import repeated_labels


def level_extents(hierarchy: Hierarchy) -> tuple[FloatArray, ...]:
    """Return, per level, what every label loses; one that stands at several levels loses the same at all of them."""
    by_level = _widths(hierarchy) if hierarchy.numbers is not None else _heights(hierarchy)
    for label in repeated_labels(hierarchy) | {SUPPRESSED}:
        lost = _extent(hierarchy, by_level, label)
        for level, extents in zip(hierarchy.levels, by_level, strict=True):
            if label in level.code_of:
                extents[level.code_of[label]] = lost
    return by_level


def label_extents(hierarchy: Hierarchy, labels: Sequence[Label]) -> FloatArray:
    """Return what every released label loses; a label that tells nothing of its hierarchy is refused."""
    by_level = level_extents(hierarchy)
    for level, extents in zip(hierarchy.levels, by_level, strict=True):
        if (
            labels is level.labels
        ):  # a whole column at one level: nothing to look up, however many labels it has
            return extents
    return np.array([_extent(hierarchy, by_level, label) for label in labels], np.float64)


def _extent(hierarchy: Hierarchy, by_level: Sequence[FloatArray], label: Label) -> float:
    if label == SUPPRESSED:  # everything, also where it is a label of other levels too
        return float(by_level[-1][0]) if label in hierarchy.levels[-1].code_of else 1.0
    found = [
        float(lost[level.code_of[label]])
        for level, lost in zip(hierarchy.levels, by_level, strict=True)
        if label in level.code_of
    ]
    return max(found) if found else _span_extent(hierarchy, by_level, covered(hierarchy, label))


def _span_extent(hierarchy: Hierarchy, by_level: Sequence[FloatArray], codes: IntArray | None) -> float:
    if codes is None or not len(codes):
        raise InputError(
            f"column {hierarchy.name!r}: a released label stands for no ground values of its hierarchy; a perturbed "
            "column has no extent of its own",
            code="metric.not-told",
            column=hierarchy.name,
        )
    if hierarchy.numbers is not None:
        return _width(hierarchy.numbers[codes], _range(hierarchy.numbers))
    level, code = lowest_common_ancestor(hierarchy, codes)
    return float(by_level[level][code])


def _widths(hierarchy: Hierarchy) -> tuple[FloatArray, ...]:
    assert hierarchy.numbers is not None
    whole = _range(hierarchy.numbers)
    found = []
    for level in hierarchy.levels:
        first = np.searchsorted(level.of_ground, np.arange(len(level.labels)))  # labels stand side by side
        last = first + level.leaves - 1
        low, high = hierarchy.numbers[first], hierarchy.numbers[last]
        alone = np.isnan(low)  # the missing value by itself
        mixed = np.isnan(high) & ~alone
        width = np.where(alone | mixed, 0.0, (high - low) / whole if whole > 0 else 0.0)
        found.append(np.where(mixed, 1.0, width))
    return tuple(found)


def _width(numbers: FloatArray, whole: float) -> float:
    told = numbers[~np.isnan(numbers)]
    if 0 < len(told) < len(numbers):
        return 1.0
    return float(told.max() - told.min()) / whole if len(told) and whole > 0 else 0.0


def group_spreads(hierarchy: Hierarchy, ground: IntArray, group_of: IntArray, n_groups: int) -> FloatArray:
    """Return over how much of the range the numbers of each group are spread, missing ones apart.

    This is what a mean leaves open of its group, whatever labels the hierarchy has.
    """
    assert hierarchy.numbers is not None
    numbers, whole = hierarchy.numbers[ground], _range(hierarchy.numbers)
    told = ~np.isnan(numbers)
    low, high = np.full(n_groups, np.inf), np.full(n_groups, -np.inf)
    np.minimum.at(low, group_of[told], numbers[told])
    np.maximum.at(high, group_of[told], numbers[told])
    known = (low <= high) & (whole > 0)
    return np.asarray(np.divide(high - low, whole, out=np.zeros(n_groups), where=known), np.float64)


def _range(numbers: FloatArray) -> float:
    """Return the range of a hierarchy's numbers, which stand in ascending order, a missing one last."""
    told = numbers[: len(numbers) - int(np.isnan(numbers[-1]))]
    return float(told[-1] - told[0]) if len(told) else 0.0


def _heights(hierarchy: Hierarchy) -> tuple[FloatArray, ...]:
    """Return the height of the tree below every label over that of the whole; equal labels above each other are one."""
    heights = [np.zeros(len(hierarchy.levels[0].labels))]
    for depth, (low, high) in enumerate(zip(hierarchy.levels, hierarchy.levels[1:], strict=False)):
        parent = hierarchy.step(depth, depth + 1)
        renamed = np.array([label != high.labels[parent[c]] for c, label in enumerate(low.labels)])
        above = np.zeros(len(high.labels))
        np.maximum.at(above, parent, heights[-1] + renamed)
        heights.append(above)
    return tuple(height / max(float(heights[-1].max()), 1.0) for height in heights)
