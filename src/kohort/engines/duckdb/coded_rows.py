"""`CodedRows`: the rows of a file, coded, in a scratch folder where DuckDB reads them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.arrays import IntArray
from kohort.engines.agreeing_in_sql import agreement_in_sql, agreement_told, one_in
from kohort.engines.duckdb.paths import Paths
from kohort.engines.wanted import Wanted
from kohort.errors import InputError
from kohort.proposals.agreeing import Agreement
from kohort.table import Column, Table
from kohort.table.alike import alike, plain_forms
from kohort.table.counted import CountedColumn
from kohort.table.dictionary import Dictionary
from kohort.table.hidden_names import new_key, with_hidden
from kohort.table.scratch import Scratch, in_scratch, literal
from kohort.table.streaming import TableStream
from kohort.table.text_weight import TextWeight
from kohort.table.typed_source import FEW, TypedSource, UntypedError
from kohort.table.value_room import ValueRoom
from kohort.table.whole_numbers import whole

# Types that pass through Parquet and DuckDB unchanged; columns of others are coded, whatever their size.
_PASSING = (
    pa.types.is_string,
    pa.types.is_integer,
    pa.types.is_float32,
    pa.types.is_float64,
    pa.types.is_date32,
    pa.types.is_boolean,
    pa.timestamp("us").equals,
)

NAMES = 1 << 14  # names of people that are looked at together

_CODE, _TEXT = 4, 16  # bytes of a code, and of a text as DuckDB holds it, letters aside


class CodedRows:
    """Keeps what is wanted of a file as the view `kept_rows`, with the number of each `row`.

    The file is read once. Columns that are counted become whole numbers over their distinct values, which are
    held in memory; the columns carried and the respondents stay as they are, on disk, and those that are only `naming`
    somebody are kept as numbers of which nobody knows the key.
    """

    def __init__(self, scratch: Scratch, stream: TableStream, wanted: Wanted, room: ValueRoom) -> None:
        self._scratch, self._room = scratch, room
        self._counted, self._hidden = frozenset(wanted.counted), wanted.hidden
        self._key = new_key()
        self._dictionaries: dict[str, Dictionary] = {}
        self._kinds: dict[str, pa.DataType] = {}  # of columns that are not coded
        self._weights: dict[tuple[str, ...], TextWeight] = {}  # of columns that are texts
        self._mixed: set[str] = set()  # columns whose cells are of several types: the same in every piece
        self._place = {name: f"c{i}" for i, name in enumerate(wanted.columns)}
        self._respondent = wanted.respondent
        self._people: tuple[int, int] | None = None
        self._path = scratch.path("rows.parquet")
        self._rungs: Mapping[str, tuple[IntArray, ...]] | None = None  # whose paths rows carry
        self._paths: Paths | None = None
        self.n_rows = 0
        self._read(stream)

    @property
    def named(self) -> bool:
        """Whether a column names the person of each row."""
        return self._respondent is not None

    @property
    def respondent(self) -> str | None:
        """The column that names the person of each row."""
        return self._respondent

    def place(self, name: str) -> str:
        """Return what SQL calls a column."""
        return self._place[name]

    def size(self, name: str) -> int:
        """Return how many distinct values a coded column has."""
        return len(self._dictionaries[name])

    def places(self, name: str) -> tuple[str, ...]:
        """Return what SQL calls all that is kept of a column: its cells and, where they are of several types, of which each is."""
        return (self._place[name], *((self._kind_place(name),) if name in self._mixed else ()))

    def is_coded(self, name: str) -> bool:
        """Say whether a column is kept as codes of its values."""
        return name in self._dictionaries

    def is_mixed(self, name: str) -> bool:
        """Say whether the cells of a column are of several types."""
        return name in self._mixed

    def kind(self, name: str) -> pa.DataType:
        """Return the type of a column."""
        return self._kinds[name] if name in self._kinds else self._dictionaries[name].column().values.type

    def profile(self, name: str) -> CountedColumn:
        """Return the distinct values of a column with their counts; of one that is not coded, none are known."""
        if name in self._counted:
            return self._dictionaries[name].column()
        return CountedColumn.of(name, pa.nulls(0), np.zeros(0, np.int64))

    def alone(self, name: str) -> tuple[int, int]:
        """Return how many rows hold a value that no other row, or no other person, has, and how many not the most frequent one."""
        one = "count(*)" if self._respondent is None else f"count(DISTINCT {self._place[self._respondent]})"
        found = self._scratch.table(
            "SELECT coalesce(sum(n) FILTER (one = 1), 0)::BIGINT AS alone, "
            "(coalesce(sum(n), 0) - coalesce(max(n), 0))::BIGINT AS rarer "
            f"FROM (SELECT count(*) AS n, {one} AS one FROM kept_rows GROUP BY {self._place[name]})"
        )
        return int(whole(found, "alone")[0]), int(whole(found, "rarer")[0])

    def people(self) -> tuple[int, int]:
        """Return the number of distinct respondents, and of rows that name nobody."""
        if self._respondent is None:
            return self.n_rows, 0
        if self._people is None:
            self._people = self._number_people(self._respondent)
        return self._people

    def _number_people(self, respondent: str) -> tuple[int, int]:
        place = self._place[respondent]
        key = secrets.token_hex(16)  # numbers follow no order that anybody knows
        self._scratch.run(
            "CREATE TABLE people AS "
            f"SELECT who, row_number() OVER (ORDER BY md5_number(concat('{key}', who))) - 1 AS person "
            f"FROM (SELECT DISTINCT {place} AS who FROM kept_rows)"
        )
        return self._scratch.number("SELECT count(*) FROM people"), self._nobody(respondent)

    def _nobody(self, respondent: str) -> int:
        if respondent not in self._dictionaries:
            return self._scratch.number(
                f"SELECT count(*) FROM kept_rows WHERE {self._place[respondent]} IS NULL"
            )
        column = self._dictionaries[respondent].column()
        return int(column.totals[[text is None for text in column.texts]].sum())

    def empty(self, names: Sequence[str]) -> tuple[int, int]:
        """Return how many rows lack a value in all of these columns, and the first of them; -1 where there is none."""
        lacking = " AND ".join(map(self._lacking, names)) or "false"
        return (
            self._scratch.number(f"SELECT count(*) FROM kept_rows WHERE {lacking}"),
            self._scratch.number(f"SELECT coalesce(min(row), -1) FROM kept_rows WHERE {lacking}"),
        )

    def agreement(self, name: str, other: str) -> Agreement:
        """Return how rows of one value of a column agree in a counted one."""
        told = f"NOT ({self._lacking(name)}) AND NOT ({self._lacking(other)})"
        if (every := one_in(self.n_rows)) > 1:
            told += f" AND hash({self._place[name]}) % {every} = 0"
        query = agreement_in_sql("kept_rows", self._place[name], self._place[other], told)
        return agreement_told(self._scratch.table(query))

    def _lacking(self, name: str) -> str:
        """Return what SQL says of a row that lacks a value."""
        if name not in self._dictionaries:
            return f"{self._place[name]} IS NULL"
        texts = self._dictionaries[name].column().texts
        return f"{self._place[name]} = {texts.index(None)}" if None in texts else "false"

    def names_alike(self) -> int:
        """Return how many distinct respondents equal another one in what a reader sees; their forms are put on disk."""
        if self._respondent is None:
            return 0
        if self._respondent in self._dictionaries:
            return alike(self._dictionaries[self._respondent].column().values)
        if not pa.types.is_string(self._kinds[self._respondent]):
            return 0
        self.people()
        path, schema = self._scratch.path("names.parquet"), pa.schema({"form": pa.string()})
        with in_scratch(), pyarrow.parquet.ParquetWriter(path, schema, compression="lz4") as writer:
            for piece in self._scratch.pieces("SELECT who FROM people WHERE who IS NOT NULL", NAMES):
                forms = plain_forms(piece.column("who")).cast(pa.string())
                writer.write_table(pa.table({"form": forms}, schema))
        found = self._scratch.number(
            "SELECT coalesce(sum(n), 0)::BIGINT FROM "
            f"(SELECT count(*) AS n FROM read_parquet({literal(path)}) GROUP BY md5_number(form) HAVING n > 1)"
        )
        path.unlink()
        return found

    def with_people(self, view: str) -> str:
        """Return the rows of a view with the number of the `person` of each, where people are named."""
        if self._respondent is None:
            return view
        self.people()
        # Rows of nobody are somebody's: whoever counts them for a promise refuses them first.
        who = f"{view}.{self._place[self._respondent]} IS NOT DISTINCT FROM who"
        return f"(SELECT {view}.*, person FROM {view} JOIN people ON {who})"

    def paths(self, rungs: Mapping[str, tuple[IntArray, ...]] | None) -> Paths | None:
        """Return the paths of the values of some columns, which rows carry from now on; None where there are none."""
        if rungs is None:
            return None
        if self._rungs is not rungs:
            carried = [] if self._paths is None else self._paths.places
            self._rungs, self._paths = rungs, Paths.of(rungs)
            if self._paths is not None:
                self._carry(self._paths, [self._place[name] for name in rungs], carried)
        return self._paths

    def _carry(self, paths: Paths, places: Sequence[str], before: Sequence[str]) -> None:
        """Write the rows again with the paths of their values, in place of others."""
        joins = ""
        for j, (path, place) in enumerate(zip(paths.paths, places, strict=True)):
            told = {f"value_{j}": np.arange(len(path.of_value)), f"path_{j}": path.of_value}
            self._scratch.keep(f"paths_{j}", pa.table(told))
            joins += f" JOIN paths_{j} ON {place} = value_{j}"
        keys = zip(paths.packing.sql().values(), paths.places, strict=True)
        told_paths = ", ".join(f"{key} AS {place}" for key, place in keys)
        kept = f"kept_rows.*{f' EXCLUDE ({chr(44).join(before)})' if before else ''}"
        written, self._path = self._path, self._scratch.path(f"rows-{secrets.token_hex(4)}.parquet")
        self._scratch.write(f"SELECT {kept}, {told_paths} FROM kept_rows{joins}", self._path)
        self._show()
        written.unlink()

    def _show(self) -> None:
        self._scratch.run(
            f"CREATE OR REPLACE VIEW kept_rows AS SELECT * FROM read_parquet({literal(self._path)})"
        )

    def weight(self, names: Sequence[str]) -> TextWeight:
        """Return what the texts of some columns take that are kept as they are, and where they are many, all of these columns."""
        kinds = self._kinds
        texts = tuple(
            self._place[name] for name in names if name in kinds and pa.types.is_string(kinds[name])
        )
        if texts not in self._weights:
            self._weights[texts] = TextWeight.of(self._scratch, "kept_rows", texts, "row")
        return self._weights[texts].beside(self.n_rows, sum(self._cell(name) for name in names))

    def of_many_values(self, names: Sequence[str]) -> int:
        """Return how many columns have so many values, as far as a sketch tells, that they are not told by codes."""
        counted = ", ".join(f"approx_count_distinct({self._place[name]})" for name in names)
        return sum(
            int(column[0].as_py()) > FEW
            for column in self._scratch.table(f"SELECT {counted} FROM kept_rows").columns
        )

    def _cell(self, name: str) -> int:
        """Return how many bytes a cell takes, its text aside."""
        kind = self._kinds.get(name)
        return _CODE if kind is None else _TEXT if pa.types.is_string(kind) else max(kind.bit_width // 8, 1)

    def column(self, name: str, batch: pa.RecordBatch | pa.Table) -> Column:
        """Return a column of a piece as it stood in the file."""
        cells = batch.column(self._place[name])
        kinds = whole(batch, self._kind_place(name)) if name in self._mixed else None
        if name in self._dictionaries:
            codes = whole(batch, self._place[name]).astype(np.int32, copy=False)
            return replace(self.coded(name, codes), kinds=kinds)
        return replace(Column.from_arrow(name, cells.cast(self._kinds[name])), kinds=kinds)

    def coded(self, name: str, codes: IntArray) -> Column:
        """Return a coded column of the rows that have these codes."""
        return Column(name, codes, self._dictionaries[name].column().values)

    def _kind_place(self, name: str) -> str:
        return f"{self._place[name]}_kind"

    def _read(self, stream: TableStream) -> None:
        path = self._path
        try:
            self._read_typed(TypedSource(self._scratch, stream, list(self._place), self._room), path)
        except UntypedError:
            self._read_pieces(stream, path)
        self._show()

    def _read_typed(self, source: TypedSource, path: Path) -> None:
        """Let DuckDB read the file: what is counted is coded, what is not passes as it is."""
        dictionaries: dict[str, Dictionary] = {}
        kinds: dict[str, pa.DataType] = {}
        for name, place in self._place.items():
            if name in self._hidden:
                kinds[name] = source.hide(place, name, self._key)
            elif name not in self._counted and source.is_plain(name):
                source.leave(place, name)
                kinds[name] = source.kind(name)
            elif name not in self._counted and _passes(source.kind(name)):
                kinds[name] = source.tell(place, name, Column.to_arrow)
            else:
                raw, column = source.values(name)
                dictionaries[name] = Dictionary(name, column.values.type)
                source.code(place, name, raw, dictionaries[name].encode(column))
        self.n_rows = source.write(path, "row")
        self._dictionaries, self._kinds = dictionaries, kinds

    def _read_pieces(self, stream: TableStream, path: Path) -> None:
        writer = None
        try:
            for piece in stream.pieces(list(self._place)):
                batch = self._encoded(piece)
                self.n_rows += piece.n_rows
                with in_scratch():
                    if writer is None:
                        writer = pyarrow.parquet.ParquetWriter(path, batch.schema, compression="lz4")
                    writer.write_table(batch)
        finally:
            if writer is not None:
                with in_scratch():
                    writer.close()
        if not self.n_rows:
            raise InputError(
                f"{stream.path} has columns but no rows; there is nothing to release",
                code="table.empty",
                path=path,
            )

    def _encoded(self, piece: Table) -> pa.Table:
        """Return the piece as it is kept on disk."""
        piece = with_hidden(piece, self._hidden, self._key)
        self._mixed |= {column.name for column in piece if column.kinds is not None}
        kept = {place: self._kept(piece[name]) for name, place in self._place.items()}
        kinds = {self._kind_place(c.name): pa.array(c.kinds) for c in piece if c.kinds is not None}
        numbers = np.arange(self.n_rows, self.n_rows + piece.n_rows)
        return pa.table(kept | kinds | {"row": pa.array(numbers, pa.int64())})

    def _kept(self, column: Column) -> pa.Array:
        name, kind = column.name, column.values.type
        if name not in self._dictionaries and name not in self._kinds:
            if name in self._counted or not _passes(kind):
                self._dictionaries[name] = Dictionary(name, kind, self._room)
            else:
                self._kinds[name] = kind
        if name in self._dictionaries:
            return pa.array(self._dictionaries[name].encode(column), pa.int32())
        return column.to_arrow()


def _passes(kind: pa.DataType) -> bool:
    return any(passes(kind) for passes in _PASSING)
