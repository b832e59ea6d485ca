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
    said, counted = "1 row holds", "counts as a person"
    if number > 1:
        said, counted = f"{number:,} rows hold", "count as people"
    return [
        f"{said} no value in any of the columns used{_place(number, first)} and {counted}: if "
        "nobody stands there, as in a last line of separators, remove it from the file"
    ]


def of_nobody(number: int, first: int) -> str:
    """Return how many rows name nobody, and where, the first of them counted from 0."""
    said = "1 row names" if number == 1 else f"{number:,} rows name"
    return f"{said} nobody{_place(number, first)}"


def _place(number: int, first: int) -> str:
    """Return where the first of some rows is, which rows without an order (-1) do not tell."""
    if first < 0:
        return ""
    return f" ({'the first is ' if number > 1 else ''}row {first + 1:,}, the header not counted)"
