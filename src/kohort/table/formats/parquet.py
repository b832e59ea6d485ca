"""Parquet: types are kept on the way in; on the way out there are names, types and released values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.folders.parts import parts_of
from kohort.table.formats.naming import wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.formats.parquet_footer import BrokenFooterError, check_footer
from kohort.table.table import Table, check_distinct

_ROWS = 1 << 16
_FAULTS = (pa.ArrowException, OSError, UnicodeError)  # of a damaged file, down to the names in it


def read_parquet(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the columns of a Parquet file; text columns come dictionary-coded."""
    if path.is_dir():
        return pa.concat_tables([read_parquet(part, options) for part in parts_alike(path)])
    try:
        file = opened_parquet(path)
        texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
        columns = wanted(path, file.schema_arrow.names, options.columns)
        table = pyarrow.parquet.ParquetFile(path, read_dictionary=texts).read(columns=columns)
        table.validate(full=True)
        return table
    except _FAULTS:
        raise _unreadable(path) from None


def opened_parquet(path: Path) -> pyarrow.parquet.ParquetFile:
    """Return a file to be read, whose footer agrees with itself."""
    file = pyarrow.parquet.ParquetFile(path)
    try:
        check_footer(path)
    except BrokenFooterError:
        raise _unreadable(path) from None
    return file


def names_of_parquet(path: Path, _: ReadingOptions) -> tuple[str, ...]:
    """Return the names of the columns, which must be distinct."""
    names = tuple(_schema(parts_alike(path)[0]).names)
    check_distinct(names)
    return names


def parts_alike(path: Path) -> list[Path]:
    """Return the parts of a table, or the file that it is; parts must have the same columns of the same types."""
    parts = parts_of(path)
    schema = _schema(parts[0])
    if any(not _schema(part).equals(schema) for part in parts[1:]):
        raise InputError(
            f"{path}: its parts do not have the same columns of the same types, and are not one table",
            code="table.several-parts",
            path=path,
        )
    return parts


def _schema(path: Path) -> pa.Schema:
    try:
        return pyarrow.parquet.ParquetFile(path).schema_arrow
    except _FAULTS:
        raise _unreadable(path) from None


def stream_parquet(path: Path, options: ReadingOptions) -> Iterator[pa.Table]:
    """Yield the rows of the file in order, some thousand at a time; those of parts in the order of their names."""
    if path.is_dir():
        for part in parts_of(path):
            yield from stream_parquet(part, options)
        return
    try:
        file = opened_parquet(path)
        columns = wanted(path, file.schema_arrow.names, options.columns)
        for batch in file.iter_batches(_ROWS, columns=columns):
            batch.validate(full=True)
            yield pa.Table.from_batches([batch]).select(columns)
    except _FAULTS:
        raise _unreadable(path) from None


def _unreadable(path: Path) -> InputError:
    return InputError(
        f"{path} is not a readable Parquet file; it may be damaged or cut short",
        code="table.damaged",
        path=path,
    )


def write_parquet(table: Table, path: Path, _: WritingOptions) -> None:
    """Write the table; `table` must hold released values only.

    The Arrow schema is stored (time zones and decimals need it): it is made of names and types, never of
    metadata that came with the input. Page statistics are those of the released values.
    """
    pyarrow.parquet.write_table(table.to_arrow(), path, compression="zstd", store_schema=True)
