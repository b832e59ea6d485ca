"""Hierarchies as people look at them: shown with their counts, written as level files, and checked after an edit."""

from kohort.level_files.check import check_levels
from kohort.level_files.column import ColumnLevels, column_levels
from kohort.level_files.export import export_levels
from kohort.level_files.fault import Fault

__all__ = ["ColumnLevels", "Fault", "check_levels", "column_levels", "export_levels"]
