"""`Recoded`: the released quasi-identifier values, row by row, and their `Outcome`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import classes_of_rows
from kohort.hierarchy import Label
from kohort.metrics import Outcome
from kohort.recode.problem import Problem


@dataclass(frozen=True, eq=False)
class ReleasedColumn:
    """One quasi-identifier as released: a code per original row into the released values."""

    codes: IntArray  # int32 per original row; rows that are not kept may hold anything valid
    labels: tuple[Label, ...]  # distinct released values, spelled
    leaves: FloatArray  # ground values covered by each label
    depth: FloatArray  # how far up the hierarchy each label stands, 0 ground … 1 root
    ground: bool = False  # True: labels are exactly the hierarchy's ground values, so the type read is kept


@dataclass(frozen=True, eq=False)
class Recoded:
    """What every row is released as; `kept` marks the rows that are released at all."""

    columns: tuple[ReleasedColumn, ...]  # in the order of problem.names
    kept: BoolArray  # (n_rows)

    def outcome(self, problem: Problem) -> Outcome:
        """Return what the metrics look at, computed from the released rows alone."""
        kept = self.kept
        codes = np.column_stack([column.codes[kept] for column in self.columns]).astype(np.int32)
        sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
        sensitive = {name: (values[kept], sizes[name]) for name, values in problem.sensitive.items()}
        people = None if problem.respondents is None else problem.respondents[kept]
        classes, _ = classes_of_rows(codes, sensitive, people)

        def joint(j: int) -> IntArray:
            pairs = np.column_stack([problem.codes[kept, j], self.columns[j].codes[kept]])
            distinct, counts = np.unique(pairs, axis=0, return_counts=True)
            return np.column_stack([distinct, counts])

        return Outcome(
            classes=classes,
            leaves=np.column_stack([c.leaves[classes.codes[:, j]] for j, c in enumerate(self.columns)]),
            depth=np.column_stack([c.depth[classes.codes[:, j]] for j, c in enumerate(self.columns)]),
            domain=np.array([h.size for h in problem.hierarchies]),
            suppressed=int(len(kept) - kept.sum()),
            n_rows=len(kept),
            weights=problem.weight,
            numeric=np.array([h.numbers is not None for h in problem.hierarchies]),
            joint=joint,
            totals=tuple(
                np.bincount(problem.codes[:, j], minlength=h.size) for j, h in enumerate(problem.hierarchies)
            ),
        )
