"""A table that executors write as a folder of parts, and nothing beside these in it."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.folders.claims import PARTS
from kohort.folders.parts import PART
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.packets import by_part
from kohort.table.cluster.pieces import Batches
from kohort.table.cluster.session import told_plainly

_WRITTEN = "part int, n bigint"


class Spelled(Protocol):
    """How the rows of a part are told."""

    @property
    def schema(self) -> pa.Schema:
        """The written columns."""

    def in_order(self, rows: pa.Table) -> pa.Table:
        """Return the rows of a part, of which `n` are alike each, in their order."""

    def spelled(self, rows: pa.Table) -> Iterator[pa.Table]:
        """Yield rows as they are written, a row group at a time."""


def write_parts(packets: Any, spelling: Spelled, path: Path) -> None:
    """Write the packets of each part as one file, spelled and in their order.

    The folder must be one that the executors see under the same path; nothing goes through this process. Where this process dies,
    they may go on for a while: they write beside the tables, under a name that nobody has twice, and never where a release is made.
    """
    room = path.absolute().parent.parent
    aside, begun = (room / f"{PARTS}{secrets.token_hex(8)}" for _ in range(2))
    for folder in (aside, begun):
        folder.mkdir()
    with told_plainly():
        work = partial(written, spelling, str(begun), str(aside))
        told = packets.mapInArrow(work, _WRITTEN).toArrow()
    parts = {PART.format(number) for number in told.column("part").to_pylist()}
    _tidy(aside, parts)
    shutil.rmtree(begun)
    aside.rename(path)


@handed_over
def written(spelling: Spelled, begun: str, aside: str, batches: Batches) -> Batches:
    """Write the parts that come in, and tell them: run by the executors.

    A part is whole when it has its name. Where a task is done twice, both write the same, and the last one stays.
    """
    for part, rows in by_part(batches):
        name, n = Path(begun, secrets.token_hex(8)), 0
        with pyarrow.parquet.ParquetWriter(
            name, spelling.schema, compression="zstd", store_schema=True
        ) as writer:
            for group in spelling.spelled(spelling.in_order(rows)):
                writer.write_table(group, row_group_size=max(len(group), 1))
                n += len(group)
        name.replace(Path(aside, PART.format(part)))
        told = [pa.array([part], pa.int32()), pa.array([n], pa.int64())]
        yield pa.RecordBatch.from_arrays(told, names=["part", "n"])


def _tidy(folder: Path, parts: set[str]) -> None:
    """Number the parts one after the other; what executors say that they wrote must be there, as this machine sees it."""
    found = set(os.listdir(folder))
    if not parts or found != parts:
        raise InputError(
            f"the executors of Spark did not write to {folder.parent}, as this machine sees it; name a directory that all "
            "its machines share under one path",
            code="engine.executors",
            engine="spark",
        )
    for number, name in enumerate(sorted(parts)):
        (folder / name).rename(folder / PART.format(number))
