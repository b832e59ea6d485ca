"""What an edited level file is compared with: the column as the plan has it now, or its values alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from kohort.errors import InputError
from kohort.hierarchy import UNTOLD
from kohort.level_files.column import ColumnLevels, column_levels
from kohort.level_files.names import file_name
from kohort.plan import Plan


def reference_levels(
    plan_path: Path, column: str, file: Path | None, table: Path | None
) -> tuple[ColumnLevels, Path]:
    """Return the levels of a plan's column, and the level file to check: the one named, that of the plan, or COLUMN.csv beside it.

    Where the plan's own hierarchy cannot be built, for it may be the file that is to be checked, the values alone are returned.
    """
    plan = Plan.load(plan_path)
    try:
        found = column_levels(plan, column, table)
    except InputError as refused:
        if not refused.code.startswith("hierarchy."):
            raise
        bare = msgspec.structs.replace(plan.columns[column], hierarchy=dict(UNTOLD))
        found = column_levels(replace(plan, columns={**plan.columns, column: bare}), column, table)
    told = (plan.columns[column].hierarchy or {}).get("path")
    return found, file or (
        plan.base / told if isinstance(told, str) else plan_path.parent / file_name(column)
    )
