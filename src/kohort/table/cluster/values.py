"""The distinct values of a column that Spark keeps, counted there and told as Kohort reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import IntArray
from kohort.table.cluster.cluster import SMALL, Cluster
from kohort.table.counted import CountedColumn
from kohort.table.texts import spelled
from kohort.table.whole_numbers import plain_numbers, whole

TOGETHER = 16  # columns that are counted in one pass


@dataclass(frozen=True, eq=False)
class Values:
    """Distinct values in the order of their texts: as the cluster holds them, and as Kohort reads them."""

    held: pa.Array
    column: CountedColumn

    @classmethod
    def of(cls, name: str, kind: pa.DataType, held: pa.Array, totals: IntArray) -> Values:
        """Return the values of a column, each with how many rows hold it."""
        told = as_kind(held, kind)
        order = pc.sort_indices(spelled(told).cast(pa.string()))
        counts = totals[plain_numbers(order).astype(np.int64)]
        return cls(held.take(order), CountedColumn.of(name, told.take(order), counts))

    def codes(self, codes: IntArray) -> pa.Table:
        """Return a table that tells the code of every value, for the cluster to join its rows with."""
        return pa.table({"value": self.held, "code": pa.array(codes, pa.int32())})


def values_of(
    cluster: Cluster, view: str, columns: Mapping[str, tuple[str, pa.DataType]]
) -> dict[str, Values]:
    """Count the values of columns of a view, every cell of which is as Kohort reads it: name -> what SQL calls it, its type."""
    found: dict[str, Values] = {}
    names = list(columns)
    for start in range(0, len(names), TOGETHER):
        some = {name: columns[name] for name in names[start : start + TOGETHER]}
        found |= _counted(cluster, view, some)
    return found


def _counted(
    cluster: Cluster, view: str, columns: Mapping[str, tuple[str, pa.DataType]]
) -> dict[str, Values]:
    """Count some columns in one pass over the rows: a group of rows is of one column, which its number tells."""
    places = ", ".join(place for place, _ in columns.values())
    sets = ", ".join(f"({place})" for place, _ in columns.values())
    table = cluster.table(
        f"SELECT {places}, grouping_id() AS of, count(*) AS n FROM {view} GROUP BY GROUPING SETS ({sets})"
    )
    of, n = whole(table, "of"), whole(table, "n")
    every, found = (1 << len(columns)) - 1, {}
    for j, (name, (place, kind)) in enumerate(columns.items()):
        mine = of == every ^ (1 << (len(columns) - 1 - j))
        held = table.column(place).combine_chunks().filter(pa.array(mine))
        found[name] = Values.of(name, kind, held, n[mine])
    return found


def as_kind(held: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return values of Spark in the type that Kohort reads them in."""
    if pa.types.is_null(kind):
        return pa.nulls(len(held))
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return held.cast(pa.string())
    if pa.types.is_float16(kind):
        return held.cast(pa.float32())
    return held.cast(pa.date32() if pa.types.is_date64(kind) else kind)


def joined(rows: str, maps: Mapping[str, str]) -> str:
    """Return the rows of a view as SQL joins them with views of codes: the view -> the column of the rows.

    The code of a column is then `VIEW.code`. Missing values are values like others, and have a code.
    """
    return rows + "".join(f" JOIN {view} ON {rows}.{place} <=> {view}.value" for view, place in maps.items())


def broadcast(maps: Mapping[str, int]) -> str:
    """Return the hint by which Spark hands small tables to every executor: names with their rows."""
    small = [name for name, rows in maps.items() if rows <= SMALL]
    return f"/*+ BROADCAST({', '.join(small)}) */" if small else ""
