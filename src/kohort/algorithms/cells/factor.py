"""Spanning subgraphs of least weight with bounded degrees, on the complete graph of a table's rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.algorithms.cells.solver import Answer, Program, solve
from kohort.arrays import BoolArray, FloatArray, IntArray

_NEAREST = 8  # edges per row to begin with
_ALL = 40  # rows up to which all edges are given to the solver at once
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Factor:
    """The edges chosen, their weight, and what no factor can weigh less than."""

    edges: IntArray  # (n_edges, 2)
    weight: float
    bound: float
    proved: bool


def minimum_factor(
    distances: FloatArray, low: int, high: int, who: str, time_limit: float | None = None
) -> Factor:
    """Return the least-weight spanning subgraph in which every vertex has degree `low` to `high`.

    The linear relaxation is solved over the edges between near rows, and every edge that its duals show to
    be worth adding is added until none is. Then the integer program is solved over those edges; an edge left
    out whose reduced cost exceeds the gap between that solution and the relaxation is in no better factor,
    and the others are added for a last run. So the result is the least over all edges.
    """
    n = len(distances)
    chosen = _near(distances, n if n <= _ALL else _NEAREST, high)
    while True:
        edges = np.argwhere(np.triu(chosen, 1))
        relaxed = solve(_program(distances, edges, low, high), False, who)
        reduced = distances - relaxed.duals[:, None] - relaxed.duals[None, :]
        if not _add(chosen, reduced, -_ROUNDING, most=10 * n):
            break
    answer = solve(_program(distances, edges, low, high), True, who, time_limit)
    gap = answer.value - relaxed.value
    whole = bool((distances == np.rint(distances)).all())
    if _add(chosen, reduced, gap - 1 + _ROUNDING if whole else gap - _ROUNDING):
        edges = np.argwhere(np.triu(chosen, 1))
        answer = solve(_program(distances, edges, low, high), True, who, time_limit)
    return _factor(answer, edges)


def components(edges: IntArray, n: int) -> list[list[int]]:
    """Return the connected components; a path or a cycle in its order, from an end of a path."""
    neighbours: list[list[int]] = [[] for _ in range(n)]
    for u, v in edges.tolist():
        neighbours[u].append(v)
        neighbours[v].append(u)
    seen: BoolArray = np.zeros(n, np.bool_)
    found = []
    for start in sorted(range(n), key=lambda v: (len(neighbours[v]) > 1, v)):
        walk = []
        stack = [start]
        while stack:
            vertex = stack.pop()
            if not seen[vertex]:
                seen[vertex] = True
                walk.append(vertex)
                stack += reversed(neighbours[vertex])
        if walk:
            found.append(walk)
    return found


def _near(distances: FloatArray, nearest: int, high: int) -> BoolArray:
    """Mark the edges to the nearest rows, and those of one tour so that a factor exists."""
    n = len(distances)
    if nearest >= n:
        return ~np.eye(n, dtype=np.bool_)
    chosen = np.zeros((n, n), np.bool_)
    order = np.argsort(distances, axis=1, kind="stable")[:, : nearest + 1]
    chosen[np.arange(n)[:, None], order] = True
    if high >= 2:
        chosen[np.arange(n), np.roll(np.arange(n), 1)] = True
    chosen |= chosen.T
    np.fill_diagonal(chosen, False)
    return chosen


def _add(chosen: BoolArray, reduced: FloatArray, below: float, most: int | None = None) -> bool:
    """Mark the edges, or the `most` best of them, whose reduced cost is less; whether there are any."""
    u, v = np.nonzero(np.triu(~chosen & (reduced < below), 1))
    if most is not None and len(u) > most:
        best = np.argpartition(reduced[u, v], most)[:most]
        u, v = u[best], v[best]
    chosen[u, v] = chosen[v, u] = True
    return len(u) > 0


def _program(distances: FloatArray, edges: IntArray, low: int, high: int) -> Program:
    return Program(
        costs=distances[edges[:, 0], edges[:, 1]],
        starts=np.arange(0, 2 * len(edges) + 1, 2),
        rows=edges.reshape(-1),
        n_rows=len(distances),
        low=float(low),
        high=float(high),
    )


def _factor(answer: Answer, edges: IntArray) -> Factor:
    return Factor(edges[answer.x > 0.5], answer.value, answer.bound, answer.proved)
