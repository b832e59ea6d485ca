"""`Recoded`: the released quasi-identifier values, row by row, and their `Outcome`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import Classes, classes_of_rows, group
from kohort.hierarchy import Hierarchy, Label
from kohort.hierarchy.standing import standing
from kohort.metrics import Outcome
from kohort.metrics.extent import label_extents
from kohort.recode.problem import Problem
from kohort.recode.publication import InOneTable, Publication


@dataclass(frozen=True, eq=False, repr=False)
class ReleasedColumn:
    """One quasi-identifier as released: a code per original row into the released values."""

    codes: IntArray  # int32 per original row; rows that are not kept may hold anything valid
    labels: tuple[Label, ...]  # distinct released values, spelled
    leaves: FloatArray  # ground values covered by each label
    depth: FloatArray  # how far up the hierarchy each label stands, 0 ground … 1 root
    extents: FloatArray | None = None  # what each label leaves open (Truta), where its spelling does not tell
    ground: bool = False  # True: every released cell is the value that was read; it may be looked up there
    as_text: bool = False  # True: text in every format, whatever was read: noise covers values, not types

    @classmethod
    def told(
        cls, hierarchy: Hierarchy, codes: IntArray, labels: tuple[Label, ...], ground: bool = False
    ) -> ReleasedColumn:
        """Return a column of labels that are true of their rows: what they lose follows from the labels alone."""
        stands = standing(hierarchy, labels)
        return cls(codes, labels, stands.leaves, stands.depth, ground=ground)


@dataclass(frozen=True, eq=False, repr=False)
class Recoded:
    """What every row is released as; `kept` marks the rows that are released at all.

    Where equal rows are released alike, codes and `kept` may be given per base class instead of per row;
    then `class_of` tells the class of every row, and counting costs classes, not rows. `publication` says in which
    tables all that is released. What a reader sees as one value has one code here, whatever a search told apart: rows are
    counted in classes by what they are released as.
    """

    columns: tuple[ReleasedColumn, ...]  # in the order of problem.names
    kept: BoolArray  # per row, or per base class
    class_of: IntArray | None = None
    publication: Publication = field(default_factory=InOneTable)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(map(_told_once, self.columns)))

    def rows(self) -> IntArray:
        """Return the rows that are released, in their original order."""
        kept = self.kept if self.class_of is None else self.kept[self.class_of]
        return np.flatnonzero(kept)

    def by_row(self) -> Recoded:
        """Return the same with codes and `kept` per row."""
        if self.class_of is None:
            return self
        columns = tuple(replace(column, codes=column.codes[self.class_of]) for column in self.columns)
        return Recoded(columns, self.kept[self.class_of], publication=self.publication)

    def places(self, rows: IntArray) -> IntArray:
        """Return where the codes of some rows stand: looked up once for all columns."""
        return rows if self.class_of is None else self.class_of[rows]

    def codes(self, j: int, rows: IntArray) -> IntArray:
        """Return the released codes of attribute j for some rows."""
        return self.columns[j].codes[self.places(rows)]

    def told(self, problem: Problem, outcome: Outcome) -> Classes:
        """Return the classes in which sensitive values are told: of equal released tuples, or others."""
        return self.publication.told(problem, outcome)

    def outcome(self, problem: Problem) -> Outcome:
        """Return what the metrics look at, computed from what is released alone."""
        classes = (
            self._released_by_row(problem) if self.class_of is None else self._released_by_class(problem)
        )
        return Outcome(
            classes=classes,
            leaves=np.column_stack([c.leaves[classes.codes[:, j]] for j, c in enumerate(self.columns)]),
            depth=np.column_stack([c.depth[classes.codes[:, j]] for j, c in enumerate(self.columns)]),
            domain=np.array([h.size for h in problem.hierarchies]),
            suppressed=problem.n_rows - classes.n_rows,
            n_rows=problem.n_rows,
            weights=problem.weight,
            suppression=problem.suppression_cost,
            extent=lambda j: self._extents(problem, j),
            joint=lambda j: self._joint(problem, j),
            heights=np.array([h.height for h in problem.hierarchies]),
            totals=problem.totals,
        )

    def _released_by_row(self, problem: Problem) -> Classes:
        kept = self.kept
        codes = np.column_stack([column.codes[kept] for column in self.columns]).astype(np.int32)
        sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
        sensitive = {name: (values[kept], sizes[name]) for name, values in problem.sensitive.items()}
        people = None if problem.respondents is None else problem.respondents[kept]
        return classes_of_rows(codes, sensitive, people)[0]

    def _released_by_class(self, problem: Problem) -> Classes:
        codes = np.column_stack([column.codes[self.kept] for column in self.columns]).astype(np.int32)
        return problem.base.kept(np.flatnonzero(self.kept)).merged(*group(codes))

    def _extents(self, problem: Problem, j: int) -> FloatArray:
        """Return what each released value of attribute j leaves open, only where somebody asks."""
        column = self.columns[j]
        return (
            label_extents(problem.hierarchies[j], column.labels) if column.extents is None else column.extents
        )

    def _joint(self, problem: Problem, j: int) -> IntArray:
        if problem.nodes is not None:
            return problem.nodes.joint(problem.base, self.kept, j, self.columns[j], problem.hierarchies[j])
        base = self.class_of is not None
        ground = (problem.base.codes if base else problem.codes)[self.kept, j]
        weights = problem.base.rows[self.kept] if base else None
        width = len(self.columns[j].labels)
        keys = ground.astype(np.int64) * width + self.columns[j].codes[self.kept]
        pairs, counts = _tallied(keys, weights, problem.hierarchies[j].size * width)
        return np.column_stack([pairs // width, pairs % width, counts])


def _told_once(column: ReleasedColumn) -> ReleasedColumn:
    """Return the column with one code for each label: blocks that are told alike are one value of the release."""
    first: dict[Label, int] = {}
    onto = [first.setdefault(label, len(first)) for label in column.labels]
    if len(first) == len(onto):
        return column
    at = np.unique(onto, return_index=True)[1]
    return replace(
        column,
        codes=np.array(onto, np.int32)[column.codes],
        labels=tuple(first),
        leaves=column.leaves[at],
        depth=column.depth[at],
        extents=None if column.extents is None else column.extents[at],
    )


def _tallied(keys: IntArray, weights: IntArray | None, places: int) -> tuple[IntArray, IntArray]:
    """Return the distinct keys and how often each occurs; a million values under a thousand labels are not laid out."""
    if places <= 4 * len(keys) + (1 << 16):
        counts = np.bincount(keys, weights, minlength=1).astype(np.int64)
        return np.flatnonzero(counts), counts[counts > 0]
    distinct, place = np.unique(keys, return_inverse=True)
    return distinct, np.bincount(place.reshape(-1), weights, minlength=len(distinct)).astype(np.int64)
