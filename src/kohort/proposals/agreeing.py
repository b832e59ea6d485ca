"""Whether rows agree in several columns more often than by chance, from how many rows each distinct tuple stands in.

Rows themselves are not looked at, so that wherever they are kept the answer is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import exp, prod, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.table import Table

# columns -> the codes of their distinct tuples without a missing value, and the rows of each
Tuples: TypeAlias = Callable[[Sequence[str]], tuple[IntArray, IntArray]]


class Agreement(NamedTuple):
    """How rows of one value of a column agree in another one; rows in which either is missing are not looked at."""

    values: int  # distinct ones of the first column
    others: int  # and of the second
    rows: int
    repeating: int  # rows whose value of the first column stands in another one, too
    several: int  # values of the first column that stand in several rows
    alike: float  # of such a value, the share of pairs of rows that agree in the second column; their mean, each counting alike
    chance: float  # the share of two rows that agree in it whatever the first is

    def more(self, least: int) -> tuple[float, float]:
        """Return how much more often than by chance rows of one value agree, and how far that is from chance.

        Nothing is said where fewer values than `least` have several rows.
        """
        if self.several < least or self.chance >= 1:
            return 0.0, 0.0
        above = self.alike - self.chance
        return above / (1 - self.chance), above / sqrt(self.chance * (1 - self.chance) / self.several)


Agreeing: TypeAlias = Callable[
    [str, str], Agreement
]  # two columns -> how rows of the first agree in the second

_LEAST, _SHARE = 10, 0.05  # rows that agree with another one, and of all rows
_TIMES = 5  # more than by chance
_MOST = 0.2  # of the rows, beyond which chance explains too much
_SEVERAL = 10  # values with several rows
_BOUND = 0.8  # how much more often than by chance rows of one value agree: 1 always, 0 as often
_FREE = 0.5  # below which a column does not follow from another
_DEVIATIONS = 4  # from what chance leads to expect
_ENOUGH = 50_000  # rows
_MANY = 0.1  # of the rows, which repeat what a column that names people says
_FINER = 0.9  # of the values of a column, beyond which another one is but its other name


def tuples_of(table: Table, among: str | None = None) -> Tuples:
    """Return what counts the distinct tuples of some columns of a table in memory.

    With `among`, so many values of a column are looked at, all rows of each, that what goes with it is known.
    """
    rows = None if among is None else _rows_of_some(table, among)

    def counted(names: Sequence[str]) -> tuple[IntArray, IntArray]:
        codes = [table[name].codes if rows is None else table[name].codes[rows] for name in names]
        alike = np.zeros(len(codes[0]), np.int64)
        for name, own in zip(names, codes, strict=True):
            alike = np.unique(alike * len(table[name].values) + own, return_inverse=True)[1].reshape(-1)
        first, counts = np.unique(alike, return_index=True, return_counts=True)[1:]
        return told(table, names, np.column_stack([own[first] for own in codes]), counts)

    return counted


def _rows_of_some(table: Table, name: str) -> IntArray | None:
    """Return the rows of the first values of a column, as many as are enough; None for all."""
    upto = int(np.searchsorted(np.cumsum(table[name].counts()), _ENOUGH))
    return None if table.n_rows <= _ENOUGH else np.flatnonzero(table[name].codes <= upto)


def told(table: Table, names: Sequence[str], codes: IntArray, rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the tuples in which nothing is missing, and the rows of each."""
    whole = np.ones(len(codes), np.bool_)
    for j, name in enumerate(names):
        whole &= np.array([text is not None for text in table[name].texts], np.bool_)[codes[:, j]]
    return codes[whole], rows[whole]


def rows_agreeing(tuples: Tuples, key: Sequence[str], dated: Collection[str]) -> int:
    """Return how many rows agree with another one in all columns of a key; 0 where chance would explain it.

    Days that people share are counted once for each tuple, else those with several rows would explain themselves.
    """
    codes, rows = tuples(key)
    total, alike = int(rows.sum()), int(rows[rows > 1].sum())
    shared = prod(
        _collision(codes[:, j], np.ones_like(rows) if name in dated else rows) for j, name in enumerate(key)
    )
    chance = 1 - exp(-max(total - 1, 0) * shared)
    enough = max(_LEAST, _SHARE * total, _TIMES * chance * total)
    return alike if chance < _MOST and alike >= enough else 0


def bound_by(
    tuples: Tuples, name: str, others: Sequence[str], agreeing: Agreeing | None = None
) -> tuple[str, str] | None:
    """Return two columns in which rows of one value of a column agree, neither of which follows from the other; else None.

    One would be too little: the number of a ward has its name beside it. Of a column whose values are elsewhere, `agreeing` tells;
    it names somebody, and must repeat in many rows.
    """
    told = agreeing or (lambda one, other: agreement_of(*tuples((one, other))))
    found: list[str] = []
    for other in others:
        agreement = told(name, other)
        if agreeing is not None and agreement.repeating <= _MANY * agreement.rows:
            return None
        if not _binds(agreement):
            continue
        if free := next((one for one in found if _are_free(tuples, one, other)), None):
            return free, other
        found.append(other)
    return None


def _are_free(tuples: Tuples, one: str, other: str) -> bool:
    return all(agreement_of(*tuples(pair)).more(1)[0] < _FREE for pair in ((one, other), (other, one)))


def _binds(agreement: Agreement) -> bool:
    """Say whether rows of one value of a column agree in another one, which is coarser, far more than by chance."""
    if not 1 < agreement.others <= _FINER * agreement.values:
        return False
    more, deviations = agreement.more(_SEVERAL)
    return more >= _BOUND and deviations >= _DEVIATIONS


def agreement_of(codes: IntArray, rows: IntArray) -> Agreement:
    """Return how rows agree, from the distinct pairs of two columns and the rows of each."""
    values, of = np.unique(codes[:, 0], return_inverse=True)
    of = of.reshape(-1)
    each = np.bincount(of, rows)
    several = each > 1
    pairs = np.bincount(of, rows * (rows - 1.0))[several] / (each[several] * (each[several] - 1.0))
    return Agreement(
        values=len(values),
        others=len(np.unique(codes[:, 1])),
        rows=int(rows.sum()),
        repeating=int(each[several].sum()),
        several=int(several.sum()),
        alike=float(pairs.mean()) if len(pairs) else 0.0,
        chance=_share_alike(codes[:, 1], rows),
    )


def _share_alike(codes: IntArray, rows: IntArray) -> float:
    shares: FloatArray = np.bincount(codes, rows) / max(int(rows.sum()), 1)
    return float((shares**2).sum())


def _collision(codes: IntArray, rows: IntArray) -> float:
    """Return how likely two rows have the same value."""
    counts, total = np.bincount(codes, rows), int(rows.sum())
    return float((counts * (counts - 1)).sum()) / (total * (total - 1)) if total > 1 else 1.0
