"""`Spine`: the rows of a space seen along one attribute, whose cuts a shortest path chooses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.neighbour_kernels import CLASSIFICATION
from kohort.algorithms.cuts.node_kernels import Evaluation, evaluate_labels, evaluate_sizes, head_cost
from kohort.algorithms.cuts.region_kernels import NEVER, Arcs, Costs, Rows
from kohort.algorithms.cuts.space import Space
from kohort.arrays import BoolArray, FloatArray, IntArray

MOST_CELLS = 1 << 22  # intervals of the spine times cuts off it: two arrays of so many numbers per node


@dataclass(frozen=True, eq=False)
class Spine:
    """Given the cuts of all other attributes, the best intervals of one attribute are a shortest path.

    That attribute is the spine. The search decides the cuts off the spine only; `cuts` tells which of the
    space's cuts these are. Where no attribute will do, the spine has one place and every cut is off it.
    """

    space: Space
    attribute: int  # -1: none
    places: int  # occurring values on the spine
    place: IntArray  # int64 (N): of every tuple, in 0..places-1
    codes: IntArray  # int64 (N, m): the other attributes
    first: IntArray  # int64 (m + 1)
    cuts: IntArray  # of every cut off the spine: its number in the space
    begins: IntArray  # of every interval allowed on the spine: its first place,
    ends: IntArray  # and the place after its last; sorted by end
    own: FloatArray  # by size: what a class costs
    least: FloatArray  # by size: what records still together cost at least, however they are parted

    @property
    def n_cuts(self) -> int:
        """The number of cuts the search decides."""
        return len(self.cuts)

    @cached_property
    def rows(self) -> Rows:
        """The tuples as the kernels read them."""
        s = self.space
        return Rows(self.codes, self.place, s.weights, s.labels, self.first, self.places)

    @cached_property
    def arcs(self) -> Arcs:
        """All intervals."""
        return Arcs(self.begins, self.ends)

    @cached_property
    def costs(self) -> Costs:
        """What classes cost."""
        s = self.space
        return Costs(self.own, self.least, s.metric, s.k, s.n_rows, s.limit, (s.n_rows, 1, 0, 0)[s.metric])

    def evaluate(self, status: CutSet, intervals: IntArray, best: float) -> Evaluation:
        """Return what is found of a node whose paths are made of some intervals."""
        arcs = Arcs(self.begins[intervals], self.ends[intervals])
        evaluate = evaluate_labels if self.costs.metric == CLASSIFICATION else evaluate_sizes
        return evaluate(self.rows, arcs, self.costs, status, float(best))

    def cheapest(self, status: CutSet) -> tuple[float, IntArray]:
        """Return the cost of the cuts that are in with the best path, inf where none keeps the limit."""
        return head_cost(self.rows, self.arcs, self.costs, status, np.inf)

    def included(self, status: CutSet, before: IntArray) -> CutSet:
        """Return the cut set of the space: cuts that are in, and the ends of the intervals of a path."""
        included = np.zeros(self.space.n_cuts, np.uint8)
        included[self.cuts] = status == 1
        at = self.places
        while self.attribute >= 0 and before[at] > 0:
            at = int(before[at])
            included[self.space.first[self.attribute] + at - 1] = 1
        return included


def spine_of(space: Space, included: CutSet | None) -> Spine:
    """Return the space along the attribute that `included`, a good cut set, cuts most finely."""
    return spine_along(space, next(iter(spine_attributes(space, included)), -1))


def spine_attributes(space: Space, included: CutSet | None) -> list[int]:
    """Return the attributes that can be the spine, most finely cut by `included` first.

    A spine has something to cut and not too many intervals.
    """
    sizes = [int(size) for size in np.diff(space.first)]
    made = [
        0 if included is None else int(included[a:b].sum())
        for a, b in zip(space.first[:-1], space.first[1:], strict=True)
    ]
    fit = [
        j
        for j, size in enumerate(sizes)
        if size and (size + 1) * (size + 2) // 2 * max(space.n_cuts - size, 1) <= MOST_CELLS
    ]
    return sorted(fit, key=lambda j: (-made[j], -sizes[j], j))


def spine_along(space: Space, attribute: int) -> Spine:
    """Return the space along one attribute, or along none (-1)."""
    sizes = np.diff(space.first)
    others = [j for j in range(len(sizes)) if j != attribute]
    ranges = [np.arange(space.first[j], space.first[j + 1]) for j in others]
    on_spine = attribute >= 0
    begins, ends = np.nonzero(_allowed(space, attribute)) if on_spine else (np.array([0]), np.array([1]))
    by_end = np.lexsort((begins, ends))
    return Spine(
        space=space,
        attribute=attribute,
        places=int(sizes[attribute]) + 1 if on_spine else 1,
        place=(space.codes[:, attribute] if on_spine else np.zeros(len(space.codes))).astype(np.int64),
        codes=np.ascontiguousarray(space.codes[:, others], np.int64),
        first=np.concatenate([[0], np.cumsum(sizes[others])]).astype(np.int64),
        cuts=np.concatenate([*ranges, np.zeros(0)]).astype(np.int64),
        begins=begins[by_end].astype(np.int64),
        ends=ends[by_end].astype(np.int64),
        own=_own_costs(space),
        least=_least_costs(space),
    )


def _allowed(space: Space, j: int) -> BoolArray:
    """Return which intervals [begin, end) of attribute j's values a cut set may make."""
    places = int(space.first[j + 1] - space.first[j]) + 1
    start = np.concatenate([[0], space.start[space.first[j] : space.first[j + 1]], [0]])  # by place
    begin, end = np.ogrid[: places + 1, : places + 1]
    must = np.concatenate([np.cumsum(start == 1), [0]])  # cuts that must be made, up to a place
    inner = np.maximum(end - 1, 0)
    allowed = (begin < end) & (must[inner] == must[begin]) & (start[begin] != 2) & (start[end] != 2)
    if space.by_label[j]:
        allowed &= _labels(space, j, places)
    return np.asarray(allowed)


def _labels(space: Space, j: int, places: int) -> BoolArray:
    """Return which intervals hold the occurring values below one label of the hierarchy."""
    alphabet, hierarchy = space.alphabets[j], space.problem.hierarchies[j]
    occurring = alphabet.order[alphabet.code_of[alphabet.order] >= 0]
    found = np.zeros((places + 1, places + 1), np.bool_)
    for level in hierarchy.levels:
        labels = level.of_ground[occurring]
        ends = np.concatenate([[0], 1 + np.flatnonzero(labels[1:] != labels[:-1]), [places]])
        found[ends[:-1], ends[1:]] = True
    return found


def _own_costs(space: Space) -> FloatArray:
    """Return what a class of every size costs, for the metrics that need no more than its size."""
    size = np.arange(space.n_rows + 1, dtype=np.float64)
    kept = (size * size, size, -np.ones_like(size), -np.ones_like(size))[space.metric]
    return np.where(size >= space.k, kept, _lost_costs(space))


def _least_costs(space: Space) -> FloatArray:
    """Return what records cost at least when cuts may still part them.

    Discernibility: at most size // k classes survive and equal ones are cheapest; one class only may gain by
    suppressing some of its records, where it holds more than half of the table.
    """
    size = np.arange(space.n_rows + 1, dtype=np.float64)
    parts = np.maximum(size // space.k, 1)
    squares = size * size / parts
    if space.limit > 0:
        n = float(space.n_rows)
        squares = np.where((parts == 1) & (2 * size > n), n * size - 0.25 * n * n, squares)
    kept = (squares, np.zeros_like(size), -parts, -parts)[space.metric]
    return np.where(size >= space.k, kept, _lost_costs(space))


def _lost_costs(space: Space) -> FloatArray:
    size = np.arange(space.n_rows + 1, dtype=np.float64)
    price = (space.n_rows, 1, 0, 0)[space.metric] if space.limit > 0 else NEVER
    return size * price
