"""`export_levels`: a hierarchy as a level file that a spreadsheet can edit, in the form of ARX: `;` between cells, no header."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from kohort.errors import InputError
from kohort.folders.own_files import add
from kohort.folders.release_folder import refuse_within
from kohort.hierarchy import Hierarchy, Label
from kohort.hierarchy.numerals import is_number
from kohort.level_files.column import ColumnLevels
from kohort.level_files.spoilt import spoilt_as
from kohort.level_files.taken_for import taken_for

_FORMULA = ("=", "+", "-", "@")


def export_levels(found: ColumnLevels, path: Path) -> list[str]:
    """Write one row per ground value and one column per level; return what whoever edits or uses the file must know.

    The file tells which values the table holds, where the plan does not name them. An existing file is not replaced.
    """
    refuse_within(path)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    rows = list(level_rows(found.hierarchy))
    writer.writerows(rows)
    try:
        add(path, text.getvalue().encode())
    except OSError as problem:
        raise InputError(
            f"{path}: the level file cannot be written ({problem.strerror}); name another one",
            code="file.unwritable",
            path=path,
        ) from None
    return list(_warnings(found.hierarchy, rows))


def level_rows(hierarchy: Hierarchy) -> Iterator[list[str]]:
    """Yield the labels of every ground value from the ground up, "" for a missing value; numbers beyond an end one by one."""
    for code, text in enumerate(hierarchy.ground):
        above = [level.labels[level.of_ground[code]] for level in hierarchy.levels[1:]]
        beyond: list[Label] = [number for number, label in hierarchy.coded.items() if label == text]
        for ground in beyond or [text]:
            yield ["" if label is None else label for label in (ground, *above)]


def _warnings(hierarchy: Hierarchy, rows: list[list[str]]) -> Iterator[str]:
    if hierarchy.coded:
        yield (
            "numbers beyond an open end are listed one by one, and level 0 of a level file tells what it lists: give the column "
            "min_level = 1, or take these rows together"
        )
    if any(_calls(cell) for row in rows for cell in row):
        yield "some cells begin with =, +, - or @, which a spreadsheet may take for a formula: import all columns as text"
    if any(_may_be_spoilt(cell) for row in rows for cell in row):
        yield "import all columns as text: a spreadsheet takes zeros from the front of codes, and writes ranges and dates its way"


def _calls(cell: str) -> bool:
    return cell.startswith(_FORMULA) and not is_number(cell)


def _may_be_spoilt(text: str) -> bool:
    """Tell whether a spreadsheet would take a text for a number with fewer digits, or for a date."""
    taken = taken_for([text])
    return bool(taken.numbers or taken.days) or spoilt_as(text) is not None
