"""What is said where a search left out every row."""

from __future__ import annotations

from kohort.algorithms import AVAILABLE_ALGORITHMS
from kohort.errors import InfeasibleError
from kohort.plan import Plan
from kohort.recode import Problem
from kohort.release.draft import demand
from kohort.verification.judges.suppression import judge_suppression


def no_rows_left(plan: Plan, problem: Problem) -> InfeasibleError:
    """Return why there is no release; raises where a search left out more than it was allowed to: that is its bug."""
    demand([judge_suppression(0, problem.n_rows, problem.max_suppressed)], plan)
    name = plan.recode.algorithm
    maker = AVAILABLE_ALGORITHMS.maker(name or "")
    if maker:
        return InfeasibleError(
            f"the algorithm {name!r} of {maker} left out every row, and an empty table is no release; choose another "
            "[recode] algorithm or a lesser max_suppression",
            code="infeasible.all-suppressed",
            package=maker,
        )
    return InfeasibleError(
        "every row would have to be suppressed, and an empty table is no release; add levels to the "
        "hierarchies, name fewer quasi-identifiers or ask for less",
        code="infeasible.all-suppressed",
    )
