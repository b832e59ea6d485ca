"""Rows that a search cannot tell apart by what others know of them: who stands first among them is the system's chance.

Whoever knows the order of the original, a register by number, would else know in which group each of several equal people is.
"""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.chance import permutation
from kohort.classes import group
from kohort.recode import Problem
from kohort.recode.dealt import Dealing
from kohort.recode.on_grid import on_grid

_STREAM = 20261118  # public: what is drawn from it says nothing of the order of rows, which it is not told


def dealing_of(problem: Problem, by_cells: bool = False) -> Dealing:
    """Return rows dealt anew: each place keeps its tuple, and which row of that tuple stands there is drawn.

    Where a search sees no more than the cells of the grid, tuples are equal that are in the same ones (`by_cells`).

    Rows that are equal in all that the search is asked to look at (the values that promises or the objective read, and
    which rows are a person's) are exchanged by the operating system's chance alone. Among rows with equal tuples but
    unequal values, places are dealt to *values*, always in the same way, from an order that their texts make: so the same
    table gives the same groups, in whatever order its equal rows stand, and no group tells who stood first.

    Complexity: n records are sorted by their tuples, values and people.
    """
    n = problem.n_rows
    class_of = on_grid(problem)[0].class_of if by_cells else problem.class_of
    drawn = permutation(n)
    rows = drawn[np.argsort(class_of[drawn], kind="stable")]
    kinds = _kinds(problem, class_of)
    if kinds is not None:
        turn = np.empty(n, np.int64)
        turn[drawn] = np.arange(n)
        rows = np.lexsort((turn, *kinds, class_of))
        spread = np.random.default_rng(_STREAM).permutation(n)
        rows = rows[np.lexsort((spread, class_of[rows]))]
    order = np.empty(n, np.int64)
    order[np.argsort(class_of, kind="stable")] = rows
    return Dealing(order)


def _kinds(problem: Problem, class_of: IntArray) -> list[IntArray] | None:
    """Return keys that order rows of one tuple by all that is looked at, the last counting most; None where that is nothing."""
    read = [by_text(problem, name) for name in sorted(problem.sensitive) if name in problem.reads]
    person = problem.respondents
    if person is not None and np.bincount(person).max(initial=0) > 1:
        return [_ranks_of_people(person, _numbered(class_of, read)), *read]
    return read or None


def by_text(problem: Problem, name: str) -> IntArray:
    """Return the values of a sensitive column, row by row, numbered in the order of their texts.

    Their codes may follow the first row that has each, and so tell of the order of rows.
    """
    told = problem.reference.attributes.get(name)
    if told is None:
        return problem.sensitive[name]
    texts = ["" if text is None else str(text) for text in told.labels]
    rank = np.empty(len(texts), np.int64)
    rank[sorted(range(len(texts)), key=lambda code: (told.labels[code] is None, texts[code], code))] = (
        np.arange(len(texts))
    )
    return np.asarray(rank[problem.sensitive[name]])


def _numbered(class_of: IntArray, read: list[IntArray]) -> IntArray:
    """Return a number for each row, the same for rows of one tuple and the same values."""
    return group(np.column_stack([class_of, *read]).astype(np.int32))[1]


def _ranks_of_people(person: IntArray, kind: IntArray) -> IntArray:
    """Return the rank of each row's person: by the kinds of all rows that they have, and by chance among those of the same.

    People whose rows are of the same kinds can be exchanged with all their rows: nothing that a search sees would change.
    """
    order = np.lexsort((kind, person))
    sorted_person, sorted_kind = person[order], kind[order]
    first = np.flatnonzero(np.append(True, sorted_person[1:] != sorted_person[:-1]))
    held = np.split(sorted_kind, first[1:])
    turn = permutation(len(first))
    signatures = [tuple(kinds.tolist()) for kinds in held]
    by_rank = sorted(range(len(first)), key=lambda i: (signatures[i], turn[i]))
    rank = np.zeros(int(person.max()) + 1, np.int64)
    rank[sorted_person[first[by_rank]]] = np.arange(len(first))
    return rank[person]
