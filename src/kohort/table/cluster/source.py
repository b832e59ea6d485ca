"""A table as Spark reads it, each cell as Kohort reads it wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.table.cluster import pieces
from kohort.table.cluster.bundles import BUNDLES, OfBundles, bundles, values_along
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.pieces import (
    Batches,
    Coding,
    OfBatches,
    OfParquet,
    OfStreams,
    Origin,
    PieceReader,
    Telling,
)
from kohort.table.cluster.session import told_plainly
from kohort.table.counted import CountedColumn
from kohort.table.kinds import check_kind
from kohort.table.table import Table

# how Spark holds what values are told as, which has no whole numbers without a sign; and what it calls that
_HELD = {kind: kind for kind in (pa.string(), pa.int64(), pa.float64())} | {pa.uint64(): pa.decimal128(20, 0)}
TOLD = {
    pa.string(): "string",
    pa.int64(): "bigint",
    pa.decimal128(20, 0): "decimal(20, 0)",
    pa.float64(): "double",
}
_SERVED = (
    pa.types.is_string,
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_float32,
    pa.types.is_float64,
    pa.types.is_decimal128,
    pa.types.is_date32,
    pa.types.is_timestamp,
    pa.types.is_null,
)
VALUES_ALONG = (
    1 << 20
)  # of a column that all tasks together tell here at most; more are counted among the executors
TASKS_OF_A_CORE = 8  # that a frame of more parts is read in, for every part of a shuffle


class Along(NamedTuple):
    """A view of bundles, and how many values of a column one task tells at most along with them."""

    view: str
    names: tuple[str, ...]
    most: int


@dataclass(frozen=True, eq=False)
class ClusterSource:
    """A frame of Spark whose columns are called c0, c1, …; `names` are what they are called."""

    path: Path
    names: tuple[str, ...]
    kinds: tuple[pa.DataType, ...]
    held: tuple[pa.DataType, ...]  # how Spark holds what Kohort reads as `kinds`
    frame: Any  # None where executors read files themselves, of types that are known
    origin: Origin
    files: Any = None  # a frame of numbers of pieces of files, where executors read these themselves
    told: Telling | None = None  # what is made of some columns then
    coarse: tuple[str, ...] = ()  # these columns; `kinds` are what they become
    read: tuple[pa.DataType, ...] = ()  # and here is what they were
    numbers: tuple[str, ...] = ()  # columns of the frame that tell the part and the place in it of a row
    types: Mapping[str, str] | None = None  # what SQL calls the types of columns, where no frame is asked
    along: Along | None = None  # where the values of these are told

    def place(self, name: str) -> str:
        """Return what SQL calls a column."""
        return f"c{self.names.index(name)}"

    def kind(self, name: str) -> pa.DataType:
        """Return the type of a column, as Kohort reads it."""
        return self.kinds[self.names.index(name)]

    def type_of(self, name: str) -> str:
        """Return what SQL calls the type in which Spark holds a column."""
        return self._schema([name])[0].partition(" ")[2]

    def telling(self, told: Telling, coarse: Sequence[str]) -> ClusterSource:
        """Return the same with some columns told otherwise than they are read."""
        coarse = tuple(name for name in self.names if name in coarse)
        if not coarse:
            return self
        read = pa.schema([(name, self.kind(name)) for name in coarse])
        kinds = {column.name: column.values.type for column in told(Table.from_arrow(read.empty_table()))}
        new = tuple(kinds.get(name, kind) for name, kind in zip(self.names, self.kinds, strict=True))
        held = tuple(
            _HELD[kind] if name in coarse else own
            for name, kind, own in zip(self.names, new, self.held, strict=True)
        )
        return replace(self, kinds=new, held=held, told=told, coarse=coarse, read=self.kinds)

    def through(
        self, names: Sequence[str], work: Callable[[PieceReader, Batches], Batches], schema: str
    ) -> Any:
        """Return what executors make of the rows of some columns; every cell is what `read_table` makes of it, told as is said."""
        with told_plainly():
            return self._source(names).mapInArrow(partial(work, self._reader(names)), schema)

    def rows(self, names: Sequence[str], whose: str = "") -> Any:
        """Return the rows of some columns, read anew for somebody."""
        places = [*map(self.place, names), *self.numbers]
        schema = [*self._schema(names), *self._numbered()]
        return self.through(names, partial(pieces.cells, places=places, whose=whose), ", ".join(schema))

    def counts(self, names: Sequence[str], most: Mapping[str, int]) -> Any:
        """Return the distinct values of some columns as parts of the source hold them: `of` which column, and `n` rows."""
        schema = [*self._schema(names), "of int", "n bigint"]
        work = partial(pieces.counts, places=list(map(self.place, names)), most=most)
        return self.through(names, work, ", ".join(schema))

    def told_along(self, cluster: Cluster) -> tuple[dict[str, CountedColumn], int]:
        """Return the values of columns that came along when the source was settled; others have more in one task than is told."""
        if self.along is None:
            return {}, 0
        view, names, most = self.along
        told = cluster.table(f"SELECT of, counts FROM {view} WHERE of IS NOT NULL")
        found = values_along(told, names, [self.held[self.names.index(name)] for name in names])
        return {column.name: column for column in found if column is not None}, most

    def put_codes(self, cluster: Cluster, view: str, names: Sequence[str], coding: Coding) -> None:
        """Make the rows of some columns a view, with codes in place of values where these have some; they are held."""
        bits = pieces.bits_of(coding)
        others = [
            (name, own) for name, own in zip(names, self._schema(names), strict=True) if name not in coding
        ]
        words = [f"k{i}" for i in range(bits.n_words)]
        schema = [*(f"{word} bigint" for word in words), *(own for _, own in others), *self._numbered()]
        places = [*words, *(self.place(name) for name, _ in others), *self.numbers]
        work = partial(pieces.codes, coding=coding, places=places)
        frame = self.through(names, work, ", ".join(schema))
        cluster.put(f"{view}_packed", frame, held=True)
        code_of = dict(zip(coding, bits.sql(words), strict=True))
        told = [
            f"{code_of[name]} AS {self.place(name)}" if name in coding else self.place(name) for name in names
        ]
        cluster.put(view, cluster.query(f"SELECT {', '.join([*told, *self.numbers])} FROM {view}_packed"))

    def settled(self, cluster: Cluster, view: str, names: Sequence[str]) -> ClusterSource:
        """Return a source of some columns that is read once and held, and tells the same as often as it is asked.

        Frames of very many parts, most of which have few rows or none, are read some parts by one task.
        """
        read = self
        if self.files is None:
            cluster.put(f"{view}_found", self.frame)
            hint = f"/*+ COALESCE({TASKS_OF_A_CORE * cluster.parts}) */"
            read = replace(self, frame=cluster.query(f"SELECT {hint} * FROM {view}_found"))
        if self.numbers:
            cluster.put(view, read.rows(names, cluster.name), held=True)
            frame = cluster.query(f"SELECT * FROM {view}")
            return replace(
                self, frame=frame, origin=OfBatches(None), files=None, told=None, coarse=(), read=()
            )
        along = Along(view, tuple(names), VALUES_ALONG // self._tasks(cluster))
        work = partial(bundles, whose=cluster.name, most=along.most)
        cluster.put(view, read.through(names, work, BUNDLES), held=True)
        types = {
            self.place(name): own.partition(" ")[2]
            for name, own in zip(names, self._schema(names), strict=True)
        }
        held = cluster.query(f"SELECT bundle FROM {view}")
        return replace(
            self, origin=OfBundles(), files=held, types=types, told=None, coarse=(), read=(), along=along
        )

    def _tasks(self, cluster: Cluster) -> int:
        """Return how many tasks read the source at most."""
        if isinstance(self.origin, OfParquet):
            return len(self.origin.groups)
        if isinstance(self.origin, OfStreams):
            return len(self.origin.streams)
        return TASKS_OF_A_CORE * cluster.parts

    def _source(self, names: Sequence[str]) -> Any:
        """Return what executors are handed."""
        if self.files is not None:
            return self.files
        return self.frame.select(*map(self.place, names), *self.numbers)

    def _reader(self, names: Sequence[str]) -> PieceReader:
        for name in names:
            check_kind(name, self.kind(name))
            _check_held(name, self.kind(name))
            _check_zone(name, self.kind(name))
        held = tuple(self.held[self.names.index(name)] for name in names)
        coarse = {name: self.read[self.names.index(name)] for name in names if name in self.coarse}
        return PieceReader(tuple(names), held, self.origin, self.told, coarse)

    def _schema(self, names: Sequence[str]) -> list[str]:
        own = self._types_of_frame()
        told = dict(self.types or {})
        told |= {self.place(name): TOLD[self.held[self.names.index(name)]] for name in self.coarse}
        return [f"{place} {told.get(place) or own[place]}" for place in map(self.place, names)]

    def _numbered(self) -> list[str]:
        own = self._types_of_frame() if self.numbers else {}
        return [f"{number} {own[number]}" for number in self.numbers]

    def _types_of_frame(self) -> dict[str, str]:
        if self.frame is None:
            return {}
        with told_plainly():
            return {field.name: field.dataType.simpleString() for field in self.frame.schema.fields}


def _check_held(name: str, kind: pa.DataType) -> None:
    """Refuse a type that Spark has none for."""
    if not any(is_held(kind) for is_held in _SERVED):
        raise InputError(
            f"column {name!r} has the type {kind}, which Spark does not hold; convert it, or use the memory engine",
            code="engine.format",
            engine="spark",
            column=name,
        )


def _check_zone(name: str, kind: pa.DataType) -> None:
    """Refuse a time zone that Spark forgets: it would tell other hours than are read."""
    if pa.types.is_timestamp(kind) and kind.tz not in (None, "UTC"):
        raise InputError(
            f"column {name!r} has time stamps of the zone {kind.tz}, which Spark keeps as moments without one; convert it to "
            "UTC, or use the memory engine",
            code="engine.format",
            engine="spark",
            column=name,
        )
