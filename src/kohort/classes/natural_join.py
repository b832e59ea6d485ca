"""`Joined`: which values several releases leave of a person, where rows tell several columns together.

A person of whom one release leaves the tuples A open and another the tuples B has a tuple of A ⋈ B, the natural join: equal
tuples where both tell the same columns, tuples that agree on what they share else. Columns by themselves leave more: (hiv,
poor) and (flu, rich) in the one, (hiv, rich) and (flu, rich) in the other leave hiv and flu to whoever looks at illnesses,
and one tuple to whoever looks at both columns.

A tuple is the same in all releases only if nothing was changed in between. Where none is possible, something was: then
the fewest values count that are left by all columns but one, by two of them or by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes.grouping import group
from kohort.classes.joined_tuples import Relation, Tuples
from kohort.classes.schemes import Column, Scheme, circular, connected


@dataclass(frozen=True, eq=False)
class Left:
    """What is left of one column, for each vector of classes."""

    number: IntArray  # of values; 0 where none is possible
    value: IntArray  # the value, where one is left
    given_up: BoolArray  # where there was too much to try: fewer may be left
    changed: BoolArray  # where no tuple agrees in all columns: left by fewer of them


class Joined:
    """Releases, each of which tells some columns together in the rows and others apart.

    Values with the same number in `counted` are others to whoever joins, and one to whoever counts what is left.
    """

    def __init__(self, relations: Sequence[Relation], counted: IntArray | None = None) -> None:
        self._relations, self._tuples, self._counted = relations, Tuples(relations), counted

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

    def by_itself(
        self, releases: Sequence[int], vectors: IntArray, asked: Sequence[Column]
    ) -> dict[Column, Left]:
        """Return what is left of each asked column if no other one is looked at; every release holds every vector's people."""
        told = {column for r in self._relations if r.release in releases for column in r.columns}
        found: dict[Column, Left] = {}
        for column in asked:
            if column in told:
                found |= self._by(frozenset({column}), [*releases], vectors, [column])
        return found

    def _of_pattern(self, releases: list[int], vectors: IntArray, asked: list[Column]) -> dict[Column, Left]:
        """Return what is left by all columns together; where that is nothing, the fewest values by fewer of them."""
        columns = _joining([r for r in self._relations if r.release in releases], asked)
        found = self._by(columns, releases, vectors, asked)
        impossible = {column: left.number == 0 for column, left in found.items()}
        found = {column: replace(left, changed=impossible[column]) for column, left in found.items()}
        here = np.flatnonzero(np.logical_or.reduce([*impossible.values(), np.zeros(len(vectors), np.bool_)]))
        for fewer in _fewer(columns) if len(here) else ():
            for column, left in self._by(fewer, releases, vectors[here], asked).items():
                best = found[column].number[here]
                better = (left.number > 0) & ((best == 0) | (left.number < best))
                _put(found[column], left, here, impossible[column][here] & better)
        return found

    def _by(
        self, columns: frozenset[Column], releases: list[int], vectors: IntArray, asked: list[Column]
    ) -> dict[Column, Left]:
        """Return what is left by some columns; those that no relation connects say nothing of each other."""
        found: dict[Column, Left] = {}
        held = [(i, r) for i, r in enumerate(self._relations) if r.release in releases]
        for part in connected([columns.intersection(relation.columns) for _, relation in held]):
            told = [(i, relation.scheme_in(part)) for i, relation in held]
            told = [(i, scheme) for i, scheme in told if scheme]
            places = [releases.index(self._relations[i].release) for i, _ in told]
            found |= self._joined(told, vectors[:, places], [column for column in asked if column in part])
        return found

    def _joined(
        self, told: list[tuple[int, Scheme]], classes: IntArray, asked: list[Column]
    ) -> dict[Column, Left]:
        """Return what the join of these columns of these relations leaves."""
        from kohort.classes.natural_join_kernels import join

        if not asked:
            return {}
        schemes = sorted({scheme for _, scheme in told})
        tuples = self._tuples.shared(schemes, asked)
        if self._counted is not None:
            tuples = tuples._replace(told=self._counted[tuples.told])
        held, widest = self._tuples.laid_out(told, schemes)
        n_keys = max(int(tuples.keys.max(initial=0)), int(tuples.told.max(initial=0))) + 1
        vectors = np.ascontiguousarray(classes, np.int64)
        number, value, given_up = join(vectors, held, tuples, widest, n_keys, circular(schemes))
        unchanged = np.zeros(len(vectors), np.bool_)
        return {
            column: Left(number[:, a], value[:, a], given_up, unchanged) for a, column in enumerate(asked)
        }


def fewest(found: Iterable[tuple[Column, Left]]) -> dict[Column, Left]:
    """Return the fewest values that are left of each column, where something is left in several ways."""
    least: dict[Column, Left] = {}
    for column, left in found:
        if column not in least:
            least[column] = left
            continue
        here, best = np.arange(len(left.number)), least[column].number
        _put(least[column], left, here, (left.number > 0) & ((best == 0) | (left.number < best)))
    return least


def _joining(relations: Sequence[Relation], asked: Sequence[Column]) -> frozenset[Column]:
    """Return the asked columns, and those by which tuples of two relations can be told to agree."""
    held = [column for relation in relations for column in relation.columns]
    return frozenset(column for column in held if column in asked or held.count(column) > 1)


def _fewer(columns: frozenset[Column]) -> Iterator[frozenset[Column]]:
    """Return all columns but one, two of them, and one: what may be unchanged where not all are."""
    sizes = sorted({len(columns) - 1, 2, 1} & set(range(1, len(columns))), reverse=True)
    return (frozenset(some) for size in sizes for some in combinations(sorted(columns), size))


def _nothing(n: int) -> Left:
    numbers, marks = np.zeros((2, n), np.int64), np.zeros((2, n), np.bool_)
    return Left(*numbers, *marks)


def _put(found: Left, part: Left, here: IntArray, where: BoolArray | None = None) -> None:
    """Write what was found of some vectors, or of those of them that are marked, to its place."""
    chosen = slice(None) if where is None else where
    found.number[here[chosen]] = part.number[chosen]
    found.value[here[chosen]] = part.value[chosen]
    found.given_up[here] |= part.given_up
    found.changed[here] |= part.changed
