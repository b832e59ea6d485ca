"""The risk–utility frontier: the best release for each value of a parameter, from one reading of the table."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from typing import Any

from kohort.algorithms import Progress, watched
from kohort.errors import InfeasibleError, UnfinishedError
from kohort.interrupts import interrupt_pulls
from kohort.plan import Plan
from kohort.plan.rules import demand_offer
from kohort.preparation import chosen_algorithm, max_suppressed, prepare
from kohort.preparation.sources import read_source
from kohort.recode import Problem
from kohort.stopping import Stop

_SHARED = (
    "require.",
    "recode.max_suppression",
    "recode.time_limit",
    "recode.seed",
)  # what leaves the classes as they are


def frontier(
    source: Any,
    plan: Plan,
    parameter: str,
    values: Sequence[Any],
    progress: Progress | None = None,
    *,
    stop: Stop | None = None,
) -> list[dict[str, Any]]:
    """Return, for each value of `parameter` (such as `require.0.k`), the best loss and the risk that remains.

    The table is read and reduced to its classes once, unless the parameter changes them. A value for which
    no recoding exists is told as such, with the reason. When `stop` is pulled, or at the first Ctrl-C in a search, the
    point in hand is the best so far, and the last.
    """
    demand_offer(plan, "frontier")
    progress = watched(progress, stop)
    table, _ = read_source(source, plan)
    shared = prepare(table, plan) if parameter.startswith(_SHARED) else None
    points = []
    for done, value in enumerate(values):
        progress.update(f"{parameter} = {value}", done, len(values))
        asked = plan.with_settings({parameter: value})
        problem = prepare(table, asked) if shared is None else _asking(shared, asked, table.n_rows)
        points.append({"parameter": parameter, "value": value} | _point(asked, problem, progress))
        if progress.stop.pulled:
            break
    return points


def _asking(problem: Problem, plan: Plan, n_rows: int) -> Problem:
    """Return the same classes with the promises and limits of another plan."""
    return dataclasses.replace(
        problem,
        models=tuple(model.bind(problem.reference) for model in plan.require),
        max_suppressed=max_suppressed(plan, n_rows),
        time_limit=plan.recode.time_limit,
        seed=plan.recode.seed,
    )


def _point(plan: Plan, problem: Problem, progress: Progress) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        with interrupt_pulls(progress.stop):
            solution = chosen_algorithm(plan, problem).solve(problem, progress)
    except (InfeasibleError, UnfinishedError) as nothing:
        return {"feasible": False, "reason": str(nothing)}
    outcome = solution.decision.apply(problem).outcome(problem)
    sizes = outcome.classes.sizes
    return {
        "feasible": True,
        "objective": problem.objective.card.name,
        "score": solution.score,
        "optimal": solution.optimal,
        **{key: solution.facts[key] for key in ("bound", "gap", "stopped") if key in solution.facts},
        "suppressed": outcome.suppressed,
        "classes": len(sizes),
        "highest_risk": float(1 / sizes.min()),  # prosecutor: the chance of picking the right row of a class
        "average_risk": float(len(sizes) / sizes.sum()),
        "seconds": round(time.perf_counter() - started, 4),
        **solution.decision.facts(problem),
    }
