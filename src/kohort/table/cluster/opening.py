"""Frames of Spark, Parquet and texts, each made a source: what they are called, their types, and which task reads what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.table.cluster.pieces import OfBatches, OfParquet, OfStreams
from kohort.table.cluster.served import refuse_narrowed, unnumbered, unread
from kohort.table.cluster.session import told_plainly
from kohort.table.cluster.source import TOLD, ClusterSource
from kohort.table.formats.delimited_parts import unlike
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.parquet import groups_of
from kohort.table.streaming import TableStream
from kohort.table.table import check_distinct

DELIMITED = frozenset({".csv", ".tsv", ".tab", ".txt"})
PARQUET = frozenset({".parquet", ".pq"})
READS = DELIMITED | PARQUET
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
METADATA, NUMBERS = ("_metadata.file_name", "_metadata.row_index"), ("of_part", "at_place")
NUMBERED = (pa.string(), pa.int64())  # the types of these
ROWS_OF_A_TASK, BYTES_OF_A_TASK = 1 << 18, 1 << 24  # that one task reads at least, where files are smaller


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
            ", ".join(f"{place} {TOLD[kind]}" for place, kind in own.items()),
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
