"""Tables on their way from many tasks to few: as bytes, which Spark moves and does not look at.

A task sends a packet to each of some parts; whoever has a part gets all packets that were sent to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import IntArray
from kohort.table.cluster.session import told_plainly

PACKETS = "part int, packet binary"  # what SQL calls them
ROWS_OF_A_PART = 1 << 20  # that one task is to get, about
_NARROWED = b"narrowed"  # the columns that were numbers of 64 bits before they travelled
_NARROW = (pa.uint8(), pa.uint16(), pa.uint32())
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 by the golden ratio: its multiples differ in their high bits


def delivered(packets: Any, parts: int) -> Any:
    """Return a frame in which the packets of a part stand together."""
    with told_plainly():
        return packets.repartition(parts, "part")


def parts_for(n_rows: int, least: int = 1) -> int:
    """Return how many parts rows are sent to."""
    return max(least, -(-n_rows // ROWS_OF_A_PART))


def part_of(numbers: IntArray, parts: int) -> IntArray:
    """Return the part of each number; equal numbers have the same."""
    mixed = numbers.astype(np.uint64) * _ODD
    mixed ^= mixed >> np.uint64(32)
    return ((mixed * _ODD >> np.uint64(32)) % np.uint64(parts)).astype(np.int32)


def sent(rows: pa.Table, part: IntArray) -> Iterator[pa.RecordBatch]:
    """Yield the rows as packets for the parts that they belong to, in the order in which they stand."""
    if not len(part):
        return
    few = (
        part.astype(np.uint16) if int(part.max()) < 1 << 16 else part
    )  # numbers of 16 bits are dealt, not compared
    order = np.argsort(few, kind="stable")
    ordered, starts = part[order], np.flatnonzero(np.diff(part[order], prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
        packet = rows.take(pa.array(order[start:end])) if len(starts) > 1 else rows
        yield packed(int(ordered[start]), packet)


def packed(part: int, rows: pa.Table) -> pa.RecordBatch:
    """Return a packet to a part; numbers travel in as few bytes as hold them."""
    own, rows = rows.schema, pa.table({name: _narrow(rows.column(name)) for name in rows.column_names})
    narrowed = [name for name in own.names if rows.schema.field(name).type != own.field(name).type]
    rows = rows.replace_schema_metadata({_NARROWED: json.dumps(narrowed)})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_table(rows)
    told = [pa.array([part], pa.int32()), pa.array([sink.getvalue().to_pybytes()], pa.binary())]
    return pa.RecordBatch.from_arrays(told, names=["part", "packet"])


def opened(packet: pa.Scalar) -> pa.Table:
    """Return what is in a packet."""
    with pa.ipc.open_stream(packet.as_buffer()) as stream:
        rows = stream.read_all()
    narrowed = json.loads((rows.schema.metadata or {})[_NARROWED])
    kinds = [field.with_type(pa.int64()) if field.name in narrowed else field for field in rows.schema]
    return rows.replace_schema_metadata(None).cast(pa.schema(kinds))


def _narrow(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if column.type != pa.int64() or column.null_count or not len(column):
        return column
    least, most = pc.min_max(column).as_py().values()
    return (
        column
        if least < 0 or most >= 1 << 32
        else column.cast(next(k for k in _NARROW if most < 1 << k.bit_width))
    )


def by_part(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, pa.Table]]:
    """Yield each part with all that was sent to it."""
    found: dict[int, list[pa.Table]] = {}
    for batch in batches:
        for part, packet in zip(batch.column(0).to_pylist(), batch.column(1), strict=True):
            found.setdefault(part, []).append(opened(packet))
    for part in sorted(found):
        yield part, pa.concat_tables(found.pop(part))


def all_of(found: pa.Table) -> list[pa.Table]:
    """Return what is in packets that came here."""
    return [opened(packet) for chunk in found.column("packet").chunks for packet in chunk]
