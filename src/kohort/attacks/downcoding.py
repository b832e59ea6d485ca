"""The downcoding attack: generalized cells are made finer again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.attacks.advice import WHOLE_COLUMNS
from kohort.attacks.finding import Finding
from kohort.attacks.generalized import Generalized
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import chance_margin, per_cent, wilson
from kohort.card import Card

WIDEST = 1000  # columns with more values are not used as evidence


@dataclass(frozen=True)
class Downcoding:
    """Guesses for each generalized cell which finer label it stood under, one step down.

    The intruder knows how often each value of the column occurs in all, as a census tells it. Where other rows of the
    release show finer labels already, what they hold is taken off: the rest is hidden under the generalized
    cells; and their other released columns are evidence (naive Bayes). Baseline: the finer label that is the most
    frequent in all. Control: the same guesses where the true finer labels are dealt at random among the cells
    of one label, on average over all deals: nothing is right by what a single row shows. Where guesses tie, one is
    drawn. The original tells the marginals and how many guesses are right.

    Departure from the paper: Cohen et al. construct distributions for which minimal recodings can be undone
    and prove that they exist for every such scheme; this measures what the release at hand gives away. A low
    figure is no proof: another intruder may know more.

    Complexity: generalized columns × released rows × other columns.

    >>> import pyarrow as pa
    >>> from kohort.table import Table
    >>> from kohort.hierarchy import Hierarchy
    >>> ages = Hierarchy.from_rows("age", [("31", "30-34", "30-39"), ("36", "35-39", "30-39")])
    >>> jobs = ["cook", "cook", "clown", "clown"]
    >>> release = Table.from_arrow(pa.table({"age": ["30-34", "30-34", "35-39", "30-39"], "job": jobs}))
    >>> original = Table.from_arrow(pa.table({"age": [31, 31, 36, 36], "job": jobs}))
    >>> known = {"hierarchies": {"age": ages}, "original": original, "rows": np.arange(4)}
    >>> finding = Downcoding().run(Target(release, ("age", "job"), **known))[0]
    >>> finding.success, finding.baseline
    (1.0, 0.5)

    References: A. Cohen, Attacks on deidentification's defenses, 2022.
    """

    smoothing: float = 0.5

    card: ClassVar[Card] = Card(
        "downcoding",
        "generalized cells whose finer value is guessed from the rest of the release",
        guarantee="heuristic: a low figure is no proof",
        paper="Cohen 2022",
        lessened="coarser levels for all (min_level) make it weaker, or leave out a column",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: hierarchies, or the original to count right guesses by."""
        if target.apart is not None or not any(name in target.hierarchies for name in target.quasi):
            return "generalized columns with hierarchies"
        if target.original is None or target.rows is None:
            return "the original of a truthful release, to measure how many guesses are right"
        return ""

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return that nothing is generalized, or that nothing finer is shown anywhere to learn from."""
        found = [Generalized.of(target, name) for name in target.quasi if name in target.hierarchies]
        told = [column for column in found if column is not None and column.labels]
        if not told:
            return {"downcoding": "no cell is generalized: there is nothing to make finer"}
        if not any(column.inside(label)[0].any() for column in told for label in column.labels):
            reason = "whole columns are generalized: no row shows anything finer to learn from beyond how often values occur"
            return {"downcoding": reason}
        return {}

    def run(self, target: Target) -> list[Finding]:
        """Return the share of generalized cells whose next finer value is recovered."""
        columns: dict[str, _Guessed] = {}
        for name in target.quasi:
            found = Generalized.of(target, name) if name in target.hierarchies else None
            if found is None:
                continue
            joint = _joint(target, name)
            columns[name] = _Guessed.joined([self._label(found, label, joint) for label in found.labels])
        whole = _Guessed.joined(list(columns.values()))
        cells = len(whole.right)
        right, blind, dealt = (
            float(part.sum()) / max(cells, 1) for part in (whole.right, whole.blind, whole.dealt)
        )
        return [
            Finding(
                attack="downcoding",
                success=right,
                baseline=blind,
                control=dealt,
                interval=wilson(float(whole.right.sum()), cells),
                n=cells,
                sentence=_sentence(right, blind, dealt, chance_margin(whole.dealt)) + _better(columns)
                if cells
                else "No cell is generalized: there is nothing to make finer.",
                details={
                    "columns": {name: guessed.told() for name, guessed in columns.items()},
                    "interval": "Wilson, as if other cells like these were guessed",
                },
                margin=chance_margin(whole.dealt),
                advice=WHOLE_COLUMNS,
            )
        ]

    def _label(self, column: Generalized, label: int, joint: list[tuple[IntArray, IntArray]]) -> _Guessed:
        """Return the chances of the guesses for all cells of one generalized label."""
        inside, finer = column.inside(label)
        rows = np.flatnonzero(column.codes == label)
        truth = finer[column.ground[rows]]
        part_of = finer[column.all_ground]
        totals = np.bincount(part_of[part_of >= 0], minlength=len(inside))
        seen = inside @ np.bincount(column.codes, minlength=inside.shape[1])
        scores = np.log(np.maximum(totals - seen, self.smoothing))[:, None].repeat(len(rows), axis=1)
        if seen.any():
            for counts, codes in joint:
                beside = inside @ counts
                found = beside + self.smoothing
                likely = np.log(found / found.sum(axis=1, keepdims=True))
                # A value that stands beside no finer label, such as the * of blank rows, is no evidence for any.
                scores += np.where(beside.any(axis=0), likely, 0.0)[:, codes[rows]]
        shares = np.bincount(truth, minlength=len(inside)) / max(len(rows), 1)
        said, most = _drawn(scores), _drawn(totals[:, None].astype(np.float64))[:, 0]
        return _Guessed(said[truth, np.arange(len(rows))], most[truth], shares @ said)


@dataclass(frozen=True, eq=False)
class _Guessed:
    """For each generalized cell the chance that the guess is right: the attack's, the baseline's, the control's."""

    right: FloatArray
    blind: FloatArray
    dealt: FloatArray

    @classmethod
    def nothing(cls) -> _Guessed:
        return cls(np.zeros(0), np.zeros(0), np.zeros(0))

    @property
    def better(self) -> bool:
        """Whether more is guessed right than by how often values occur, and than by chance."""
        right, n = float(self.right.sum()), max(len(self.right), 1)
        least = max(float(self.blind.sum()), float(self.dealt.sum()) + n * chance_margin(self.dealt))
        return right > least + 1e-9

    def shares(self) -> str:
        """Return how many cells are guessed right, beside how many are by how often values occur."""
        right, blind = float(self.right.mean()), float(self.blind.mean())
        return f"{per_cent(right)} of {len(self.right):,} against {per_cent(blind)}"

    def told(self) -> dict[str, float]:
        """Return the figures as JSON spells them."""
        return {
            "cells": len(self.right),
            "recovered": round(float(self.right.sum()), 6),
            "baseline": round(float(self.blind.sum()), 6),
        }

    @classmethod
    def joined(cls, found: Sequence[_Guessed]) -> _Guessed:
        if not found:
            return cls.nothing()
        return cls(
            *(np.concatenate([getattr(one, part) for one in found]) for part in ("right", "blind", "dealt"))
        )


def _sentence(right: float, blind: float, dealt: float, margin: float) -> str:
    found = (
        f"For {per_cent(right)} of the generalized cells the next finer value is guessed right from the rest of the release and "
        f"from how often values occur in all, against {per_cent(blind)} from the latter alone. "
    )
    if right < blind:
        return (
            f"{found}This way is weaker than guessing without the release: an intruder guesses by how often values occur, and is "
            f"right for {per_cent(blind)} at least. Another may know more."
        )
    if right <= dealt + margin:
        return (
            f"{found}That is no more than chance gives: where the finer values are dealt at random among the cells of one label, "
            f"the same guesses are right for {per_cent(dealt)}: over all columns what single rows show adds "
            "nothing. Another intruder may know more."
        )
    return f"{found}This is one intruder; another may know more."


def _better(columns: Mapping[str, _Guessed]) -> str:
    """Return by which columns more is learnt than by chance, where that is not all of them: a mean may hide it."""
    found = {name: guessed for name, guessed in columns.items() if guessed.better}
    if not found or len(found) == len(columns):
        return ""
    said = [f"{name} ({guessed.shares()})" for name, guessed in found.items()]
    return f" Column by column, more than by chance is learnt of {', '.join(said)}."


def _drawn(scores: FloatArray) -> FloatArray:
    """Return with what chance each part is guessed for each row: one of the likeliest is drawn."""
    best = scores >= scores.max(axis=0, keepdims=True) - 1e-9
    return np.asarray(best / best.sum(axis=0, keepdims=True))


def _joint(target: Target, name: str) -> list[tuple[IntArray, IntArray]]:
    """Return, for each other released column, its counts beside each label of `name`, and its codes."""
    labels = target.released[name]
    found = []
    for column in target.released:
        width = len(column.values)
        if column.name == name or width > WIDEST:
            continue
        keys = labels.codes.astype(np.int64) * width + column.codes
        counts = np.bincount(keys, minlength=len(labels.values) * width).reshape(-1, width)
        found.append((counts, column.codes))
    return found
