"""A walk that stands at the set without cuts."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.neighbour_kernels import Goal, class_cost
from kohort.algorithms.cuts.space import Space
from kohort.algorithms.cuts.walk_kernels import COST, LOST, Walk, class_with, lost_of
from kohort.arrays import IntArray


def walk_of(space: Space) -> Walk:
    """Return a walk that stands at the set without cuts."""
    n_tuples, m = space.codes.shape
    places = np.diff(space.first)
    widest = int(places.max(initial=0)) + 1
    capacity, slots = 2 * n_tuples + 1, 1 << (4 * n_tuples).bit_length()
    walk = Walk(
        weights=space.weights,
        labels=space.labels,
        order=np.ascontiguousarray(space.codes.argsort(axis=0, kind="stable").T, np.int32),
        offset=np.array([_offsets(space.codes[:, j], widest) for j in range(m)]).reshape(m, widest + 1),
        attribute=np.repeat(np.arange(m), places),
        first=space.first,
        goal=Goal(space.metric, space.k, space.n_rows),
        secret=np.random.default_rng(0).integers(-(2**63), 2**63 - 1, (m, widest)),
        included=np.zeros(space.n_cuts, np.uint8),
        name=np.zeros((m, widest), np.int64),
        free=np.tile(np.arange(widest), (m, 1)),
        n_free=places + 1,
        class_of=np.zeros(n_tuples, np.int32),
        key=np.zeros(capacity, np.int64),
        size=np.zeros(capacity, np.int64),
        spread=np.zeros((capacity, space.labels.shape[1]), np.int64),
        moved=np.zeros(capacity, np.int64),
        moved_spread=np.zeros((capacity, space.labels.shape[1]), np.int64),
        partner=np.zeros(capacity, np.int64),
        mark=np.zeros(capacity, np.int64),
        touched=np.zeros(n_tuples, np.int64),
        slot_key=np.zeros(slots, np.int64),
        slot_class=np.full(slots, -1, np.int64),
        totals=np.zeros(4, np.int64),
    )
    _begin(walk)
    return walk


def _offsets(codes: IntArray, widest: int) -> IntArray:
    """Return where the tuples of each code begin when they are sorted by code."""
    return np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=widest))])


def _begin(walk: Walk) -> None:
    """Put all tuples into one class; every attribute's one interval takes the last of the free names."""
    walk.n_free[:] -= 1
    attributes = np.arange(len(walk.n_free))
    walk.name[:, 0] = walk.free[attributes, walk.n_free]
    c = class_with(walk, np.bitwise_xor.reduce(walk.secret[attributes, walk.name[:, 0]], initial=0))
    walk.size[c] = walk.weights.sum()
    walk.spread[c] = walk.labels.sum(axis=0)
    size, top = int(walk.size[c]), int(walk.spread[c].max(initial=0))
    walk.totals[COST] = class_cost(walk.goal, size, top)
    walk.totals[LOST] = lost_of(size, walk.goal.k)
