"""Parquet: types are kept on the way in; on the way out there are names, types and released values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.folders.parts import parts_of
from kohort.table.formats.naming import wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.table import Table, check_distinct

_ROWS = 1 << 16
_FAULTS = (pa.ArrowException, OSError, UnicodeError)  # of a damaged file, down to the names in it


def read_parquet(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the columns of a Parquet file; text columns come dictionary-coded."""
    if path.is_dir():
        return pa.concat_tables([read_parquet(part, options) for part in parts_alike(path)])
    try:
        file = pyarrow.parquet.ParquetFile(path)
        texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
        columns = wanted(path, file.schema_arrow.names, options.columns)
        table = pyarrow.parquet.ParquetFile(path, read_dictionary=texts).read(columns=columns)
        table.validate(full=True)
        return table
    except _FAULTS:
        raise _unreadable(path) from None


def names_of_parquet(path: Path, _: ReadingOptions) -> tuple[str, ...]:
    """Return the names of the columns, which must be distinct."""
    names = tuple(_schema(parts_alike(path)[0]).names)
    check_distinct(names)
    return names


def parts_alike(path: Path) -> list[Path]:
    """Return the parts of a table, or the file that it is; parts must have the same columns of the same types."""
    return list(groups_of(path))


def groups_of(path: Path) -> dict[Path, list[int]]:
    """Return the rows of every row group of the parts of a table, or of the file that it is; every part is opened once."""
    found: dict[Path, list[int]] = {}
    schema = None
    for part in parts_of(path):
        try:
            file = pyarrow.parquet.ParquetFile(part)
            own, metadata = file.schema_arrow, file.metadata
        except _FAULTS:
            raise _unreadable(part) from None
        if schema is not None and not own.equals(schema):
            raise InputError(
                f"{path}: its parts do not have the same columns of the same types, and are not one table",
                code="table.several-parts",
                path=path,
            )
        schema = own
        found[part] = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    return found


def stream_groups(path: Path, columns: Sequence[str], groups: Sequence[int]) -> Iterator[pa.Table]:
    """Yield the rows of some row groups of a file in order, some thousand at a time; text columns come dictionary-coded."""
    try:
        file = pyarrow.parquet.ParquetFile(path)
        texts = [name for name in columns if pa.types.is_string(file.schema_arrow.field(name).type)]
        file = pyarrow.parquet.ParquetFile(path, read_dictionary=texts, metadata=file.metadata)
        for batch in file.iter_batches(_ROWS, row_groups=list(groups), columns=list(columns)):
            batch.validate(full=True)
            yield pa.Table.from_batches([batch]).select(list(columns))
    except _FAULTS:
        raise _unreadable(path) from None


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
        names = pyarrow.parquet.ParquetFile(path).schema_arrow.names
        columns = wanted(path, names, options.columns)
        for batch in pyarrow.parquet.ParquetFile(path).iter_batches(_ROWS, columns=columns):
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
