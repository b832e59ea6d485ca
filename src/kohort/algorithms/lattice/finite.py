"""No score or bound that is not a number decides anything.

A comparison with nan is false whichever way it is put, and an infinite score reads as "not feasible": either way
nodes would be passed over that nothing was proved about. So whatever is computed from weights and costs passes
here before it is compared.
"""

from __future__ import annotations

import numpy as np

from kohort.arrays import FloatArray
from kohort.errors import InputError
from kohort.recode import Problem


def finite(problem: Problem, score: float) -> float:
    """Return the score of something that can be released, or raise where it is no finite number."""
    if not np.isfinite(score):
        raise _beyond(problem)
    return float(score)


def numeric(problem: Problem, score: float) -> float:
    """Return a score that may be infinite where a node is not feasible, or raise where it is no number."""
    if np.isnan(score):
        raise _beyond(problem)
    return float(score)


def bounding(problem: Problem, bounds: FloatArray | float) -> None:
    """Raise where a lower bound is nan or infinite; −inf says that nothing is known, and is allowed."""
    if np.isnan(bounds).any() or np.isposinf(bounds).any():
        raise _beyond(problem)


def _beyond(problem: Problem) -> InputError:
    return InputError(
        f"[recode] objective: {problem.objective.card.name!r} exceeds what numbers can hold on this table; lower "
        "the largest weight or suppression_cost under [columns], or choose another objective",
        code="metric.overflow",
        objective=problem.objective.card.name,
    )
