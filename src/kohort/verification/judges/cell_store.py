"""The cells of a written file and of its original, on disk, each written row beside its original one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.arrays import IntArray
from kohort.folders.parts import parts_of
from kohort.hierarchy import Label
from kohort.table import Column
from kohort.table.counted import CountedColumn
from kohort.table.dictionary import Dictionary
from kohort.table.own_copy import own_copy
from kohort.table.packing import Packing
from kohort.table.scratch import Scratch, in_scratch, literal
from kohort.table.streaming import TableStream
from kohort.table.texts import spelled
from kohort.table.typed_source import TypedSource, UntypedError, codes_of
from kohort.table.value_room import ValueRoom
from kohort.table.whole_numbers import whole
from kohort.verification.judges.keyed_digest import keyed_digests
from kohort.verification.judges.short_texts import new_block, shortened, shortened_in_sql
from kohort.verification.judges.tally import Key, Tally, Tallying, TallyTooLargeError

WRITTEN, ORIGINAL = "written", "original"
NAMED = "written_by_people"  # the written rows with their `respondent`, where these are told
BESIDE = "beside"  # each written row with its original one, where that is claimed


class Unlaid(NamedTuple):
    """A file whose values are read, and whose rows are not."""

    source: TypedSource
    stream: TableStream
    places: Mapping[str, str]


class CellStore:
    """Both files as DuckDB can count them; cells are what they say, as text.

    Of the columns `apart` and `together` the codes of texts are kept, of all others the texts themselves (long ones by their
    digests), or codes where a written column has few. A column `apart` has a list of texts for each file, any other the same
    for both: there equal codes are equal texts. A written file that is `foreign` is read by Python's reader, whatever DuckDB
    would find in it.
    """

    def __init__(
        self,
        scratch: Scratch,
        apart: Sequence[str],
        together: Sequence[str],
        foreign: bool = False,
        room: ValueRoom | None = None,
    ) -> None:
        self._scratch, self._foreign, self._room = scratch, foreign, room
        self._block = new_block()
        self._texts = {(shelf, name): self._list(name) for shelf in (WRITTEN, ORIGINAL) for name in apart}
        for name in together:
            self._texts[WRITTEN, name] = self._texts[ORIGINAL, name] = self._list(name)
        self._named = frozenset((*apart, *together))
        self._places: dict[tuple[str, str], str] = {}
        self._numbered: dict[str, Packing] = {}  # tables of classes, by what they were counted
        self._totals: dict[
            tuple[str, str], IntArray
        ] = {}  # rows per code of the texts of a file, where it was read by values
        self._unlaid: dict[str, Unlaid] = {}  # files of which no row was asked for yet
        self._n_rows: dict[str, int] = {}
        self._people: dict[str, str] = {}  # views whose people are numbered, and by what

    def _list(self, name: str) -> Dictionary:
        return Dictionary(name, pa.string(), self._room)

    def put(self, shelf: str, stream: TableStream, names: Sequence[str]) -> int:
        """Read columns of a file; return the number of rows."""
        self._n_rows[shelf] = self._put(shelf, stream, names)
        return self._n_rows[shelf]

    def _put(self, shelf: str, stream: TableStream, names: Sequence[str]) -> int:
        places = {name: f"{shelf}_{i}" for i, name in enumerate(names)}
        self._places |= {(shelf, name): place for name, place in places.items()}
        try:
            if self._foreign and shelf == WRITTEN:
                stream = own_copy(stream, self._scratch.path("copy.parquet"))
            source = TypedSource(self._scratch, stream, names, self._room)
            self._read_values(shelf, source, places)
        except UntypedError:
            return self._put_pieces(shelf, stream, places)
        unlaid = Unlaid(source, stream, places)
        if all((shelf, name) in self._totals for name in names):
            self._unlaid[shelf] = unlaid
            return source.n_rows
        return self._lay(shelf, unlaid)

    def _lay(self, shelf: str, unlaid: Unlaid) -> int:
        """Put the rows of a file on disk, coded; return their number."""
        path = self._path(shelf)
        try:
            n_rows = unlaid.source.write(path, "place")
            self._scratch.run(f"CREATE VIEW {shelf} AS SELECT * FROM read_parquet({literal(path)})")
        except UntypedError:
            return self._put_pieces(shelf, unlaid.stream, unlaid.places)
        return n_rows

    def _lay_all(self) -> None:
        """Put all rows on disk, since they are asked for."""
        while self._unlaid:
            shelf, unlaid = self._unlaid.popitem()
            self._n_rows[shelf] = self._lay(shelf, unlaid)

    def _path(self, shelf: str) -> Path:
        return self._scratch.path(f"{shelf}.parquet")

    def _read_values(self, shelf: str, source: TypedSource, places: Mapping[str, str]) -> None:
        """Let DuckDB read the file; every distinct value is told once what it says."""
        for name, place in places.items():
            kind = source.kind(name)
            if shelf == WRITTEN and name not in self._named and source.has_few(name):
                self._texts[WRITTEN, name] = self._texts[ORIGINAL, name] = self._list(name)
            if (shelf, name) in self._texts:
                raw, column = source.values(name, as_met=False)
                codes = self._texts[shelf, name].encode(_told(column))
                source.code(place, name, raw, codes)
                self._totals[shelf, name] = _per_code(column, codes)
            elif source.is_plain(name) and (pa.types.is_string(kind) or pa.types.is_integer(kind)):
                source.leave(
                    place, name, self._in_sql if pa.types.is_string(kind) else "({})::VARCHAR".format
                )
            else:
                source.tell(place, name, self._as_text)

    def _put_pieces(self, shelf: str, stream: TableStream, places: Mapping[str, str]) -> int:
        path = self._path(shelf)
        for name in places:
            self._totals.pop((shelf, name), None)
        schema = pa.schema(
            [(place, pa.int32() if (shelf, n) in self._texts else pa.string()) for n, place in places.items()]
        )
        n_rows = 0
        with in_scratch():
            writer = pyarrow.parquet.ParquetWriter(path, schema, compression="lz4")
        try:
            for piece in stream.pieces(list(places)):
                n_rows += piece.n_rows
                cells = {place: self._cells(shelf, piece[name]) for name, place in places.items()}
                with in_scratch():
                    writer.write_table(pa.table(cells, schema=schema))
        finally:
            with in_scratch():
                writer.close()
        self._view(shelf, path)
        return n_rows

    def claim(self, order: Path) -> int:
        """Say which original row each written row is claimed to be; return the number of claims."""
        self._view("claimed", order)
        return self._scratch.number("SELECT count(*) FROM claimed")

    def join(self) -> None:
        """Put every written row beside the original row that it is claimed to be.

        A claim of a row that the original does not have leaves its written row out.
        """
        self._lay_all()
        beside = self._scratch.path("beside.parquet")
        self._scratch.write(
            "SELECT written.* EXCLUDE (place), original.* EXCLUDE (place), claimed.row FROM written "
            "JOIN claimed ON written.place = claimed.place JOIN original ON original.place = claimed.row",
            beside,
        )
        self._scratch.run(f"CREATE VIEW {BESIDE} AS SELECT * FROM read_parquet({literal(beside)})")

    def column(self, shelf: str, name: str) -> CountedColumn:
        """Return the texts of a coded column that a file holds, with how many rows hold each."""
        totals = self._totals.get((shelf, name))
        if totals is None:
            totals = self._counted(shelf, self.place(shelf, name))
        held = np.flatnonzero(totals)
        texts = self._texts[shelf, name].column().values.take(pa.array(held))
        return CountedColumn.of(name, texts, totals[held])

    def _counted(self, shelf: str, place: str) -> IntArray:
        """Return how many rows hold each code."""
        found = self.table(f"SELECT {place} AS text, count(*) AS n FROM {shelf} GROUP BY ALL")
        return np.bincount(whole(found, "text"), whole(found, "n")).astype(np.int64)

    def name_people(self, people: Path | pa.Table) -> int:
        """Tell who each written row is about, by a table with a `respondent` for each; return for how many it does."""
        self._lay_all()
        if isinstance(people, Path) and people.is_dir():
            self._put_parts("people", people)
        elif isinstance(people, Path):
            self._view("people", people)
        else:
            self._scratch.keep(
                "people", people.append_column("place", pa.array(range(people.num_rows), pa.int64()))
            )
        self._scratch.run(
            f"CREATE VIEW {NAMED} AS SELECT {WRITTEN}.*, respondent FROM {WRITTEN} JOIN people USING (place)"
        )
        return self._scratch.number("SELECT count(*) FROM people")

    def place(self, shelf: str, name: str) -> str:
        """Return what SQL calls a column."""
        return self._places[shelf, name]

    def is_coded(self, shelf: str, name: str) -> bool:
        """Say whether a column is kept as codes of its texts."""
        return (shelf, name) in self._texts

    def texts(self, shelf: str, name: str) -> tuple[Label, ...]:
        """Return the texts of a coded column, by code."""
        return self._texts[shelf, name].column().texts

    def keys(self, shelf: str, names: Sequence[str]) -> dict[str, str]:
        """Return keys that are equal where the cells of columns are: the codes of columns in few numbers, texts as they are."""
        texts = {
            place: place
            for name in names
            if (place := self.place(shelf, name)) and not self.is_coded(shelf, name)
        }
        coded = [name for name in names if self.is_coded(shelf, name)]
        return (self._packing(shelf, coded).sql() if coded else {}) | texts

    def digests(self, shelf: str, names: Sequence[str]) -> tuple[str, ...]:
        """Return two numbers of 64 bits for the cells of a row, by keys of the operating system that are forgotten."""
        coded = [name for name in names if self.is_coded(shelf, name)]
        texts = [self.place(shelf, name) for name in names if not self.is_coded(shelf, name)]
        return keyed_digests(list(self._packing(shelf, coded).sql().values()) if coded else [], texts)

    def number_classes(self, view: str, quasi: Sequence[str]) -> str:
        """Number the classes that the released labels of a view's rows form; return the table of labels, keys, `n` and `class`."""
        table, packing = f"{view}_classes", self._packing(WRITTEN, quasi)
        if self._numbered.get(table) == packing:
            return table
        self._lay_all()
        keys = ", ".join(packing.expressions())
        self._scratch.run(
            f"CREATE OR REPLACE TABLE {table} AS SELECT *, {', '.join(packing.digits())}, "
            "(row_number() OVER () - 1)::INTEGER AS class "
            f"FROM (SELECT {keys}, count(*) AS n FROM {view} GROUP BY ALL)"
        )
        self._numbered[table] = packing
        return table

    def number_people(self, view: str, who: str) -> str:
        """Number the people of a view's rows from 0; return the SQL of these rows with their `person`. No name comes to Python."""
        if self._people.get(view) != who:
            self._scratch.run(
                f"CREATE OR REPLACE TABLE {view}_people AS SELECT {who} AS whose, (row_number() OVER () - 1)::INTEGER AS person "
                f"FROM (SELECT DISTINCT {who} FROM {view})"
            )
            self._people[view] = who
        return f"(SELECT {view}.*, person FROM {view} JOIN {view}_people ON {who} IS NOT DISTINCT FROM whose)"

    def tallied(
        self,
        quasi: Sequence[str],
        watched: Sequence[str],
        label_of: Mapping[str, IntArray] | None = None,
        room: int | None = None,
    ) -> Tally | None:
        """Return what the written file holds, with the values of the columns `watched`, by keys in order.

        Where the label of each of the original's texts is told, -1 for none, the original is laid beside it. None where
        a key is no single number, there is no room, or not every row was found again.
        """
        written = {name: place for (shelf, name), place in self._places.items() if shelf == WRITTEN}
        carried = tuple(name for name in written if name not in quasi)
        if not self._share_codes(quasi, carried, label_of):
            return None
        key = Key(tuple(quasi), carried, {name: len(self._texts[WRITTEN, name]) for name in written})
        if not key.fits:
            return None
        sides = [f"SELECT {key.sql(written, 0)} AS key FROM ({self._told_by(WRITTEN, {})})"]
        if label_of is not None:
            places = {name: self.place(ORIGINAL, name) for name in written}
            # what no label covers is told by none
            sides.append(f"SELECT {key.sql(places, 1)} AS key FROM ({self._told_by(ORIGINAL, label_of)})")
        tallying = Tallying(key, watched, label_of is not None, room)
        try:
            with self._scratch.doubting():
                for piece in self._scratch.pieces(f"{' UNION ALL '.join(sides)} ORDER BY key"):
                    tallying.add(key.told(whole(piece, "key")))
        except TallyTooLargeError:
            return None
        found = tallying.counted()
        rows = self._n_rows[WRITTEN], 0 if label_of is None else self._n_rows[ORIGINAL]
        return found if (found.n_written, found.n_original) == rows else None

    def _share_codes(
        self, quasi: Sequence[str], carried: Sequence[str], label_of: Mapping[str, IntArray] | None
    ) -> bool:
        """Say whether the written file has rows and is kept in codes, and what the original has beside labels in the same."""
        if not self._n_rows[WRITTEN] or any(
            (WRITTEN, name) not in self._texts for name in (*quasi, *carried)
        ):
            return False
        return label_of is None or all(
            (ORIGINAL, name) in self._places
            and self._texts.get((ORIGINAL, name)) is self._texts[WRITTEN, name]
            for name in carried
        )

    def _told_by(self, shelf: str, label_of: Mapping[str, IntArray]) -> str:
        """Return the SQL of the rows of a file, some columns told by labels."""
        labels = {self.place(shelf, name): own for name, own in label_of.items()}
        for place, own in labels.items():
            told = pa.array(own, pa.int32(), mask=own < 0)
            self._scratch.keep(f"{place}_labels", pa.table({"code": np.arange(len(own)), "label": told}))
        if shelf in self._unlaid:
            for place in labels:
                self._scratch.run(
                    f"CREATE OR REPLACE TABLE {place}_told AS SELECT value, label AS code "
                    f"FROM {codes_of(place)} JOIN {place}_labels USING (code)"
                )
            return self._unlaid[shelf].source.rows(
                instead={codes_of(place): f"{place}_told" for place in labels}
            )
        told = "".join(f", {place}_labels.label AS {place}" for place in labels)
        joins = "".join(f" JOIN {place}_labels ON {shelf}.{place} = {place}_labels.code" for place in labels)
        kept = f"{shelf}.* EXCLUDE ({', '.join(labels)})" if labels else "*"
        return f"SELECT {kept}{told} FROM {shelf}{joins}"

    def _packing(self, shelf: str, names: Sequence[str]) -> Packing:
        return Packing(
            tuple(self.place(shelf, name) for name in names),
            tuple(max(len(self._texts[shelf, name]), 1) for name in names),
        )

    def keep(self, name: str, table: pa.Table) -> None:
        """Lay a table of the judge's own beside what was put in."""
        self._scratch.keep(name, table)

    def table(self, query: str) -> pa.Table:
        """Return the result of a query over what was put in."""
        self._lay_all()
        return self._scratch.table(query)

    def number(self, query: str) -> int:
        """Return the one whole number that a query asks for."""
        self._lay_all()
        return self._scratch.number(query)

    def _cells(self, shelf: str, column: Column) -> pa.Array:
        if (shelf, column.name) not in self._texts:
            return self._as_text(column)
        return pa.array(self._texts[shelf, column.name].encode(_told(column)), pa.int32())

    def _as_text(self, column: Column) -> pa.Array:
        """Return the cells of a column that is not coded."""
        told = _told(column)
        return replace(told, values=shortened(told.values, self._block)).to_arrow()

    def _in_sql(self, cell: str) -> str:
        """Return the SQL of the same."""
        return shortened_in_sql(f"({cell})", self._block)

    def _put_parts(self, shelf: str, folder: Path) -> None:
        """Read the parts of a table one after the other, as the rows of one."""
        path, parts = self._scratch.path(f"{shelf}.parquet"), parts_of(folder)
        with pyarrow.parquet.ParquetWriter(path, pyarrow.parquet.read_schema(parts[0])) as writer:
            for part in parts:
                for piece in pyarrow.parquet.ParquetFile(part).iter_batches():
                    writer.write_batch(piece)
        self._view(shelf, path)

    def _view(self, shelf: str, path: Path) -> None:
        self._scratch.run(
            f"CREATE VIEW {shelf} AS SELECT * EXCLUDE (file_row_number), file_row_number AS place "
            f"FROM read_parquet({literal(path)}, file_row_number = true)"
        )


def _per_code(column: CountedColumn, codes: IntArray) -> IntArray:
    """Return how many rows hold each code, from the code of each value as it stands in the file."""
    code_of = np.zeros(len(column.values), np.int64)
    code_of[column.codes] = codes
    return np.bincount(code_of, column.totals).astype(np.int64)


def _told(column: Column) -> Column:
    """Return a column as what its values say."""
    return Column(column.name, column.codes, spelled(column.values).cast(pa.string()))
