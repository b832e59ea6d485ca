"""One file per family of formats; the registries by suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa

from kohort.table.formats.delimited import read_csv, write_csv, write_tsv
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.formats.parquet import read_parquet, write_parquet
from kohort.table.table import Table

Reader = Callable[[Path, ReadingOptions], pa.Table]
Writer = Callable[[Table, Path, WritingOptions], None]

READERS: Mapping[str, Reader] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".tab": read_csv,
    ".txt": read_csv,
    ".parquet": read_parquet,
    ".pq": read_parquet,
}

WRITERS: Mapping[str, Writer] = {
    ".csv": write_csv,
    ".tsv": write_tsv,
    ".parquet": write_parquet,
}
