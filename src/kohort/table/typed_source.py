"""`TypedSource`: a Parquet file that DuckDB reads, of which only distinct values pass through Python's reader.

What is read of a cell follows from its value alone, whatever row it stands in. So each distinct value is read once, as a
piece of the file would be, and what became of it is joined back to the rows: all columns at once, on all cores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.table.blanks import BLANK
from kohort.table.counted import CountedColumn
from kohort.table.formats.parquet import opened_parquet
from kohort.table.hidden_names import hidden, hidden_in_sql
from kohort.table.kinds import check_kind
from kohort.table.moments import check_moments
from kohort.table.scratch import Scratch, literal
from kohort.table.streaming import TableStream
from kohort.table.table import Column, Table
from kohort.table.text_weight import TextWeight
from kohort.table.tidying import is_tidy, tidied
from kohort.table.value_room import ValueRoom
from kohort.table.whole_numbers import whole

FEW, FEW_BYTES = 10_000, 1 << 20  # distinct values of a column, so that nobody minds holding them
FEW_JOINS, MOST_JOINS = (
    16,
    64,
)  # columns that are joined with what their values become: each takes along all others
PER_VALUE, SHARE = 64, 2  # bytes of a value in a join, about; they may take one part of what DuckDB may hold
_SUFFIXES = (".parquet", ".pq")
_PATTERN = frozenset("*?[")  # in a path, DuckDB takes them for patterns
_PLAIN = (
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_date32,
    pa.timestamp("us").equals,
)  # kinds of which every value is read as it is


NOTHING: Mapping[str, str] = MappingProxyType({})


class UntypedError(Exception):
    """DuckDB does not read of a file what Python does, or cannot read it: it is read in pieces, which also says what is wrong."""


class TypedSource:
    """The columns of a file, each made into codes or cells; then `write` puts all rows on disk."""

    def __init__(
        self, scratch: Scratch, stream: TableStream, names: Sequence[str], room: ValueRoom | None = None
    ) -> None:
        self._scratch, self._stream, self._room = scratch, stream, room
        self._made: list[str] = []  # what becomes of each column, in SQL
        self._tables: dict[str, str] = {}  # that tell what becomes of the values of a column
        self._joined, self._most = (
            0,
            scratch.memory // (PER_VALUE * SHARE),
        )  # values that rows are joined with
        self._met: dict[str, str] = {}  # in SQL, what rows are joined with them by, where not by the value
        self._rows = (
            f"read_parquet({literal(stream.path)}, file_row_number = true, hive_partitioning = false)"
        )
        with _untyped(self._scratch):
            self._kinds = self._checked(names)

    def kind(self, name: str) -> pa.DataType:
        """Return the type of a column in the file."""
        return self._kinds[name]

    def is_plain(self, name: str) -> bool:
        """Say whether the cells of a column are read as they are, blank ones and those that are no number aside."""
        kind = self._kinds[name]
        known = pa.types.is_string(kind) or _is_float(kind) or any(plain(kind) for plain in _PLAIN)
        return known and name not in self._stream.retold and is_tidy(name, kind, self._stream.options)

    def has_few(self, name: str) -> bool:
        """Say whether a column has few distinct values, none of them long, as far as a sketch tells."""
        longest = f"max(strlen({_quoted(name)}))" if pa.types.is_string(self._kinds[name]) else "0"
        with _untyped(self._scratch):
            found = self._scratch.table(
                f"SELECT approx_count_distinct({_quoted(name)}) AS n, coalesce({longest}, 0) AS longest FROM {self._rows}"
            )
        values, length = (int(found.column(told)[0].as_py()) for told in ("n", "longest"))
        return values <= FEW and values * length <= FEW_BYTES

    def values(self, name: str, as_met: bool = True) -> tuple[pa.Array, CountedColumn]:
        """Return the distinct values as they stand in the file, and what is read of them: a code for each.

        They come `as_met`, in the order in which rows have them first, or in their own, which is found sooner.
        """
        first = ", min(file_row_number) AS first" if as_met else ""
        with _untyped(self._scratch):
            self._scratch.run(
                f"CREATE OR REPLACE TABLE met AS SELECT {_quoted(name)} AS value, count(*) AS n{first} "
                f"FROM {self._rows} GROUP BY ALL"
            )
            size = "strlen(value)" if pa.types.is_string(self._kinds[name]) else "8"
            values, own = (
                self._scratch.number(f"SELECT {one} FROM met")
                for one in ("count(*)", f"coalesce(sum({size}), 0)")
            )
        if self._room is not None:
            self._room.hold(name, values, own)
        with _untyped(self._scratch):
            found = self._scratch.table(f"FROM met ORDER BY {'first' if as_met else 'value'}")
            self._scratch.run("DROP TABLE met")
        raw = found.column("value").combine_chunks()
        column = self._read(name, raw)
        totals = np.bincount(column.codes, whole(found, "n"), minlength=len(column.values)).astype(np.int64)
        return raw, CountedColumn(name, column.codes, column.values, totals)

    def code(self, place: str, name: str, raw: pa.Array, codes: IntArray) -> None:
        """Make a column the codes of its values, told for each distinct one."""
        table = codes_of(place)
        self._demand_join(len(raw))
        with _untyped(self._scratch):
            self._scratch.keep(table, pa.table({"value": raw, "code": pa.array(codes, pa.int32())}))
        self._join(place, name, table, "code")

    def leave(self, place: str, name: str, told: Callable[[str], str] = str) -> None:
        """Leave a plain column as it is, or as what is `told` of its cells in SQL."""
        self._made.append(f"({told(self._plain(name))}) AS {place}")

    def hide(self, place: str, name: str, key: bytes) -> pa.DataType:
        """Make a column numbers that tell its values apart and nothing of them; return the type of these."""
        if not self.is_plain(name):
            return self.tell(place, name, lambda column: hidden(column, key).to_arrow(), key)
        self._made.append(f"{hidden_in_sql(self._plain(name), key)} AS {place}")
        return pa.uint64()

    def _plain(self, name: str) -> str:
        """Return the SQL of the cells of a plain column."""
        cell, kind = f"source.{_quoted(name)}", self._kinds[name]
        if pa.types.is_string(kind):
            # nearly every text begins with what is seen at once
            seen, blank = f"ascii({cell}) BETWEEN 33 AND 126", f"regexp_matches({cell}, '{BLANK}')"
            cell = f"CASE WHEN {seen} THEN {cell} WHEN {blank} THEN NULL ELSE {cell} END"
        elif pa.types.is_temporal(kind):
            self._check_ends(name)
        elif _is_float(kind):
            cell = f"CASE WHEN isnan({cell}) THEN NULL ELSE {cell} + 0 END"
        return cell

    def _check_ends(self, name: str) -> None:
        """Leave to the reader of pieces a column with a moment beyond the calendar, of which the ends are enough to know."""
        ends = f"min({_quoted(name)}) AS low, max({_quoted(name)}) AS high"
        with _untyped(self._scratch):
            found = self._scratch.table(f"SELECT {ends} FROM {self._rows}")
            for column in found.columns:
                check_moments(name, column.combine_chunks())

    def tell(
        self, place: str, name: str, cells_of: Callable[[Column], pa.Array], key: bytes | None = None
    ) -> pa.DataType:
        """Make a column what `cells_of` says of what is read of its values, some thousand at a time; return the type of that.

        With a key, no value is written, but a number that it makes of each.
        """
        told_by = "value" if key is None else hidden_in_sql("value", key)
        if key is not None:
            self._met[name] = hidden_in_sql(f"source.{_quoted(name)}", key)
        table, path = f"{place}_cells", self._scratch.path(f"{place}_cells.parquet")
        writer, rows = None, self._rows_of_piece(name)
        with _untyped(self._scratch):
            try:
                for batch in self._scratch.pieces(
                    f"SELECT value, {told_by} AS met FROM (SELECT DISTINCT {_quoted(name)} AS value FROM {self._rows})",
                    rows,
                ):
                    cells = cells_of(self._read(name, batch.column("value")))
                    told = pa.table({"value": batch.column("met"), "cell": cells})
                    self._demand_join(len(told))
                    writer = writer or pyarrow.parquet.ParquetWriter(path, told.schema, compression="lz4")
                    writer.write_table(told)
            finally:
                if writer is not None:
                    writer.close()
            self._scratch.run(f"CREATE OR REPLACE VIEW {table} AS FROM read_parquet({literal(path)})")
        self._join(place, name, table, "cell")
        return told.schema.field("cell").type

    def _rows_of_piece(self, name: str) -> int:
        """Return how many cells of a column are a piece."""
        texts = [_quoted(name)] if pa.types.is_string(self._kinds[name]) else []
        with _untyped(self._scratch):
            return TextWeight.of(self._scratch, self._rows, texts, "file_row_number").rows

    def rows(self, number: str | None = None, instead: Mapping[str, str] = NOTHING) -> str:
        """Return the SQL of all rows, with their `number` in the file; other tables may tell codes `instead` of those made."""
        made = [*self._made, *([] if number is None else [f"source.file_row_number AS {number}"])]
        joins = (
            f"JOIN {instead.get(table, table)} AS {table} ON {self._met.get(name, f'source.{_quoted(name)}')} "
            f"IS NOT DISTINCT FROM {table}.value"
            for name, table in self._tables.items()
        )
        return " ".join([f"SELECT {', '.join(made)} FROM {self._rows} AS source", *joins])

    def write(self, path: Path, number: str) -> int:
        """Write every row with its `number` in the file, in any order; return how many there are."""
        with _untyped(self._scratch):
            self._scratch.write(self.rows(number), path)
            written = self._scratch.number(f"SELECT count(*) FROM read_parquet({literal(path)})")
        if written != self.n_rows:
            raise UntypedError
        return written

    def _demand_join(self, values: int) -> None:
        """Leave to the reader of pieces what many joins at a time would be: all of their tables are held together.

        One that does not fit is spilled, and so are a few.
        """
        self._joined += values
        if len(self._tables) >= FEW_JOINS and self._joined > self._most:
            raise UntypedError

    def _join(self, place: str, name: str, table: str, cell: str) -> None:
        self._tables[name] = table
        self._made.append(f"{table}.{cell} AS {place}")

    def _read(self, name: str, raw: pa.Array) -> Column:
        """Return what is read of some values, as of a piece of the file in which each stands once."""
        table = Table.from_arrow(pa.table({name: raw}))
        return self._stream.told(tidied(table, self._stream.options))[name]

    def _checked(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """Return the types of the columns, which DuckDB and Python must find alike."""
        path = self._stream.path
        if not is_parquet_file(path) or _PATTERN & set(str(path)):
            raise UntypedError
        file = opened_parquet(path)
        own, self.n_rows = file.schema_arrow, int(file.metadata.num_rows)
        called = Counter(name.lower() for name in [*own.names, "file_row_number"])
        if not self.n_rows or any(called[name.lower()] > 1 for name in names):
            raise UntypedError  # to DuckDB, names differ by more than case
        chosen = ", ".join(map(_quoted, names))
        found = self._scratch.table(f"SELECT {chosen} FROM {self._rows} LIMIT 0").schema
        kinds = {name: _decoded(own.field(name).type) for name in names}
        if any(kind != found.field(name).type for name, kind in kinds.items()):
            raise UntypedError
        for name, kind in kinds.items():
            check_kind(name, kind)
        return kinds


def is_parquet_file(path: Path) -> bool:
    """Say whether a path is a single file of Parquet."""
    return path.suffix.lower() in _SUFFIXES and path.is_file()


def codes_of(place: str) -> str:
    """Return the name of the table that tells the `code` of every `value` of a column."""
    return f"{place}_codes"


def _decoded(kind: pa.DataType) -> pa.DataType:
    kind = kind.value_type if isinstance(kind, pa.DictionaryType) else kind
    return pa.string() if pa.types.is_large_string(kind) else kind


def _is_float(kind: pa.DataType) -> bool:
    return bool(pa.types.is_float32(kind) or pa.types.is_float64(kind))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def _untyped(scratch: Scratch) -> Iterator[None]:
    """Read of a file that others made; what DuckDB cannot read of it is no fault yet."""
    import duckdb

    try:
        with scratch.doubting():
            yield
    except (duckdb.Error, InputError, pa.ArrowException, OSError, UnicodeDecodeError):
        raise UntypedError from None
