"""Suppressed rows that are released all the same, with `*` for every quasi-identifier."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kohort.arrays import BoolArray
from kohort.classes import Classes
from kohort.hierarchy import SUPPRESSED
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn


def classes_with_blank_rows(recoded: Recoded, problem: Problem) -> Classes:
    """Return the classes of a release that keeps suppressed rows blank: these are one more, or among those that say as little."""
    columns = tuple(_blanked(column, recoded.kept) for column in recoded.columns)
    whole = replace(recoded, columns=columns, kept=np.ones_like(recoded.kept))
    return whole.outcome(problem).classes


def _blanked(column: ReleasedColumn, kept: BoolArray) -> ReleasedColumn:
    labels = column.labels if SUPPRESSED in column.labels else (*column.labels, SUPPRESSED)
    added = len(labels) - len(column.labels)
    return ReleasedColumn(
        codes=np.where(kept, column.codes, np.int32(labels.index(SUPPRESSED))).astype(np.int32),
        labels=labels,
        leaves=np.concatenate([column.leaves, np.zeros(added)]),
        depth=np.concatenate([column.depth, np.ones(added)]),
    )
