"""Kernels of the row matching: candidate edges between distinct tuples, and a maximum flow over them."""

from __future__ import annotations

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.compiling import inner, kernel


@inner
def _same_key(left: IntArray, right: IntArray, n: int) -> int:
    for j in range(n):
        if left[j] != right[j]:
            return -1 if right[j] < left[j] else 1
    return 0


@inner
def _covers(left: IntArray, right: IntArray, masks: BoolArray, n_carried: int) -> bool:
    for j in range(masks.shape[0]):
        if not masks[j, left[n_carried + j], right[n_carried + j]]:
            return False
    return True


@inner
def _doubled(edges: IntArray) -> IntArray:
    grown = np.empty(2 * len(edges), np.int64)
    for e in range(len(edges)):
        grown[e] = edges[e]
    return grown


@kernel
def candidates(
    left: IntArray, right: IntArray, masks: BoolArray, n_carried: int
) -> tuple[IntArray, IntArray]:
    """Return, as starts and targets, the right tuples that each left tuple may stand for.

    `right` is sorted by its first `n_carried` columns, which must be equal; the others must be covered.
    """
    starts = np.zeros(len(left) + 1, np.int64)
    edges = np.empty(1024, np.int64)
    n_edges = 0
    for i in range(len(left)):
        low, high = 0, len(right)
        while low < high:
            middle = (low + high) // 2
            if _same_key(left[i], right[middle], n_carried) < 0:
                low = middle + 1
            else:
                high = middle
        while low < len(right) and _same_key(left[i], right[low], n_carried) == 0:
            if _covers(left[i], right[low], masks, n_carried):
                if n_edges == len(edges):
                    edges = _doubled(edges)
                edges[n_edges] = low
                n_edges += 1
            low += 1
        starts[i + 1] = n_edges
    return starts, edges[:n_edges].copy()


@kernel
def saturate(starts: IntArray, edges: IntArray, supply: IntArray, room: IntArray) -> IntArray:
    """Return a maximum flow along the edges: greedily first, then by shortest augmenting paths.

    `supply` (left) and `room` (right) are used up in place. Each search goes breadth first from one left
    tuple over edges that can carry more and back over edges that carry something.
    """
    flow = np.zeros(len(edges), np.int64)
    n_left, n_right = len(supply), len(room)
    for i in range(n_left):
        for e in range(starts[i], starts[i + 1]):
            moved = min(supply[i], room[edges[e]])
            flow[e] += moved
            supply[i] -= moved
            room[edges[e]] -= moved
    # Edges by right tuple, to walk back.
    back_starts = np.zeros(n_right + 1, np.int64)
    for e in range(len(edges)):
        back_starts[edges[e] + 1] += 1
    for r in range(n_right):
        back_starts[r + 1] += back_starts[r]
    fill = back_starts[:-1].copy()
    back = np.empty(len(edges), np.int64)
    owner = np.empty(len(edges), np.int64)
    for i in range(n_left):
        for e in range(starts[i], starts[i + 1]):
            owner[e] = i
            back[fill[edges[e]]] = e
            fill[edges[e]] += 1
    queue = np.empty(n_left, np.int64)
    seen = np.full(n_left, -1, np.int64)
    seen_right = np.full(n_right, -1, np.int64)
    into_left = np.empty(n_left, np.int64)  # the edge over which a left tuple was reached backwards
    into_right = np.empty(n_right, np.int64)
    stamp = 0
    for i in range(n_left):
        while supply[i] > 0:
            stamp += 1
            queue[0], head, tail, found = i, 0, 1, -1
            seen[i] = stamp
            while head < tail and found < 0:
                u = queue[head]
                head += 1
                for e in range(starts[u], starts[u + 1]):
                    r = edges[e]
                    if seen_right[r] == stamp:
                        continue
                    seen_right[r] = stamp
                    into_right[r] = e
                    if room[r] > 0:
                        found = r
                        break
                    for b in range(back_starts[r], back_starts[r + 1]):
                        v = owner[back[b]]
                        if flow[back[b]] > 0 and seen[v] != stamp:
                            seen[v] = stamp
                            into_left[v] = back[b]
                            queue[tail] = v
                            tail += 1
            if found < 0:
                return flow
            moved = min(supply[i], room[found])
            r = found
            while owner[into_right[r]] != i:
                u = owner[into_right[r]]
                moved = min(moved, flow[into_left[u]])
                r = edges[into_left[u]]
            r = found
            room[found] -= moved
            supply[i] -= moved
            while True:
                flow[into_right[r]] += moved
                u = owner[into_right[r]]
                if u == i:
                    break
                flow[into_left[u]] -= moved
                r = edges[into_left[u]]
    return flow
