"""Excel workbooks: read by python-calamine, written by xlsxwriter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.errors import InputError
from kohort.plurals import many
from kohort.table.formats import formulas
from kohort.table.formats.cells import column_of
from kohort.table.formats.extras import extra
from kohort.table.formats.heading import has_names
from kohort.table.formats.naming import check_header, chosen, names_in, numbered, wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.formats.shown_zeros import as_shown
from kohort.table.formats.sniffing import SAMPLE_ROWS
from kohort.table.formats.stored import stored
from kohort.table.formats.titles import refuse_title
from kohort.table.table import Column, Table
from kohort.table.texts import spelled, text_of

_OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")  # an encrypted .xlsx is wrapped in the old container
_HEAD = 4096  # bytes
_NO_TEXT = frozenset(range(32)) - frozenset(b"\t\n\r\f")
_MOST_ROWS, _MOST_COLUMNS, _MOST_SIGNS = 1_048_575, 16_384, 32_767
_FIRST_DAY = date(1900, 3, 1)  # before it Excel counts a day that never was
_MADE = datetime(1980, 1, 1)  # every workbook: when it was made is nobody's business
_PAIR = 2  # columns
_WHOLE_NUMBERS = 2**53  # Excel's numbers are doubles


def read_excel(path: Path, options: ReadingOptions) -> pa.Table:
    """Return one sheet: its first filled row names the columns, if it does; blank rows and blank columns are passed over.

    Numbers that are shown with zeros in front are texts with them. An empty cell is missing, also where a sheet has a single
    column. A column of dates is dates, one of numbers is numbers;
    a column with both texts and numbers is mixed: told as texts, unless only numbers of it are released.
    """
    names, cells = _found(path, options)
    if options.unescape_formulas:
        cells = [*map(_unescaped, cells)]
        names = _unescaped(names)
    arrays = [column_of(name, told, options) for name, told in zip(names, cells, strict=True)]
    return pa.table(arrays, names=names)


def read_stored_in_sheet(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the cells of one sheet as they are stored, numbers beside texts and all."""
    return stored(*_found(path, options))


def _found(path: Path, options: ReadingOptions) -> tuple[list[str], list[list[Any]]]:
    """Return the names and the cells of the columns that are asked for."""
    rows = _above_footer(_filled(_sheet(path, options.table), options.skip), options.footer)
    if not rows:
        below = f" below {many(options.skip, 'row')}" if options.skip else ""
        raise InputError(
            f"{path}: the sheet is empty{below}; it must hold a header row and at least one row below it",
            code="table.empty",
            path=path,
        )
    names, columns = _named(path, rows, options)
    check_header(f"{path}, header row", names)
    wanted_names = wanted(path, names, options.columns)
    return wanted_names, [columns[names.index(name)] for name in wanted_names]


def write_excel(table: Table, path: Path, options: WritingOptions) -> None:
    """Write the table as one sheet; texts are text cells, never formulas or links."""
    xlsxwriter = extra("xlsxwriter", "excel", "writing Excel workbooks")
    _check_limits(table, path)
    behaviour = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    try:
        with xlsxwriter.Workbook(path, behaviour) as book:
            _fill(book, table, options)
    except xlsxwriter.exceptions.FileCreateError as problem:  # around what the system said
        raise problem.args[0] from None


def _fill(book: Any, table: Table, options: WritingOptions) -> None:
    book.set_properties({"created": _MADE})
    sheet = book.add_worksheet(options.name)
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    for position, column in enumerate(table):
        name = Column.from_arrow(column.name, pa.array([column.name], pa.string()))
        sheet.write_string(0, position, _cells(name, options)[0])
        cells = _cells(column, options)
        dates = bool(cells) and all(isinstance(cell, date | None) for cell in cells)
        write, form = (sheet.write_datetime, day) if dates else (_writer(sheet, cells), None)
        for row, code in enumerate(column.codes, start=1):
            if cells[code] is not None:
                write(row, position, cells[code], form)


def _sheet(path: Path, asked: str | None) -> tuple[int, list[list[Any]]]:
    """Return the rows from the first one that is filled on, and how many stand above it."""
    calamine = extra("python_calamine", "excel", "reading Excel workbooks")
    with path.open("rb") as file:
        wrapped = file.read(8) == _OLE_MAGIC
    if wrapped and path.suffix.lower() in (".xlsx", ".xlsm", ".xlsb"):
        raise InputError(
            f"{path} is protected by a password or wrapped in an older format; save it without",
            code="table.protected",
            path=path,
        )
    try:
        with calamine.CalamineWorkbook.from_path(path) as book:
            sheet = book.get_sheet_by_name(chosen(path, "sheet", book.sheet_names, asked))
            start = sheet.start or (0, 0)
            return start[0], as_shown(path, sheet.name, start, sheet.to_python())
    except calamine.PasswordError:
        raise InputError(
            f"{path} is protected by a password; save a copy without it", code="table.protected", path=path
        ) from None
    except calamine.CalamineError:
        said = "is not a readable Excel workbook; it may be damaged"
        if _is_text(path):
            said = (
                "is no workbook but text, as some sites export tables; call it .csv, or save it as a workbook"
            )
        raise InputError(f"{path} {said}", code="table.damaged", path=path) from None


def _is_text(path: Path) -> bool:
    """Tell whether the first bytes of a file are those of a text: no control characters but blanks."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return bool(head) and not _NO_TEXT.intersection(head)


def _filled(sheet: tuple[int, list[list[Any]]], skip: int) -> dict[int, list[Any]]:
    """Return the rows that are not blank, below so many of the sheet, by how many stand above each.

    Of a single column, which has nothing beside an empty cell, the blank rows among the others are rows without a value.
    """
    above, rows = sheet
    below = {i: row for i, row in enumerate(rows, start=above) if i >= skip}
    filled = [i for i, row in below.items() if any(cell != "" for cell in row)]
    if sum(any(cell != "" for cell in column) for column in zip(*below.values(), strict=True)) == 1:
        return {i: below[i] for i in range(filled[0], filled[-1] + 1)}
    return {i: below[i] for i in filled}


def _above_footer(rows: dict[int, list[Any]], footer: int) -> dict[int, list[Any]]:
    """Return the rows without so many of the last ones; the first stays, for it may name the columns."""
    kept = max(len(rows) - footer, min(len(rows), 1))
    return dict(islice(rows.items(), kept))


def _named(
    path: Path, rows: dict[int, list[Any]], options: ReadingOptions
) -> tuple[Sequence[str], list[list[Any]]]:
    """Return names and cells by column, without the columns that are blank from top to bottom.

    Whether the first row names the columns is found out, or asked, as of delimited text.
    """
    columns = [
        [None if cell == "" else cell for cell in column] for column in zip(*rows.values(), strict=True)
    ]
    filled = [column for column in columns if any(cell is not None for cell in column)]
    texts = [[text_of(cell) or "" for cell in column[: SAMPLE_ROWS + 1]] for column in filled]
    sample = list(zip(*texts, strict=True))
    refuse_title(path, [_up_to_last(row) for row in sample], options, list(rows).__getitem__)
    if has_names(path, sample, options):
        return names_in(sample, options), [column[1:] for column in filled]
    return numbered(len(filled)), filled


def _unescaped(cells: Sequence[Any]) -> list[Any]:
    """Return the cells with texts as they were before `write_excel` escaped them."""
    texts = pa.array([cell if isinstance(cell, str) else None for cell in cells], pa.string())
    return [
        cell if text is None else text
        for cell, text in zip(cells, formulas.unescaped(texts).to_pylist(), strict=True)
    ]


def _up_to_last(row: Sequence[str]) -> Sequence[str]:
    """Return a row up to its last filled cell: sheets are as wide as their widest row, and titles are narrow."""
    last = max((i for i, cell in enumerate(row) if cell.strip()), default=-1)
    return row[: max(last + 1, _PAIR)]  # of two columns, one may lack its name


def _cells(column: Column, options: WritingOptions) -> list[Any]:
    """Return the distinct values as a sheet can hold them exactly, as texts where it cannot.

    Whole numbers up to 2^53, fractions of at most 16 digits (what xlsxwriter writes), dates since 1900-03-01.
    """
    kind = column.values.type
    values: list[Any] = column.values.to_pylist()
    present = [value for value in values if value is not None]
    exact = (
        pa.types.is_boolean(kind)
        or (pa.types.is_floating(kind) and all(map(_short, present)))
        or (pa.types.is_integer(kind) and all(abs(value) <= _WHOLE_NUMBERS for value in present))
        or (pa.types.is_date(kind) and all(value >= _FIRST_DAY for value in present))
    )
    if exact:
        return values
    texts = spelled(column.values)
    if options.escape_formulas and pa.types.is_string(kind):
        texts = formulas.escaped(texts)
    spellings: list[Any] = texts.to_pylist()
    return spellings


def _short(number: float) -> bool:
    return isfinite(number) and float(f"{number:.16G}") == number


def _writer(sheet: Any, cells: list[Any]) -> Any:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {bool}:
        return sheet.write_boolean
    return sheet.write_string if kinds <= {str} else sheet.write_number


def _check_limits(table: Table, path: Path) -> None:
    if table.n_rows > _MOST_ROWS or len(table.columns) > _MOST_COLUMNS:
        raise InputError(
            f"{path}: an Excel sheet holds at most {_MOST_ROWS:,} rows and {_MOST_COLUMNS:,} columns, "
            f"the table has {table.n_rows:,} and {len(table.columns):,}; write csv or parquet instead",
            code="table.beyond-format",
            path=path,
            format=path.suffix,
        )
    blank = np.ones(table.n_rows, dtype=bool)
    for column in table:
        texts = spelled(column.values)
        if (pc.max(pc.utf8_length(texts)).as_py() or 0) >= _MOST_SIGNS:
            raise InputError(
                f"{path}: column {column.name!r} has texts beyond Excel's {_MOST_SIGNS:,} signs; write csv instead",
                code="table.beyond-format",
                path=path,
                format=path.suffix,
                column=column.name,
            )
        blank &= np.asarray(pc.equal(texts.fill_null(""), ""))[column.codes]
    if blank.any():
        raise InputError(
            f"{path}: {many(int(blank.sum()), 'row has', 'rows have')} no value in any column, and a sheet cannot tell "
            "them from no row; write csv or parquet instead",
            code="table.beyond-format",
            path=path,
            format=path.suffix,
            rows=int(blank.sum()),
        )
