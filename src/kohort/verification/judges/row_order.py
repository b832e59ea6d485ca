"""Judges that the rows of a table do not stand in the order of the original: else row i is person i, whatever it tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, log

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy
from kohort.table import Table
from kohort.verification.judges.matching import fits_of
from kohort.verification.judges.verdict import Verdict

SHUFFLED = "rows do not stand in the order of the original"
IN_ORDER = (
    "rows stand in the order of the original{}: each can be read off it after the one before, which fewer than one in {:,} "
    "shuffled tables would allow; whoever knows that order knows whose a row is"
)
ONE_IN = 1_000_000  # shuffled tables may be taken for one that is in order


@dataclass(frozen=True, eq=False)
class Fits:
    """Which released tuples may stand for which of the original, and the tuple of every row."""

    released: IntArray  # the tuple of each released row
    original: IntArray  # the tuple of each row of the original
    starts: IntArray  # released tuple t may stand for the tuples edges[starts[t] : starts[t + 1]]
    edges: IntArray


def judge_row_order(released: Table, original: Table, hierarchies: Sequence[Hierarchy]) -> list[Verdict]:
    """Return a verdict that fails where rows stand in the order of the original, forwards or backwards; none otherwise.

    Each released row is taken for the next row of the original that it covers, with equal values beside. Where that goes on to
    the last one, and shuffled rows would not let it but once in a million, they were left in order. Of fewer rows, or rows
    that are more alike, chance could do it, and nothing is said; nor is of any other order.

    Complexity: linear in the rows, beside the pairs of tuples that may stand for each other.
    """
    fits = fits_of(released, original, hierarchies)
    if fits is None:
        return []
    found = Fits(*fits)
    if log_chance(found) > -log(ONE_IN):
        return []
    for backwards in (False, True):
        if follows(found, backwards):
            note = IN_ORDER.format(", backwards" if backwards else "", ONE_IN)
            return [Verdict(SHUFFLED, False, note=note)]
    return []


def follows(fits: Fits, backwards: bool) -> bool:
    """Say whether the released rows can be read off the original one after the other: taking the first that fits loses nothing."""
    shown = fits.released[::-1] if backwards else fits.released
    slack = len(fits.original) - len(shown)
    may: dict[int, frozenset[int]] = {}
    at, person = 0, fits.original.tolist()
    for tuple_ in shown.tolist():
        if tuple_ not in may:
            may[tuple_] = frozenset(fits.edges[fits.starts[tuple_] : fits.starts[tuple_ + 1]].tolist())
        stands_for = may[tuple_]
        while slack >= 0 and person[at] not in stands_for:
            at, slack = at + 1, slack - 1
        if slack < 0:
            return False
        at += 1
    return True


def log_chance(fits: Fits) -> float:
    """Return a bound of the logarithm of the chance that shuffled rows could be read off the original in either direction.

    For each choice of as many rows of the original the orders that fit are a permanent, no more than the product of
    (r!)^(1/r) for r released rows that may stand for each of them (Bregman and Minc); the choices are counted, and the greatest
    factors are taken for all of them.
    """
    n, whole = len(fits.released), len(fits.original)
    if not 0 < n <= whole:
        return 0.0
    often = np.bincount(fits.released, minlength=len(fits.starts) - 1)
    n_tuples = int(fits.original.max()) + 1
    owners = np.repeat(often, np.diff(fits.starts))
    may = np.bincount(fits.edges, owners, minlength=n_tuples).astype(np.int64)[fits.original]
    greatest = np.sort(may)[whole - n :]
    if greatest[0] == 0:
        greatest = greatest[greatest > 0]
    sizes, times = np.unique(greatest, return_counts=True)
    permanent = sum(t * lgamma(r + 1) / r for r, t in zip(sizes.tolist(), times.tolist(), strict=True))
    choices = lgamma(whole + 1) - lgamma(n + 1) - lgamma(whole - n + 1)
    return float(min(log(2) + choices + permanent - lgamma(n + 1), 0.0))
