"""The hierarchies that a plan gives to the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kohort.hierarchy import UNTOLD, Hierarchy, build_hierarchy
from kohort.plan import Plan
from kohort.table import Table


def quasi_hierarchies(table: Table, plan: Plan, population: Table | None = None) -> tuple[Hierarchy, ...]:
    """Build the hierarchy of every quasi-identifier over the table's values, and the population's.

    Its labels are read as the plan's bounds of levels allow.
    """
    bounds = plan.level_bounds
    return tuple(
        replace(_hierarchy(table, plan, name, population), allowed=bounds.get(name, (0, None)))
        for name in plan.quasi
    )


def sensitive_hierarchies(table: Table, plan: Plan, names: Sequence[str]) -> dict[str, Hierarchy]:
    """Build the hierarchies that a plan gives to sensitive columns."""
    return {
        name: _hierarchy(table, plan, name)
        for name in names
        if name in plan.columns and plan.columns[name].hierarchy
    }


def _hierarchy(table: Table, plan: Plan, name: str, population: Table | None = None) -> Hierarchy:
    counts = dict(zip(table[name].texts, table[name].counts().tolist(), strict=True))
    if population is not None:
        counts |= {text: 0 for text in population[name].texts if text not in counts}
    spec: Mapping[str, Any] = plan.columns[name].hierarchy or UNTOLD
    return build_hierarchy(name, spec, tuple(counts), tuple(counts.values()), plan.base)
