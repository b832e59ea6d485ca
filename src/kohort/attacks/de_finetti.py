"""The deFinetti attack: what the groups show together tells who within a group has which value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.groups import Groups
from kohort.attacks.skewness import best_guess
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import wilson
from kohort.card import Card
from kohort.classes import group
from kohort.hierarchy.numerals import numbers_of
from kohort.table import Column

BINS = 20  # numbers with more distinct values than five times that are read as this many quantiles


@dataclass(frozen=True)
class DeFinetti:
    """Learns from all groups which quasi-identifiers go with which value, and assigns values within each group.

    A naive Bayes model and the assignment within groups improve each other: values are first dealt evenly
    within each group, the model is fitted to that, and the deal is redone by the model, so that every person has
    one value and every group keeps its counts (alternate scaling). The people's exact quasi-identifiers are in
    Anatomy's first table; for other releases the intruder has them from outside, and here they are taken from
    the original. The original tells how many guesses are right; for Anatomy, whose rows stand in no known
    order, over the people whose quasi-identifiers nobody else has: of the others nobody can tell.
    Baseline: the most frequent value of each group. Control: values dealt at random within the groups.

    Departure from the paper: soft assignments instead of random permutations; the model is the same.

    Complexity: rounds × records × values per group × columns.

    >>> from kohort.demo.ward import shared
    >>> import pyarrow as pa
    >>> from kohort.table import Table
    >>> release = shared(["flu", "flu"], ["flu", "cold"])
    >>> ages = pa.table({"age": ["young", "young", "young", "old"], "ill": ["flu", "flu", "flu", "cold"]})
    >>> known = {"original": Table.from_arrow(ages), "rows": np.arange(4)}
    >>> finding = DeFinetti().run(Target(release, ("age",), ("ill",), **known))[0]
    >>> finding.success, finding.baseline
    (1.0, 0.75)

    References: D. Kifer, Attacks on privacy and deFinetti's theorem, 2009.
    """

    rounds: int = 15
    smoothing: float = 0.5

    card: ClassVar[Card] = Card(
        "definetti",
        "sensitive values guessed within groups by a model learnt from all groups",
        guarantee="heuristic: another model may guess better",
        paper="Kifer 2009",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column, or the original to count right guesses by."""
        if not target.judged:
            return "a sensitive column"
        if target.original is None or (target.rows is None and target.apart is None):
            return "the original of a truthful release, to measure how many guesses are right"
        return ""

    def run(self, target: Target) -> list[Finding]:
        """Return the accuracy of the guesses, for each sensitive column."""
        columns = [c for c in target.judged if target.apart is None or c in target.told_apart]
        return [self._finding(target, column) for column in columns]

    def _finding(self, target: Target, column: str) -> Finding:
        groups, features = target.groups(column), _features(target)
        assert groups.of_row is not None
        guesses = guess(groups, groups.of_row, features, self.rounds, self.smoothing)
        shown, came_from = _pairs(target)
        truth = _truth(target, column, groups)[came_from]
        right, n = int((guesses[shown] == truth).sum()), len(shown)
        dealt = int((_dealt(groups, groups.of_row)[shown] == truth).sum())
        mode, share = best_guess(groups), right / max(n, 1)
        more = (
            f"That is {share - mode:.1%} of the records more than the most frequent value of each group gives ({mode:.1%})"
            if share > mode
            else f"The most frequent value of each group gives {mode:.1%}: nothing is gained"
        )
        return Finding(
            attack="definetti",
            success=share,
            baseline=mode,
            control=dealt / max(n, 1),
            interval=wilson(right, n),
            n=n,
            sentence=(
                f"An intruder who knows everybody's quasi-identifiers and learns from all groups together names the right {column} "
                f"for {share:.1%} of the records. {more}."
            ),
            details={
                "column": column,
                "gain": round(share - mode, 6),
                "rounds": self.rounds,
                "people": "all" if target.rows is not None else "those with quasi-identifiers of their own",
                "interval": "Wilson",
            },
        )


def guess(
    groups: Groups, of_row: IntArray, features: list[IntArray], rounds: int = 15, smoothing: float = 0.5
) -> IntArray:
    """Return the value guessed for each row."""
    histogram = groups.histogram
    widths = np.diff(histogram.starts)[of_row]
    row_of = np.repeat(np.arange(len(of_row)), widths)
    first = np.concatenate([[0], np.cumsum(widths)[:-1]]) if len(widths) else np.zeros(0, np.int64)
    cell_of = np.arange(len(row_of)) - first[row_of] + histogram.starts[:-1][of_row][row_of]
    value_of = histogram.values[cell_of]
    room = histogram.counts.astype(np.float64)
    weights = room[cell_of] / groups.sizes[of_row][row_of]
    keys = [value_of.astype(np.int64) * (int(f.max(initial=0)) + 1) + f[row_of] for f in features]
    n_values = len(groups.labels)
    for _ in range(rounds):
        scores = np.zeros(len(row_of))
        for key, feature in zip(keys, features, strict=True):
            width = int(feature.max(initial=0)) + 1
            counts = np.bincount(key, weights, n_values * width).reshape(n_values, width) + smoothing
            scores += np.log(counts / counts.sum(axis=1, keepdims=True)).ravel()[key]
        weights = _scaled(scores, row_of, cell_of, first, room)
    # The greatest weight of each row; of equal ones the first value.
    order = np.lexsort((value_of, -weights, row_of))
    return np.asarray(value_of[order[first]]) if len(first) else np.zeros(0, np.int64)


def _scaled(
    scores: FloatArray, row_of: IntArray, cell_of: IntArray, first: IntArray, room: FloatArray
) -> FloatArray:
    """Scale exp(scores) so that each row adds up to 1 and each value of a group to its count, nearly."""
    if not len(first):
        return scores
    weights = np.exp(scores - np.maximum.reduceat(scores, first)[row_of])
    weights = np.maximum(weights, 1e-12)
    for _ in range(10):
        weights *= (room / np.bincount(cell_of, weights, len(room)))[cell_of]
        weights /= np.bincount(row_of, weights)[row_of]
    return weights


def _features(target: Target) -> list[IntArray]:
    """Return what is known of each released row's person: codes, a column each."""
    if target.apart is not None:
        return [_binned(target.released[name]) for name in target.quasi]
    assert target.original is not None
    return [_binned(target.original[name])[target.rows] for name in target.quasi]


def _binned(column: Column) -> IntArray:
    numbers = numbers_of(column.texts)
    if numbers is None or len(numbers) <= 5 * BINS:
        return column.codes
    cuts = np.nanquantile(numbers[column.codes], np.linspace(0, 1, BINS + 1)[1:-1])
    return np.asarray(np.searchsorted(cuts, np.nan_to_num(numbers, nan=np.inf))[column.codes])


def _pairs(target: Target) -> tuple[IntArray, IntArray]:
    """Return released rows and the original rows that they came from, as far as that is beyond doubt."""
    assert target.original is not None
    if target.rows is not None:
        return np.arange(len(target.rows)), target.rows
    shown, known = [], []
    for name in target.quasi:
        released, source = target.released[name], target.original[name]
        code_of = {text: code for code, text in enumerate(source.texts)}
        shown.append(np.array([code_of.get(text, -1) for text in released.texts])[released.codes])
        known.append(source.codes)
    n = target.released.n_rows
    distinct, place = group(np.concatenate([np.column_stack(shown), np.column_stack(known)]).astype(np.int32))
    told, true = place[:n], place[n:]
    alone = (np.bincount(told, minlength=len(distinct)) == 1) & (
        np.bincount(true, minlength=len(distinct)) == 1
    )
    rows, originals = np.flatnonzero(alone[told]), np.flatnonzero(alone[true])
    return rows[np.argsort(told[rows])], originals[np.argsort(true[originals])]


def _truth(target: Target, column: str, groups: Groups) -> IntArray:
    """Return the value of each original row, coded as in the groups."""
    assert target.original is not None
    values = target.original[column]
    code_of = {text: code for code, text in enumerate(groups.labels)}
    return np.array([code_of.get(text, -1) for text in values.texts], np.int64)[values.codes]


def _dealt(groups: Groups, of_row: IntArray) -> IntArray:
    """Return each group's values dealt at random to its rows."""
    noise = np.random.default_rng(20260101).random(groups.n_records)
    values = groups.values[np.lexsort((noise, groups.owners))]
    dealt = np.empty(len(of_row), np.int64)
    dealt[np.argsort(of_row, kind="stable")] = values
    return dealt
