"""One search on a table that is read and reduced once: what a plan's algorithm comes to, in figures."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from kohort.algorithms import Progress
from kohort.algorithms.nothing_found import demand_kept_together
from kohort.algorithms.partition.grouped_search import solved
from kohort.card import ONE_TABLE
from kohort.engines import Engine, demand_algorithm
from kohort.engines.preparing import prepare
from kohort.engines.room import demand_counted
from kohort.errors import InfeasibleError, UnfinishedError
from kohort.interrupts import interrupt_pulls
from kohort.metrics import Outcome
from kohort.models import sizes_decide
from kohort.plan import Plan
from kohort.preparation import chosen_algorithm, max_suppressed
from kohort.preparation.sources import read_population
from kohort.recode import Problem
from kohort.recode.blanked import classes_with_blank_rows
from kohort.recode.levels import settled
from kohort.release.blank_rows import demand_blank_class
from kohort.risk import either_picker

# where nothing is proved of other recodings: that of the least loss may leave rows blank that break a promise, and another none
OPEN = frozenset({"infeasible.not-found", "infeasible.blank-rows", "search.unfinished"})


def crowd_parameter(plan: Plan) -> str | None:
    """Return the key of the first promise whose k says how large crowds are, else of any with a k; None without one."""
    crowds = [i for i, model in enumerate(plan.require) if sizes_decide([model])]
    places = crowds or [i for i, model in enumerate(plan.require) if hasattr(model, "k")]
    return f"require.{places[0]}.k" if places else None


def whole(keeper: Engine, plan: Plan) -> Problem:
    """Return the problem that a plan makes of the table, with the population that it names."""
    return prepare(keeper, plan, read_population(plan))


def asking(problem: Problem, plan: Plan, n_rows: int) -> Problem:
    """Return the same classes with the promises and limits of another plan."""
    models = tuple(model.bind(problem.reference) for model in plan.require)
    asked = replace(problem, models=models)
    return replace(
        asked,
        nodes=None if problem.nodes is None else problem.nodes.reading(asked.reads),
        max_suppressed=max_suppressed(plan, n_rows),
        time_limit=plan.recode.time_limit,
        seed=plan.recode.seed,
    )


def point_of(kind: type[Engine], plan: Plan, problem: Problem, progress: Progress) -> dict[str, Any]:
    """Return what the plan's algorithm comes to, as JSON spells it: the score, who is left out, the risk that remains."""
    algorithm = chosen_algorithm(plan, problem)
    demand_algorithm(kind, algorithm.card)
    demand_counted(problem, algorithm)
    started = time.perf_counter()
    try:
        with interrupt_pulls(progress.stop):
            solution = solved(problem, algorithm, progress)
        problem = settled(problem, solution)
        recoded = solution.decision.apply(problem)
        outcome = recoded.outcome(problem)
        demand_kept_together(problem, algorithm, outcome.classes)
        if plan.recode.suppressed_rows == "blank":
            demand_blank_class(problem, recoded)
    except (InfeasibleError, UnfinishedError) as nothing:
        open_ = nothing.code in OPEN
        return {"feasible": None if open_ else False, "code": nothing.code, "reason": str(nothing)}
    solution = solution.judged(problem.objective.score(outcome))
    shown = outcome.classes
    if plan.recode.suppressed_rows == "blank" and outcome.suppressed:
        shown = classes_with_blank_rows(recoded, problem)
    risk = either_picker(shown)
    return {
        "feasible": True,
        "objective": problem.objective.card.name,
        "score": solution.score,
        "optimal": solution.optimal,
        **{key: solution.facts[key] for key in ("bound", "gap", "stopped") if key in solution.facts},
        "suppressed": outcome.suppressed,
        "rows": outcome.n_rows,
        "counted": "records" if plan.input.respondent is None else "people",
        "classes": len(shown),
        "highest_risk": risk.highest,
        "average_risk": risk.average,
        **({"lost": _lost(problem, outcome)} if algorithm.card.truthful else {"perturbed": True}),
        **({} if algorithm.card.layout == ONE_TABLE else {"apart": True}),
        "seconds": round(time.perf_counter() - started, 4),
        **solution.decision.facts(problem),
    }


def _lost(problem: Problem, outcome: Outcome) -> dict[str, float]:
    """Return the share of its detail that each quasi-identifier lost."""
    return {name: outcome.lost(j) for j, name in enumerate(problem.names)}
