"""A table that executors write as a folder of parts, and nothing beside these in it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.folders.claims import PARTS
from kohort.folders.parts import PART
from kohort.table.cluster.session import told_plainly

_MOMENTS = "spark.sql.parquet.outputTimestampType"


def ordered(frame: Any, parts: int, places: Sequence[str], beside: Sequence[str] = ()) -> Any:
    """Return the rows of a frame in parts, spread and ordered by their cells, so that parts tell nothing else.

    Rows of equal cells stand in the order of what is `beside` them.
    """
    with told_plainly():
        return frame.repartition(max(parts, 1), *places).sortWithinPartitions(*places, *beside)


def write_parts(frame: Any, columns: Mapping[str, str], path: Path) -> None:
    """Write a frame as it stands, each of its parts as one, with columns called as told: what SQL calls one -> its name.

    The folder must be one that the executors see under the same path; nothing goes through this process. Where this process dies,
    they may go on for a while: they write beside the tables, under a name that nobody has twice, and never where a release is made.
    """
    spark, aside = frame.sparkSession, path.absolute().parent.parent / f"{PARTS}{secrets.token_hex(8)}"
    with told_plainly():
        before = spark.conf.get(_MOMENTS, None)
        spark.conf.set(_MOMENTS, "TIMESTAMP_MICROS")  # as Kohort writes them, not as Spark once did
        try:
            named = frame.select(*columns).toDF(*columns.values())
            named.write.option("compression", "zstd").parquet(f"file://{aside}")
        finally:
            spark.conf.unset(_MOMENTS) if before is None else spark.conf.set(_MOMENTS, before)
    _tidy(aside)
    aside.rename(path)


def _tidy(folder: Path) -> None:
    """Give the parts names that tell their number only, and remove what Spark puts beside them."""
    found = sorted(os.listdir(folder)) if folder.is_dir() else []
    written = [name for name in found if name.endswith(".parquet") and not name.startswith((".", "_"))]
    if not written:
        raise InputError(
            f"the executors of Spark did not write to {folder.parent}, as this machine sees it; name a directory that all "
            "its machines share under one path",
            code="engine.executors",
            engine="spark",
        )
    for name in set(found) - set(written):
        (folder / name).unlink()
    for number, name in enumerate(written):
        (folder / name).rename(folder / PART.format(number))
