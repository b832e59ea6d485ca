"""The tuples of some relations as the kernel of joins takes them: numbered by scheme, with keys for what they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray
from kohort.classes.grouping import group
from kohort.classes.schemes import Column, Held, Scheme, Schemes


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

    def scheme_in(self, part: frozenset[Column]) -> Scheme:
        """Return the columns that are in the part."""
        return tuple(column for column in self.columns if column in part)


class Tuples:
    """The tuples of all relations; what was numbered once is kept, for it is asked for again by every set of releases."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self._relations = relations
        self._numbered: dict[Scheme, tuple[IntArray, dict[int, IntArray]]] = {}
        self._shared: dict[tuple[Scheme, Scheme], tuple[IntArray, IntArray]] = {}

    def shared(self, schemes: Sequence[Scheme], asked: Sequence[Column]) -> Schemes:
        """Return what the tuples of each two schemes have in common, and the values of the asked columns."""
        distinct = [self._of(scheme)[0] for scheme in schemes]
        ends = self._ends(schemes)
        keys = np.zeros((int(ends[-1]), len(schemes)), np.int64)
        meet = np.zeros((len(schemes), len(schemes)), np.bool_)
        for s, scheme in enumerate(schemes):
            keys[ends[s] : ends[s + 1], s] = np.arange(len(distinct[s]))
            for o, other in enumerate(schemes[:s]):
                meet[s, o] = meet[o, s] = not set(scheme).isdisjoint(other)
                keys[ends[s] : ends[s + 1], o], keys[ends[o] : ends[o + 1], s] = self._keys(scheme, other)
        told, told_by = np.zeros((len(keys), len(asked)), np.int64), np.zeros(len(asked), np.int64)
        for a, column in enumerate(asked):
            s = next(s for s, scheme in enumerate(schemes) if column in scheme)
            told_by[a] = s
            told[ends[s] : ends[s + 1], a] = distinct[s][:, schemes[s].index(column)]
        return Schemes(keys, meet, told, told_by)

    def laid_out(self, told: Sequence[tuple[int, Scheme]], schemes: Sequence[Scheme]) -> tuple[Held, int]:
        """Return the classes of some relations one after the other, and how many tuples the widest holds."""
        ends = self._ends(schemes)
        places = [schemes.index(scheme) for _, scheme in told]
        numbers = [self._of(scheme)[1][i] + ends[s] for (i, scheme), s in zip(told, places, strict=True)]
        starts = [self._relations[i].starts for i, _ in told]
        before = np.cumsum([0, *(len(one) for one in numbers)])
        held = Held(
            np.array(places, np.int64),
            np.cumsum([0, *(len(one) for one in starts)])[:-1].astype(np.int64),
            np.concatenate([one + at for one, at in zip(starts, before[:-1], strict=True)]).astype(np.int64),
            np.concatenate(numbers).astype(np.int64),
        )
        return held, max(int(np.diff(one).max(initial=0)) for one in starts)

    def _ends(self, schemes: Sequence[Scheme]) -> IntArray:
        return np.cumsum([0, *(len(self._of(scheme)[0]) for scheme in schemes)])

    def _of(self, scheme: Scheme) -> tuple[IntArray, dict[int, IntArray]]:
        """Return the distinct tuples of all relations that tell these columns, and of each relation its own by number."""
        if scheme not in self._numbered:
            mine = [i for i, relation in enumerate(self._relations) if set(scheme) <= set(relation.columns)]
            rows = [_columns(self._relations[i].columns, self._relations[i].values, scheme) for i in mine]
            distinct, number = group(np.concatenate(rows))
            parts = np.split(number, np.cumsum([len(one) for one in rows])[:-1])
            self._numbered[scheme] = distinct, dict(zip(mine, parts, strict=True))
        return self._numbered[scheme]

    def _keys(self, scheme: Scheme, other: Scheme) -> tuple[IntArray, IntArray]:
        """Return a number for what each tuple of either says of the columns that both have."""
        if (scheme, other) not in self._shared:
            both = [column for column in scheme if column in other]
            rows = [_columns(name, self._of(name)[0], both) for name in (scheme, other)]
            number = group(np.concatenate(rows))[1]
            self._shared[scheme, other] = number[: len(rows[0])], number[len(rows[0]) :]
        return self._shared[scheme, other]


def _columns(scheme: Scheme, rows: IntArray, wanted: Sequence[Column]) -> IntArray:
    return np.ascontiguousarray(rows[:, [scheme.index(column) for column in wanted]])
