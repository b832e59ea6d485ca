"""Why rows were left out: the classes they would be in, the promises these would break, and what it would have taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from kohort.algorithms.lattice.node_outcome import judge
from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, group
from kohort.evidence.left_out import kept_rows
from kohort.facts.why import BrokenPromises, CoarserColumn, FinerColumn, Why
from kohort.recode import Problem, Recoded
from kohort.recode.levels import base_to_node

MOST_WORK = (
    400_000  # classes × columns that are tried while a release is made; `kohort explain` tries them all
)
MOST_CELLS = 20_000_000  # that are looked at in all: each column is tried beside all others
STEM = "left-out"  # the private table of rows that were left out


@dataclass(frozen=True, eq=False)
class Standpoint:
    """The classes by which it is told why a row is where it is.

    Where every column is released at one level these are the classes of the release, with those that were left
    out. Else there is no class that a row which was left out would have been in: told is by whom it is shared as exactly as the
    plan allows it to be told.
    """

    problem: Problem
    levels: tuple[int, ...]
    by_levels: bool

    @classmethod
    def of(cls, problem: Problem, levels: Mapping[str, int] | None) -> Standpoint:
        """Return the standpoint of a release, from the level of each column where there is one."""
        if levels is None:
            return cls(problem, problem.lowest, False)
        return cls(problem, tuple(levels[name] for name in problem.names), True)

    @cached_property
    def classes(self) -> Classes:
        """The classes of all rows."""
        return self.problem.at(self.levels)

    @cached_property
    def of_base(self) -> IntArray:
        """The class of every base class."""
        return base_to_node(self.problem, self.levels)

    @cached_property
    def broken(self) -> BoolArray:
        """Which promise each class breaks: (promises, classes); one about the whole table is judged on what the others leave."""
        classes, models = self.classes, self.problem.models
        found = np.zeros((len(models), len(classes)), np.bool_)
        for i, model in enumerate(models):
            if model.card.classwise:
                found[i] = model.failing(classes)
        left = np.flatnonzero(~found.any(axis=0))
        for i, model in enumerate(models):
            if not model.card.classwise and len(left):
                found[i, left[model.failing(classes.kept(left))]] = True
        return found

    def raised(self, j: int, steps: int = 1) -> tuple[Classes, IntArray] | None:
        """Return the classes with attribute j some levels further up, and into which each class goes; None above its top."""
        problem, level = self.problem, self.levels[j] + steps
        if level > problem.highest[j]:
            return None
        codes = self.classes.codes.copy()
        codes[:, j] = problem.hierarchies[j].step(self.levels[j], level)[codes[:, j]]
        merged, into = group(codes)
        levels = (*self.levels[:j], level, *self.levels[j + 1 :])
        return self.classes.merged(merged, into, levels), into

    def labels(self) -> tuple[str, ...]:
        """Return the promises in words."""
        return tuple(model.label for model in self.problem.models)


def why_left_out(problem: Problem, recoded: Recoded, levels: Mapping[str, int] | None) -> Why | None:
    """Return why rows were left out, and what other levels would take; None where all columns are as they were and nobody is.

    `levels` are those that every column was released at, where the algorithm decides so. Time: a roll-up and a judgement for each
    column; where that is too much for a release, `skipped` says so.
    """
    stand = Standpoint.of(problem, levels)
    lost = problem.base.rows - kept_rows(problem, recoded)
    if not lost.any() and levels is None:
        return None
    tried = problem.nodes is None and is_affordable(len(problem.base), len(problem.names))
    lost_of = np.bincount(stand.of_base, lost, minlength=len(stand.classes)).astype(np.int64)
    return Why(
        by_levels=stand.by_levels,
        broken=_broken(stand, lost_of) if lost.any() else (),
        coarser=tuple(_coarser(stand, lost_of)) if tried and lost.any() else (),
        finer=tuple(finer_columns(stand)) if tried and stand.by_levels else (),
        skipped=not tried,
    )


def is_affordable(classes: int, columns: int) -> bool:
    """Say whether all columns can be tried while a release is made."""
    return classes * columns <= MOST_WORK and classes * columns**2 <= MOST_CELLS


def _broken(stand: Standpoint, lost: IntArray) -> tuple[BrokenPromises, ...]:
    """Return how many rows were left out for the sake of which promises, the most first."""
    some = np.flatnonzero(lost)
    patterns, which = group(stand.broken[:, some].T.astype(np.int32))
    rows = np.bincount(which, lost[some], minlength=len(patterns)).astype(np.int64)
    labels = stand.labels()
    found = [
        BrokenPromises(tuple(label for label, bad in zip(labels, pattern, strict=True) if bad), int(count))
        for pattern, count in zip(patterns, rows, strict=True)
    ]
    return tuple(sorted(found, key=lambda broken: (-broken.rows, broken.promises)))


def _coarser(stand: Standpoint, lost: IntArray) -> Iterator[CoarserColumn]:
    problem = stand.problem
    for j, (name, hierarchy) in enumerate(zip(problem.names, problem.hierarchies, strict=True)):
        found = stand.raised(j)
        if found is None:
            continue
        classes, into = found
        saved = int(lost[~problem.failing(classes)[into]].sum())
        yield CoarserColumn(name, hierarchy.level_names()[classes.levels[j]], saved)


def finer_columns(stand: Standpoint) -> Iterator[FinerColumn]:
    """Yield what one level less of each column would take, as the search judges a node: rolled up from the base classes."""
    problem = stand.problem
    for j, (name, hierarchy) in enumerate(zip(problem.names, problem.hierarchies, strict=True)):
        level = stand.levels[j] - 1
        if level < problem.lowest[j]:
            continue
        node = judge(problem, (*stand.levels[:j], level, *stand.levels[j + 1 :]))
        yield FinerColumn(name, hierarchy.level_names()[level], node.suppressed, node.feasible)


def left_out_rows(problem: Problem, recoded: Recoded, levels: Mapping[str, int] | None) -> pa.Table | None:
    """Return the rows that were left out, the first row of the table being 1, and why; None where none was or rows are elsewhere.

    Told are the people and rows of the class that each would be in, and the promises that this would break. No value.
    """
    if not problem.has_rows or bool(recoded.kept.all()):
        return None
    kept = recoded.kept if recoded.class_of is None else recoded.kept[recoded.class_of]
    rows, stand = np.flatnonzero(~kept), Standpoint.of(problem, levels)
    classes = stand.of_base[problem.class_of[rows]]
    patterns, which = group(stand.broken[:, classes].T.astype(np.int32))
    labels = stand.labels()
    told = ["; ".join(label for label, bad in zip(labels, p, strict=True) if bad) for p in patterns]
    return pa.table(
        {
            "row": rows + 1,
            "people": stand.classes.sizes[classes],
            "rows": stand.classes.rows[classes],
            "broken": pa.DictionaryArray.from_arrays(which.astype(np.int32), told),
        }
    )
