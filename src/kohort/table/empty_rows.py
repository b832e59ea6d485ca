"""Rows in which nothing stands: most often the last line of a sheet, separators only, which would count as a person."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.table.table import Table


def empty_rows(table: Table, names: Sequence[str]) -> IntArray:
    """Return the rows in which all of these columns are missing."""
    rows = np.arange(table.n_rows if names else 0)
    for name in names:
        column = table[name]
        if not column.values.null_count:
            return rows[:0]
        rows = rows[column.codes[rows] == column.texts.index(None)]
    return rows


def empty_rows_warning(number: int, first: int) -> list[str]:
    """Return what is to be said of so many empty rows, the first of them counted from 0: nothing for none."""
    if not number:
        return []
    said, counted, place = "1 row holds", "counts as a person", ""
    if number > 1:
        said, counted, place = f"{number:,} rows hold", "count as people", "the first is "
    return [
        f"{said} no value in any of the columns used ({place}row {first + 1:,}, the header not counted) and {counted}: if "
        "nobody stands there, as in a last line of separators, remove it from the file"
    ]


def of_nobody(number: int, first: int) -> str:
    """Return how many rows name nobody, and where, the first of them counted from 0."""
    if number == 1:
        return f"1 row names nobody (row {first + 1:,}, the header not counted)"
    return f"{number:,} rows name nobody (the first is row {first + 1:,}, the header not counted)"
