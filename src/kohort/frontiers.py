"""The risk–utility frontier: the best release for each value of a parameter, from one reading of the table."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kohort.algorithms import Progress, watched
from kohort.engines import DEFAULT, Engine, Wanted, demand_algorithm, demand_search, opened
from kohort.engines import engine as engine_of
from kohort.engines.preparing import prepare
from kohort.errors import InfeasibleError, InputError, UnfinishedError
from kohort.interrupts import interrupt_pulls
from kohort.models import sizes_decide
from kohort.notebook import shown
from kohort.plan import Plan
from kohort.plan.decided import demand_decided
from kohort.plan.rules import demand_offer
from kohort.preparation import chosen_algorithm, max_suppressed
from kohort.preparation.sources import read_population
from kohort.recode import Problem
from kohort.recode.blanked import classes_with_blank_rows
from kohort.risk import either_picker
from kohort.stopping import Stop
from kohort.table.framed import Records, framed

_SHARED = (
    "require.",
    "recode.max_suppression",
    "recode.time_limit",
    "recode.seed",
)  # what leaves the classes as they are


def frontier(
    source: Any,
    plan: Plan | Mapping[str, Any],
    parameter: str | None = None,
    values: Sequence[Any] = (),
    progress: Progress | None = None,
    *,
    k: Sequence[int] | None = None,
    stop: Stop | None = None,
    engine: str = DEFAULT,
    memory: str | None = None,
) -> Any:
    """Return, for each value of `parameter` (such as `require.0.k`), the best loss and the risk that remains.

    A frame of the kind that was handed in, with a row for each value; of a path, a list of dicts. `k=[2, 5, 10]` varies
    the k of the first promise about crowds.

    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["94138", "94139", "94141", "94142"]})
    >>> asked = {"columns": {"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}},
    ...          "require": [{"model": "k-anonymity", "k": 2}]}
    >>> frontier(people, asked, k=[2, 4]).select(["value", "levels.zip", "highest_risk"]).to_pylist()
    [{'value': 2, 'levels.zip': 1, 'highest_risk': 0.5}, {'value': 4, 'levels.zip': 2, 'highest_risk': 0.25}]

    The table is read once, and reduced to its classes once unless the parameter changes them. `feasible` is False where it is
    proved that no recoding exists, and None where none was found: the search was stopped, or proves nothing; `code` and
    `reason` say which. When `stop` is pulled, or at the first Ctrl-C in a search, the
    point in hand is the best so far, and the last. `engine` says where the rows are kept meanwhile; `memory`, such as
    "4GB", how much an engine on disk may hold.
    """
    plan = Plan.of(plan)
    if k is not None:
        parameter, values = _of_crowds(plan, parameter), k
    if parameter is None:
        raise InputError(
            "frontier: say what is varied, as k=[2, 5, 10] or as a parameter and its values, such as "
            '"require.1.l", [2, 3]',
            code="plan.setting",
        )
    with shown(watched(progress, stop), silent=progress is None) as onlooker:
        return framed(points_of(source, plan, parameter, values, onlooker, engine, memory), source)


def crowd_parameter(plan: Plan) -> str | None:
    """Return the key of the first promise whose k says how large crowds are, else of any with a k; None without one."""
    crowds = [i for i, model in enumerate(plan.require) if sizes_decide([model])]
    places = crowds or [i for i, model in enumerate(plan.require) if hasattr(model, "k")]
    return f"require.{places[0]}.k" if places else None


def _of_crowds(plan: Plan, parameter: str | None) -> str:
    found = crowd_parameter(plan)
    if parameter is not None or found is None:
        why = (
            "a parameter is named beside it"
            if parameter is not None
            else "nothing that the plan requires has a k"
        )
        raise InputError(
            f'frontier: k is given, and {why}; name one parameter and its values, such as "require.0.l", [2, 3]',
            code="plan.setting",
        )
    return found


def points_of(
    source: Any,
    plan: Plan,
    parameter: str,
    values: Sequence[Any],
    progress: Progress,
    engine: str = DEFAULT,
    memory: str | None = None,
) -> Records:
    """Return the points of a frontier as JSON spells them."""
    demand_offer(plan, "frontier")
    demand_decided(plan)
    kind = engine_of(engine)
    plans = [plan.with_settings({parameter: value}) for value in values]
    for asked in plans:
        demand_search(kind, asked)
    keeper = opened(engine, source, Wanted.by_all([plan, *plans]), memory)
    shared = _whole(keeper, plan) if parameter.startswith(_SHARED) else None
    points = []
    for done, (value, asked) in enumerate(zip(values, plans, strict=True)):
        progress.update(f"{parameter} = {value}", done, len(values))
        problem = _whole(keeper, asked) if shared is None else _asking(shared, asked, keeper.table.n_rows)
        point = _point(kind, asked, problem, progress)
        points.append({"parameter": parameter, "value": value} | point)
        if progress.stop.pulled:
            break
    return points


def _whole(keeper: Engine, plan: Plan) -> Problem:
    """Return the problem that a plan makes of the table, with the population that it names."""
    return prepare(keeper, plan, read_population(plan))


def _asking(problem: Problem, plan: Plan, n_rows: int) -> Problem:
    """Return the same classes with the promises and limits of another plan."""
    return replace(
        problem,
        models=tuple(model.bind(problem.reference) for model in plan.require),
        max_suppressed=max_suppressed(plan, n_rows),
        time_limit=plan.recode.time_limit,
        seed=plan.recode.seed,
    )


def _point(kind: type[Engine], plan: Plan, problem: Problem, progress: Progress) -> dict[str, Any]:
    algorithm = chosen_algorithm(plan, problem)
    demand_algorithm(kind, algorithm.card)
    started = time.perf_counter()
    try:
        with interrupt_pulls(progress.stop):
            solution = algorithm.solve(problem, progress)
    except (InfeasibleError, UnfinishedError) as nothing:
        open_ = nothing.code in ("infeasible.not-found", "search.unfinished")
        return {"feasible": None if open_ else False, "code": nothing.code, "reason": str(nothing)}
    recoded = solution.decision.apply(problem)
    outcome = recoded.outcome(problem)
    solution = solution.judged(problem.objective.score(outcome))
    sizes, shown = outcome.classes.sizes, outcome.classes
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
        "classes": len(sizes),
        "highest_risk": risk.highest,
        "average_risk": risk.average,
        "seconds": round(time.perf_counter() - started, 4),
        **solution.decision.facts(problem),
    }
