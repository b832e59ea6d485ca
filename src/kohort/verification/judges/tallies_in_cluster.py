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
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.keyed import RowKeys, runs, summed
from kohort.table.cluster.packets import PACKETS, by_part, part_of, sent
from kohort.table.cluster.pieces import Batches, PieceReader, coded
from kohort.table.cluster.places import Places
from kohort.table.cluster.source import ClusterSource
from kohort.table.table import Column
from kohort.table.whole_numbers import whole
from kohort.verification.judges.tally import Key, Runs, Tally, Tallying, TallyTooLargeError, tally_of_all


@dataclass(frozen=True, eq=False)
class Side:
    """How rows of one of the two tables are told in keys: column -> its values, and the code of each, -1 for none."""

    codes: Mapping[str, tuple[pa.Array, IntArray]]
    is_original: bool = False
    claimed: ClaimedRows | None = None

    def codes_of(self, name: str) -> IntArray:
        """Return the codes that a column may have in keys."""
        labels = {} if self.claimed is None else self.claimed.labels
        return labels[name] if name in labels else self.codes[name][1]


@dataclass(frozen=True, eq=False)
class ClaimedRows:
    """As what the original's rows are claimed to be told: by the labels of their class; rows of no class are not told."""

    keys: RowKeys
    classes: Places
    labels: Mapping[str, IntArray]

    def codes(self, columns: Sequence[Column]) -> tuple[IntArray, dict[str, IntArray]]:
        """Return the rows that are told, and the code of the label of each, by column."""
        found = self.classes.of(self.keys.packing.words(self.keys.codes(columns)))
        told = np.flatnonzero(found >= 0)
        return told, {name: label_of[found[told]] for name, label_of in self.labels.items()}


def tallied(
    cluster: Cluster,
    sides: Sequence[tuple[ClusterSource, Side]],
    key: Key,
    watched: Sequence[str],
    parts: int,
    room: int | None,
) -> Tally | None:
    """Return what the tables hold; None where there is no room."""
    frames = [
        source.through(list(key.names), partial(rows_by_key, side=side, key=key, parts=parts), PACKETS)
        for source, side in sides
    ]
    both = any(side.is_original for _, side in sides)
    work = partial(tallies, key, tuple(watched), both, room)
    found = cluster.met(frames, parts, work, "tally binary").column(0)
    pieces = [pickle.loads(piece.as_py()) for chunk in found.chunks for piece in chunk]
    return None if not pieces or None in pieces else tally_of_all(pieces)


@handed_over
def rows_by_key(reader: PieceReader, batches: Batches, *, side: Side, key: Key, parts: int) -> Batches:
    """Yield the keys of the rows of a task, and how many rows of this side have each, for the parts that classes meet in."""
    below = key.bits(key.carried)
    for columns, _ in reader.pieces(batches):
        keys = _keys(columns, side, key)
        order, starts = runs([keys])
        found, n = keys[order[starts]], np.diff(starts, append=len(order))
        sided: IntArray = found * 2 + side.is_original
        yield from sent(pa.table({"sided": sided, "n": n}), part_of(found >> below, parts))


def _keys(columns: Sequence[Column], side: Side, key: Key) -> IntArray:
    """Return the keys of rows, -1 where a value has no code: what no label covers is told by none."""
    own = {column.name: column for column in columns}
    told: IntArray | slice = slice(None)
    labels: dict[str, IntArray] = {}
    if side.claimed is not None:
        told, labels = side.claimed.codes(columns)
    keys, known = np.zeros(1, np.int64), np.ones(1, np.bool_)
    for name in key.names:
        codes = labels[name] if name in labels else coded(own[name], *side.codes[name])[told]
        keys, known = keys << key.bits([name]) | codes, known & (codes >= 0)
    found: IntArray = np.where(known, keys, -1)
    return found


@handed_over
def tallies(key: Key, watched: tuple[str, ...], both: bool, room: int | None, batches: Batches) -> Batches:
    """Yield the tally of the classes of every part."""
    for _, lines in by_part(batches):
        yield pa.RecordBatch.from_arrays(
            [pa.array([pickle.dumps(_tally(key, watched, both, room, lines))], pa.binary())], names=["tally"]
        )


def _tally(key: Key, watched: tuple[str, ...], both: bool, room: int | None, lines: pa.Table) -> Tally | None:
    (sided,), n = summed([whole(lines, "sided")], whole(lines, "n"))
    starts = np.flatnonzero(np.diff(sided >> 1, prepend=(sided[0] >> 1) - 1))
    told, true = (np.add.reduceat(np.where(sided & 1 == side, n, 0), starts) for side in (0, 1))
    tallying = Tallying(key, watched, both, room)
    try:
        tallying.add_runs(Runs(sided[starts] >> 1, told, true))
        return tallying.counted()
    except TallyTooLargeError:
        return None
