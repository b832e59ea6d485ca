"""The quasi-identifiers of a problem laid out side by side, as `Dimensions`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.algorithms.partition.dimensions import Dimensions
from kohort.arrays import FloatArray
from kohort.hierarchy import Hierarchy
from kohort.recode.boxes import finest_cells
from kohort.recode.problem import Problem

Ends = Sequence[tuple[int, int]]  # the least and the greatest code of each attribute


def dimensions(problem: Problem, by_tree: bool, ends: Ends | None = None) -> Dimensions:
    """Return the dimensions of the problem; `by_tree` divides attributes that are no numbers by hierarchy.

    `ends` are told where the tuples are not in the problem. A cut may only follow the last value of a cell of the grid, and a
    value whose label at the least level allowed differs from the next one's.
    """
    hierarchies = problem.hierarchies
    offsets = np.cumsum([0] + [h.size for h in hierarchies])
    positions = [_positions(h, exact) for h, exact in zip(hierarchies, problem.exact, strict=True)]
    cells = [
        finest_cells(h, level, exact)
        for h, level, exact in zip(hierarchies, problem.lowest, problem.exact, strict=True)
    ]
    if ends is None:
        ends = [(int(codes.min()), int(codes.max())) for codes in problem.base.codes.T]
    spread = [at[high] - at[low] for at, (low, high) in zip(positions, ends, strict=True)]
    heights = [h.size * len(h.levels) for h in hierarchies]
    levels = [level for h in hierarchies for level in h.levels]
    return Dimensions(
        offsets=offsets,
        positions=np.concatenate(positions),
        border=np.concatenate([high == np.arange(len(high)) for _, high in cells]),
        cell_low=np.concatenate([low for low, _ in cells]),
        cell_high=np.concatenate([high for _, high in cells]),
        spread=np.array(spread, np.float64),
        tree=np.array([by_tree and h.numbers is None for h in hierarchies]),
        lowest=np.array(problem.lowest, np.int64),
        trees=np.cumsum([0, *heights])[:-1],
        above=np.concatenate([level.of_ground for level in levels]).astype(np.int32),
        leaves=np.concatenate([level.leaves[level.of_ground] for level in levels]).astype(np.int64),
    )


def _positions(hierarchy: Hierarchy, exact: bool) -> FloatArray:
    """Return where each ground value lies; a missing number one average step beyond the greatest.

    Numbers lie where their cell of the grid begins, so that it does not matter where in it they are, unless the plan asks
    for what is finer.
    """
    if hierarchy.numbers is None or hierarchy.days is not None:
        return np.arange(hierarchy.size, dtype=np.float64)
    if hierarchy.grid is not None and not exact:
        cells = hierarchy.grid.positions()
        return _with_missing(cells)[hierarchy.grid.cell_of]
    told = hierarchy.numbers[~np.isnan(hierarchy.numbers)]
    return _with_missing(told)[: hierarchy.size]


def _with_missing(places: FloatArray) -> FloatArray:
    if len(places) == 0:  # nothing but missing
        return np.zeros(1)
    step = (places[-1] - places[0]) / (len(places) - 1) if len(places) > 1 else 1.0
    return np.append(places, places[-1] + (step or 1.0))
