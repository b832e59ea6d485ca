"""Where a told label stands in its hierarchy, and how much it covers: a function of the label alone, whoever tells it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.hierarchy.domain import SUPPRESSED, Label
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.reading import covered


@dataclass(frozen=True, eq=False)
class Standing:
    """What some labels cover, and how high they stand.

    A label covers all ground values that it may mean to whoever has nothing but the label. It stands at the lowest level that
    has it with all of them under it; an interval or a set, as a label that means more than any level says, stands where all of
    its values come under one label; `*` stands at the root.
    """

    leaves: FloatArray  # ground values covered by each label
    depth: FloatArray  # 0 ground … 1 root


def standing(hierarchy: Hierarchy, labels: Sequence[Label]) -> Standing:
    """Return where the labels of a released column stand; a label that means nothing in its hierarchy is refused."""
    for level, known in zip(hierarchy.levels, level_standing(hierarchy), strict=True):
        if labels is level.labels:  # a whole column at one level: nothing to look up
            return known
    found = np.array([_standing_of(hierarchy, label) for label in labels], np.float64).reshape(-1, 2)
    return Standing(found[:, 0], found[:, 1])


def level_standing(hierarchy: Hierarchy) -> tuple[Standing, ...]:
    """Return, per level, where its labels stand: there, but for those that other levels have too, and `*`."""
    found = hierarchy.remembered.get("standing")
    if found is None:
        found = hierarchy.remembered["standing"] = _level_standing(hierarchy)
    return found


def repeated_labels(hierarchy: Hierarchy) -> frozenset[Label]:
    """Return the labels that stand at several levels."""
    seen: set[Label] = set()
    twice: set[Label] = set()
    for level in hierarchy.levels:
        own = set(level.labels)
        twice |= seen & own
        seen |= own
    return frozenset(twice)


def as_declared(hierarchy: Hierarchy, levels: int | None = None, joins: bool = False) -> bool:
    """Tell whether each label of the lowest levels (None: of all) covers and stands as its place there says.

    With `joins` it is asked of ground values and of labels under which several of the level below come together.
    """
    for depth, known in enumerate(level_standing(hierarchy)[:levels]):
        level = hierarchy.levels[depth]
        asked = np.ones(len(level.labels), np.bool_)
        if joins and depth:
            asked = np.bincount(hierarchy.step(depth - 1, depth)) > 1
        there = (known.leaves == level.leaves) & (known.depth == depth / max(hierarchy.height, 1))
        if not there[asked].all():
            return False
    return True


def climbs(hierarchy: Hierarchy, costs: Callable[[Hierarchy, int], FloatArray]) -> bool:
    """Tell whether no label costs more than the one above it.

    All cost what they are told to, so a label that other levels use for more values may.
    """
    told = [costs(hierarchy, level) for level in range(len(hierarchy.levels))]
    return all(
        bool((low <= high[hierarchy.step(level, level + 1)]).all())
        for level, (low, high) in enumerate(pairwise(told))
    )


def _level_standing(hierarchy: Hierarchy) -> tuple[Standing, ...]:
    found = []
    several = {label: _standing_of(hierarchy, label) for label in repeated_labels(hierarchy) | {SUPPRESSED}}
    for depth, level in enumerate(hierarchy.levels):
        leaves = level.leaves.astype(np.float64)
        stands = np.full(len(level.labels), depth / max(hierarchy.height, 1))
        for label in several.keys() & set(level.labels):
            code = level.code_of[label]
            leaves[code], stands[code] = several[label]
        for told in (leaves, stands):
            told.setflags(write=False)
        found.append(Standing(leaves, stands))
    return tuple(found)


def _standing_of(hierarchy: Hierarchy, label: Label) -> tuple[float, float]:
    """Return (leaves, depth) of a label."""
    if label == SUPPRESSED:
        return float(hierarchy.size), float(hierarchy.height > 0)
    codes = covered(hierarchy, label)
    if codes is None or not len(codes):
        raise InputError(
            f"column {hierarchy.name!r}: a released label stands for no ground values of its hierarchy; a perturbed "
            "column has no place in it",
            code="metric.not-told",
            column=hierarchy.name,
        )
    return float(len(codes)), _level_of(hierarchy, label, codes) / max(hierarchy.height, 1)


def _level_of(hierarchy: Hierarchy, label: Label, codes: IntArray) -> int:
    for height, level in enumerate(hierarchy.levels):
        code = level.code_of.get(label)
        if code is not None and np.array_equal(level.run(code), codes):
            return height
    ends = codes[
        [0, max(len(codes) - 2, 0), -1]
    ]  # values under a label stand side by side, a missing one aside
    return sum(len(np.unique(level.of_ground[ends])) > 1 for level in hierarchy.levels)
