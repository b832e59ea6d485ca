"""What an edited level file is compared with: the column as the plan has it now, or its values alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from kohort.errors import InputError
from kohort.hierarchy import UNTOLD
from kohort.level_files.column import ColumnLevels, column_levels
from kohort.level_files.names import file_name
from kohort.paths import resolved
from kohort.plan import Plan


def reference_levels(
    plan_path: Path, column: str, file: Path | None, table: Path | None
) -> tuple[ColumnLevels, Path]:
    """Return the levels of a plan's column, and the level file to check: the one named, that of the plan, or COLUMN.csv beside it.

    Where the plan's own hierarchy cannot be built, or is that file, which would be compared with itself, the values alone are
    returned.
    """
    plan = Plan.load(plan_path)
    told = (plan.columns[column].hierarchy or {}).get("path") if column in plan.columns else None
    named = plan.base / told if isinstance(told, str) else None
    place = file or named or plan_path.parent / file_name(column)
    if named is not None and resolved(named) == resolved(place):
        return _values_alone(plan, column, table), place
    try:
        return column_levels(plan, column, table), place
    except InputError as refused:
        if not refused.code.startswith("hierarchy."):
            raise
        return _values_alone(plan, column, table), place


def _values_alone(plan: Plan, column: str, table: Path | None) -> ColumnLevels:
    bare = msgspec.structs.replace(plan.columns[column], hierarchy=dict(UNTOLD))
    return column_levels(replace(plan, columns={**plan.columns, column: bare}), column, table)
