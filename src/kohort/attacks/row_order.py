"""The row order attack: the order of the released rows tells something about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import fisher
from kohort.card import Card
from kohort.classes import group
from kohort.hierarchy.numerals import numbers_of
from kohort.table import Column


@dataclass(frozen=True)
class RowOrder:
    """Correlates the place of a row in the release with its values, and with its place in the original.

    Success is the greatest absolute rank correlation (Spearman). Rows that are released alike cannot be told
    apart, so each stands for the mean of the original places they came from. Baseline: the mean of the same
    greatest correlation over random orders; control: what 95 % of random orders stay below.

    Complexity: the columns are ranked by sorting; then `permutations` × rows × columns.

    >>> from kohort.demo.ward import shared
    >>> release = shared(["flu", "flu"], ["flu", "cold", "gout"])
    >>> round(RowOrder().run(Target(release, ("age",), ("ill",)))[0].success, 3)
    0.866

    References: Spearman, C. The proof and measurement of association between two things. American Journal of Psychology, 1904.
    """

    permutations: int = 200

    card: ClassVar[Card] = Card(
        "row-order", "rank correlation of the released order with any column or the original order",
        guarantee="permutation test",
    )  # fmt: skip

    def lacks(self, target: Target) -> str:
        """Return what is missing: rows to correlate."""
        return "" if target.released.n_rows >= 4 else "at least four rows"

    def run(self, target: Target) -> list[Finding]:
        """Return the greatest rank correlation, against random orders."""
        names, ranks = _features(target)
        n = target.released.n_rows
        found = np.abs(ranks @ _standard(np.arange(n, dtype=np.float64)))
        generator = np.random.default_rng(20260101)
        place = _standard(np.arange(n, dtype=np.float64))
        null = np.array(
            [np.abs(ranks @ generator.permutation(place)).max(initial=0.0) for _ in range(self.permutations)]
        )
        worst = float(found.max(initial=0.0))
        limit, chance = float(np.percentile(null, 95)), float((1 + (null >= worst).sum()) / (1 + len(null)))
        told = chance <= 0.05 and worst > limit
        sentence = (
            f"The order of the rows tells something about them: its rank correlation with {names[int(found.argmax())]} is "
            f"{worst:.2f}, and 95 % of random orders stay below {limit:.2f}. Release the rows shuffled."
            if told
            else f"The order of the rows tells nothing: its greatest rank correlation is {worst:.3f}, as random orders have."
        )
        return [
            Finding(
                attack="row-order",
                success=worst,
                baseline=float(null.mean()),
                control=limit,
                interval=fisher(worst, n),
                n=n,
                sentence=sentence,
                details={
                    "correlations": {name: round(float(c), 6) for name, c in zip(names, found, strict=True)},
                    "p_value": round(chance, 6),
                    "told": told,
                    "interval": "Fisher",
                },
            )
        ]


def _features(target: Target) -> tuple[list[str], FloatArray]:
    """Return what the order could tell: the ranks of every column, and of the original places."""
    names, rows = [], []
    for column in target.released:
        ranked = _standard(_average_ranks(_ordered(column)))
        if ranked.any():
            names.append(column.name)
            rows.append(ranked)
    if target.rows is not None:
        codes = np.column_stack([column.codes for column in target.released]).astype(np.int32)
        distinct, alike = group(codes)
        means = np.bincount(alike, target.rows, len(distinct)) / np.bincount(alike, minlength=len(distinct))
        names.append("the original order")
        rows.append(_standard(_average_ranks(means[alike])))
    return names, np.array(rows) if rows else np.zeros((0, target.released.n_rows))


def _ordered(column: Column) -> FloatArray:
    """Return the column as numbers that keep its order: numbers by value, other texts by the alphabet."""
    numbers = numbers_of(column.texts)
    if numbers is None:
        order = sorted(
            range(len(column.texts)), key=lambda i: (column.texts[i] is None, column.texts[i] or "")
        )
        numbers = np.empty(len(order))
        numbers[order] = np.arange(len(order))
    known = numbers[np.isfinite(numbers)]
    return np.nan_to_num(numbers, nan=float(known.max(initial=0.0)) + 1)[column.codes]


def _average_ranks(values: FloatArray) -> FloatArray:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last: IntArray = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place], np.float64)


def _standard(values: FloatArray) -> FloatArray:
    """Return the values centred, of unit length; all zero where they are all the same."""
    centred = values - values.mean()
    length = float(np.sqrt((centred**2).sum()))
    return np.zeros(len(values)) if length < 1e-9 else np.asarray(centred / length)
