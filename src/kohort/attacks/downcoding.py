"""The downcoding attack: generalized cells are made finer again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.finer import parts
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import wilson
from kohort.card import Card
from kohort.hierarchy import Hierarchy, meaning

WIDEST = 1000  # columns with more values are not used as evidence


@dataclass(frozen=True)
class Downcoding:
    """Guesses for each generalized cell which finer label it stood under, one step down.

    Evidence are the rows of the same release whose label in that column is finer already, and all their other
    released columns (naive Bayes). Where whole columns are generalized there is none, and the guess is that of
    the baseline: the finer label with most ground values. Control: the same with each other column shuffled.
    The original tells how many guesses are right.

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
    (1.0, 0.0)

    References: A. Cohen, Attacks on deidentification's defenses, 2022.
    """

    smoothing: float = 0.5

    card: ClassVar[Card] = Card(
        "downcoding",
        "generalized cells whose finer value is guessed from the rest of the release",
        guarantee="heuristic: a low figure is no proof",
        paper="Cohen 2022",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: hierarchies, or the original to count right guesses by."""
        if target.apart is not None or not any(name in target.hierarchies for name in target.quasi):
            return "generalized columns with hierarchies"
        if target.original is None or target.rows is None:
            return "the original of a truthful release, to measure how many guesses are right"
        return ""

    def run(self, target: Target) -> list[Finding]:
        """Return the share of generalized cells whose next finer value is recovered."""
        right = blind = mixed = cells = 0
        columns = {}
        for name in target.quasi:
            if name not in target.hierarchies:
                continue
            found = self._column(target, name)
            columns[name] = {"cells": found[3], "recovered": found[0], "baseline": found[1]}
            right, blind, mixed, cells = (
                a + b for a, b in zip((right, blind, mixed, cells), found, strict=True)
            )
        share, before = right / max(cells, 1), blind / max(cells, 1)
        return [
            Finding(
                attack="downcoding",
                success=share,
                baseline=before,
                control=mixed / max(cells, 1),
                interval=wilson(right, cells),
                n=cells,
                sentence=(
                    f"For {share:.1%} of the generalized cells the next finer value is guessed right from the rest of the "
                    f"release, against {before:.1%} from the hierarchy alone. This bounds one intruder, not all."
                    if cells
                    else "No cell is generalized: there is nothing to make finer."
                ),
                details={"columns": columns, "interval": "Wilson"},
            )
        ]

    def _column(self, target: Target, name: str) -> tuple[int, int, int, int]:
        """Return right guesses, those of the baseline, those of the control, and the generalized cells."""
        assert target.original is not None
        hierarchy, released = target.hierarchies[name], target.released[name]
        masks = [meaning(hierarchy, text) for text in released.texts]
        if any(mask is None for mask in masks):
            return 0, 0, 0, 0
        covers = np.array(masks, np.bool_)
        source = target.original[name]
        ground = hierarchy.codes_of(source.texts)[source.codes][target.rows]
        joint, mixed = _joint(target, name), _joint(target, name, np.random.default_rng(20260101))
        counts = np.array([0, 0, 0, 0])
        for label in np.flatnonzero(covers.sum(axis=1) > 1).tolist():
            rows = np.flatnonzero(released.codes == label)
            finer = parts(hierarchy, released.texts[label])
            if not len(rows) or finer is None:
                continue
            counts += self._label(hierarchy, covers, finer, ground[rows], rows, joint, mixed)
        right, blind, chance, cells = counts.tolist()
        return right, blind, chance, cells

    def _label(
        self,
        hierarchy: Hierarchy,
        covers: BoolArray,
        finer: IntArray,
        ground: IntArray,
        rows: IntArray,
        joint: list[tuple[IntArray, IntArray]],
        mixed: list[tuple[IntArray, IntArray]],
    ) -> IntArray:
        assert hierarchy.size == len(finer)
        n_parts = int(finer.max()) + 1
        masks = np.array([finer == part for part in range(n_parts)])
        inside = np.array([~(covers & ~mask).any(axis=1) for mask in masks]).astype(np.float64)
        leaves = masks.sum(axis=1)
        truth = finer[ground]
        said = _guessed(inside, leaves, joint, rows, self.smoothing)
        by_chance = _guessed(inside, leaves, mixed, rows, self.smoothing)
        return np.array(
            [(said == truth).sum(), (truth == leaves.argmax()).sum(), (by_chance == truth).sum(), len(rows)]
        )


def _guessed(
    inside: FloatArray,
    leaves: IntArray,
    joint: list[tuple[IntArray, IntArray]],
    rows: IntArray,
    smoothing: float,
) -> IntArray:
    """Return the likeliest part for each row, by naive Bayes over the other columns."""
    prior = leaves / leaves.sum()
    if not joint:
        return np.full(len(rows), prior.argmax())
    seen = inside @ joint[0][0].sum(axis=1)
    if not seen.any():
        return np.full(len(rows), prior.argmax())
    scores = np.log(seen + prior)[:, None].repeat(len(rows), axis=1)
    for counts, codes in joint:
        found = inside @ counts + smoothing
        scores += np.log(found / found.sum(axis=1, keepdims=True))[:, codes[rows]]
    return np.asarray(scores.argmax(axis=0))


def _joint(
    target: Target, name: str, generator: np.random.Generator | None = None
) -> list[tuple[IntArray, IntArray]]:
    """Return, for each other released column, its counts beside each label of `name`, and its codes."""
    labels = target.released[name]
    found = []
    for column in target.released:
        width = len(column.values)
        if column.name == name or width > WIDEST:
            continue
        codes = column.codes if generator is None else generator.permutation(column.codes)
        keys = labels.codes.astype(np.int64) * width + codes
        counts = np.bincount(keys, minlength=len(labels.values) * width).reshape(-1, width)
        found.append((counts, column.codes))
    return found
