"""A cluster and a source of it that DuckDB plays, so that what Spark is asked can be judged where there is no Spark.

It takes the calls of `kohort.table.cluster` that the judges make. Two words of SQL are Spark's own and are put otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from pyarrow.parquet import read_metadata, read_table

from kohort.folders.parts import parts_of
from kohort.table import Column, Table
from kohort.table.cluster.opening import METADATA, NUMBERS

_OWN_WORDS = (
    (r"SELECT ([^()]+?), grouping_id\(\)", r"SELECT \1, grouping_id(\1)"),
    ("<=>", "IS NOT DISTINCT FROM"),
)


class PlayedCluster:
    """Views by name, asked by SQL."""

    def __init__(self) -> None:
        self._connection = duckdb.connect()
        self._connection.execute("SET threads = 1")

    @property
    def spark(self) -> PlayedSession:
        return PlayedSession()

    def put(self, name: str, frame: pa.Table, held: bool = False) -> None:
        self.keep(name, frame)

    def keep(self, name: str, table: pa.Table) -> None:
        self._connection.register("handed over", table)
        self._connection.execute(f'CREATE OR REPLACE TABLE {name} AS SELECT * FROM "handed over"')

    def query(self, query: str) -> pa.Table:
        for own, plain in _OWN_WORDS:
            query = re.sub(own, plain, query)
        found = self._connection.sql(query).to_arrow_table()
        for i, field in enumerate(found.schema):
            if field.type == pa.decimal128(
                38, 0
            ):  # a sum of whole numbers, of which Spark makes one of 64 bits
                found = found.set_column(i, field.name, found.column(i).cast(pa.int64()))
        return found

    def table(self, query: str) -> pa.Table:
        return self.query(query)

    def has(self, name: str) -> bool:
        return (name,) in self._connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()

    @property
    def parts(self) -> int:
        return 3

    def met(self, packets: Sequence[list[pa.RecordBatch]], parts: int, work: Any, _: str) -> pa.Table:
        """Hand the packets of some parts to one task, those of the others to another."""
        found: list[pa.RecordBatch] = []
        for task in range(2):
            mine = (b for frame in packets for b in frame if b.column("part")[0].as_py() % 2 == task)
            found += work(mine)
        assert all(b.column("part")[0].as_py() < parts for frame in packets for b in frame)
        return pa.Table.from_batches(found)

    def number(self, query: str) -> int:
        return int(self.table(query).column(0)[0].as_py())


class PlayedSession:
    """What reads the parts of a table, each row with the name of its part and its place in it."""

    @property
    def read(self) -> PlayedSession:
        return self

    def parquet(self, path: str) -> PlayedFrame:
        return PlayedFrame(Path(path.removeprefix("file://")))


@dataclass(frozen=True)
class PlayedFrame:
    """Parts of a table."""

    folder: Path

    def select(self, *names: str) -> pa.Table:
        parts = [
            read_table(part)
            .append_column("_metadata.file_name", pa.array([part.name] * read_metadata(part).num_rows))
            .append_column("_metadata.row_index", pa.array(np.arange(read_metadata(part).num_rows)))
            for part in parts_of(self.folder)
        ]
        found = pa.concat_tables(parts).select(list(names))
        return found.rename_columns([name.removeprefix("_metadata.") for name in names])


@dataclass(frozen=True)
class PlayedSource:
    """A table whose columns SQL calls c0, c1, …; rows of a folder of parts know where they stand."""

    table: pa.Table
    path: Path = Path("nowhere")
    numbers: tuple[str, ...] = ()

    @classmethod
    def of_parts(cls, folder: Path) -> PlayedSource:
        found = PlayedFrame(folder).select(*read_table(parts_of(folder)[0]).column_names, *METADATA)
        return cls(found.rename_columns([*found.column_names[:-2], *NUMBERS]), folder, NUMBERS)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.table.column_names if name not in self.numbers)

    def place(self, name: str) -> str:
        return f"c{self.names.index(name)}"

    def kind(self, name: str) -> Any:
        return self.table.schema.field(name).type

    def rows(self, names: Sequence[str]) -> pa.Table:
        places = [self.place(name) for name in names]
        return self.table.select([*names, *self.numbers]).rename_columns([*places, *self.numbers])

    def settled(self, _: PlayedCluster, __: str, ___: Sequence[str]) -> PlayedSource:
        return self

    def through(self, names: Sequence[str], work: Any, _: str) -> list[pa.RecordBatch]:
        """Return what is made of the rows by two tasks, the first of one row."""
        return [
            *work(PlayedReader(self, names, 0, 1), iter(())),
            *work(PlayedReader(self, names, 1, None), iter(())),
        ]

    def told_along(self, _: PlayedCluster) -> tuple[dict[str, Any], int]:
        """Return no values: all are counted when they are asked for."""
        return {}, 0

    def counts(self, names: Sequence[str], _: Mapping[str, int]) -> pa.Table:
        """Return the values of each column, by parts of three rows, as executors would count them."""
        found = [
            pa.table(
                {self.place(name): part.field("values"), "of": [j] * len(part), "n": part.field("counts")}
            )
            for j, name in enumerate(names)
            for start in range(0, self.table.num_rows, 3)
            for part in [self.table.column(name).slice(start, 3).combine_chunks().value_counts()]
        ]
        schema = pa.schema([(self.place(name), self.kind(name)) for name in names])
        return pa.concat_tables(
            [
                schema.append(pa.field("of", pa.int64())).append(pa.field("n", pa.int64())).empty_table(),
                *found,
            ],
            promote_options="default",
        )

    def put_codes(
        self,
        cluster: PlayedCluster,
        view: str,
        names: Sequence[str],
        coding: Mapping[str, tuple[pa.Array, np.ndarray]],
    ) -> None:
        """Make the rows a view, with codes in place of values where these have some."""
        rows = self.rows(names)
        for name, (values, codes) in coding.items():
            code_of = dict(zip(values.to_pylist(), codes.tolist(), strict=True))
            place = self.place(name)
            told = pa.array([code_of[cell] for cell in rows.column(place).to_pylist()], pa.int32())
            rows = rows.set_column(rows.column_names.index(place), place, told)
        cluster.put(view, rows)


@dataclass(frozen=True)
class PlayedReader:
    """The rows of a source that one task has, three at a time."""

    source: PlayedSource
    names: Sequence[str]
    start: int
    end: int | None

    def pieces(self, _: Any) -> Iterator[tuple[list[Column], tuple[()]]]:
        rows = self.source.table.slice(self.start, self.end).select(list(self.names))
        for start in range(0, rows.num_rows, 3):
            yield list(Table.from_arrow(rows.slice(start, 3))), ()
