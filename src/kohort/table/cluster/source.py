"""A table as Spark reads it, each cell as Kohort reads it wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from kohort.table.cluster.served import refuse_narrowed, unnumbered, unread
from kohort.table.cluster.session import told_plainly
from kohort.table.counted import CountedColumn
from kohort.table.formats.delimited_parts import unlike
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.parquet import groups_of
from kohort.table.kinds import check_kind
from kohort.table.streaming import TableStream
from kohort.table.table import Table, check_distinct

DELIMITED = frozenset({".csv", ".tsv", ".tab", ".txt"})
PARQUET = frozenset({".parquet", ".pq"})
READS = DELIMITED | PARQUET
# how Spark holds what values are told as, which has no whole numbers without a sign; and what it calls that
_HELD = {kind: kind for kind in (pa.string(), pa.int64(), pa.float64())} | {pa.uint64(): pa.decimal128(20, 0)}
_TOLD = {
    pa.string(): "string",
    pa.int64(): "bigint",
    pa.decimal128(20, 0): "decimal(20, 0)",
    pa.float64(): "double",
}
# types that Spark reads from Parquet as what they are, whoever serves it; of others it is asked
_PLAIN = {
    pa.string(): "string",
    pa.bool_(): "boolean",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.date32(): "date",
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
NUMBERED = (pa.string(), pa.int64())  # the types of these
ROWS_OF_A_TASK, BYTES_OF_A_TASK = 1 << 18, 1 << 24  # that one task reads at least, where files are smaller
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
        told |= {self.place(name): _TOLD[self.held[self.names.index(name)]] for name in self.coarse}
        return [f"{place} {told.get(place) or own[place]}" for place in map(self.place, names)]

    def _numbered(self) -> list[str]:
        own = self._types_of_frame() if self.numbers else {}
        return [f"{number} {own[number]}" for number in self.numbers]

    def _types_of_frame(self) -> dict[str, str]:
        if self.frame is None:
            return {}
        with told_plainly():
            return {field.name: field.dataType.simpleString() for field in self.frame.schema.fields}


def from_frame(
    frame: Any, options: ReadingOptions, path: Path = Path("the Spark data frame")
) -> ClusterSource:
    """Return a data frame of Spark as a source."""
    with told_plainly():
        schema = frame.limit(0).toArrow().schema
        names = tuple(frame.columns)
        _refuse_alike(path, names)
        held = tuple(map(_decoded, schema.types))  # a session may lay texts out for more than 2 GB of them
        kinds, placed = tuple(map(_told, held)), frame.toDF(*_places(names))
        return ClusterSource(path, names, kinds, held, placed, OfBatches(options))


def from_parquet(spark: Any, path: Path, options: ReadingOptions, numbered: bool = False) -> ClusterSource:
    """Return a Parquet file, or a folder of them; types are those of the file, and executors read them as Kohort does.

    Where rows are `numbered`, Spark reads them, and part and place of each come along: they stand in the file, whoever reads
    it and how often.
    """
    groups = groups_of(path)
    own = _schema(next(iter(groups)))
    _refuse_alike(path, own.names)
    if not numbered and _is_plain(path, groups, own):
        return _plain_parquet(spark, path, groups, own, options)
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
    elif set(found.names) == set(own.names):  # names of folders are columns to Spark
        tasks = tasks_of(groups)
        found = replace(found, origin=OfParquet(tasks, options), files=_numbers(spark, len(tasks)))
    kinds = (
        own.field(name).type if name in own.names else kind
        for name, kind in zip(found.names, found.kinds, strict=True)
    )
    return replace(found, kinds=tuple(map(_decoded, kinds)))


def _is_plain(path: Path, groups: Iterable[Path], own: pa.Schema) -> bool:
    """Say whether Spark need not be asked for its types: it has one for each, and no folder within is a column to it."""
    plain = all(_decoded(kind) in _PLAIN and not pa.types.is_dictionary(kind) for kind in own.types)
    return plain and all(path in (part, part.parent) for part in groups)


def _plain_parquet(
    spark: Any, path: Path, groups: Mapping[Path, Sequence[int]], own: pa.Schema, options: ReadingOptions
) -> ClusterSource:
    """Return the same of a file that Spark itself never opens: asked for types, it would do a job for them."""
    kinds, tasks, names = tuple(map(_decoded, own.types)), tasks_of(groups), tuple(own.names)
    types = {place: _PLAIN[kind] for place, kind in zip(_places(names), kinds, strict=True)}
    origin, files = OfParquet(tasks, options), _numbers(spark, len(tasks))
    return ClusterSource(path, names, kinds, kinds, None, origin, files, types=types)


def tasks_of(groups: Mapping[Path, Sequence[int]]) -> list[list[tuple[Path, int, int]]]:
    """Return what each task reads: row groups of files, which stay whole, until it has rows enough."""
    tasks: list[list[tuple[Path, int, int]]] = [[]]
    room = ROWS_OF_A_TASK
    for path, sizes in groups.items():
        first = 0
        for i, rows in enumerate(sizes, start=1):
            room -= rows
            if room <= 0 or i == len(sizes):
                tasks[-1].append((path, first, i))
                first = i
            if room <= 0:
                tasks.append([])
                room = ROWS_OF_A_TASK
    return [task for task in tasks if task] or [[]]


def from_streams(
    spark: Any, path: Path, streams: Sequence[TableStream], numbered: bool = False
) -> ClusterSource:
    """Return delimited files, each read by one executor as Kohort reads it piece by piece; all cells are text.

    Where rows are `numbered`, the executor that reads a file tells its name, and the place of each row in it.
    """
    names = streams[0].names
    for stream in streams:
        if stream.names != names:
            raise unlike(stream.path, streams[0].path)
    _refuse_alike(path, names)
    kinds, places = (pa.string(),) * len(names), _places(names)
    tasks = _filled(streams)
    own = dict.fromkeys(places, pa.string()) | (dict(zip(NUMBERS, NUMBERED, strict=True)) if numbered else {})
    with told_plainly():
        frame = spark.createDataFrame(
            pa.schema(list(own.items())).empty_table(),
            ", ".join(f"{place} {_TOLD[kind]}" for place, kind in own.items()),
        )
    origin, files = OfStreams(tasks, numbered), _numbers(spark, len(tasks))
    numbers = NUMBERS if numbered else ()
    return ClusterSource(path, names, kinds, kinds, frame, origin, files, numbers=numbers)


def _filled(streams: Sequence[TableStream]) -> list[list[TableStream]]:
    """Return what each task reads: whole files, until it has bytes enough."""
    tasks: list[list[TableStream]] = [[]]
    room = BYTES_OF_A_TASK
    for stream in streams:
        if room <= 0:
            tasks.append([])
            room = BYTES_OF_A_TASK
        tasks[-1].append(stream)
        room -= stream.path.stat().st_size
    return tasks


def _numbers(spark: Any, tasks: int) -> Any:
    """Return a frame of the numbers of tasks, each in a part of its own."""
    with told_plainly():
        return spark.range(0, tasks, 1, tasks)


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
