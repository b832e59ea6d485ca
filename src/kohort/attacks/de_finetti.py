"""The deFinetti attack: what the groups show together tells who within a group has which value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks.features import known_features
from kohort.attacks.finding import Finding
from kohort.attacks.groups import Groups
from kohort.attacks.learning import ROUNDS, SMOOTHING, Cells, learnt, rounds_that_hold
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import chance_margin, per_cent, wilson
from kohort.card import Card
from kohort.classes import group


@dataclass(frozen=True)
class DeFinetti:
    """Learns from all groups which quasi-identifiers go with which value, and assigns values within each group.

    A naive Bayes model and the assignment within groups improve each other: values are first dealt evenly
    within each group, the model is fitted to that, and the deal is redone by the model, so that every person has
    one value and every group keeps its counts (alternate scaling). It stops after the rounds that describe groups best
    which it did not learn from. Numbers and dates are read in bins. The people's exact quasi-identifiers are in
    Anatomy's first table; for other releases the intruder has them from outside, and here they are taken from
    the original. The original tells how many guesses are right; for Anatomy, whose rows stand in no known
    order, over the people whose quasi-identifiers nobody else has: of the others nobody can tell.
    Where guesses tie, one of them is drawn: success is what that comes to on average. Baseline: the most frequent
    value of the group, over the same people. Control: the same guesses where values are dealt at random
    within the groups, on average over all deals.

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

    most_rounds: int = ROUNDS
    smoothing: float = SMOOTHING

    card: ClassVar[Card] = Card(
        "definetti",
        "sensitive values guessed within groups by a model learnt from all groups",
        guarantee="heuristic: another model may guess better",
        paper="Kifer 2009",
        lessened="coarsen (min_level) or leave out the columns that go along with the sensitive one, or leave that one out",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column, or the original to count right guesses by."""
        if not target.judged:
            return "a sensitive column"
        if target.original is None or (target.rows is None and target.apart is None):
            return "the original of a truthful release, to measure how many guesses are right"
        return ""

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return the columns of which no group leaves anything open that the people in it differ by."""
        found, known = {}, group(np.column_stack(known_features(target)).astype(np.int32))[1]
        for column in _columns(target):
            groups = target.groups(column)
            several = groups.histogram.distinct() > 1
            if not several.any():
                found[f"definetti, {column}"] = f"no {groups.name} leaves {column} open"
            elif not _differ(groups, known)[several].any():
                found[f"definetti, {column}"] = (
                    f"the people of a {groups.name} do not differ in what is known of them, so that nothing tells whose a value is"
                )
        return found

    def run(self, target: Target) -> list[Finding]:
        """Return the accuracy of the guesses, for each sensitive column."""
        return [self._finding(target, column) for column in _columns(target)]

    def _finding(self, target: Target, column: str) -> Finding:
        groups, features = target.groups(column), known_features(target)
        assert groups.of_row is not None
        cells = Cells.of(groups, groups.of_row)
        rounds = rounds_that_hold(cells, groups.of_row, features, self.most_rounds, self.smoothing)
        likely = cells.likeliest(learnt(cells, features, rounds, self.smoothing))
        drawn = likely / np.maximum(np.bincount(cells.row_of, likely), 1)[cells.row_of]
        shown, came_from = _pairs(target)
        truth = np.full(len(groups.of_row), -1, np.int64)
        truth[shown] = _truth(target, column, groups)[came_from]
        n, rows = len(shown), len(groups.of_row)
        right = np.bincount(cells.row_of, drawn * (cells.value_of == truth[cells.row_of]), rows)[shown]
        dealt = np.bincount(cells.row_of, drawn * cells.even, rows)[shown].astype(np.float64)
        mode = np.maximum.reduceat(cells.even, cells.first)[shown] if rows else dealt
        share, most = float(right.sum()) / max(n, 1), float(mode.sum()) / max(n, 1)
        margin = chance_margin(dealt)
        return Finding(
            attack="definetti",
            success=share,
            baseline=most,
            control=float(dealt.sum()) / max(n, 1),
            interval=wilson(float(right.sum()), n),
            n=n,
            sentence=_sentence(column, groups, share, most, margin, rounds, _whom(target)),
            details={
                "column": column,
                "gain": round(share - most, 6),
                "rounds": rounds,
                "people": "all" if target.rows is not None else "those with quasi-identifiers of their own",
                "interval": "Wilson, as if other people like these were asked about",
            },
            margin=margin,
        )


def _columns(target: Target) -> list[str]:
    return [c for c in target.judged if target.apart is None or c in target.told_apart]


def _differ(groups: Groups, known: IntArray) -> IntArray:
    """Return which groups hold people who differ in what is known of them."""
    assert groups.of_row is not None
    low = np.full(groups.n_groups, np.iinfo(np.int64).max)
    high = np.full(groups.n_groups, -1)
    np.minimum.at(low, groups.of_row, known)
    np.maximum.at(high, groups.of_row, known)
    return np.asarray(high > low)


def _sentence(
    column: str, groups: Groups, share: float, mode: float, margin: float, rounds: int, whom: str
) -> str:
    name, names = groups.name, groups.name_of_all
    found = (
        f"An intruder who knows everybody's quasi-identifiers and learns from all {names} together names the right "
        f"{column} for {per_cent(share)} of the {whom} asked about. "
    )
    if not rounds:
        return (
            f"{found}What {names} show together did not describe {names} that were not learnt from, so the guess "
            f"is the most frequent value of the {name}."
        )
    if share > mode + margin:
        return (
            f"{found}That is {per_cent(share - mode)} of them more than the most frequent value of each {name} gives "
            f"({per_cent(mode)})."
        )
    return (
        f"{found}The most frequent value of each {name} gives {per_cent(mode)}: this model does no better than by chance, "
        f"which moves it by {per_cent(margin)}."
    )


def _whom(target: Target) -> str:
    """Return what guesses are counted over: where people have several rows, these."""
    return "rows" if target.scattered or target.owners is not None else "people"


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
