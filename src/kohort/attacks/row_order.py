"""The row order attack: the order of the released rows tells something about them."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.attacks.advice import SHUFFLE
from kohort.attacks.finding import Finding
from kohort.attacks.matching import Lookup
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import Z, per_cent
from kohort.card import Card
from kohort.classes import group
from kohort.hierarchy import meaning
from kohort.hierarchy.numerals import numbers_of
from kohort.plurals import many
from kohort.table import Column, Table

LOOKED = 50_000  # rows whose sequence is followed
SEQUENCE = "the original's sequence"
ORDERS = 60  # random ones beside it
FAR = 4.0  # standard deviations of these that no more than one shuffled table in 2,000 passes, with room for skew
ONE_IN = 2000  # shuffled tables passes either limit, so that one in 1,000 passes any
FEW = 60  # rows up to which the limit of a correlation is counted in random orders
COUNTED = (
    10 * ONE_IN
)  # such orders, and the limit is the third greatest of them: that no more than one in 2,000 passes it
PASSED = 3  # is then wrong of one table in 360 (Poisson), where the second of 4,000 would be of two in five
SHUFFLED = f"fewer than 1 in {ONE_IN:,} shuffled tables"


@dataclass(frozen=True)
class RowOrder:
    """Correlates the place of a row with its values and with its place in the original, and looks for rows left in order.

    The first finding is a rank correlation (Spearman): the greatest absolute one of any released column. Rows that
    are released alike cannot be told apart, so each stands for the mean of the original places they came from.
    Baseline and control: the mean of the same greatest correlation over random orders; margin: what no more than one
    in 2,000 of them passes. Of few rows that is counted; of more, each correlation is normal with variance 1 / (n − 1)
    (with thinner ends: places are spread evenly), and the limit is Bonferroni's.

    The second, with the original, is a share: the released rows that can be read off the original one after the other
    without going back. All of them where rows were left in their order, however coarse they are; in random orders
    as many as chance gives, and no more than one in 2,000 passes the margin. So both together take at most one shuffled
    release in 1,000 for one that was not.

    Complexity: the columns are ranked by sorting; then `permutations` × rows × columns.

    >>> from kohort.demo.ward import shared
    >>> release = shared(["flu", "flu"], ["flu", "cold", "gout"])
    >>> round(RowOrder().run(Target(release, ("age",), ("ill",)))[0].success, 3)
    0.866

    References: Spearman, C. The proof and measurement of association between two things. American Journal of Psychology, 1904.
    """

    permutations: int = 200

    card: ClassVar[Card] = Card(
        "row-order", "rank correlation of the released order with any column or the original order, and rows left in order",
        guarantee="permutation test",
        lessened="leave out the column that the order follows",
    )  # fmt: skip

    def lacks(self, target: Target) -> str:
        """Return what is missing: rows to correlate."""
        return "" if target.released.n_rows >= 4 else "at least four rows"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return that all rows are alike: any order is as good as another; or that the original's sequence is not followed."""
        if all(len(np.unique(column.codes)) < 2 for column in target.released):
            return {"row-order": "all released rows are alike, in whatever order they stand"}
        reason = _not_followed(target)
        return {f"row-order, {SEQUENCE}": reason} if reason else {}

    def run(self, target: Target) -> list[Finding]:
        """Return the greatest rank correlation, and with the original the rows left in order, against random orders."""
        found = [self._correlation(target)]
        if not _not_followed(target):
            found.append(_left_in_order(target))
        return found

    def _correlation(self, target: Target) -> Finding:
        names, ranks = _features(target)
        n = target.released.n_rows
        place = _standard(np.arange(n, dtype=np.float64))
        found = np.abs(ranks @ place)
        null = _in_random_orders(ranks, place, self.permutations)
        worst, chance = float(found.max(initial=0.0)), float(null.mean())
        limit = _limit(null, len(names), n)
        told = worst > limit
        sentence = (
            f"The order of the rows tells something about them: its rank correlation with {names[int(found.argmax())]} is "
            f"{worst:.2f}, and {SHUFFLED} pass {limit:.2f}. Unless they were shuffled, release the rows shuffled."
            if told
            else f"The greatest rank correlation of the order of the rows with anything in them is {worst:.3f}, and that of random "
            f"orders {chance:.3f} on average; {SHUFFLED} pass {_passed(limit)}. An order that no column shows is not excluded."
        )
        return Finding(
            attack="row-order",
            success=worst,
            baseline=chance,
            control=chance,
            interval=None,
            n=n,
            sentence=sentence,
            details={
                "correlations": {name: round(float(c), 6) for name, c in zip(names, found, strict=True)},
                "p_value": round(float((1 + (null >= worst).sum()) / (1 + len(null))), 6),
                "told": told,
            },
            margin=limit - chance,
            spread=Z / float(np.sqrt(n - 1)),
            measure="rank correlation",
            advice=SHUFFLE,
        )


def _left_in_order(target: Target) -> Finding:
    """Return how many released rows can be read off the original without going back."""
    assert target.original is not None
    lookup = Lookup.of(target, target.original, tuple(target.released.names))
    n = target.released.n_rows
    slack = target.original.n_rows - n
    generator = np.random.default_rng(20260101)
    looked = min(n, LOOKED)
    orders = (generator.permutation(n)[:looked] for _ in range(ORDERS))
    draws = [lookup.kept_in_order(slack, order) / looked for order in orders]
    share, control = lookup.kept_in_order(slack, np.arange(looked)) / looked, float(np.mean(draws))
    spread = float(np.std(draws, ddof=1)) * float(np.sqrt(1 + 1 / ORDERS))
    margin = max(max(draws) - control, FAR * spread, _rare(control * looked) / looked, 1 / looked)
    told = share > control + margin
    rows = "released rows" if looked == n else f"first {many(looked, 'released row')}"
    return Finding(
        attack="row-order",
        success=share,
        baseline=control,
        control=control,
        interval=None,
        n=looked,
        sentence=(
            f"{per_cent(share)} of the {rows} follow each other as in the original, against {per_cent(control)} in random orders: "
            f"the rows were not shuffled, or not well; {SHUFFLED} would look so. Whoever has the original order, or another "
            "release in it, knows whose a row is."
            if told
            else f"{per_cent(share)} of the {rows} follow each other as in the original, as in random orders ({per_cent(control)})."
        ),
        details={"by": SEQUENCE, "told": told},
        margin=margin,
        spread=max(Z * spread, 1 / looked),
        advice=SHUFFLE,
    )


def _in_random_orders(ranks: FloatArray, place: FloatArray, permutations: int) -> FloatArray:
    """Return the greatest correlation in each of many random orders; of few rows in as many as the limit is counted in."""
    generator = np.random.default_rng(20260101)
    if len(place) <= FEW:
        orders = generator.permuted(np.tile(place, (COUNTED, 1)), axis=1)
        return np.asarray(np.abs(orders @ ranks.T).max(axis=1, initial=0.0))
    many = (generator.permutation(place) for _ in range(permutations))
    return np.array([np.abs(ranks @ order).max(initial=0.0) for order in many])


def _limit(null: FloatArray, features: int, n: int) -> float:
    """Return the correlation that no more than one shuffled table in 2,000 passes."""
    if n <= FEW:
        return float(np.partition(null, -PASSED)[-PASSED]) + 1e-9
    return NormalDist().inv_cdf(1 - 1 / (2 * ONE_IN * max(features, 1))) / float(np.sqrt(n - 1))


def _passed(limit: float) -> str:
    return f"{limit:.3f}" if limit < 1 else "what these few rows can reach"


def _rare(expected: float) -> float:
    """Return by how much a number of rare hits (Poisson) passes its expectation no more than once in 2,000 times."""
    hits, chance = 0, exp(-min(expected, 500.0))
    reached = chance
    while expected <= 500 and reached < 1 - 1 / ONE_IN:
        hits += 1
        chance *= expected / hits
        reached += chance
    return max(hits - expected, 0.0)


def _not_followed(target: Target) -> str:
    """Return why the rows are not read off the original one after the other; nothing where they are."""
    if target.original is None:
        return "the original is not at hand: whether rows were left in its order was not looked at"
    if not target.truthful:
        return "released values are perturbed: which row an original one became was not looked at, nor were rows left in order"
    if target.apart is not None:
        return "rows are told in two tables: whether they were left in the original's order was not looked at"
    if _unread(target, target.original):
        return "released labels that no hierarchy explains: whether rows were left in the original's order was not looked at"
    return ""


def _unread(target: Target, original: Table) -> bool:
    """Say whether a released column cannot be compared with the original's."""
    return any(
        column.name not in original.columns
        or any(meaning(target.hierarchies[column.name], text) is None for text in column.texts)
        for column in target.released
        if column.name not in original.columns or column.name in target.hierarchies
    )


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
