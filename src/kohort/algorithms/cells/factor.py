"""Spanning subgraphs of least weight with bounded degrees, on the complete graph of a table's rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from kohort.algorithms.cells.solver import Answer, Program, solve
from kohort.algorithms.watch import Watch
from kohort.arrays import BoolArray, FloatArray, IntArray

_NEAREST = 8  # edges per row to begin with
_ALL = 40  # rows up to which all edges are given to the solver at once
_ROUNDING = 1e-6
_PATIENCE = 3  # rounds of cuts that may bring nothing
_FRACTION = 0.01  # what is nearer to 0 or 1 counts as whole


@dataclass(frozen=True, eq=False)
class Factor:
    """The edges chosen, their weight, and what no factor can weigh less than; `proved` where no other weighs less."""

    edges: IntArray  # (n_edges, 2)
    weight: float
    bound: float
    proved: bool


def minimum_factor(
    distances: FloatArray, low: int, high: int, who: str, watch: Watch, step: float = 0.0
) -> Factor | None:
    """Return the least-weight spanning subgraph in which every vertex has degree `low` to `high`.

    The linear relaxation is solved over the edges between near rows, and every edge that its duals show to
    be worth adding is added until none is. Where every vertex needs an edge only, the relaxation is made
    tighter by what an odd set of vertices needs: at least (size + 1)/2 edges that touch it. Then the integer
    program is solved over those edges; an edge left out whose reduced cost exceeds the gap between that
    solution and the relaxation is in no better factor, and the others are added for a last run. So the
    result is the least over all edges, unless it is over before; None where it is over before there is any.

    The solver's tolerances are absolute, so distances are to be of the size of 1. It can miss less than `step`,
    the number that all distances are whole multiples of. Where that is 0, none is known: only what weighs no more than the
    duals prove is called proved, and the bound is theirs, reckoned anew, or the solver's less its tolerances.
    """
    n = len(distances)
    chosen = _near(distances, n if n <= _ALL else _NEAREST, high)
    odd: list[IntArray] = []
    patience, tightest = _PATIENCE, -np.inf
    while True:
        edges = np.argwhere(np.triu(chosen, 1))
        relaxed = solve(_program(distances, edges, low, high, odd), False, who, watch)
        if relaxed is None:
            return None
        reduced = _reduced(distances, relaxed.duals, odd)
        if _add(chosen, reduced, -_ROUNDING, most=10 * n):
            continue
        patience = _PATIENCE if relaxed.value > tightest + _FRACTION else patience - 1
        tightest = max(tightest, relaxed.value)
        found = _short_of_edges(edges, relaxed.x, n) if low == 1 and patience else []
        if not found:
            break
        odd += found
    answer = solve(_program(distances, edges, low, high, odd), True, who, watch)
    if answer is None:
        return None
    least = _dual_bound(distances, relaxed.duals, odd, low, high)
    best = _factor(answer, edges, distances, step, least)
    gap = answer.value - relaxed.value
    if _add(chosen, reduced, gap - step + _ROUNDING if step else gap - _ROUNDING):
        more = np.argwhere(np.triu(chosen, 1))
        program = _program(distances, more, low, high, odd)
        old = np.isin(more @ [n, 1], best.edges @ [n, 1]).astype(np.float64)
        again = solve(program, True, who, watch, old)
        if again is None:
            return replace(best, bound=_upwards(least, step), proved=False)
        last = _factor(again, more, distances, step, least)
        return last if last.weight <= best.weight else replace(best, bound=last.bound, proved=False)
    return best


def _reduced(distances: FloatArray, duals: FloatArray, odd: list[IntArray]) -> FloatArray:
    """Return the reduced cost of every edge."""
    n = len(distances)
    reduced = distances - duals[:n, None] - duals[None, :n]
    for vertices, dual in zip(odd, duals[n:], strict=True):
        inside = np.zeros(n, np.bool_)
        inside[vertices] = True
        reduced[inside[:, None] | inside[None, :]] -= dual
    return reduced


def _dual_bound(distances: FloatArray, duals: FloatArray, odd: list[IntArray], low: int, high: int) -> float:
    """Return what every factor weighs at least.

    By weak duality any duals give a bound; this one is lowered by the most that its own sums may be wrong by.
    """
    n = len(distances)
    y, z = duals[:n], np.maximum(duals[n:], 0.0)
    reduced = _reduced(distances, np.append(y, z), odd)[np.triu_indices(n, 1)]
    needed = np.array([(len(vertices) + 1) / 2 for vertices in odd])
    parts = np.concatenate([np.where(y > 0, low * y, high * y), needed * z, np.minimum(reduced, 0.0)])
    largest = float(distances.max(initial=0.0) + 2 * np.abs(y).max(initial=0.0) + z.sum())
    lost = np.finfo(np.float64).eps * (n * n * (4 + len(odd)) * largest + n * float(np.abs(parts).sum()))
    return max(float(parts.sum()) - lost, 0.0)


def _upwards(bound: float, step: float) -> float:
    """Return the least multiple of the step that is no less than the bound, which may be too high by what is rounding."""
    return ceil((bound - _ROUNDING) / step) * step if step else bound


def _short_of_edges(edges: IntArray, x: FloatArray, n: int) -> list[IntArray]:
    """Return odd sets of vertices that fewer than half as many edges touch: fractional components."""
    fractional = edges[(x > _FRACTION) & (x < 1 - _FRACTION)]
    found = []
    for part in components(fractional, n):
        if len(part) % 2 and len(part) > 1:
            touched = x[np.isin(edges, part).any(axis=1)].sum()
            if touched < (len(part) + 1) / 2 - _FRACTION:
                found.append(np.array(part))
    return found


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


def _program(distances: FloatArray, edges: IntArray, low: int, high: int, odd: list[IntArray]) -> Program:
    """Return the program of the degrees, and of the edges that odd sets need."""
    n = len(distances)
    touching = [np.flatnonzero(np.isin(edges, vertices).any(axis=1)) for vertices in odd]
    column = np.concatenate([np.repeat(np.arange(len(edges)), 2), *touching])
    row = np.concatenate([edges.reshape(-1), *(np.full(len(t), n + i) for i, t in enumerate(touching))])
    return Program(
        costs=distances[edges[:, 0], edges[:, 1]],
        starts=np.concatenate([[0], np.cumsum(np.bincount(column, minlength=len(edges)))]),
        rows=row[np.argsort(column, kind="stable")],
        low=np.array([float(low)] * n + [(len(vertices) + 1) / 2 for vertices in odd]),
        high=np.array([float(high)] * n + [np.inf] * len(odd)),
    )


def _factor(answer: Answer, edges: IntArray, distances: FloatArray, step: float, least: float) -> Factor:
    """Return the factor of an answer; `least` is what every factor weighs at least.

    Where no step is known, two factors may differ by less than any tolerance: proved is what weighs no more than that.
    """
    used = edges[answer.x > 0.5]
    weight = float(distances[used[:, 0], used[:, 1]].sum())
    if step and answer.proved:
        return Factor(used, weight, weight, True)
    solved = answer.bound - len(distances) * _ROUNDING  # where a solver goes by tolerances, so far
    told = _upwards(max(solved, least), step)
    return Factor(used, weight, min(weight, told), weight <= least)
