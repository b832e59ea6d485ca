"""A cluster and a source of it that DuckDB plays, so that what Spark is asked can be judged where there is no Spark.

It takes the calls of `kohort.table.cluster` that the judges make. Three words of SQL are Spark's own and are put otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

_OWN_WORDS = (
    (r"grouping_id\(\)(.*?) GROUP BY (.+?) GROUPING SETS", r"grouping_id(\2)\1 GROUP BY GROUPING SETS"),
    ("<=>", "IS NOT DISTINCT FROM"),
)


class PlayedCluster:
    """Views by name, asked by SQL."""

    def __init__(self) -> None:
        self._connection = duckdb.connect()
        self._connection.execute("SET threads = 1")

    def put(self, name: str, frame: pa.Table, held: bool = False) -> None:
        self.keep(name, frame)

    def keep(self, name: str, table: pa.Table) -> None:
        self._connection.register("handed over", table)
        self._connection.execute(f'CREATE OR REPLACE TABLE {name} AS SELECT * FROM "handed over"')

    def query(self, query: str) -> pa.Table:
        for own, plain in _OWN_WORDS:
            query = re.sub(own, plain, query)
        return self._connection.sql(query).to_arrow_table()

    def table(self, query: str) -> pa.Table:
        return self.query(query)

    def number(self, query: str) -> int:
        return int(self.table(query).column(0)[0].as_py())


@dataclass(frozen=True)
class PlayedSource:
    """A table whose columns SQL calls c0, c1, …"""

    table: pa.Table
    numbers: tuple[str, ...] = ()  # its rows have no order

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.table.column_names)

    def place(self, name: str) -> str:
        return f"c{self.names.index(name)}"

    def kind(self, name: str) -> Any:
        return self.table.schema.field(name).type

    def rows(self, names: Sequence[str]) -> pa.Table:
        return self.table.select(list(names)).rename_columns([self.place(name) for name in names])
