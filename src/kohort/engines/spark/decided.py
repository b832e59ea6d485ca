"""What follows from distinct tuples that came here: coarser classes, and a decision told by the classes that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, group_columns
from kohort.engines.node import Node
from kohort.hierarchy import Hierarchy
from kohort.recode import Problem, Recoded
from kohort.recode.recoded import ReleasedColumn


def at_its_levels(problem: Problem, recoded: Recoded) -> tuple[Problem, Recoded] | None:
    """Return the same decision about the classes at the levels by which it tells every column.

    None where a column is told otherwise than at one level, or some of a class are left out and some are not.
    """
    base = problem.base
    levels = _levels(problem.hierarchies, base.codes, base.levels, recoded.columns)
    if levels is None or levels == base.levels or len(recoded.kept) != len(base):
        return None
    classes, class_of = problem.rolled_up(levels)
    kept = np.zeros(len(classes), np.bool_)
    kept[class_of] = recoded.kept
    if (kept[class_of] != recoded.kept).any():
        return None
    columns = tuple(
        replace(column, codes=np.ascontiguousarray(classes.codes[:, j]))
        for j, column in enumerate(recoded.columns)
    )
    return replace(problem, base=classes), replace(recoded, columns=columns, kept=kept)


def counted_from(base: Classes, ground: Node, node: Node, watched: Sequence[str]) -> Classes | None:
    """Return the classes at a node from those that were counted at the ground; None where these do not tell."""
    names = list(ground.codes)
    columns = []
    for name, codes in node.codes.items():
        if name not in names:
            return None
        own = ground.codes[name]
        code_of = np.full(int(own.max(initial=0)) + 1, -1, np.int32)
        code_of[own] = codes
        if (code_of[own] != codes).any():
            return None  # values that are one at the ground are several here
        columns.append(code_of[base.codes[:, names.index(name)]])
    if not columns or not set(watched) <= set(base.sensitive):
        return None
    told = replace(
        base,
        sensitive={name: base.sensitive[name] for name in watched},
        holders={name: own for name, own in base.holders.items() if name in watched},
    )
    return told.merged(*group_columns(columns), levels=node.levels)


def _levels(
    hierarchies: Sequence[Hierarchy],
    codes: IntArray,
    lowest: Sequence[int],
    columns: Sequence[ReleasedColumn],
) -> tuple[int, ...] | None:
    """Return the level at which each column is told, read off its codes."""
    found = []
    for j, (hierarchy, low, column) in enumerate(zip(hierarchies, lowest, columns, strict=True)):
        for level in range(low, hierarchy.height + 1):
            if hierarchy.levels[level].labels == column.labels and np.array_equal(
                hierarchy.step(low, level)[codes[:, j]], column.codes
            ):
                found.append(level)
                break
        else:
            return None
    return tuple(found)
