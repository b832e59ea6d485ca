"""A digest of what a table of Spark holds, whatever the order of its rows and the files in which they are.

Each row is a JSON list of its cells, as ASCII: null, or a text. Whole numbers and decimals are spelled in digits, truth values
`true` and `false`, dates in days and time stamps in microseconds since 1970, floats by their bits, in hexadecimal. Of each row the
SHA-256 is taken. Those that begin with the same byte are put in order and digested together; the digest of the table is
that of the columns (a JSON list of names and types), and of each first byte with its digest, in order.

Sums of digests would be cheaper, and with many rows to choose from others can be found that come to the same sum
(Wagner, D. A generalized birthday problem. CRYPTO 2002); digests in order cannot be met so.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from kohort.errors import InputError
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.packets import PACKETS, by_part, delivered, sent
from kohort.table.cluster.pieces import Batches
from kohort.table.cluster.session import told_plainly

_MET = "part int, digest binary, n bigint"
_ROWS = 1 << 16  # that are digested before they are sent


class Held(NamedTuple):
    """What a table holds."""

    columns: tuple[tuple[str, str], ...]
    rows: int
    digest: str


def held_by(frame: Any) -> Held:
    """Return what a frame of Spark holds; executors digest their own rows, and here come at most 256 digests of theirs."""
    with told_plainly():
        columns = tuple((field.name, field.dataType.simpleString()) for field in frame.schema.fields)
        parts = int(frame.sparkSession.conf.get("spark.sql.shuffle.partitions", "200"))
        packets = frame.mapInArrow(_rows_digested, PACKETS)
        met = delivered(packets, parts).mapInArrow(_met, _MET).toArrow()
    total = sha256(json.dumps(columns).encode())
    for row in met.sort_by("part").to_pylist():
        total.update(bytes([row["part"]]) + row["digest"])
    return Held(columns, sum(met.column("n").to_pylist()), total.hexdigest())


@handed_over
def _rows_digested(batches: Batches) -> Batches:
    waiting: list[bytes] = []
    for batch in batches:
        waiting += row_digests(batch)
        if len(waiting) >= _ROWS:
            yield from _sent(waiting)
            waiting = []
    yield from _sent(waiting)


def _sent(digests: list[bytes]) -> Batches:
    part = np.array([digest[0] for digest in digests], np.int32)
    yield from sent(pa.table({"d": pa.array(digests, pa.binary(32))}), part)


@handed_over
def _met(batches: Batches) -> Batches:
    for part, rows in by_part(batches):
        digests = sorted(rows.column("d").to_pylist())
        told = [[part], [sha256(b"".join(digests)).digest()], [len(digests)]]
        kinds = (pa.int32(), pa.binary(), pa.int64())
        arrays = [pa.array(cells, kind) for cells, kind in zip(told, kinds, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, names=["part", "digest", "n"])


def row_digests(batch: pa.RecordBatch) -> list[bytes]:
    """Return the digest of every row.

    >>> row_digests(pa.RecordBatch.from_pydict({"a": ["x"], "n": [1]})) == [sha256(b'["x", "1"]').digest()]
    True
    """
    columns = [_texts(batch.schema.field(i).name, batch.column(i)) for i in range(batch.num_columns)]
    return [sha256(json.dumps(row).encode()).digest() for row in zip(*columns, strict=True)]


def _texts(name: str, cells: pa.Array) -> Sequence[str | None]:
    for is_kind, spelling in _SPELLINGS:
        if is_kind(cells.type):
            return [None if cell is None else spelling(cell) for cell in _plain(cells)]
    raise InputError(
        f"column {name!r} has the type {cells.type}, in which Kohort releases nothing; the table is no release",
        code="table.column-type",
        column=name,
    )


def _plain(cells: pa.Array) -> list[Any]:
    """Return cells as Python has them; days and moments as numbers."""
    if pa.types.is_date32(cells.type):
        cells = cells.cast(pa.int32())
    elif pa.types.is_timestamp(cells.type):
        cells = cells.cast(pa.timestamp("us", cells.type.tz)).cast(pa.int64())
    found: list[Any] = cells.to_pylist()
    return found


_SPELLINGS: tuple[tuple[Callable[[pa.DataType], bool], Callable[[Any], str]], ...] = (
    (pa.types.is_string, str),
    (pa.types.is_large_string, str),
    (pa.types.is_boolean, lambda cell: "true" if cell else "false"),
    (pa.types.is_integer, str),
    (pa.types.is_date32, str),
    (pa.types.is_timestamp, str),
    (pa.types.is_decimal128, lambda cell: f"{cell:f}"),
    (pa.types.is_float32, lambda cell: struct.pack(">f", cell).hex()),
    (pa.types.is_float64, lambda cell: struct.pack(">d", cell).hex()),
)
