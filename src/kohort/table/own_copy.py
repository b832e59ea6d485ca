"""A Parquet file that others made, as Python's reader finds it: DuckDB reads a copy.

A footer can be made so that two readers find two tables in one file: DuckDB believes counts of nulls and places of
dictionaries that others pass over. Who judges a file judges what people will read in it, so there is one reader.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from kohort.table.formats.parquet import decoded, opened_parquet
from kohort.table.piece_bytes import passing_pieces
from kohort.table.streaming import TableStream
from kohort.table.typed_source import UntypedError, is_parquet_file

_ROWS = 1 << 17  # of a group: DuckDB reads as many at a time


def own_copy(stream: TableStream, path: Path) -> TableStream:
    """Return the file, of Parquet a copy that is written to the path cell by cell."""
    if not is_parquet_file(stream.path):
        return stream
    try:
        file = opened_parquet(stream.path)
        names = file.schema_arrow.names
        with (
            passing_pieces(),
            pyarrow.parquet.ParquetWriter(path, file.schema_arrow, compression="lz4") as writer,
        ):
            for batch in decoded(file, stream.path, names, _ROWS):
                writer.write_table(pa.Table.from_batches([batch]))  # a group by itself, of no more bytes
    except (pa.ArrowException, OSError, UnicodeError):
        raise UntypedError from None
    return replace(stream, path=path)
