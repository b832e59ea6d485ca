"""A problem as searches may see it: no number or date finer than the grid on which it will be told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.recode.problem import Problem


def on_grid(problem: Problem) -> tuple[Problem, IntArray]:
    """Return the problem with every number and date moved to the last value of its cell, and where base classes went.

    A search that sees no more than cells cannot tell more: where a value lies within its cell changes neither the
    groups nor their labels. Where the plan asks for exact values (`max_level = 0`), or for labels finer than the cells, every
    value is told as it is or by such a label, and so it is seen: cells would hide how few share it.

    The second result is the class, in the problem returned, of each base class of the problem given.
    """
    moved = [
        None if problem.exact[j] else _moved(hierarchy) for j, hierarchy in enumerate(problem.hierarchies)
    ]
    if all(own is None for own in moved):
        return problem, np.arange(len(problem.base))
    codes = problem.base.codes.copy()
    for j, own in enumerate(moved):
        if own is not None:
            codes[:, j] = own[codes[:, j]]
    distinct, class_of = group(codes)
    base = problem.base.merged(distinct, class_of)
    by_row = class_of[problem.class_of] if problem.has_rows else problem.class_of
    return replace(problem, base=base, class_of=by_row), class_of


def moves(problem: Problem) -> tuple[IntArray, ...]:
    """Return where every ground code of each attribute is moved to: to itself where nothing moves."""
    moved = (None if problem.exact[j] else _moved(h) for j, h in enumerate(problem.hierarchies))
    return tuple(
        np.arange(h.size) if own is None else own for own, h in zip(moved, problem.hierarchies, strict=True)
    )


def _moved(hierarchy: Hierarchy) -> IntArray | None:
    """Return the last ground code of the cell of every ground code; None where all are alone in theirs."""
    grid = hierarchy.grid
    if grid is None or (grid.last == np.arange(hierarchy.size)).all():
        return None
    return grid.last


def demand_declared_ends(problem: Problem) -> None:
    """Refuse intervals that end at the values of a group where these are no more than what occurs in the table."""
    for name, hierarchy in zip(problem.names, problem.hierarchies, strict=True):
        if not hierarchy.declared and (hierarchy.numbers is not None or hierarchy.days is not None):
            raise InputError(
                f"[recode.options] tight: intervals of {name!r} would end at values that people have, for its values are "
                "not declared; leave tight out, or declare them all (hierarchy.domain of whole numbers, or a level file)",
                code="algorithm.undeclared",
                option="tight",
                column=name,
            )
