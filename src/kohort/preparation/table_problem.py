"""From a table and a plan to the problem that a search solves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from math import floor
from typing import Any

from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.metrics import AVAILABLE_METRICS, Metric
from kohort.models.threshold import rational
from kohort.plan import Plan
from kohort.preparation.reference import reference_of, told_people
from kohort.recode import Problem
from kohort.table import Role, Table


def watched(plan: Plan) -> tuple[str, ...]:
    """Return the columns whose values are counted in every class: sensitive ones, guards, the objective's target."""
    names = {*plan.sensitive, *plan.guards, *metric(plan).reads}
    return tuple(name for name in plan.columns if name in names)


def problem_of(
    table: Table,
    plan: Plan,
    hierarchies: tuple[Hierarchy, ...],
    base: Classes,
    population: Table | None,
    class_of: IntArray,
    sensitive: Mapping[str, IntArray],
    people: IntArray | None,
) -> Problem:
    """Return the problem of a table reduced to `base`; of the table itself only values and counts are looked at.

    The last three are a code per row, or empty where an engine keeps the rows.
    """
    reference = reference_of(table, plan, hierarchies, population, told_people(base))
    return Problem(
        names=plan.quasi,
        hierarchies=hierarchies,
        base=base,
        class_of=class_of,
        models=tuple(model.bind(reference) for model in plan.require),
        objective=metric(plan),
        max_suppressed=max_suppressed(plan, table.n_rows),
        sensitive=sensitive,
        respondents=people,
        reference=reference,
        weights=tuple(plan.columns[name].weight for name in plan.quasi),
        suppression_costs=tuple(plan.columns[name].suppression_cost for name in plan.quasi),
        min_levels=tuple(_level(plan, h, "min_level") for h in hierarchies),
        max_levels=tuple(_level(plan, h, "max_level") for h in hierarchies),
        star_allowed=tuple(_allows_star(plan, h) for h in hierarchies),
        time_limit=plan.recode.time_limit,
        seed=plan.recode.seed,
    )


def metric(plan: Plan) -> Metric:
    """Return the objective that the plan names."""
    name = plan.recode.objective
    if name not in AVAILABLE_METRICS:
        raise InputError(
            f"[recode] objective: there is no {name!r}; the objectives are: {', '.join(sorted(AVAILABLE_METRICS))}",
            code="metric.unknown",
            objective=name,
            allowed=sorted(AVAILABLE_METRICS),
        )
    kind: Any = AVAILABLE_METRICS[name]
    target = plan.recode.target
    if not takes_target(name):
        return kind()  # type: ignore[no-any-return]
    if target is None:
        raise InputError(
            f'[recode] objective {name!r} needs a target: the column to predict, as target = "…"',
            code="metric.target",
            objective=name,
            option="target",
        )
    if target not in plan.released or plan.columns[target].role is Role.QUASI:
        raise InputError(
            f"[recode] target is {target!r}; it must be a sensitive or insensitive column of the plan",
            code="metric.target",
            option="target",
            value=target,
        )
    return kind(target)  # type: ignore[no-any-return]


def takes_target(objective: str) -> bool:
    """Tell whether an objective is about a column to predict."""
    if objective not in AVAILABLE_METRICS:
        return False
    kind: Any = AVAILABLE_METRICS[objective]
    return "target" in {f.name for f in dataclasses.fields(kind)}


def max_suppressed(plan: Plan, n_rows: int) -> int:
    """Return how many rows may be suppressed: a share, as it is written, is rounded down; a count is taken as it is."""
    limit = plan.recode.max_suppression
    if plan.recode.suppress in ("none", "attribute", "cell"):
        return 0
    return floor(rational(limit) * n_rows) if isinstance(limit, float) else min(limit, n_rows)


def _allows_star(plan: Plan, hierarchy: Hierarchy) -> bool:
    """Say whether nothing but `*` need be told of a column; below the top it is told where the label there is `*`."""
    told, top = plan.columns[hierarchy.name].max_level, hierarchy.height
    return told is None or (told >= top and hierarchy.allows_star(top, told))


def _level(plan: Plan, hierarchy: Hierarchy, bound: str) -> int:
    told = getattr(plan.columns[hierarchy.name], bound)
    level = hierarchy.height if told is None else hierarchy.level_named(told)
    if level is None:
        raise InputError(
            f"[columns] {hierarchy.name}: {bound} is {told}, but its hierarchy has levels 0 to {hierarchy.height}",
            code="plan.level",
            column=hierarchy.name,
            option=bound,
            level=told,
            most=hierarchy.height,
        )
    low = plan.columns[hierarchy.name].min_level
    if bound == "max_level" and told is not None and told < low:
        raise InputError(
            f"[columns] {hierarchy.name}: max_level {told} is below min_level {low}",
            code="plan.level",
            column=hierarchy.name,
            option="max_level",
            level=told,
            least=low,
        )
    return level
