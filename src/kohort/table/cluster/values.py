"""The distinct values of a column that Spark keeps, counted there and told as Kohort reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import IntArray
from kohort.table.cluster.cluster import SMALL, Cluster
from kohort.table.counted import CountedColumn
from kohort.table.texts import spelled
from kohort.table.whole_numbers import plain_numbers, whole

FEW = 10_000  # values of a column that nobody asked to count
_COUNTED = "CASE WHEN min(n) < 0 THEN -1 ELSE sum(n) END"  # one part that has too many to tell is enough


class Source(Protocol):
    """A table whose parts are counted where they are."""

    def place(self, name: str) -> str:
        """Return what SQL calls a column."""

    def kind(self, name: str) -> pa.DataType:
        """Return the type of a column."""

    def told_along(self, cluster: Cluster) -> tuple[dict[str, CountedColumn], int]:
        """Return the values of columns that are known already; a column that is not there has more than are told last."""

    def counts(self, names: Sequence[str], most: Mapping[str, int]) -> Any:
        """Return the distinct values of columns as parts hold them, if not too many: `of` which column, and `n` rows."""


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
    cluster: Cluster, source: Source, names: Sequence[str], few: Sequence[str] = ()
) -> dict[str, Values]:
    """Count the values of columns of a source, each part of it where it is, and all of them in the cluster.

    Of others those are told that have a `few` values only.
    """
    if not names and not few:
        return {}
    along, most = source.told_along(cluster)
    found = {
        name: Values.of(name, source.kind(name), along[name].values, along[name].totals)
        for name in [*names, *few]
        if name in along and not (name in few and len(along[name].values) > FEW)
    }
    left = [name for name in few if name not in along and most < FEW]
    found |= _counted(cluster, source, [name for name in names if name not in along], left)
    return {name: found[name] for name in [*names, *few] if name in found}


def _counted(cluster: Cluster, source: Source, names: Sequence[str], few: Sequence[str]) -> dict[str, Values]:
    names = [*names, *few]
    if not names:
        return {}
    places = [source.place(name) for name in names]
    cluster.put("counted_values", source.counts(names, dict.fromkeys(few, FEW)))
    keys = ", ".join(places)
    table = cluster.table(f"SELECT {keys}, of, {_COUNTED} AS n FROM counted_values GROUP BY {keys}, of")
    of, n, found = whole(table, "of"), whole(table, "n"), {}
    for j, (name, place) in enumerate(zip(names, places, strict=True)):
        mine = of == j
        if (n[mine] < 0).any() or (name in few and mine.sum() > FEW):
            continue
        held = table.column(place).combine_chunks().filter(pa.array(mine))
        found[name] = Values.of(name, source.kind(name), held, n[mine])
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


def joined(rows: str, maps: Mapping[str, str], numbered: Collection[str] = ()) -> str:
    """Return the rows of a view as SQL joins them with views of codes: the view -> the column of the rows.

    The code of a column is then `VIEW.code`. Missing values are values like others, and have a code; what is `numbered`
    is never missing.
    """
    same = {view: "=" if view in numbered else "<=>" for view in maps}
    return rows + "".join(
        f" JOIN {view} ON {rows}.{place} {same[view]} {view}.value" for view, place in maps.items()
    )


def broadcast(maps: Mapping[str, int]) -> str:
    """Return the hint by which Spark hands small tables to every executor: names with their rows."""
    small = [name for name, rows in maps.items() if rows <= SMALL]
    return f"/*+ BROADCAST({', '.join(small)}) */" if small else ""
