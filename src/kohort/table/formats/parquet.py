"""Parquet: types are kept on the way in; on the way out there are names, types and released values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.folders.parts import parts_of
from kohort.table.formats.naming import wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.formats.parquet_blocks import BUFFER
from kohort.table.formats.parquet_footer import (
    BrokenFooterError,
    check_footer,
    footer_with,
    rows_of_groups,
    weights_of_groups,
)
from kohort.table.formats.parquet_weights import batches_of, runs
from kohort.table.table import Table, check_distinct

_ROWS = 1 << 16
_ROWS_OF_GROUPS = 1 << 18
_ROWS_IN_MEMORY = 1 << 18
# bytes; else whole columns of a group are held
_IN_PARTS: dict[str, Any] = {"pre_buffer": False, "buffer_size": BUFFER}
_FAULTS = (pa.ArrowException, OSError, UnicodeError)  # of a damaged file, down to the names in it


def read_parquet(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the columns of a Parquet file; texts come dictionary-coded, by us."""
    if path.is_dir():
        return pa.concat_tables([read_parquet(part, options) for part in parts_alike(path)])
    try:
        file = opened_parquet(path)
        columns = wanted(path, file.schema_arrow.names, options.columns)
        _check_once(file, columns)
        batches = [_coded(batch) for batch in file.iter_batches(_ROWS_IN_MEMORY, columns=columns)]
        nothing = _coded(pa.RecordBatch.from_pylist([], file.schema_arrow))
        return pa.Table.from_batches(batches or [nothing]).select(columns)
    except _FAULTS:
        raise _unreadable(path) from None


def opened_parquet(path: Path) -> pyarrow.parquet.ParquetFile:
    """Return a file to be read, whose footer agrees with itself; its texts are told as texts, coded or not.

    Arrow can take over the dictionaries of a file, but where one holds a text twice it takes one text for another.
    """
    file = pyarrow.parquet.ParquetFile(path, **_IN_PARTS)
    try:
        check_footer(path)
        plain = pa.schema([_uncoded(field) for field in file.schema_arrow])
        if not plain.equals(file.schema_arrow):
            file = pyarrow.parquet.ParquetFile(path, metadata=footer_with(path, plain), **_IN_PARTS)
            if not plain.equals(file.schema_arrow):
                raise BrokenFooterError
    except BrokenFooterError:
        raise _unreadable(path) from None
    return file


def decoded(
    file: pyarrow.parquet.ParquetFile, path: Path, columns: Sequence[str], most: int
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file in order, at most so many at a time, and no more bytes of them than a piece may have."""
    try:
        told = runs(path, weights_of_groups(path, frozenset(columns)), most)
    except BrokenFooterError:
        raise _unreadable(path) from None
    for batch in batches_of(file, told, columns):
        batch.validate(full=True)
        yield batch


def _check_once(file: pyarrow.parquet.ParquetFile, columns: Sequence[str]) -> None:
    """Refuse columns of which a file has several by one name."""
    chosen = frozenset(columns)
    check_distinct([name for name in file.schema_arrow.names if name in chosen])


def _uncoded(field: pa.Field) -> pa.Field:
    coded = isinstance(field.type, pa.DictionaryType)
    return field.with_type(field.type.value_type) if coded else field


def _coded(batch: pa.RecordBatch) -> pa.RecordBatch:
    batch.validate(full=True)
    columns = [c.dictionary_encode() if pa.types.is_string(c.type) else c for c in batch.columns]
    return pa.RecordBatch.from_arrays(columns, batch.schema.names)


def names_of_parquet(path: Path, _: ReadingOptions) -> tuple[str, ...]:
    """Return the names of the columns, which must be distinct."""
    names = tuple(_schema(parts_alike(path)[0]).names)
    check_distinct(names)
    return names


def size_of_parquet(path: Path, options: ReadingOptions) -> tuple[int, int]:
    """Return how many rows a file or its parts tell that they have, and how many columns are asked for."""
    try:
        told = [pyarrow.parquet.read_metadata(part) for part in parts_of(path)]
    except _FAULTS:
        raise _unreadable(path) from None
    columns = told[0].num_columns if options.columns is None else len(options.columns)
    return sum(max(part.num_rows, 0) for part in told), columns


def parts_alike(path: Path) -> list[Path]:
    """Return the parts of a table, or the file that it is; parts must have the same columns of the same types."""
    return list(groups_of(path))


def groups_of(path: Path) -> dict[Path, list[int]]:
    """Return the rows of every row group of the parts of a table, or of the file that it is; every part is opened once."""
    found: dict[Path, list[int]] = {}
    schema = None
    for part in parts_of(path):
        try:
            own = pyarrow.parquet.ParquetFile(part).schema_arrow
            found[part] = rows_of_groups(part)
        except (*_FAULTS, BrokenFooterError):
            raise _unreadable(part) from None
        if schema is not None and not own.equals(schema):
            raise InputError(
                f"{path}: its parts do not have the same columns of the same types, and are not one table",
                code="table.several-parts",
                path=path,
            )
        schema = own
    return found


def stream_groups(path: Path, columns: Sequence[str], groups: Sequence[int]) -> Iterator[pa.Table]:
    """Yield the rows of some row groups of a file in order, some hundred thousand at a time."""
    try:
        file = opened_parquet(path)
        for batch in file.iter_batches(_ROWS_OF_GROUPS, row_groups=list(groups), columns=list(columns)):
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
        file = opened_parquet(path)
        columns = wanted(path, file.schema_arrow.names, options.columns)
        _check_once(file, columns)
        for batch in decoded(file, path, columns, _ROWS):
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
