"""Boxes of rows that are elsewhere: what is known of each here is where it ends and what it reaches over."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.recode.labels import Extents, GroupLabels, Held
from kohort.recode.nodes import BoxedRows, Nodes, RegionRows, Released
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn


def numbers_of(
    hierarchies: Sequence[Hierarchy], ground: IntArray, box_of: IntArray, low: IntArray, high: IntArray
) -> IntArray:
    """Return the numbers by which boxes are told: of every attribute low, high, least, greatest, missing and covering level.

    Every box holds something. Held values are looked at as they are, not as the search sees them.
    """
    told = [low, high]
    extents = [
        Extents.of(h, Held.of(ground[:, j], box_of, len(low), h.size)) for j, h in enumerate(hierarchies)
    ]
    for part in ("least", "greatest", "missing", "level"):
        told.append(np.column_stack([getattr(own, part) for own in extents]))
    return np.column_stack(told).astype(np.int64)


class Telling(Protocol):
    """How boxes, or groups, are told by their ends and the extents of what they hold."""

    def label(self, problem: Problem, j: int, low: IntArray, high: IntArray, extents: Extents) -> GroupLabels:
        """Return the labels in attribute j."""

    def facts(self) -> dict[str, Any]:
        """Return what manifest and report tell of it."""


@dataclass(frozen=True, eq=False)
class CountedBoxes:
    """Every row of a box, or of a group, is released with the values of it; all rows are in one.

    As `Boxes` and `Groups`, of which this knows the extents alone. What follows the six numbers of each attribute is for others.
    """

    rows: BoxedRows
    told: Telling

    @cached_property
    def _numbers(self) -> tuple[IntArray, ...]:
        """Low, high, least, greatest, missing and level of the boxes, each (boxes, attributes), in the order of their corners."""
        told = self.rows.told[self._order]
        return tuple(np.split(told[:, : told.shape[1] // 6 * 6], 6, axis=1))

    @cached_property
    def _order(self) -> IntArray:
        q = self.rows.told.shape[1] // 6
        corners = self.rows.told[
            :, 2 * q : 3 * q
        ]  # no two boxes have one corner; groups that do stay as they stand
        return np.lexsort(corners.T[::-1])

    def settled(self, problem: Problem) -> Problem:
        """Return the problem with the boxes as its base: their corners stand for the tuples in them."""
        assert problem.nodes is not None
        return replace(problem, base=self._base, nodes=_InBoxes(problem.nodes, self.rows))

    @cached_property
    def _base(self) -> Classes:
        corners = self._numbers[2].astype(np.int32)
        return self.rows.classes(corners, self._order, (0,) * corners.shape[1])

    def apply(self, problem: Problem) -> Recoded:
        """Label every box."""
        low, high, least, greatest, missing, level = self._numbers
        columns = []
        for j in range(len(problem.names)):
            extents = Extents(least[:, j], greatest[:, j], missing[:, j] > 0, level[:, j])
            told = self.told.label(problem, j, low[:, j], high[:, j], extents)
            columns.append(ReleasedColumn.told(problem.hierarchies[j], told.codes, told.labels))
        return Recoded(tuple(columns), np.ones(len(low), np.bool_), problem.class_of)

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of boxes and how they are told."""
        return {"groups": len(self.rows.told), **self.told.facts()}


@dataclass(frozen=True, eq=False)
class _InBoxes:
    """Counts what is asked about rows that are all in boxes; of nodes nothing is known any more."""

    before: Nodes
    rows: BoxedRows
    regions: RegionRows | None = None

    @property
    def totals(self) -> tuple[IntArray, ...]:
        """The records per ground code of each attribute."""
        return self.before.totals

    @property
    def counted(self) -> int:
        """The number of nodes counted."""
        return self.before.counted

    def reading(self, names: Collection[str]) -> Nodes:  # noqa: ARG002
        """Return the same: nothing is looked at but boxes."""
        return self

    def at(self, levels: Sequence[int]) -> Classes:  # noqa: ARG002
        """Refuse to count a node."""
        raise InputError(
            "the classes of a level are not known of a table that was cut into boxes and does not fit in memory",
            code="engine.no-bottom",
        )

    def refuted(self, levels: Sequence[int], least_size: int, limit: int) -> int | None:  # noqa: ARG002
        """Nothing is refuted."""
        return None

    def records(self, classes: Classes, kept: BoolArray) -> tuple[IntArray, ...]:  # noqa: ARG002
        """Return the records per ground code of each attribute: all of them are kept."""
        return self.before.totals

    def joint(
        self,
        classes: Classes,  # noqa: ARG002
        kept: BoolArray,  # noqa: ARG002
        j: int,
        released: Released,
        hierarchy: Hierarchy,  # noqa: ARG002
    ) -> IntArray:
        """Return (ground code, released code, records) of an attribute, counted where the rows are."""
        return self.rows.joint(j, released.codes)

    def sizes(self) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at the bottom, and how many have each."""
        return self.before.sizes()

    def settled(self, levels: Sequence[int]) -> Classes:
        """Refuse to count a node."""
        return self.at(levels)
