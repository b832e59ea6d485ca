"""Rows above the header that belong to no table: a title, a date of printing, a line of who made it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.merged_names import has_names_below, has_split_names
from kohort.table.formats.options import ReadingOptions

_MOST = 50  # rows of a title; a table may be ragged for other reasons
_COUNTED = 3  # rows at least: fewer may be counted by chance
_BELOW = 2  # rows below a title: names, and one of the table
_WIDE = 3  # columns of which a single one is filled only in a title


def title_rows(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the first rows are those of a title: narrower than the table below, with a single cell, or of groups.

    >>> title_rows([["Patients 2024"], ["printed", "3 May"], ["age", "sex", "zip"], ["41", "f", "94138"]])
    2
    """
    width = _width(rows)
    if sum(len(row) == width for row in rows) < _BELOW:
        return 0  # rows of all widths are no table below a title
    told = (i for i, row in enumerate(rows) if len(row) >= width and not _is_alone(row, width))
    first = next(told, 0)
    short = first == 1 and _WIDE <= len(rows[0]) + 1 == len(rows[1]) and all(map(str.strip, rows[0]))
    # A header that lacks one name is no title, and above a single row there is no table.
    first = 0 if short or first > _MOST or first == len(rows) - 1 else first
    while has_names_below(rows[first:]):
        first += 1
    return first


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Return how many fields most rows have."""
    return max(Counter(map(len, rows)).items(), key=lambda told: (told[1], told[0]))[0]


def _is_alone(row: Sequence[str], width: int) -> bool:
    return width >= _WIDE and sum(bool(cell.strip()) for cell in row) <= 1


def refuse_title(
    path: Path, rows: Sequence[Sequence[str]], options: ReadingOptions, lines: Callable[[int], int]
) -> None:
    """Refuse a table below a title, unless it is said what the first row is; `lines`: as the file counts so many rows."""
    expected = bool(options.expected) and set(options.expected) <= set(rows[0])
    if options.header is not None or options.skip or expected:
        return
    count = title_rows(rows)
    if any(has_split_names(rows[start:]) for start in {count, max(count - 1, 0)}):
        raise InputError(
            f"{path}: the names of the columns seem to stand in two rows, some in the first and some below, as where cells are "
            "merged; write each whole name into one row, or say header = true or false if the first row alone belongs to the table",
            code="table.header",
            path=path,
        )
    if count:
        skip = lines(count)
        raise InputError(
            f"{path}: the first rows look like a title above the table; say skip = {skip} under [input] of the plan to pass "
            "over them, or header = true or false if the first row belongs to the table",
            code="table.title",
            path=path,
            option="skip",
            value=skip,
        )


def with_row_numbers(rows: list[list[str]]) -> list[list[str]]:
    """Return the rows with a header that is one name short made whole, where the names of the rows are 1, 2, 3 and so on.

    R's `write.table` writes no name above the names of rows. Any other header that is too short stays so, and is refused:
    nothing would tell which column has no name.
    """
    first, *body = rows
    if not body or any(len(row) != len(first) + 1 for row in body):
        return rows
    counted = len(body) >= _COUNTED and all(row[0] == str(number) for number, row in enumerate(body, start=1))
    return [["", *first], *body] if counted else rows
