"""Rows in the order of their values, so that the order they came in does not matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kohort.recode import Problem, Solution
from kohort.recode.cells import Cells


def by_value(problem: Problem, solve: Callable[[Problem], Solution]) -> Solution:
    """Return what `solve` finds for the rows sorted by their tuples, told for the rows as they came.

    Ties between rows are settled by position in these algorithms; sorted, equal tables get equal releases. Rows of one tuple
    come as they were dealt (`equal_rows`): sorted by what they hold, those who hold the same would go together.
    """
    order = np.argsort(problem.class_of, kind="stable")  # base classes stand in the order of their values
    solution = solve(
        replace(
            problem,
            class_of=problem.class_of[order],
            sensitive={name: values[order] for name, values in problem.sensitive.items()},
            respondents=None if problem.respondents is None else problem.respondents[order],
        )
    )
    decision = solution.decision
    assert isinstance(decision, Cells)
    levels, kept = np.empty_like(decision.levels), np.empty_like(decision.kept)
    levels[order], kept[order] = decision.levels, decision.kept
    return replace(solution, decision=Cells(levels, kept))
