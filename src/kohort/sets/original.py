"""The original of a release of sets, as the plan reads it: who holds which items, and what labels mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from kohort.errors import InputError
from kohort.hierarchy import build_hierarchy
from kohort.plan import Plan
from kohort.preparation import check_names
from kohort.sets.held_items import read_items
from kohort.sets.judges import OriginalSets
from kohort.sets.k_m import KM
from kohort.sets.set_rules import set_column
from kohort.table import Table


def original_sets(table: Table, plan: Plan) -> OriginalSets:
    """Return the sets of a table and the hierarchy of their items; raises where these do not fit together."""
    check_names(table.names, plan)
    if table.n_rows == 0:
        raise InputError("the table has no rows; there is nothing to release", code="table.empty")
    name, column = set_column(plan)
    held = read_items(table, name, column.separator, plan.input.respondent)
    hierarchy = build_hierarchy(name, column.hierarchy or {}, held.items, held.counts(), plan.base)
    return OriginalSets(held, hierarchy)


def promises_of(plan: Plan) -> Sequence[KM]:
    """Return the promises of a plan for sets, whose rules let be no others."""
    return cast(Sequence[KM], plan.require)
