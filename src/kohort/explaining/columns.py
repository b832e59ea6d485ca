"""What each column costs: the plan's own search without it, and what the other columns lose then."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import replace
from threading import TIMEOUT_MAX, Timer

from kohort.algorithms import Progress, watched
from kohort.errors import InfeasibleError, InputError, UnfinishedError
from kohort.explaining.reopened import Reopened
from kohort.facts import ReleaseFacts
from kohort.facts.explanation import ColumnCost
from kohort.plan import Plan
from kohort.stopping import Stop

SECONDS = 30.0  # for the search without one column


def column_costs(
    reopened: Reopened, seconds: float = SECONDS, progress: Progress | None = None
) -> list[ColumnCost]:
    """Return what the release would be without each quasi-identifier, the costliest first.

    The plan is searched again without the column, on the classes of the others, for at most `seconds` each; what is found
    is compared by the mean detail that the other columns lose, rows that are left out counted as lost.
    """
    if not 0 < seconds < math.inf:
        raise InputError(
            f"explain: seconds is {seconds}; it must be a number of seconds above 0, such as 30",
            code="cli.option",
            option="seconds",
            value=str(seconds),
        )
    if len(reopened.plan.quasi) == 1:
        return []
    found = [_cost(reopened, name, seconds, progress) for name in reopened.plan.quasi]
    return sorted(
        found, key=lambda cost: (cost.without is None, (cost.without or 0) - cost.others, cost.column)
    )


def _cost(reopened: Reopened, name: str, seconds: float, progress: Progress | None) -> ColumnCost:
    others = _lost(reopened.facts, name)
    try:
        facts, stopped = _searched(reopened, without_column(reopened.plan, name), seconds, progress)
    except UnfinishedError:
        return ColumnCost(name, others, stopped=True, because=f"nothing was found within {seconds:g} s")
    except (InfeasibleError, InputError) as problem:
        return ColumnCost(name, others, because=str(problem))
    return ColumnCost(name, others, _lost(facts, name), facts.suppressed, stopped)


def without_column(plan: Plan, name: str) -> Plan:
    """Return the plan without a column: it is not released, and nobody is told apart by it."""
    told = plan.to_dict()
    columns = {column: said for column, said in told["columns"].items() if column != name}
    return dataclasses.replace(
        Plan.from_dict(told | {"columns": columns}, base=plan.base), notes=plan.notes, promises=plan.promises
    )


def _searched(
    reopened: Reopened, plan: Plan, seconds: float, progress: Progress | None
) -> tuple[ReleaseFacts, bool]:
    """Return the facts of what a plan comes to on the original, and whether the search was stopped; nothing is released."""
    stop = Stop()
    job = replace(reopened.held.job, plan=plan, progress=watched(progress, stop))
    clock = Timer(min(seconds, TIMEOUT_MAX), stop.pull)
    clock.daemon = True
    clock.start()
    try:
        facts = replace(reopened.held, job=job).prepare().search().publish().facts()
    finally:
        clock.cancel()
    return facts, facts.search.stopped is not None


def _lost(facts: ReleaseFacts, name: str) -> float:
    """Return the mean detail lost of all quasi-identifiers but one."""
    return _mean(
        column.generalized.loss for column in facts.columns if column.generalized and column.name != name
    )


def _mean(losses: Iterator[float]) -> float:
    told = list(losses)
    return sum(told) / len(told)
