"""A table as Spark reads it, each cell as Kohort reads it wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.served import refuse_narrowed, unnumbered, unread
from kohort.table.cluster.session import told_plainly
from kohort.table.cluster.values import as_kind
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.parquet import parts_alike
from kohort.table.kinds import check_kind
from kohort.table.streaming import TableStream
from kohort.table.table import Table, check_distinct
from kohort.table.tidying import tidied

DELIMITED = frozenset({".csv", ".tsv", ".tab", ".txt"})
PARQUET = frozenset({".parquet", ".pq"})
READS = DELIMITED | PARQUET
# how Spark holds what values are told as
_HELD = {
    pa.string(): "string",
    pa.int64(): "bigint",
    pa.uint64(): "decimal(20, 0)",
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
METADATA, NUMBERS = ("_metadata.file_name", "_metadata.row_index"), ("of_part", "at_place")
Telling = Callable[[Table], Table]


@dataclass(frozen=True, eq=False)
class ClusterSource:
    """A frame of Spark whose columns are called c0, c1, …; `names` are what they are called."""

    path: Path
    names: tuple[str, ...]
    kinds: tuple[pa.DataType, ...]
    frame: Any
    options: ReadingOptions | None  # what is made of the cells; None where that is done
    told: Telling | None = None  # what is made of some columns then
    coarse: tuple[str, ...] = ()  # these columns; `kinds` are what they become
    read: tuple[pa.DataType, ...] = ()  # and here is what they were
    numbers: tuple[str, ...] = ()  # columns of the frame that tell the part and the place in it of a row

    def place(self, name: str) -> str:
        """Return what SQL calls a column."""
        return f"c{self.names.index(name)}"

    def kind(self, name: str) -> pa.DataType:
        """Return the type of a column, as Kohort reads it."""
        return self.kinds[self.names.index(name)]

    def telling(self, told: Telling, coarse: Sequence[str]) -> ClusterSource:
        """Return the same with some columns told otherwise than they are read."""
        coarse = tuple(name for name in self.names if name in coarse)
        if not coarse:
            return self
        read = pa.schema([(name, self.kind(name)) for name in coarse])
        kinds = {column.name: column.values.type for column in told(Table.from_arrow(read.empty_table()))}
        new = tuple(kinds.get(name, kind) for name, kind in zip(self.names, self.kinds, strict=True))
        return replace(self, kinds=new, told=told, coarse=coarse, read=self.kinds)

    def rows(self, names: Sequence[str]) -> Any:
        """Return the rows of some columns; every cell is what `read_table` makes of it, told as is said."""
        for name in names:
            check_kind(name, self.kind(name))
            _check_held(name, self.kind(name))
            _check_zone(name, self.kind(name))
        with told_plainly():
            frame = self.frame.select(*(self.place(name) for name in names), *self.numbers)
            coarse = {name for name in names if name in self.coarse}
            if self.options is not None:
                frame = frame.mapInArrow(partial(_tidied, list(names), self.options), frame.schema)
            if self.told is not None and coarse:
                read = {name: self.read[self.names.index(name)] for name in coarse}
                frame = frame.mapInArrow(
                    partial(_told_so, list(names), read, self.told), self._schema(frame, coarse)
                )
            return frame

    def _schema(self, frame: Any, coarse: Collection[str]) -> str:
        held = {self.place(name): _HELD[self.kind(name)] for name in coarse}
        return ", ".join(
            f"{f.name} {held.get(f.name) or f.dataType.simpleString()}" for f in frame.schema.fields
        )


def from_frame(
    frame: Any, options: ReadingOptions, path: Path = Path("the Spark data frame")
) -> ClusterSource:
    """Return a data frame of Spark as a source."""
    with told_plainly():
        schema = frame.limit(0).toArrow().schema
        names = tuple(frame.columns)
        _refuse_alike(path, names)
        return ClusterSource(
            path, names, tuple(map(_told, schema.types)), frame.toDF(*_places(names)), options
        )


def from_parquet(spark: Any, path: Path, options: ReadingOptions, numbered: bool = False) -> ClusterSource:
    """Return a Parquet file, or a folder of them, as Spark reads it; types are those of the file.

    Where rows are `numbered`, part and place of each come along: they stand in the file, whoever reads it and how often.
    """
    own = _schema(parts_alike(path)[0])
    _refuse_alike(path, own.names)
    with unread(path, own):
        with told_plainly():
            read = spark.read.parquet(unglobbed(path))
        found = from_frame(read, options, path)
    refuse_narrowed(path, own, dict(zip(found.names, found.kinds, strict=True)))
    if numbered:
        with unnumbered(), told_plainly():
            frame = read.select("*", *METADATA).toDF(*_places(found.names), *NUMBERS)
            frame.schema  # noqa: B018 - asks the server, which may not know them
        found = replace(found, frame=frame, numbers=NUMBERS)
    kinds = (
        own.field(name).type if name in own.names else kind
        for name, kind in zip(found.names, found.kinds, strict=True)
    )
    return replace(found, kinds=tuple(map(_decoded, kinds)))


def from_streams(spark: Any, path: Path, streams: Sequence[TableStream]) -> ClusterSource:
    """Return delimited files, each read by one executor as Kohort reads it piece by piece; all cells are text."""
    names = streams[0].names
    for stream in streams:
        if stream.names != names:
            raise InputError(
                f"{stream.path} has other columns than {streams[0].path.name} beside it; the files of a folder are one table",
                code="table.unknown-column",
                path=stream.path,
            )
    _refuse_alike(path, names)
    told = pa.table({"file": pa.array(range(len(streams)), pa.int64())})
    schema = ", ".join(f"{place} string" for place in _places(names))
    with told_plainly():
        files = spark.createDataFrame(told).repartition(len(streams), "file")
        frame = files.mapInArrow(partial(_read, list(streams)), schema)
    return ClusterSource(path, names, (pa.string(),) * len(names), frame, None)


@handed_over
def _tidied(
    names: Sequence[str], options: ReadingOptions, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yield batches with every cell as the options have it: run by the executors."""
    for batch in batches:
        cells = pa.table(batch.columns[: len(names)], names=list(names))
        table = tidied(Table.from_arrow(cells), options).to_arrow()
        columns = [
            column.cast(kind).combine_chunks()
            for column, kind in zip(table.columns, batch.schema.types, strict=False)
        ]
        yield pa.RecordBatch.from_arrays([*columns, *batch.columns[len(names) :]], names=batch.schema.names)


@handed_over
def _told_so(
    names: Sequence[str],
    read: Mapping[str, pa.DataType],
    told: Telling,
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """Yield batches with some columns told otherwise than they were read: run by the executors."""
    for batch in batches:
        columns = dict(zip(names, batch.columns, strict=False))
        columns |= {name: as_kind(columns[name], kind) for name, kind in read.items()}
        piece = told(Table.from_arrow(pa.table({name: columns[name] for name in read}))).to_arrow()
        columns |= {name: _as_held(piece.column(name)) for name in read}
        told_so = [*columns.values(), *batch.columns[len(names) :]]
        yield pa.RecordBatch.from_arrays(told_so, names=batch.schema.names)


def _as_held(column: pa.ChunkedArray) -> pa.Array:
    """Return values as Spark holds them, which has no whole numbers without a sign."""
    held = column.combine_chunks()
    return held.cast(pa.decimal128(20, 0)) if held.type == pa.uint64() else held


@handed_over
def _read(streams: Sequence[TableStream], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the files whose numbers come in: run by the executors."""
    for batch in batches:
        for file in batch.column(0).to_pylist():
            for piece in streams[file].pieces(streams[file].names):
                yield from piece.to_arrow().rename_columns(_places(piece.names)).to_batches()


def _places(names: Sequence[str]) -> list[str]:
    return [f"c{i}" for i in range(len(names))]


def _schema(path: Path) -> pa.Schema:
    try:
        return pyarrow.parquet.read_schema(path)
    except (pa.ArrowException, OSError, UnicodeError):
        raise InputError(
            f"{path} is not a readable Parquet file; it may be damaged or cut short",
            code="table.damaged",
            path=path,
        ) from None


def _told(kind: pa.DataType) -> pa.DataType:
    """Return how a type of Spark is told: moments are those of UTC, whatever the zone of the session."""
    return pa.timestamp("us", "UTC") if pa.types.is_timestamp(kind) and kind.tz is not None else kind


def _decoded(kind: pa.DataType) -> pa.DataType:
    """Return the type of values however they are laid out."""
    kind = kind.value_type if isinstance(kind, pa.DictionaryType) else kind
    is_text = pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    return pa.string() if is_text else kind


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


def _refuse_alike(path: Path, names: Sequence[str]) -> None:
    """Refuse names that Spark takes for one."""
    check_distinct(names)
    seen: dict[str, str] = {}
    for name in names:
        if name.lower() in seen:
            alike = [seen[name.lower()], name]
            raise InputError(
                f"{path}: the columns {alike[0]!r} and {alike[1]!r} are one name to Spark, which does not heed case; rename one",
                code="table.repeated-name",
                columns=alike,
            )
        seen[name.lower()] = name


def unglobbed(path: Path) -> str:
    """Return a path of this machine as Spark reads it: no letter of it stands for others."""
    return "file://" + "".join(f"\\{sign}" if sign in "*?[]{}\\" else sign for sign in str(path.absolute()))
