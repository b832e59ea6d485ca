"""What the spark engine reads: files, folders of files, tables of a catalog and data frames of Spark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.folders.parts import parts_of
from kohort.plan import Plan
from kohort.preparation.sources import as_released, how_to_read, of_cells
from kohort.table.catalog import CATALOG, POINTER, catalog_table, read_pointer
from kohort.table.cluster.opening import DELIMITED, PARQUET, from_frame, from_parquet, from_streams
from kohort.table.cluster.row_digests import held_by
from kohort.table.cluster.session import session, told_plainly
from kohort.table.cluster.source import ClusterSource
from kohort.table.cluster.spark_frames import is_spark_frame
from kohort.table.formats.delimited_parts import refuse_footer
from kohort.table.formats.options import ReadingOptions
from kohort.table.reading import check_file
from kohort.table.streaming import open_released, open_stream


def source_of(source: Any, plan: Plan | None, expected: Sequence[str] = ()) -> tuple[Any, ClusterSource]:
    """Return the session, and a source as a plan says that it is read."""
    if is_spark_frame(source):
        return source.sparkSession, from_frame(source, of_cells(plan))
    if not isinstance(source, str | Path):
        raise InputError(
            "the spark engine reads files, folders, tables of a catalog and data frames of Spark; a frame that is in memory "
            "already is for the memory engine",
            code="engine.needs-rows",
            engine="spark",
        )
    path = Path(source)
    if (name := catalog_table(path)) is not None:
        return _of_catalog(name, plan)
    parts = _parts(path)
    refuse_footer(path, parts, 0 if plan is None else plan.input.footer)
    spark = session()
    first = open_stream(parts[0], **how_to_read(plan, expected))
    if parts[0].suffix.lower() in PARQUET:
        return spark, from_parquet(spark, path, first.options)
    others = (open_stream(part, **how_to_read(plan, expected)) for part in parts[1:])
    return spark, from_streams(spark, path, [first, *others])


def _of_catalog(name: str, plan: Plan | None) -> tuple[Any, ClusterSource]:
    """Return a table that the session knows by name, as a source."""
    spark, frame = _known(name)
    return spark, from_frame(frame, of_cells(plan), Path(f"{CATALOG}{name}"))


def _known(name: str) -> tuple[Any, Any]:
    """Return the session, and a table that it knows by name."""
    spark = session()
    try:
        with told_plainly():
            frame = spark.table(name)
            frame.schema  # noqa: B018 - asks the server, which may not know it
    except InputError:
        raise InputError(
            f"{CATALOG}{name}: Spark knows no table or view of that name, or may not read it; write it as catalog.schema.name",
            code="table.no-file",
            path=f"{CATALOG}{name}",
        ) from None
    return spark, frame


def released_source(
    written: Any, plan: Plan, foreign: bool = False, staged: str | None = None
) -> tuple[Any, ClusterSource]:
    """Return a released table: as Kohort writes it, or as the plan or the file itself says where others wrote it.

    One of a catalog may be `staged` yet, under another name than its release tells.
    """
    if not isinstance(written, str | Path):
        return source_of(written, plan)
    path = Path(written)
    if path.suffix == POINTER:
        return _pointed_at(path, staged)
    try:
        found = _released(path, plan.input.respondent is not None)
    except InputError:
        if not foreign:
            raise
        return source_of(path, as_released(plan))
    if foreign and not set(plan.quasi) <= set(found[1].names):
        return source_of(path, as_released(plan))
    return found


def _pointed_at(path: Path, staged: str | None) -> tuple[Any, ClusterSource]:
    """Return the table of a catalog that a release tells; it must hold what is told of it."""
    pointer = read_pointer(path)
    name = staged or pointer.table
    with told_plainly():  # a session goes by the files that it saw before, whatever others changed since
        session().catalog.refreshTable(name)
    spark, frame = _known(name)
    if tuple(held_by(frame)) != (pointer.columns, pointer.rows, pointer.digest):
        raise InputError(
            f"{CATALOG}{name} does not hold what {path.name} tells of it: its columns or rows are others",
            code="table.damaged",
            path=path,
        )
    return spark, from_frame(frame, ReadingOptions(), Path(f"{CATALOG}{name}"))


def _released(path: Path, numbered: bool) -> tuple[Any, ClusterSource]:
    spark, parts = session(), _parts(path)
    first = open_released(parts[0])
    if parts[0].suffix.lower() in PARQUET:
        return spark, from_parquet(spark, path, first.options, numbered)
    return spark, from_streams(spark, path, [first, *map(open_released, parts[1:])], numbered)


def _parts(path: Path) -> list[Path]:
    """Return the files of a source; a folder holds Parquet or delimited text, not both."""
    if not path.is_dir():
        check_file(path)
        return [path]
    kinds = {part.suffix.lower() in PARQUET for part in parts_of(path, (*PARQUET, *DELIMITED))}
    if len(kinds) > 1:
        raise InputError(
            f"{path} holds both Parquet and delimited text; a folder is one table: name the files of one kind",
            code="table.several-parts",
            path=path,
        )
    return parts_of(path, tuple(PARQUET) if kinds.pop() else tuple(DELIMITED))
