"""The embedded engine: rows lie coded on disk, DuckDB counts and orders them and spills what does not fit."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, Histogram, Holders, group
from kohort.classes.engine import PlacedRows
from kohort.engines.packing import Packing
from kohort.errors import InputError
from kohort.table import Column, Table
from kohort.table.counted import CountedColumn
from kohort.table.dictionary import Dictionary
from kohort.table.scratch import Scratch, literal
from kohort.table.streaming import TableStream
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


class DuckDBEngine:
    """Keeps the rows of a file coded in a scratch folder.

    The file is read once. Columns that are `coded` (quasi-identifiers, sensitive ones) become whole numbers
    over their distinct values, which are held in memory; the columns `carried` and the respondents stay as
    they are, on disk. Besides the distinct values, what must fit in memory is `Classes`: distinct tuples,
    their sensitive values and, where people are counted, (tuple, person) pairs and the values of those who have
    several rows.
    """

    def __init__(
        self,
        stream: TableStream,
        coded: Sequence[str],
        carried: Sequence[str],
        respondent: str | None = None,
        memory: str | None = None,
    ) -> None:
        self._scratch = Scratch(memory)
        self._coded = list(dict.fromkeys(coded))
        self._dictionaries: dict[str, Dictionary] = {}
        self._kinds: dict[str, pa.DataType] = {}  # of columns that are not coded
        self._respondent = respondent
        self._people: tuple[int, int] | None = None
        others = [name for name in dict.fromkeys([*carried, respondent]) if name and name not in coded]
        self._place = {name: f"c{i}" for i, name in enumerate([*self._coded, *others])}
        self._n_rows = 0
        self._packing: Packing | None = None
        self._read(stream)

    @property
    def n_rows(self) -> int:
        """The number of records."""
        return self._n_rows

    def column(self, name: str) -> CountedColumn:
        """Return the distinct values of a column that is coded, with their counts."""
        return self._dictionaries[name].column()

    def kind(self, name: str) -> pa.DataType:
        """Return the type of a column."""
        return self._kinds[name] if name in self._kinds else self.column(name).values.type

    def alone(self, name: str) -> int:
        """Return how many rows hold a value that no other row has, or no other person where people are named."""
        one = "count(*)" if self._respondent is None else f"count(DISTINCT {self._place[self._respondent]})"
        return self._scratch.number(
            "SELECT coalesce(sum(n), 0)::BIGINT FROM "
            f"(SELECT count(*) AS n FROM kept_rows GROUP BY {self._place[name]} HAVING {one} = 1)"
        )

    def people(self) -> tuple[int, int]:
        """Return the number of distinct respondents, and of rows that name nobody."""
        assert self._respondent is not None
        if self._people is None:
            place = self._place[self._respondent]
            key = secrets.token_hex(16)  # numbers follow no order that anybody knows
            self._scratch.run(
                "CREATE TABLE people AS "
                f"SELECT who, row_number() OVER (ORDER BY md5_number(concat('{key}', who))) - 1 AS person "
                f"FROM (SELECT DISTINCT {place} AS who FROM kept_rows)"
            )
            self._people = self._scratch.number("SELECT count(*) FROM people"), self._nobody(place)
        return self._people

    def names(self) -> pa.Array | pa.ChunkedArray:
        """Return the distinct respondents as they stand in the file."""
        assert self._respondent is not None
        self.people()
        if self._respondent in self._dictionaries:
            return self.column(self._respondent).values
        return self._scratch.table("SELECT who FROM people").column("who")

    def _nobody(self, place: str) -> int:
        assert self._respondent is not None
        if self._respondent not in self._dictionaries:
            return self._scratch.number(f"SELECT count(*) FROM kept_rows WHERE {place} IS NULL")
        column = self.column(self._respondent)
        return int(column.totals[[text is None for text in column.texts]].sum())

    def reduce(self, ground: Mapping[str, IntArray], sensitive: Sequence[str]) -> Classes:
        """Return the classes of the rows: one GROUP BY over packed codes, and one more per histogram."""
        self._packing = packing = Packing(
            tuple(self._place[name] for name in ground),
            tuple(max(len(self._dictionaries[name]), 1) for name in ground),
        )
        keys = ", ".join(packing.names)
        self._scratch.run(
            f"CREATE OR REPLACE VIEW keyed AS SELECT *, {', '.join(packing.expressions())} FROM kept_rows"
        )
        tuples = self._scratch.table(f"SELECT {keys}, count(*) AS n FROM keyed GROUP BY ALL")
        codes = np.column_stack(
            [codes[own] for codes, own in zip(ground.values(), packing.unpacked(tuples), strict=True)]
        ).astype(np.int32)
        distinct, class_of = group(codes)
        n = len(distinct)
        self._scratch.keep(
            "classes", tuples.select(packing.names).append_column("class", pa.array(class_of, pa.int64()))
        )
        rows = np.bincount(class_of, whole(tuples, "n"), minlength=n).astype(np.int64)
        people = None if self._respondent is None else self._people_of(n)
        several = people is not None and self.people()[0] < self._n_rows
        return Classes(
            codes=distinct,
            levels=(0,) * len(ground),
            sizes=rows if people is None else people.distinct(),
            rows=rows,
            sensitive={
                name: self._histogram("keyed", self._place[name], n, len(self._dictionaries[name]))
                for name in sensitive
            },
            respondents=people,
            holders={name: self._holders_of(name, n) for name in sensitive} if several else {},
        )

    def placed(self, released: BoolArray, columns: Sequence[str], shuffle: bool) -> Iterator[PlacedRows]:
        """Yield the rows of the released base classes.

        Shuffled rows stand in the order of a keyed digest of their number. The key comes from the operating
        system and is forgotten; without it nobody can tell which row came first.
        """
        assert self._packing is not None
        self._scratch.keep("released", pa.table({"class": pa.array(np.flatnonzero(released), pa.int64())}))
        key = secrets.token_hex(16)
        order = f"md5_number_upper(concat('{key} ', row)), row" if shuffle else "row"
        person = "" if self._respondent is None else ", person"
        wanted = "".join(f", {self._place[name]}" for name in columns)
        query = (
            f"SELECT row, class{person}{wanted} FROM {self._with_people()} "
            f"JOIN classes USING ({', '.join(self._packing.names)}) JOIN released USING (class) ORDER BY {order}"
        )
        for batch in self._scratch.pieces(query):
            yield PlacedRows(
                row=whole(batch, "row"),
                class_of=whole(batch, "class"),
                person=whole(batch, "person") if person else None,
                columns={name: self._column(name, batch) for name in columns},
            )

    def room(self, name: str) -> Path:
        """Return where a file may lie that goes when the engine goes."""
        return self._scratch.path(name)

    def close(self) -> None:
        """Remove everything from disk."""
        self._scratch.close()

    def _read(self, stream: TableStream) -> None:
        path = self._scratch.path("rows.parquet")
        writer = None
        try:
            for piece in stream.pieces(list(self._place)):
                self._n_rows += piece.n_rows
                batch = self._encoded(piece)
                if writer is None:
                    writer = pyarrow.parquet.ParquetWriter(path, batch.schema, compression="lz4")
                writer.write_table(batch)
        finally:
            if writer is not None:
                writer.close()
        if not self._n_rows:
            raise InputError(f"{stream.path} has columns but no rows; there is nothing to release")
        self._scratch.run(
            "CREATE VIEW kept_rows AS SELECT * EXCLUDE (file_row_number), file_row_number AS row "
            f"FROM read_parquet({literal(path)}, file_row_number = true)"
        )

    def _encoded(self, piece: Table) -> pa.Table:
        """Return the piece as it is kept on disk."""
        return pa.table({place: self._kept(piece[name]) for name, place in self._place.items()})

    def _kept(self, column: Column) -> pa.Array:
        name, kind = column.name, column.values.type
        if name not in self._dictionaries and name not in self._kinds:
            if name in self._coded or not any(passes(kind) for passes in _PASSING):
                self._dictionaries[name] = Dictionary(name, kind)
            else:
                self._kinds[name] = kind
        if name in self._dictionaries:
            return pa.array(self._dictionaries[name].encode(column), pa.int32())
        return column.to_arrow()

    def _column(self, name: str, batch: pa.RecordBatch) -> Column:
        """Return a column of a piece as it stood in the file."""
        cells = batch.column(self._place[name])
        if name in self._dictionaries:
            codes = whole(batch, self._place[name]).astype(np.int32, copy=False)
            return Column(name, codes, self.column(name).values)
        return Column.from_arrow(name, cells.cast(self._kinds[name]))

    def _people_of(self, n_classes: int) -> Histogram:
        assert self._respondent is not None
        n_people, _ = self.people()
        return self._histogram(self._with_people(), "person", n_classes, n_people)

    def _holders_of(self, name: str, n_classes: int) -> Holders:
        """Return who holds what in each class, from the distinct (class, person, value)."""
        assert self._packing is not None
        found = self._scratch.table(
            f"SELECT DISTINCT class, person, {self._place[name]} AS value FROM {self._with_people()} "
            f"JOIN classes USING ({', '.join(self._packing.names)})"
        )
        return Holders.of(
            whole(found, "class"),
            whole(found, "person"),
            whole(found, "value"),
            n_classes,
            len(self._dictionaries[name]),
        )

    def _with_people(self) -> str:
        """Return the rows with a `person`, where people are counted."""
        if self._respondent is None:
            return "keyed"
        place = self._place[self._respondent]
        return f"(SELECT keyed.*, person FROM keyed JOIN people ON {place} = who)"

    def _histogram(self, rows: str, place: str, n_classes: int, size: int) -> Histogram:
        assert self._packing is not None
        found = self._scratch.table(
            f"SELECT class, {place} AS value, count(*) AS n FROM {rows} "
            f"JOIN classes USING ({', '.join(self._packing.names)}) GROUP BY ALL"
        )
        return Histogram.of(
            whole(found, "class"), whole(found, "value").astype(np.int32), n_classes, size, whole(found, "n")
        )
