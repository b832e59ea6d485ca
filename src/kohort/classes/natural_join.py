"""`Joined`: which values several releases leave of a person, where rows tell several columns together.

A person of whom one release leaves the tuples A open and another the tuples B has a tuple of A ⋈ B, the natural join: equal
tuples where both tell the same columns, tuples that agree on what they share else. Columns by themselves leave more: (hiv,
poor) and (flu, rich) in the one, (hiv, rich) and (flu, rich) in the other leave hiv and flu to whoever looks at illnesses,
and one tuple to whoever looks at both columns.

A tuple is the same in all releases only if nothing was changed in between. Where none is possible, something was: then
the fewest values count that are left by all columns but one, by two of them or by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes.grouping import group
from kohort.classes.schemes import Column, Scheme, circular, connected


@dataclass(frozen=True, eq=False)
class Relation:
    """What a release tells together: the tuples of each of its classes."""

    release: int
    columns: Scheme
    class_of: IntArray  # of each tuple, ascending
    values: IntArray  # (tuple, column), from 0 on: the same number is the same value in all relations

    @classmethod
    def of(cls, release: int, columns: Scheme, class_of: IntArray, values: IntArray) -> Relation:
        """Return a relation whose tuples stand class by class."""
        order, places = np.argsort(class_of, kind="stable"), np.argsort(columns)
        told = tuple(columns[j] for j in places)
        return cls(release, told, class_of[order].astype(np.int64), values[order][:, places].astype(np.int64))

    @cached_property
    def starts(self) -> IntArray:
        """Where each class begins, and the last one ends."""
        return np.searchsorted(self.class_of, np.arange(int(self.class_of.max(initial=-1)) + 2))

    def on(self, part: frozenset[Column]) -> tuple[Scheme, IntArray]:
        """Return those columns that are in the part, and what the tuples say of them."""
        places = [j for j, column in enumerate(self.columns) if column in part]
        return tuple(self.columns[j] for j in places), np.ascontiguousarray(self.values[:, places])


@dataclass(frozen=True, eq=False)
class Left:
    """What is left of one column, for each vector of classes."""

    number: IntArray  # of values; 0 where none is possible
    value: IntArray  # the value, where one is left
    given_up: BoolArray  # where there was too much to try: fewer may be left


class Joined:
    """Releases, each of which tells some columns together in the rows and others apart."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self._relations = list(relations)

    def left(self, releases: Sequence[int], vectors: IntArray, asked: Sequence[Column]) -> dict[Column, Left]:
        """Return what the classes of each vector leave of the asked columns that any of these releases tells.

        A vector names a class of each release, -1 where a release does not hold the person and says nothing.
        """
        told = {column for r in self._relations if r.release in releases for column in r.columns}
        found = {column: _nothing(len(vectors)) for column in asked if column in told}
        patterns, pattern_of = group((vectors >= 0).astype(np.int32))
        for number, pattern in enumerate(patterns):
            here = np.flatnonzero(pattern_of == number)
            those = [release for release, held in zip(releases, pattern, strict=True) if held]
            part = self._of_pattern(those, vectors[here][:, pattern > 0], [*found])
            for column, left in part.items():
                _put(found[column], left, here)
        return found

    def _of_pattern(self, releases: list[int], vectors: IntArray, asked: list[Column]) -> dict[Column, Left]:
        relations = [relation for relation in self._relations if relation.release in releases]
        columns = _joining(relations, asked)
        found = self._by(columns, relations, releases, vectors, asked)
        none = [left.number == 0 for left in found.values()]
        here = np.flatnonzero(np.logical_or.reduce(none)) if none else np.zeros(0, np.int64)
        if not len(here):
            return found
        impossible = {column: left.number[here] == 0 for column, left in found.items()}
        for fewer in _fewer(columns):
            part = self._by(fewer, relations, releases, vectors[here], asked)
            for column, left in part.items():
                best = found[column].number[here]
                better = impossible[column] & (left.number > 0) & ((best == 0) | (left.number < best))
                _put(found[column], left, here, better)
        return found

    def _by(
        self,
        columns: frozenset[Column],
        relations: list[Relation],
        releases: list[int],
        vectors: IntArray,
        asked: list[Column],
    ) -> dict[Column, Left]:
        """Return what is left by some columns; those that no relation connects say nothing of each other."""
        found: dict[Column, Left] = {}
        for part in connected([columns.intersection(relation.columns) for relation in relations]):
            wanted = [column for column in asked if column in part]
            if wanted:
                told = [relation for relation in relations if part.intersection(relation.columns)]
                classes = np.column_stack([vectors[:, releases.index(r.release)] for r in told])
                found |= _join(told, part, classes, wanted)
        return found


def _join(
    relations: list[Relation], part: frozenset[Column], classes: IntArray, asked: list[Column]
) -> dict[Column, Left]:
    from kohort.classes.joined_tuples import laid_out, numbered, shared
    from kohort.classes.natural_join_kernels import join

    told = [relation.on(part) for relation in relations]
    distinct, numbers = numbered(told)
    schemes = list(distinct)
    tuples = shared(distinct, asked)
    starts = [relation.starts for relation in relations]
    held, widest = laid_out([schemes.index(scheme) for scheme, _ in told], starts, numbers)
    n_keys = max(int(tuples.keys.max(initial=0)), int(tuples.told.max(initial=0))) + 1
    vectors = np.ascontiguousarray(classes, np.int64)
    number, value, given_up = join(vectors, held, tuples, widest, n_keys, circular(schemes))
    return {column: Left(number[:, a], value[:, a], given_up) for a, column in enumerate(asked)}


def _joining(relations: Sequence[Relation], asked: Sequence[Column]) -> frozenset[Column]:
    """Return the asked columns, and those by which tuples of two relations can be told to agree."""
    held = [column for relation in relations for column in relation.columns]
    return frozenset(column for column in held if column in asked or held.count(column) > 1)


def _fewer(columns: frozenset[Column]) -> Iterator[frozenset[Column]]:
    """Return all columns but one, two of them, and one: what may be unchanged where not all are."""
    sizes = sorted({len(columns) - 1, 2, 1} & set(range(1, len(columns))), reverse=True)
    return (frozenset(some) for size in sizes for some in combinations(sorted(columns), size))


def _nothing(n: int) -> Left:
    return Left(np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.bool_))


def _put(found: Left, part: Left, here: IntArray, where: BoolArray | None = None) -> None:
    """Write what was found of some vectors, or of those of them that are marked, to its place."""
    chosen = slice(None) if where is None else where
    found.number[here[chosen]] = part.number[chosen]
    found.value[here[chosen]] = part.value[chosen]
    found.given_up[here] |= part.given_up
