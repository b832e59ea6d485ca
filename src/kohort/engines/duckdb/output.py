"""Writes a decision about rows that are on disk, in the order in which they are released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.arrays import BoolArray, IntArray
from kohort.engines.duckdb.coded_rows import CodedRows
from kohort.engines.duckdb.counting import Counting
from kohort.engines.duckdb.dealing import in_order
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.release.publishing import told_column
from kohort.table import Column, Table
from kohort.table.appending import TableWriter, WriterBehind
from kohort.table.mixed import common_kind, have_common
from kohort.table.mixed_columns import kinds_in, unmixed
from kohort.table.piece_bytes import passing_pieces
from kohort.table.scratch import Scratch, in_scratch
from kohort.table.settling import EXACT, as_kind, settled_kind, wider
from kohort.table.text_weight import TextWeight
from kohort.table.whole_numbers import whole

_BY_ANY = (
    pa.types.is_integer,
    pa.types.is_boolean,
    pa.types.is_date32,
)  # any value settles the type, and the greatest where there are no signs


@dataclass(frozen=True, eq=False)
class PlacedRows:
    """Some released rows in the order of the release, each with the base class that it belongs to."""

    row: IntArray  # the number of each row in the original
    class_of: IntArray
    person: IntArray | None  # a pseudonym per row, where people are counted
    columns: Mapping[str, Column]  # the values as they stand in the original


class Output:
    """Writes the released rows in one order, and remembers that order on disk."""

    def __init__(
        self,
        scratch: Scratch,
        rows: CodedRows,
        base: Counting,
        plan: Plan,
        problem: Problem,
        recoded: Recoded,
    ) -> None:
        self._scratch, self._rows, self._base = scratch, rows, base
        self._plan, self._problem, self._recoded = plan, problem, recoded
        self._blank = plan.recode.suppressed_rows == "blank" and not recoded.kept.all()
        self._shown: BoolArray = np.ones_like(recoded.kept) if self._blank else recoded.kept
        self.order = scratch.path("order.parquet")  # per released row: its original row, and the person

    def write(self, path: Path) -> None:
        """Write the released table."""
        kinds, cells = self._kinds()
        classes = (
            self._by_class()
        )  # asked before rows are on their way: the connection serves one query at a time
        with (
            passing_pieces(),
            TableWriter(path) as file,
            WriterBehind(file) as writer,
            _OrderWriter(self.order) as order,
        ):
            for rows in self._placed(self._carried, self._plan.output.shuffle):
                columns = [self._column(name, rows, classes) for name in self._plan.released]
                columns = [unmixed(column, cells.get(column.name, frozenset())) for column in columns]
                columns = [
                    as_kind(column, kinds[column.name]) if column.name in kinds else column
                    for column in columns
                ]
                writer.append(Table.of(columns, len(rows.row)))
                order.append(rows)

    def write_people(self, path: Path) -> None:
        """Write the pseudonym of every released row."""
        pieces = pyarrow.parquet.ParquetFile(self.order).iter_batches(columns=["person"])
        with TableWriter(path) as writer:
            for piece in pieces:
                told = pa.table({"respondent": piece.column("person")})
                writer.append(Table.from_arrow(told))

    def _kinds(self) -> tuple[dict[str, pa.DataType], dict[str, frozenset[str]]]:
        """Return the types of the columns that are carried, and of mixed ones the kinds of their cells.

        Released values settle both.
        """
        mixed = [name for name in self._carried if self._rows.is_mixed(name)]
        typed = [name for name in self._carried if not pa.types.is_string(self._rows.kind(name))]
        kinds: dict[str, pa.DataType] = dict.fromkeys([*typed, *mixed], pa.null())
        cells: dict[str, frozenset[str]] = dict.fromkeys(mixed, frozenset())
        for name in kinds:
            for column in self._told(name):
                found = kinds_in(column)
                kinds[name] = wider(kinds[name], settled_kind(unmixed(column, found).values))
                cells[name] = cells.get(name, frozenset()) | found
        return kinds | {name: pa.string() for name in mixed if not have_common(cells[name])}, cells

    @property
    def _carried(self) -> list[str]:
        """The columns that are released as they were read."""
        return [name for name in self._plan.released if name not in self._problem.names]

    def _told(self, name: str) -> Iterator[Column]:
        """Yield values of a column that released rows hold, as many as settle its type."""
        for batch in self._scratch.pieces(self._settling(name)):
            yield self._rows.column(name, batch).compacted()

    def _settling(self, name: str) -> str:
        """Return the SQL of released values that settle the type of a column."""
        rows, kind = self._released([name]), self._rows.kind(name)
        place, *kinds = self._rows.places(name)
        any_value = f"SELECT {place} FROM ({rows}) WHERE {place} IS NOT NULL"
        if not (kinds or self._rows.is_coded(name)) and pa.types.is_floating(kind):
            # one that is no whole number settles it, and where there is none, any
            odd = f"NOT (isfinite({place}) AND {place} = trunc({place}) AND abs({place}) < {EXACT})"
            return f"({any_value} AND {odd} LIMIT 1) UNION ALL ({any_value} LIMIT 1)"
        if kinds or self._rows.is_coded(name) or not any(settles(kind) for settles in _BY_ANY):
            return f"SELECT DISTINCT {', '.join([place, *kinds])} FROM ({rows})"
        if pa.types.is_uint64(kind):
            return f"SELECT max({place}) AS {place} FROM ({rows})"
        return f"{any_value} LIMIT 1"

    def _released(self, exact: Sequence[str]) -> str:
        """Return the SQL of the released rows, with some columns as they stand in the original."""
        return self._base.placed(exact, np.flatnonzero(self._shown))

    def _placed(self, exact: Sequence[str], shuffle: bool) -> Iterator[PlacedRows]:
        """Yield the released rows, with some columns as they stand in the original.

        Shuffled rows stand in the order of numbers that the operating system draws and nobody keeps: no row tells where
        it stood.
        """
        for batch in self._ordered(self._rows.weight(exact), self._released(exact), shuffle):
            yield PlacedRows(
                row=whole(batch, "row"),
                class_of=whole(batch, "class"),
                person=whole(batch, "person") if self._rows.named else None,
                columns={name: self._rows.column(name, batch) for name in exact},
            )

    def _ordered(self, weight: TextWeight, rows: str, shuffle: bool) -> Iterator[pa.RecordBatch | pa.Table]:
        """Yield rows in the order in which they are released: by DuckDB where their texts are short."""
        drawn = self._scratch.drawn("row")
        if weight.is_short:
            yield from self._scratch.pieces(f"{rows} ORDER BY {f'{drawn}, row' if shuffle else 'row'}")
            return
        told, ends = (drawn, 1 << 64) if shuffle else ("row", self._rows.n_rows)
        pieces = self._scratch.pieces(f"SELECT *, {told} AS dealt_by FROM ({rows})", weight.rows)
        yield from in_order(pieces, "dealt_by", (0, ends), weight.total, self._scratch.folder)

    def _by_class(self) -> dict[str, Column]:
        """Return the quasi-identifiers of every class, as they are released; of classes that are not, any value."""
        classes = np.flatnonzero(self._shown)
        kept: BoolArray = self._recoded.kept[classes]
        found = {}
        for j, name in enumerate(self._problem.names):
            labels: IntArray = self._recoded.columns[j].codes[classes].astype(np.int32)
            told = told_column(self._problem, self._recoded, j, labels, kept, self._source(name))
            codes = np.zeros(len(self._shown), np.int32)
            codes[classes] = told.codes
            found[name] = Column(name, codes, told.values)
        return found

    def _source(self, name: str) -> pa.DataType:
        """Return the type in which a column was read; of several types the one that the released cells have in common."""
        if not self._rows.is_mixed(name):
            return self._rows.kind(name)
        return common_kind(frozenset().union(*(kinds_in(column) for column in self._told(name))))

    @staticmethod
    def _column(name: str, rows: PlacedRows, classes: Mapping[str, Column]) -> Column:
        if name in rows.columns:
            return rows.columns[name].compacted()
        told = classes[name]
        return Column(name, told.codes[rows.class_of], told.values).compacted()


class _OrderWriter:
    """Writes the original row and the person of every released row."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None

    def append(self, rows: PlacedRows) -> None:
        told = {"row": pa.array(rows.row)}
        if rows.person is not None:
            told["person"] = pa.array(rows.person)
        piece = pa.table(told)
        with in_scratch():
            if self._writer is None:
                self._writer = pyarrow.parquet.ParquetWriter(
                    self._path, piece.schema, compression="lz4", use_dictionary=False
                )
            self._writer.write_table(piece)

    def __enter__(self) -> _OrderWriter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            with in_scratch():
                self._writer.close()
