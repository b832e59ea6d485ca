"""Claims of whoever made a release, where no row has a number: as what the rows of each class, or of each tuple, are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, Label, meaning
from kohort.table.whole_numbers import whole
from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN
from kohort.verification.judges.cells_in_cluster import CellsInCluster
from kohort.verification.judges.same_values import codes_among

CLAIMED = (
    "claimed"  # codes `b0`… of the original's tuples, and `l0`… of the written labels by which they are told
)
Labels = tuple[
    tuple[Label, ...] | None, ...
]  # by quasi-identifier: of each class; None where cells stay as they are


class Claim(Protocol):
    """As what the original's rows are told, the others being left out."""

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels whose codes tell the tuples apart."""

    @property
    def labels(self) -> Labels:
        """The labels of each class."""

    @property
    def is_here(self) -> bool:
        """Whether the claim is known here, so that what it says of values need not be joined value by value in the cluster."""

    def lay(self, cells: CellsInCluster, hierarchies: Sequence[Hierarchy]) -> None:
        """Make the claim the view `claimed`."""

    def is_told_once(self, cells: CellsInCluster) -> bool:
        """Say whether no row is told twice."""

    def covers(self, cells: CellsInCluster, hierarchy: Hierarchy, j: int) -> bool:
        """Say whether every label of an attribute covers all values of the rows that are told by it."""


@dataclass(frozen=True, eq=False)
class ValuesAt:
    """Of every text of the original its code at a level, and the code that the same text has where it is written."""

    codes: IntArray
    same: IntArray

    @classmethod
    def of(cls, cells: CellsInCluster, hierarchy: Hierarchy, level: int) -> ValuesAt:
        """Return the texts of a quasi-identifier."""
        texts = cells.texts(ORIGINAL, hierarchy.name)
        codes = hierarchy.levels[level].of_ground[hierarchy.encode(texts)]
        return cls(codes, written_codes(cells, hierarchy.name, texts))

    @property
    def is_one_each(self) -> bool:
        """Whether no two texts have the same code."""
        return len(np.unique(self.codes)) == len(self.codes)

    @property
    def is_one_for_all(self) -> bool:
        """Whether all texts have the same code."""
        return len(np.unique(self.codes)) == 1

    def text_of(self, codes: IntArray) -> IntArray:
        """Return the text of each code where every text has its own; -1 for a code that no text has."""
        found = np.full(max(int(self.codes.max(initial=0)), int(codes.max(initial=0))) + 1, -1, np.int64)
        found[self.codes] = np.arange(len(self.codes))
        return found[codes]


@dataclass(frozen=True, eq=False)
class ClaimedClasses:
    """As what the rows of each class are told."""

    codes: IntArray  # int32 (classes, quasi-identifiers), at the levels
    levels: tuple[int, ...]
    labels: Labels

    def lay(self, cells: CellsInCluster, hierarchies: Sequence[Hierarchy]) -> None:
        """Make the claim the view `claimed`."""
        told: dict[str, pa.Array] = {}
        for j, (hierarchy, labels) in enumerate(zip(hierarchies, self.labels, strict=True)):
            told[f"b{j}"] = pa.array(np.ascontiguousarray(self.codes[:, j]), pa.int32())
            if labels is not None:
                told[f"l{j}"] = pa.array(written_codes(cells, hierarchy.name, labels), pa.int32())
            values = ValuesAt.of(cells, hierarchy, self.levels[j])
            if values.is_one_each:
                text = values.text_of(self.codes[:, j])
                told[f"t{j}"] = pa.array(text, pa.int32())
                told[f"s{j}"] = pa.array(np.append(values.same, -1)[text], pa.int32())
        cells.keep(CLAIMED, pa.table(told))

    @property
    def is_here(self) -> bool:
        """Classes are known here."""
        return True

    def is_told_once(self, cells: CellsInCluster) -> bool:  # noqa: ARG002
        """Say whether no class is told twice."""
        return len(np.unique(self.codes, axis=0)) == len(self.codes)

    def covers(self, cells: CellsInCluster, hierarchy: Hierarchy, j: int) -> bool:  # noqa: ARG002
        """Say whether every label covers all ground values of the classes that are told by it."""
        of_ground, labels = hierarchy.levels[self.levels[j]].of_ground, self.labels[j]
        assert labels is not None
        for label, code in {(label, int(code)) for label, code in zip(labels, self.codes[:, j], strict=True)}:
            mask = meaning(hierarchy, label)
            if mask is None or not mask[of_ground == code].all():
                return False
        return True


@dataclass(frozen=True, eq=False)
class ClaimedBoxes:
    """As what the rows of each tuple are told, by the box that it is in; tuples are where Spark has them."""

    tuples: Any  # a frame of Spark: `b0`… ground codes, `cell` and `box`
    width: int
    cell: IntArray
    box: IntArray
    labels: Labels

    @property
    def levels(self) -> tuple[int, ...]:
        """Tuples are told apart by their ground values."""
        return (0,) * self.width

    @property
    def is_here(self) -> bool:
        """Tuples are in the cluster."""
        return False

    def lay(self, cells: CellsInCluster, hierarchies: Sequence[Hierarchy]) -> None:
        """Make the claim the view `claimed`."""
        told = {"cell": pa.array(self.cell), "box": pa.array(self.box)}
        for j, (hierarchy, labels) in enumerate(zip(hierarchies, self.labels, strict=True)):
            if labels is not None:
                told[f"l{j}"] = pa.array(written_codes(cells, hierarchy.name, labels), pa.int32())
        cells.lay("claimed_tuples", self.tuples)
        query = "SELECT * FROM claimed_tuples JOIN claimed_boxes USING (cell, box)"
        cells.view(CLAIMED, query, {"claimed_boxes": pa.table(told)})

    def is_told_once(self, cells: CellsInCluster) -> bool:
        """Say whether no tuple is told twice."""
        places = ", ".join(f"b{j}" for j in range(self.width))
        twice = f"SELECT 1 FROM {CLAIMED} GROUP BY {places} HAVING count(*) > 1"
        return cells.number(f"SELECT count(*) FROM ({twice})") == 0

    def covers(self, cells: CellsInCluster, hierarchy: Hierarchy, j: int) -> bool:
        """Say whether every label covers all ground values that are told by it; one that stands nowhere tells nothing."""
        found = cells.table(
            f"SELECT DISTINCT b{j} AS code, l{j} AS label FROM {CLAIMED} ORDER BY label, code"
        )
        codes, labels = whole(found, "code"), whole(found, "label")
        texts = cells.texts(WRITTEN, hierarchy.name)
        for label in np.unique(labels).tolist():
            mask = None if label < 0 else meaning(hierarchy, texts[label])
            if mask is None or not mask[codes[labels == label]].all():
                return False
        return True


def written_codes(cells: CellsInCluster, name: str, texts: Sequence[Label]) -> IntArray:
    """Return the codes that texts have in the written table; -1 for one that does not stand there."""
    return codes_among(texts, cells.texts(WRITTEN, name)).astype(np.int32)
