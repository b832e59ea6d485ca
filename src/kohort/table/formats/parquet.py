"""Parquet: types are kept on the way in; on the way out there are names, types and released values."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.table.formats.naming import wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.table import Table


def read_parquet(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the columns of a Parquet file; text columns come dictionary-coded."""
    try:
        file = pyarrow.parquet.ParquetFile(path)
        texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
        columns = wanted(path, file.schema_arrow.names, options.columns)
        return pyarrow.parquet.ParquetFile(path, read_dictionary=texts).read(columns=columns)
    except (pa.ArrowException, OSError):
        raise InputError(f"{path} is not a readable Parquet file; it may be damaged or cut short") from None


def write_parquet(table: Table, path: Path, _: WritingOptions) -> None:
    """Write the table; `table` must hold released values only.

    The Arrow schema is stored (time zones and decimals need it): it is made of names and types, never of
    metadata that came with the input. Page statistics are those of the released values.
    """
    pyarrow.parquet.write_table(table.to_arrow(), path, compression="zstd", store_schema=True)
