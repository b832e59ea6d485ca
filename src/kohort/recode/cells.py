"""Cell recoding: every cell is kept, generalized or suppressed on its own (CG_, AG_CS, _CS)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label, meaning
from kohort.hierarchy.spans import span_label
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn

STAR = -1  # the level of a cell that is suppressed


@dataclass(frozen=True, eq=False)
class Cells:
    """Every cell is released at a level of its own, or as `*` where its level is STAR.

    A suppressed cell is released as `*`, which is a value of its own: classes are the rows whose released
    tuples are equal, so `<*, F>` and `<asian, F>` are two classes. That is the literal reading of
    k-anonymity on the released table, and what anyone who counts it finds.
    """

    levels: IntArray  # (n_rows, n_qi)
    kept: BoolArray  # (n_rows)

    def apply(self, problem: Problem) -> Recoded:
        """Spell every cell at its level."""
        columns = tuple(
            cell_column(
                hierarchy,
                problem.codes[:, j],
                np.where(self.kept, self.levels[:, j], 0),
                problem.lowest[j],
            )
            for j, hierarchy in enumerate(problem.hierarchies)
        )
        return Recoded(columns, self.kept)

    def facts(self, problem: Problem) -> dict[str, Any]:
        """Return how many cells of each attribute are suppressed and how many generalized."""
        shown = self.levels[self.kept]
        return {
            "cells": {
                name: {
                    "suppressed": int((shown[:, j] == STAR).sum()),
                    "generalized": int((shown[:, j] > 0).sum()),
                }
                for j, name in enumerate(problem.names)
            }
        }


def cell_column(hierarchy: Hierarchy, ground: IntArray, levels: IntArray, lowest: int = 0) -> ReleasedColumn:
    """Return the column of ground codes released each at its own level, with no label of a level below the `lowest`."""
    if not levels.any():  # no cell is told otherwise than as it was read
        return ReleasedColumn.told(hierarchy, ground, hierarchy.ground, not hierarchy.open_ended)
    starts = np.cumsum([0] + [len(level.labels) for level in hierarchy.levels])
    # the last line of the table, which STAR = -1 picks, is the suppressed cell
    table = np.full((len(hierarchy.levels) + 1, hierarchy.size), starts[-1], np.int64)
    for height, level in enumerate(hierarchy.levels):
        table[height] = starts[height] + level.of_ground
    used, codes = np.unique(table[levels, ground], return_inverse=True)
    heights = np.searchsorted(starts, used, side="right") - 1
    spelled = [
        _spell(hierarchy, int(h), int(u - starts[h]), lowest) for h, u in zip(heights, used, strict=True)
    ]
    place: dict[Label, int] = {}
    into = np.array([place.setdefault(label, len(place)) for label in spelled], np.int32)
    return ReleasedColumn.told(hierarchy, into[codes.reshape(-1)], tuple(place))


def _spell(hierarchy: Hierarchy, height: int, code: int, lowest: int) -> Label:
    """Return how the values under a label are told; `*` where no words are understood as what is meant.

    They have one name, whichever of the levels at which they stand alone a cell is told at: the lowest that may be told and
    that nothing else is called by.
    """
    if height == len(hierarchy.levels):
        return SUPPRESSED
    leaves = int(hierarchy.levels[height].leaves[code])
    below = np.asarray(hierarchy.levels[height].of_ground == code)
    first = int(below.argmax())
    same = [
        level
        for level in hierarchy.levels[min(lowest, height) :]
        if level.leaves[level.of_ground[first]] == leaves
    ]
    names: list[Label] = [level.labels[int(level.of_ground[first])] for level in same]
    for label in (*names, span_label(hierarchy, np.flatnonzero(below), height)):
        # One label may stand for different sets at two levels; whoever reads the table knows only one of them.
        found = meaning(hierarchy, label)
        if found is not None and (found == below).all():
            return label
    return SUPPRESSED
