"""A release of declared values with noise: what is told of a block is a number drawn by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Label
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn


@dataclass(frozen=True, eq=False)
class Noised:
    """Every row is released with the noised numbers of its block.

    For the metrics a noised number covers the whole domain: nobody's value follows from it. So neither
    labels nor figures depend on the table but through the noise.
    """

    block_of: IntArray  # (n_rows) 0 … n_blocks - 1
    texts: Sequence[Sequence[str]]  # per attribute, per block
    declared: Mapping[str, Any]  # what is told of the release; constants of the plan and the number of rows

    def apply(self, problem: Problem) -> Recoded:
        """Return every row as its block is told."""
        columns = tuple(
            self._column(texts, hierarchy.size)
            for texts, hierarchy in zip(self.texts, problem.hierarchies, strict=True)
        )
        return Recoded(columns, np.ones(problem.n_rows, np.bool_))

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return what was declared."""
        return dict(self.declared)

    def _column(self, texts: Sequence[str], size: int) -> ReleasedColumn:
        labels: tuple[Label, ...] = tuple(sorted(set(texts)))
        code_of = {label: code for code, label in enumerate(labels)}
        of_block = np.array([code_of[text] for text in texts], np.int32)
        whole = np.ones(len(labels))
        return ReleasedColumn(
            of_block[self.block_of], labels, size * whole, depth=whole, extents=whole, as_text=True
        )
