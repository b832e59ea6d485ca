"""The cells of a written table and of its original where Spark counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.folders.parts import parts_of
from kohort.hierarchy import Label
from kohort.table import Column
from kohort.table.cluster.cluster import SMALL, Cluster
from kohort.table.cluster.keyed import RowKeys
from kohort.table.cluster.opening import DELIMITED, METADATA, NUMBERS, unglobbed
from kohort.table.cluster.packets import parts_for
from kohort.table.cluster.places import Places
from kohort.table.cluster.served import unnumbered
from kohort.table.cluster.session import told_plainly
from kohort.table.cluster.source import ClusterSource
from kohort.table.cluster.values import Values, broadcast, joined, values_of
from kohort.table.counted import CountedColumn
from kohort.table.dictionary import Dictionary
from kohort.table.texts import spelled
from kohort.verification.judges.cell_store import NAMED, ORIGINAL, WRITTEN
from kohort.verification.judges.tallies_in_cluster import ClaimedRows, Side, tallied
from kohort.verification.judges.tally import Key, Tally


@dataclass(frozen=True, eq=False)
class ToldAs:
    """As what the original's rows are claimed to be told, by quasi-identifier; rows of no class are not."""

    codes: Mapping[str, IntArray]  # of each text of the original, which tell the classes apart
    classes: IntArray  # (classes, quasi-identifiers): their codes
    labels: Mapping[str, IntArray]  # the code of the written text by which each class is told
    same: Mapping[
        str, IntArray
    ]  # where cells stay as they are: the code of the written text for each of the original


class CellsInCluster:
    """Both tables as Spark can count them.

    Of the columns `apart` and `together` the codes of texts are kept, of all others the values themselves. A column
    `apart` has a list of texts for each table, one `together` the same for both: there equal codes are equal texts.
    A column that the tables hold in different types is kept `together` too: Spark would take "01" and 1 for the same. Of whole
    numbers it compares the numbers, however wide they are laid out.
    """

    def __init__(self, cluster: Cluster, apart: Sequence[str], together: Sequence[str]) -> None:
        self._cluster = cluster
        self._texts = {(shelf, name): _texts(name) for shelf in (WRITTEN, ORIGINAL) for name in apart}
        for name in together:
            self._texts[WRITTEN, name] = self._texts[ORIGINAL, name] = _texts(name)
        self._places: dict[tuple[str, str], str] = {}
        self._put: dict[str, tuple[ClusterSource, Sequence[str]]] = {}
        self._written: ClusterSource | None = None
        self._totals: dict[tuple[str, str], IntArray] = {}  # rows per code of the texts of a table
        self._numbered: dict[tuple[str, ...], str] = {}
        self._answers: dict[str, pa.Table] = {}  # of queries, as long as nothing else is put in
        self._sources: dict[str, ClusterSource] = {}  # as they are held
        self._n_rows: dict[str, int] = {}
        self._coded: dict[
            tuple[str, str], tuple[pa.Array, IntArray]
        ] = {}  # values, and the code of the text of each
        self._few: dict[str, dict[str, Values]] = {}  # of columns that are kept as they are

    def put(self, shelf: str, stream: ClusterSource, names: Sequence[str]) -> int:
        """Read columns of a table; return the number of rows."""
        self._put[shelf] = stream, names
        unlike = self._unlike()
        for name in unlike:
            self._texts[WRITTEN, name] = self._texts[ORIGINAL, name] = _texts(name)
        for other in self._put.keys() - {shelf} if unlike else ():  # by texts now
            self._read(other, *self._put[other])
        return self._read(shelf, stream, names)

    def _unlike(self) -> list[str]:
        """Return the columns that are kept as values and have different types in the two tables."""
        if len(self._put) < 2:
            return []
        (one, names), (other, others) = self._put.values()
        kept = [name for name in names if name in others and (WRITTEN, name) not in self._texts]
        return [name for name in kept if not _alike(one.kind(name), other.kind(name))]

    def _read(self, shelf: str, stream: ClusterSource, names: Sequence[str]) -> int:
        raw, cluster = f"{shelf}_read", self._cluster
        self._forget()
        source = stream.settled(cluster, f"{shelf}_source", names)
        places = {name: f"{shelf}_{i}" for i, name in enumerate(names)}
        self._places |= {(shelf, name): place for name, place in places.items()}
        asked = [name for name in names if (shelf, name) in self._texts]
        found = values_of(cluster, source, asked, [name for name in names if name not in asked])
        self._few[shelf] = {name: values for name, values in found.items() if name not in asked}
        coded = {name: f"{places[name]}_codes" for name in asked}
        coding, sizes, n_rows = {}, {}, -1
        for name, values in found.items():
            if name in self._few[shelf]:
                continue
            codes, totals = self._encoded(shelf, values.column), values.column.totals
            self._coded[shelf, name] = values.held, codes
            self._totals[shelf, name] = np.bincount(codes, totals).astype(np.int64)
            n_rows = int(totals.sum())
            if len(values.held) <= SMALL:
                coding[name] = values.held, codes  # coded by whoever reads it
            else:
                cluster.keep(coded[name], values.codes(codes))
                sizes[coded[name]] = len(values.held)
        self._sources[shelf], self._n_rows[shelf] = source, n_rows
        source.put_codes(cluster, raw, names, coding)
        rows = joined(raw, {view: stream.place(name) for name, view in coded.items() if view in sizes})
        selected = ", ".join(
            f"{coded[n]}.code AS {places[n]}"
            if coded.get(n) in sizes
            else f"{raw}.{stream.place(n)} AS {places[n]}"
            for n in names
        )
        selected += "".join(f", {raw}.{number}" for number in stream.numbers)
        self._written = stream if shelf == WRITTEN else self._written
        cluster.put(shelf, cluster.query(f"SELECT {broadcast(sizes)} {selected} FROM {rows}"))
        return n_rows if coded else cluster.number(f"SELECT count(*) FROM {raw}")

    def view(self, name: str, query: str, tables: Mapping[str, pa.Table]) -> None:
        """Make a query over what was put in, and over some tables, a view."""
        self._forget()
        for told, table in tables.items():
            self._cluster.keep(told, table)
        self._cluster.put(name, self._cluster.query(query))

    def lay(self, name: str, frame: Any) -> None:
        """Make a frame of Spark a view."""
        self._forget()
        self._cluster.put(name, frame)

    def column(self, shelf: str, name: str) -> CountedColumn:
        """Return the texts of a coded column that a table holds, with how many rows hold each."""
        held = np.flatnonzero(self._totals[shelf, name])  # counted when the table was put in
        texts = self._texts[shelf, name].column().values.take(pa.array(held))
        return CountedColumn.of(name, texts, self._totals[shelf, name][held])

    def name_people(self, people: Path | pa.Table) -> int:
        """Tell who each written row is about, by a table with a `respondent` for each; return for how many it does.

        A row is known by its part and its place in it, which stand in the files.
        """
        written, cluster = self._written, self._cluster
        if written is None or not written.numbers:
            raise InputError(
                "people are named row by row, and the rows of this table that Spark reads have no order; use the memory or the "
                "duckdb engine",
                code="engine.needs-rows",
                engine="spark",
            )
        part, place = NUMBERS
        is_text = written.path.suffix.lower() in DELIMITED
        counted = f"SELECT {part} AS part, max({place}) + 1 AS n FROM {WRITTEN} GROUP BY {part}"
        cluster.keep("written_parts", _counted(self.table(counted)) if is_text else _before(written.path))
        if isinstance(people, Path):
            with unnumbered(), told_plainly():
                cluster.put(
                    "people_read",
                    cluster.spark.read.parquet(unglobbed(people)).select("respondent", *METADATA),
                )
            cluster.keep("people_parts", _before(people))
            told = "SELECT respondent, row_index + before AS place FROM people_read JOIN people_parts ON file_name = part"
            cluster.put("people_named", cluster.query(told))
        else:
            cluster.keep("people_named", people.append_column("place", pa.array(np.arange(people.num_rows))))
        cluster.put(
            NAMED,
            cluster.query(
                f"SELECT {WRITTEN}.*, respondent FROM {WRITTEN} JOIN written_parts ON {part} = part "
                f"JOIN people_named ON {place} + before = place"
            ),
        )
        return self.number("SELECT count(*) FROM people_named")

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
        """Return the columns themselves."""
        return {place: place for place in (self.place(shelf, name) for name in names)}

    def digests(self, shelf: str, names: Sequence[str]) -> None:  # noqa: ARG002
        """Return none: rows are told apart by their cells."""
        return

    def number_classes(self, view: str, quasi: Sequence[str]) -> str:
        """Number the classes that the released labels of a view's rows form; return the table of labels, `n` rows and `class`."""
        if (view, *quasi) not in self._numbered:
            places = ", ".join(self.place(WRITTEN, name) for name in quasi)
            found = self.table(f"SELECT {places}, count(*) AS n FROM {view} GROUP BY {places}")
            # Numbered here: what Spark numbers, it may number otherwise when it is asked again.
            numbers = pa.array(np.arange(found.num_rows), pa.int64())
            self.keep(f"{view}_classes", found.append_column("class", numbers))
            self._numbered = {(view, *quasi): f"{view}_classes"}
        return self._numbered[view, *quasi]

    def number_people(self, view: str, who: str) -> None:  # noqa: ARG002
        """Number nobody: what Spark numbers, it may number otherwise when it is asked again."""
        return

    def tallied(
        self,
        quasi: Sequence[str],
        watched: Sequence[str],
        label_of: Mapping[str, IntArray] | None = None,
        room: int | None = None,
    ) -> Tally | None:
        """Return what the written table holds, counted by the executors; None where that is not counted so."""
        shelves = [WRITTEN] if label_of is None else [WRITTEN, ORIGINAL]
        codes = self._codes(shelves)
        if codes is None:
            return None
        for name, label in (label_of or {}).items():
            values, code_of = codes[ORIGINAL][name]
            codes[ORIGINAL][name] = values, label[code_of]
        sides = [Side(codes[shelf], shelf == ORIGINAL) for shelf in shelves]
        found = self._tallied(sides, quasi, watched, room)
        told = None if found is None else (found.n_written, found.n_original)
        return found if told == (self._n_rows[WRITTEN], self._n_rows[ORIGINAL] if label_of else 0) else None

    def tallied_as(self, told: ToldAs, watched: Sequence[str]) -> Tally | None:
        """Return the same beside the original's rows as they are claimed to be told; of those only are original ones counted."""
        codes = self._codes([WRITTEN, ORIGINAL])
        if codes is None:
            return None
        digits, coding, sizes = [], [], []
        for j, (name, level) in enumerate(told.codes.items()):
            values, text_of = codes[ORIGINAL][name]
            dense = np.unique(np.concatenate([level, told.classes[:, j]]))
            digits.append(np.searchsorted(dense, told.classes[:, j]))
            coding.append((name, values, np.searchsorted(dense, level)[text_of]))
            sizes.append(len(dense))
            if name in told.same:
                codes[ORIGINAL][name] = values, told.same[name][text_of]
        keys = RowKeys(tuple(coding), tuple(sizes))
        claimed = ClaimedRows(keys, Places(keys.packing.words(digits)), told.labels)
        sides = [Side(codes[WRITTEN]), Side(codes[ORIGINAL], True, claimed)]
        tally = self._tallied(sides, list(told.codes), watched, None)
        return tally if tally is not None and tally.n_written == self._n_rows[WRITTEN] else None

    def _tallied(
        self, sides: Sequence[Side], quasi: Sequence[str], watched: Sequence[str], room: int | None
    ) -> Tally | None:
        written = self._put[WRITTEN][1]
        sizes = {
            name: 1 + max(int(codes.max(initial=0)) for codes in (side.codes_of(name) for side in sides))
            for name in written
        }
        key = Key(tuple(quasi), tuple(name for name in written if name not in quasi), sizes)
        if not key.fits:
            return None
        parts = parts_for(sum(self._n_rows.values()), self._cluster.parts)
        sources = (self._sources[ORIGINAL if side.is_original else WRITTEN] for side in sides)
        return tallied(self._cluster, list(zip(sources, sides, strict=True)), key, watched, parts, room)

    def _codes(self, shelves: Sequence[str]) -> dict[str, dict[str, tuple[pa.Array, IntArray]]] | None:
        """Return the values of all written columns in the tables with their codes; None where a column has too many."""
        if any(self._sources[shelf].numbers for shelf in shelves) or self._n_rows[WRITTEN] <= 0:
            return None
        codes: dict[str, dict[str, tuple[pa.Array, IntArray]]] = {shelf: {} for shelf in shelves}
        for name in self._put[WRITTEN][1]:
            found = self._codes_of(name, shelves)
            if found is None:
                return None
            for shelf, own in found.items():
                codes[shelf][name] = own
        return codes

    def _codes_of(self, name: str, shelves: Sequence[str]) -> dict[str, tuple[pa.Array, IntArray]] | None:
        """Return the values of a column in the tables, and what they are called: the same where they say the same."""
        if (WRITTEN, name) in self._texts:
            found = {shelf: self._coded.get((shelf, name)) for shelf in shelves}
            return {shelf: own for shelf, own in found.items() if own} if all(found.values()) else None
        if not all(name in self._few[shelf] for shelf in shelves):
            return None
        texts = _texts(name)
        return {
            shelf: (self._few[shelf][name].held, texts.encode(_spelled(self._few[shelf][name].column)))
            for shelf in shelves
        }

    def keep(self, name: str, table: pa.Table) -> None:
        """Make an Arrow table a view."""
        self._answers.clear()
        self._cluster.keep(name, table)

    def table(self, query: str) -> pa.Table:
        """Return the result of a query over what was put in; one that was asked before is not run again."""
        if query not in self._answers:
            self._answers[query] = self._cluster.table(query)
        return self._answers[query]

    def number(self, query: str) -> int:
        """Return the one whole number that a query asks for."""
        return self._cluster.number(query)

    def _forget(self) -> None:
        """Forget answers and classes: other rows may be meant by the same names."""
        self._answers.clear()
        self._numbered.clear()

    def _encoded(self, shelf: str, column: CountedColumn) -> IntArray:
        """Return the code of the text of every value."""
        return self._texts[shelf, column.name].encode(_spelled(column))


def _alike(one: pa.DataType, other: pa.DataType) -> bool:
    """Say whether values of two types are equal where their texts are."""
    return bool(one == other or (pa.types.is_signed_integer(one) and pa.types.is_signed_integer(other)))


def _before(path: Path) -> pa.Table:
    """Return how many rows stand before those of each part of a table."""
    parts = parts_of(path)
    rows = [pyarrow.parquet.read_metadata(part).num_rows for part in parts]
    before = np.cumsum([0, *rows])[:-1]
    return pa.table({"part": [part.name for part in parts], "before": pa.array(before, pa.int64())})


def _counted(parts: pa.Table) -> pa.Table:
    """Return the same of parts of which it was counted how many rows each has."""
    parts = parts.sort_by("part")
    before = np.cumsum([0, *parts.column("n").to_pylist()])[:-1]
    return pa.table({"part": parts.column("part"), "before": pa.array(before, pa.int64())})


def _spelled(column: CountedColumn) -> Column:
    """Return the texts of the values of a column."""
    told = spelled(column.values).cast(pa.string())
    return Column(column.name, np.arange(len(told), dtype=np.int32), told)


def _texts(name: str) -> Dictionary:
    return Dictionary(name, pa.string())
