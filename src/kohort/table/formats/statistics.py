"""Files of SPSS, Stata and SAS, through pyreadstat: labels are the values."""

from __future__ import annotations

import errno
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from kohort.errors import InputError
from kohort.table.formats.cells import column_of
from kohort.table.formats.extras import extra
from kohort.table.formats.naming import wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.formats.stored import stored
from kohort.table.table import Column, Table
from kohort.table.texts import spelled, text_of

_READERS: Mapping[str, str] = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_KINDS_OF_MISSING = (".sav", ".zsav", ".dta", ".sas7bdat")
# Where the formats say when a file was made, which is nobody's business: always the same time.
_SAV_TIME = 92  # from this byte on: nine for the day, eight for the hour
_DTA_HEADER, _DTA_TIME = 512, b"<timestamp>\x11"  # seventeen bytes follow
_BOOLEAN_LABELS = {0: "false", 1: "true"}


def read_statistics(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the file's columns with value labels in place of the codes they explain.

    A column with value labels becomes text: the label where the code has one, the code's own spelling
    where it has none. Empty texts and system- or user-defined missing codes are missing.
    """
    columns, facts = _read(path, options.encoding)
    names = wanted(path, list(columns), options.columns)
    labels = facts.variable_value_labels
    return pa.table({name: _column(name, columns[name], labels.get(name, {}), options) for name in names})


def read_stored_codes(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the file's columns as they are stored: codes without their labels, each kind of missing by itself.

    Of formats whose reader tells one kind of missing from another; of the others, what it tells.
    """
    of_users = {"user_missing": True} if path.suffix.lower() in _KINDS_OF_MISSING else {}
    columns, _ = _read(path, options.encoding, **of_users)
    names = wanted(path, list(columns), options.columns)
    return stored(names, [columns[name] for name in names])


def variable_labels(path: Path) -> dict[str, str]:
    """Return what the file says each column is about, where it says so."""
    _, facts = _read(path, None, metadataonly=True)
    return {name: label for name, label in facts.column_names_to_labels.items() if label}


def read_variable_labels(path: Path, options: ReadingOptions) -> pa.Table:  # noqa: ARG001 - as readers are called
    """Return the labels of the columns as a table of `name` and `label`."""
    labels = variable_labels(path)
    return pa.table(
        {"name": pa.array(list(labels), pa.string()), "label": pa.array(labels.values(), pa.string())}
    )


def read_passed_over(path: Path, options: ReadingOptions) -> pa.Table:
    """Return what the file holds beside its cells, as a table of `what`: labels, notes, a title, labels of no value."""
    columns, facts = _read(path, options.encoding)
    unused = any(
        set(labels) - set(columns.get(name, ())) for name, labels in facts.variable_value_labels.items()
    )
    held = {
        "labels of columns": any(facts.column_names_to_labels.values()),
        "a label of the file": bool(facts.file_label),
        "notes": any(facts.notes or ()),
        "labels of values that do not occur": unused,
    }
    return pa.table({"what": pa.array([what for what, is_held in held.items() if is_held], pa.string())})


def write_sav(table: Table, path: Path, _: WritingOptions) -> None:
    """Write an SPSS file; what SPSS cannot hold exactly is spelled out as text."""
    _write("write_sav", table, path)
    with path.open("r+b") as file:
        file.seek(_SAV_TIME)
        file.write(b"01 Jan 8000:00:00")


def write_dta(table: Table, path: Path, _: WritingOptions) -> None:
    """Write a Stata file; what Stata cannot hold exactly is spelled out as text."""
    _write("write_dta", table, path)
    with path.open("r+b") as file:
        head = file.read(_DTA_HEADER)
        if _DTA_TIME not in head:  # pyreadstat does not say when a disk is full
            raise OSError(errno.EIO, "the file could not be written to the end; the disk may be full")
        file.seek(head.index(_DTA_TIME) + len(_DTA_TIME))
        file.write(b"01 Jan 1980 00:00")


def _read(path: Path, encoding: str | None, **settings: Any) -> tuple[dict[str, list[Any]], Any]:
    pyreadstat = extra("pyreadstat", "stats", f"reading {path.suffix} files")
    read: Callable[..., Any] = getattr(pyreadstat, _READERS[path.suffix.lower()])
    if encoding is not None and read is not pyreadstat.read_por:  # which has none to state
        settings["encoding"] = encoding
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "error", UserWarning
            )  # it renames a second column of one name, and says so only here
            columns, facts = read(str(path), output_format="dict", **settings)
    except UserWarning:
        raise InputError(
            f"{path} names a column twice, so the file is damaged or made by a faulty program; rename it there",
            code="table.header",
            path=path,
        ) from None
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, ArithmeticError, LookupError):
        raise InputError(
            f"{path} is not a readable {path.suffix} file; it may be damaged, or its encoding must be stated",
            code="table.damaged",
            path=path,
        ) from None
    return columns, facts


def _column(name: str, cells: list[Any], labels: Mapping[Any, str], options: ReadingOptions) -> pa.Array:
    if labels:
        return column_of(name, [labels.get(cell, text_of(cell)) or None for cell in cells], options)
    return column_of(name, [None if cell == "" else cell for cell in cells], options)


def _write(writer: str, table: Table, path: Path) -> None:
    pyreadstat = extra("pyreadstat", "stats", f"writing {path.suffix} files")
    pandas = extra("pandas", "stats", f"writing {path.suffix} files")
    frame = pandas.DataFrame({column.name: _cells(column, pandas) for column in table})
    booleans = [column.name for column in table if pa.types.is_boolean(column.values.type)]
    try:
        getattr(pyreadstat, writer)(
            frame, str(path), variable_value_labels=dict.fromkeys(booleans, _BOOLEAN_LABELS)
        )
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError):
        raise InputError(
            f"{path.suffix} cannot hold this table; its column names must be short words of letters, digits and _ "
            "and its texts short: rename columns, or write csv or parquet instead",
            code="table.beyond-format",
            path=path,
            format=path.suffix,
        ) from None


def _cells(column: Column, pandas: Any) -> Any:
    kind = column.values.type
    exact = pa.types.is_boolean(kind) or pa.types.is_date(kind) or _moderate(column.values)
    values = column.values if exact else spelled(column.values)
    rows = values.take(pa.array(column.codes))
    if pa.types.is_boolean(kind):
        rows = rows.cast(pa.int8())
    if pa.types.is_integer(rows.type):
        return pandas.array(rows.to_pylist(), dtype="Int64")
    return rows.to_pylist()


def _moderate(values: pa.Array) -> bool:
    """Say whether these are numbers that every one of the formats holds exactly; the largest mean missing there."""
    limit = 2**31 - 100 if pa.types.is_integer(values.type) else 1e300
    if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
        return False
    ends = pc.min_max(values).as_py()
    return ends["min"] is None or -limit < ends["min"] <= ends["max"] < limit
