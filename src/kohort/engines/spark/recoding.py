"""A decision done to rows where they are: what executors make of their own rows, and of those that a query told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.engines.spark.spelling import Released, Spelling
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.keyed import RowKeys
from kohort.table.cluster.packets import packed
from kohort.table.cluster.pieces import Batches, PieceReader, coded
from kohort.table.cluster.places import Places
from kohort.table.cluster.values import as_kind
from kohort.table.packing import Packing
from kohort.table.settling import settled_kind, wider
from kohort.table.table import Column
from kohort.table.whole_numbers import whole

Work = Callable[[Iterator[Released]], Batches]
_ROWS = 1 << 18  # of a query, put together


@dataclass(frozen=True, eq=False)
class Recoding:
    """By which class each row is released, if it is: columns are told by labels of it, by their own numbers, or as they are."""

    keys: RowKeys  # by which rows find their class
    classes: Places
    labels: Mapping[str, IntArray]  # column -> the number of the label of each class
    numbered: Mapping[str, pa.Array]  # column -> its values as Spark holds them, by their numbers
    kinds: Mapping[str, pa.DataType]  # of other columns, as Kohort reads them

    def released(self, columns: Sequence[Column]) -> Released:
        """Return the rows of a piece that are released."""
        found = self.classes.of(self.keys.packing.words(self.keys.codes(columns)))
        kept = np.flatnonzero(found >= 0)
        own, place = {column.name: column for column in columns}, found[kept]
        numbers = {name: label_of[place] for name, label_of in self.labels.items()}
        for name, values in self.numbered.items():
            numbers[name] = coded(own[name], values, np.arange(len(values)))[kept]
        cells = {
            name: as_kind(own[name].values, kind).take(pa.array(own[name].codes[kept]))
            for name, kind in self.kinds.items()
        }
        return Released(numbers, cells)


@dataclass(frozen=True, eq=False)
class Unpacking:
    """Released rows as a query tells them: keys `p0`…, and the cells of other columns under places of their own."""

    packing: Packing
    names: tuple[str, ...]  # of the columns that keys are of
    kinds: Mapping[str, tuple[str, pa.DataType]]  # other columns: the place and the type, as Kohort reads it

    def released(self, rows: pa.Table) -> Released:
        """Return rows."""
        keys = [f"p{i}" for i in range(len(rows.column_names) - len(self.kinds))]
        words = pa.table({f"k{i}": whole(rows, key) for i, key in enumerate(keys)})
        numbers = self.packing.unpacked(words) if self.names else []
        cells = {
            name: as_kind(rows.column(place).combine_chunks(), kind)
            for name, (place, kind) in self.kinds.items()
        }
        return Released(dict(zip(self.names, numbers, strict=True)), cells)


@handed_over
def of_source(reader: PieceReader, batches: Batches, *, recoding: Recoding, work: Work) -> Batches:
    """Do something with the released rows of a source."""
    yield from work(recoding.released(columns) for columns, _ in reader.pieces(batches))


@handed_over
def of_query(unpacking: Unpacking, work: Work, batches: Batches) -> Batches:
    """Do something with the released rows that a query tells."""
    yield from work(unpacking.released(rows) for rows in _together(batches))


def _together(batches: Batches) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) >= _ROWS:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def to_parts(pieces: Iterator[Released], *, spelling: Spelling, parts: int) -> Batches:
    """Send rows to the parts that they are written to."""
    for rows in pieces:
        cells = {name: _cast(own, spelling.kinds.get(name)) for name, own in rows.cells.items()}
        yield from spelling.sent(Released(rows.numbers, cells), parts)


def kinds_needed(pieces: Iterator[Released], *, asked: Mapping[str, pa.Array | None]) -> Batches:
    """Tell the types that released values of columns need: a column -> its values by their numbers, where it has some."""
    needed: dict[str, pa.DataType] = dict.fromkeys(asked, pa.null())
    for rows in pieces:
        for name, values in asked.items():
            held = (
                rows.cells[name].unique()
                if values is None
                else values.take(pa.array(np.unique(rows.numbers[name])))
            )
            needed[name] = wider(needed[name], settled_kind(held))
    yield packed(0, pa.schema(list(needed.items())).empty_table())


def needed_by_all(found: Sequence[pa.Table]) -> dict[str, pa.DataType]:
    """Return the types that all need together, of what `kinds_needed` tells."""
    names = found[0].column_names if found else []
    return {name: reduce(wider, (table.schema.field(name).type for table in found)) for name in names}


def _cast(cells: pa.Array, kind: pa.DataType | None) -> pa.Array:
    return cells if kind is None or cells.type == kind else cells.cast(kind)
