"""The tuples of some relations as the kernel of joins takes them: numbered by scheme, with keys for what they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.classes.grouping import group
from kohort.classes.natural_join_kernels import Held, Schemes
from kohort.classes.schemes import Column, Scheme


def numbered(told: Sequence[tuple[Scheme, IntArray]]) -> tuple[dict[Scheme, IntArray], list[IntArray]]:
    """Return the distinct tuples of each scheme, and of each relation its tuples by number, over all schemes."""
    distinct: dict[Scheme, IntArray] = {}
    numbers: list[IntArray] = [np.zeros(0, np.int64)] * len(told)
    base = 0
    for scheme in sorted({scheme for scheme, _ in told}):
        mine = [i for i, (other, _) in enumerate(told) if other == scheme]
        distinct[scheme], number = group(np.concatenate([told[i][1] for i in mine]))
        ends = np.cumsum([len(told[i][1]) for i in mine])[:-1]
        for i, part in zip(mine, np.split(number + base, ends), strict=True):
            numbers[i] = part
        base += len(distinct[scheme])
    return distinct, numbers


def shared(distinct: dict[Scheme, IntArray], asked: Sequence[Column]) -> Schemes:
    """Return what the tuples of each two schemes have in common, and the values of the asked columns."""
    schemes = list(distinct)
    ends = np.cumsum([0, *(len(distinct[scheme]) for scheme in schemes)])
    keys = np.zeros((int(ends[-1]), len(schemes)), np.int64)
    meet = np.zeros((len(schemes), len(schemes)), np.bool_)
    for s, scheme in enumerate(schemes):
        mine = slice(ends[s], ends[s + 1])
        keys[mine, s] = np.arange(len(distinct[scheme]))
        for o, other in enumerate(schemes[:s]):
            both = [column for column in scheme if column in other]
            meet[s, o] = meet[o, s] = bool(both)
            rows = [_columns(name, distinct[name], both) for name in (scheme, other)]
            number = group(np.concatenate(rows))[1]
            keys[mine, o] = number[: len(rows[0])]
            keys[ends[o] : ends[o + 1], s] = number[len(rows[0]) :]
    told, told_by = np.zeros((len(keys), len(asked)), np.int64), np.zeros(len(asked), np.int64)
    for a, column in enumerate(asked):
        s = next(s for s, scheme in enumerate(schemes) if column in scheme)
        told_by[a] = s
        told[ends[s] : ends[s + 1], a] = _columns(schemes[s], distinct[schemes[s]], [column])[:, 0]
    return Schemes(keys, meet, told, told_by)


def laid_out(
    scheme: Sequence[int], starts: Sequence[IntArray], numbers: Sequence[IntArray]
) -> tuple[Held, int]:
    """Return the classes of all relations one after the other, and how many tuples the widest holds."""
    lengths = [len(one) for one in starts]
    before = np.cumsum([0, *(len(one) for one in numbers)])[:-1]
    held = Held(
        np.array(scheme, np.int64),
        np.cumsum([0, *lengths])[:-1].astype(np.int64),
        np.concatenate([one + at for one, at in zip(starts, before, strict=True)]).astype(np.int64),
        np.concatenate(numbers).astype(np.int64),
    )
    return held, max(int(np.diff(one).max(initial=0)) for one in starts)


def _columns(scheme: Scheme, rows: IntArray, wanted: Sequence[Column]) -> IntArray:
    return np.ascontiguousarray(rows[:, [scheme.index(column) for column in wanted]])
