"""A table that executors write as a folder of parts, and nothing beside these in it."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.folders.claims import PARTS
from kohort.folders.parts import part_name
from kohort.table.appending import TableWriter
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.packets import by_part
from kohort.table.cluster.pieces import Batches
from kohort.table.cluster.session import told_plainly
from kohort.table.table import Table

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


Form: TypeAlias = Callable[[Path, pa.Schema, Iterator[pa.Table]], int]


def write_parts(packets: Any, spelling: Spelled, path: Path) -> None:
    """Write the packets of each part as one file, spelled and in their order; the suffix of the folder is that of the parts.

    The folder must be one that the executors see under the same path; nothing goes through this process. Where this process dies,
    they may go on for a while: they write beside the tables, under a name that nobody has twice, and never where a release is made.
    """
    room, suffix = path.absolute().parent.parent, path.suffix
    aside, begun = (room / f"{PARTS}{secrets.token_hex(8)}" for _ in range(2))
    for folder in (aside, begun):
        folder.mkdir()
    with told_plainly():
        work = partial(written, spelling, str(begun), str(aside), suffix)
        told = packets.mapInArrow(work, _WRITTEN).toArrow()
    _tidy(aside, sorted({*told.column("part").to_pylist()}), suffix)
    shutil.rmtree(begun)
    aside.rename(path)


@handed_over
def written(spelling: Spelled, begun: str, aside: str, suffix: str, batches: Batches) -> Batches:
    """Write the parts that come in, and tell them: run by the executors.

    A part is whole when it has its name. Where a task is done twice, both write the same, and the last one stays.
    """
    for part, rows in by_part(batches):
        name = Path(begun, f"part-{secrets.token_hex(8)}{suffix}")
        n = FORMS[suffix](name, spelling.schema, spelling.spelled(spelling.in_order(rows)))
        name.replace(Path(aside, part_name(part, suffix)))
        told = [pa.array([part], pa.int32()), pa.array([n], pa.int64())]
        yield pa.RecordBatch.from_arrays(told, names=["part", "n"])


def _write_parquet(path: Path, schema: pa.Schema, groups: Iterator[pa.Table]) -> int:
    n = 0
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd", store_schema=True) as writer:
        for group in groups:
            writer.write_table(group, row_group_size=max(len(group), 1))
            n += len(group)
    return n


def _write_text(path: Path, _: pa.Schema, groups: Iterator[pa.Table]) -> int:
    """Write a text with a header of its own, spelled, escaped and quoted as in memory."""
    n = 0
    with TableWriter(path) as writer:
        for group in groups:
            writer.append(Table.from_arrow(group))
            n += len(group)
    return n


FORMS: Mapping[str, Form] = {".parquet": _write_parquet, ".csv": _write_text, ".tsv": _write_text}


def _tidy(folder: Path, parts: Sequence[int], suffix: str) -> None:
    """Number the parts one after the other; what executors say that they wrote must be there, as this machine sees it."""
    names = [part_name(part, suffix) for part in parts]
    if not names or set(os.listdir(folder)) != set(names):
        raise InputError(
            f"the executors of Spark did not write to {folder.parent}, as this machine sees it; name a directory that all "
            "its machines share under one path",
            code="engine.executors",
            engine="spark",
        )
    for number, name in enumerate(
        names
    ):  # in the order of numbers, so that no part takes the name of a later one
        (folder / name).rename(folder / part_name(number, suffix))
