"""A tally of tables that Spark's executors read: each counts the rows that it has by their keys, and those of one class meet.

Whoever has a class has all its rows, written and original, and reads off what `Tallying` does.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.keyed import runs
from kohort.table.cluster.packets import PACKETS, by_part, delivered, part_of, sent
from kohort.table.cluster.pieces import Batches, PieceReader, coded
from kohort.table.cluster.session import told_plainly
from kohort.table.cluster.source import ClusterSource
from kohort.table.whole_numbers import whole
from kohort.verification.judges.tally import Key, Runs, Tally, Tallying, TallyTooLargeError, tally_of_all


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two tables, and what its values are called in keys: column -> values, and the code of each, -1 for none."""

    source: ClusterSource
    codes: Mapping[str, tuple[pa.Array, IntArray]]
    is_original: bool


def tallied(
    sides: Sequence[Side], key: Key, watched: Sequence[str], parts: int, room: int | None
) -> Tally | None:
    """Return what the tables hold; None where there is no room."""
    frames = [
        side.source.through(
            list(key.names),
            partial(rows_by_key, side=side.codes, key=key, told=not side.is_original, parts=parts),
            PACKETS,
        )
        for side in sides
    ]
    both = any(side.is_original for side in sides)
    with told_plainly():
        packets = frames[0] if len(frames) == 1 else frames[0].unionAll(frames[1])
        work = partial(tallies, key, tuple(watched), both, room)
        found = delivered(packets, parts).mapInArrow(work, "tally binary").toArrow()
    pieces = [pickle.loads(piece.as_py()) for chunk in found.column(0).chunks for piece in chunk]
    if not pieces or any(piece is None for piece in pieces):
        return None
    return tally_of_all(pieces)


@handed_over
def rows_by_key(
    reader: PieceReader,
    batches: Batches,
    *,
    side: Mapping[str, tuple[pa.Array, IntArray]],
    key: Key,
    told: bool,
    parts: int,
) -> Batches:
    """Yield the keys of the rows of a task, and how many rows of this side have each, for the parts that classes meet in."""
    below = key.bits(key.carried)
    for columns, _ in reader.pieces(batches):
        own = {column.name: column for column in columns}
        keys, known = np.zeros(len(columns[0].codes), np.int64), np.ones(len(columns[0].codes), np.bool_)
        for name in key.names:
            codes = coded(own[name], *side[name])
            known &= codes >= 0
            keys = keys << key.bits([name]) | codes
        keys = np.where(known, keys, -1)  # what no label covers is told by none
        order, starts = runs([keys])
        found, n = keys[order[starts]], np.diff(starts, append=len(order))
        none = np.zeros(len(n), np.int64)
        lines = {"key": found, "told": n if told else none, "true": none if told else n}
        yield from sent(pa.table(lines), part_of(found >> below, parts))


@handed_over
def tallies(key: Key, watched: tuple[str, ...], both: bool, room: int | None, batches: Batches) -> Batches:
    """Yield the tally of the classes of every part."""
    for _, lines in by_part(batches):
        yield pa.RecordBatch.from_arrays(
            [pa.array([pickle.dumps(_tally(key, watched, both, room, lines))], pa.binary())], names=["tally"]
        )


def _tally(key: Key, watched: tuple[str, ...], both: bool, room: int | None, lines: pa.Table) -> Tally | None:
    keys = whole(lines, "key")
    order, starts = runs([keys])
    told, true = (np.add.reduceat(whole(lines, side)[order], starts) for side in ("told", "true"))
    tallying = Tallying(key, watched, both, room)
    try:
        tallying.add_runs(Runs(keys[order[starts]], told, true))
        return tallying.counted()
    except TallyTooLargeError:
        return None
