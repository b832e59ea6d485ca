"""The risk–utility frontier: the best release for each value of a parameter, from one reading of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kohort.algorithms import Progress, watched
from kohort.engines import DEFAULT, Wanted, demand_search, engine_for, opened
from kohort.engines import engine as engine_of
from kohort.errors import InputError
from kohort.notebook import shown
from kohort.plan import Plan
from kohort.plan.decided import demand_decided
from kohort.plan.rules import demand_offer
from kohort.points import asking, crowd_parameter, point_of, whole
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
    engine: str | None = None,
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
    point in hand is the best so far, and the last. `engine` says where the rows are kept meanwhile (by default in
    memory, of data frames of Spark there); `memory`, such as "4GB", how much an engine on disk may hold.
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
    keeper = engine_for(engine, source)
    with shown(watched(progress, stop), silent=progress is None) as onlooker:
        return framed(points_of(source, plan, parameter, values, onlooker, keeper, memory), source)


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
            code="plan.no-k",
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
    shared = whole(keeper, plan) if parameter.startswith(_SHARED) else None
    points = []
    for done, (value, asked) in enumerate(zip(values, plans, strict=True)):
        progress.update(f"{parameter} = {value}", done, len(values))
        problem = whole(keeper, asked) if shared is None else asking(shared, asked, keeper.table.n_rows)
        point = point_of(kind, asked, problem, progress)
        points.append({"parameter": parameter, "value": value} | point)
        if progress.stop.pulled:
            break
    return points
