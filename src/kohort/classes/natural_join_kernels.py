"""The kernel that joins what several classes hold: which tuples of the one agree with a tuple of every other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes.schemes import Held, Schemes
from kohort.compiling import inner, kernel

STEPS = 1_000_000  # tuples to try for one vector where schemes go round in a circle


class _Space(NamedTuple):
    """What is left of each scheme, and what the kernel writes on."""

    left: IntArray  # (scheme, place): tuples
    size: IntArray  # of each scheme; -1: not yet begun
    mark: IntArray  # of each key: the last stamp put on it
    stamp: IntArray  # one number


@inner
def _mark(space: _Space, key: int) -> None:
    space.mark[key] = space.stamp[0]


@inner
def _begin(space: _Space, held: Held, keys: IntArray, vector: IntArray) -> None:
    """Put into the space what all relations of the same columns hold of a vector."""
    for s in range(len(space.size)):
        space.size[s] = -1
    for i in range(len(vector)):
        s, at = held.scheme[i], held.first[i] + vector[i]
        low, high = held.starts[at], held.starts[at + 1]
        if space.size[s] < 0:
            for j in range(low, high):
                space.left[s, j - low] = held.tuples[j]
            space.size[s] = high - low
            continue
        space.stamp[0] += 1
        for j in range(low, high):
            _mark(space, keys[held.tuples[j], s])
        _keep_marked(space, keys, s, s)


@inner
def _keep_marked(space: _Space, keys: IntArray, s: int, other: int) -> bool:
    """Keep the tuples of a scheme whose key for the other is marked; tell whether one was dropped."""
    kept = 0
    for j in range(space.size[s]):
        held = space.left[s, j]
        if space.mark[keys[held, other]] == space.stamp[0]:
            space.left[s, kept] = held
            kept += 1
    dropped = kept < space.size[s]
    space.size[s] = kept
    return bool(dropped)


@inner
def _agree(space: _Space, schemes: Schemes) -> None:
    """Drop tuples with which no tuple of another scheme agrees, until none is left to drop."""
    n = len(space.size)
    again = True
    while again:
        again = False
        for s in range(n):
            for other in range(n):
                if s == other or not schemes.meet[s, other]:
                    continue
                space.stamp[0] += 1
                for j in range(space.size[other]):
                    _mark(space, schemes.keys[space.left[other, j], s])
                if _keep_marked(space, schemes.keys, s, other):
                    again = True


@inner
def _fits(schemes: Schemes, chosen: IntArray, depth: int, tried: int) -> bool:
    for s in range(depth):
        if schemes.meet[s, depth] and schemes.keys[chosen[s], depth] != schemes.keys[tried, s]:
            return False
    return True


@inner
def _extends(
    space: _Space, schemes: Schemes, fixed: int, at: int, chosen: IntArray, place: IntArray, steps: int
) -> tuple[bool, int]:
    """Tell whether one tuple of every scheme agrees with the fixed one and with each other; and the steps left."""
    n, depth = len(space.size), 0
    place[0] = at if fixed == 0 else 0
    while depth >= 0:
        end = at + 1 if depth == fixed else space.size[depth]
        if place[depth] >= end:
            depth -= 1
            if depth >= 0:
                place[depth] += 1
            continue
        steps -= 1
        if steps < 0:
            return True, steps
        tried = space.left[depth, place[depth]]
        if not _fits(schemes, chosen, depth, tried):
            place[depth] += 1
            continue
        chosen[depth] = tried
        if depth == n - 1:
            return True, steps
        depth += 1
        place[depth] = at if depth == fixed else 0
    return False, steps


@inner
def _keep_extending(space: _Space, schemes: Schemes, chosen: IntArray, place: IntArray) -> bool:
    """Keep the tuples of every scheme that extend to all of them; tell whether there were too many to try."""
    steps = STEPS
    for s in range(len(space.size)):
        kept = 0
        for j in range(space.size[s]):
            held = space.left[s, j]
            found, steps = _extends(space, schemes, s, j, chosen, place, steps)
            if steps < 0:
                return True
            if found:
                space.left[s, kept] = held
                kept += 1
        space.size[s] = kept
    return False


@kernel
def join(
    vectors: IntArray, held: Held, schemes: Schemes, widest: int, n_keys: int, circular: bool
) -> tuple[IntArray, IntArray, BoolArray]:
    """Return how many values of each asked column the join of a vector's classes leaves, one of them, and who is given up.

    A vector names a class of every relation. Where schemes do not go round in a circle, tuples that agree in pairs agree
    altogether (Beeri, Fagin, Maier, Yannakakis, On the desirability of acyclic database schemes, 1983): time of the
    tuples of the classes, in each of a few rounds. Else every tuple is tried; what is given up counts as agreed in pairs.
    """
    n, n_schemes, asked = len(vectors), len(schemes.meet), len(schemes.told_by)
    number, value = np.zeros((n, asked), np.int64), np.zeros((n, asked), np.int64)
    given_up = np.zeros(n, np.bool_)
    space = _Space(
        np.zeros((n_schemes, widest), np.int64),
        np.zeros(n_schemes, np.int64),
        np.zeros(n_keys, np.int64),
        np.zeros(1, np.int64),
    )
    chosen, place = np.zeros(n_schemes, np.int64), np.zeros(n_schemes, np.int64)
    for v in range(n):
        _begin(space, held, schemes.keys, vectors[v])
        _agree(space, schemes)
        if circular:
            given_up[v] = _keep_extending(space, schemes, chosen, place)
        for a in range(asked):
            s = schemes.told_by[a]
            space.stamp[0] += 1
            for j in range(space.size[s]):
                told = schemes.told[space.left[s, j], a]
                if space.mark[told] != space.stamp[0]:
                    _mark(space, told)
                    number[v, a] += 1
                    value[v, a] = told
    return number, value, given_up
