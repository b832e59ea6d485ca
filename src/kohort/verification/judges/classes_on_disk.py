"""The classes that the cells of a written file form, where its rows are on disk: one GROUP BY for each histogram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, Holders, Pairs, group
from kohort.models import Attribute, PrivacyModel, Reference
from kohort.models.model import guards_of
from kohort.table import Column, Table
from kohort.table.counted import CountedColumn
from kohort.table.whole_numbers import whole
from kohort.verification.judges.cell_store import WRITTEN, CellStore
from kohort.verification.judges.promises import foreign_value
from kohort.verification.judges.same_values import codes_among


@dataclass(frozen=True, eq=False)
class RowsOnDisk:
    """The written rows as a view tells them, and what it calls the person of each, where it does."""

    cells: CellStore
    view: str
    who: str | None = None

    def classes(self, quasi: Sequence[str], sensitive: Sequence[Attribute]) -> Classes:
        """Return the classes that the released quasi-identifiers form; sensitive values are coded as told."""
        codes, class_of, found = self._counted(quasi, "0")
        n = len(codes)
        rows = np.bincount(class_of, whole(found, "n"), minlength=n).astype(np.int64)
        histograms = {attribute.name: self._histogram(quasi, attribute, n) for attribute in sensitive}
        if self.who is None:
            return Classes(codes, (0,) * len(quasi), rows, rows, histograms)
        _, class_of, found = self._counted(quasi, self.who)
        person = Table.from_arrow(found.select(["value"]))["value"]
        people = Histogram.of(class_of, person.codes, n, len(person.values), whole(found, "n"))
        holders = {}
        if int(people.totals().max(initial=0)) > 1:
            holders = {attribute.name: self._holders(quasi, attribute, n) for attribute in sensitive}
        return Classes(codes, (0,) * len(quasi), people.distinct(), rows, histograms, people, holders)

    def people(self) -> int | None:
        """Return how many people the rows are about, where some have several; None where a row is a person."""
        if self.who is None:
            return None
        people = self.cells.number(f"SELECT count(DISTINCT {self.who}) FROM {self.view}")
        return None if people == self.cells.number(f"SELECT count(*) FROM {self.view}") else people

    def _counted(
        self, quasi: Sequence[str], value: str, person: str = "0"
    ) -> tuple[IntArray, IntArray, pa.Table]:
        places = [self.cells.place(WRITTEN, name) for name in quasi]
        found = self.cells.table(
            f"SELECT {', '.join(places)}, {value} AS value, {person} AS person, count(*) AS n "
            f"FROM {self.view} GROUP BY ALL"
        )
        return *group(np.column_stack([whole(found, place) for place in places]).astype(np.int32)), found

    def _histogram(self, quasi: Sequence[str], attribute: Attribute, n_classes: int) -> Histogram:
        _, class_of, found = self._counted(quasi, self.cells.place(WRITTEN, attribute.name))
        values = self._values(attribute, found)
        return Histogram.of(class_of, values, n_classes, len(attribute.labels), whole(found, "n"))

    def _holders(self, quasi: Sequence[str], attribute: Attribute, n_classes: int) -> Holders:
        place = self.cells.place(WRITTEN, attribute.name)
        _, class_of, found = self._counted(quasi, place, str(self.who))
        values = self._values(attribute, found)
        person = Table.from_arrow(found.select(["person"]))["person"]
        return Holders.of(class_of, person.codes, values, n_classes, len(attribute.labels))

    def _values(self, attribute: Attribute, found: pa.Table) -> IntArray:
        """Return the values that were counted, in the codes that the original's distribution has for them."""
        codes = codes_among(self.cells.texts(WRITTEN, attribute.name), attribute.labels)
        values = codes[whole(found, "value")]
        if (values < 0).any():
            raise foreign_value(attribute.name)
        return np.asarray(values)


def pairs_of(cells: CellStore, shelf: str, who: str, column: CountedColumn, view: str | None = None) -> Pairs:
    """Return who holds which value of a coded column, from the distinct (person, value) of a file or a view of it."""
    place = cells.place(shelf, column.name)
    found = cells.table(f"SELECT DISTINCT {who} AS person, {place} AS value FROM {view or shelf}")
    place_of = {text: i for i, text in enumerate(column.texts)}
    code_of = np.array([place_of.get(text, -1) for text in cells.texts(shelf, column.name)], np.int32)
    person = Table.from_arrow(found.select(["person"]))["person"]
    return Pairs.of(person.codes, code_of[whole(found, "value")], len(column.values))[0]


def own_reference_on_disk(
    rows: RowsOnDisk, names: Sequence[str], models: Sequence[PrivacyModel]
) -> Reference:
    """Return the release's own distribution, for judging without the original."""
    read: set[str] = set().union(*(model.reads - guards_of(model) for model in models))
    people = rows.people()
    attributes = {}
    for name in sorted(read & set(names)):
        column = rows.cells.column(WRITTEN, name)
        pairs = None if people is None else pairs_of(rows.cells, WRITTEN, str(rows.who), column, rows.view)
        attributes[name] = Attribute(name, column.texts, column.counts(), pairs=pairs)
    return Reference(rows.cells.number(f"SELECT count(*) FROM {rows.view}"), attributes, people=people)


def tuples_on_disk(cells: CellStore, shelf: str, names: Sequence[str]) -> tuple[Table, IntArray]:
    """Return the distinct combinations of columns of a file, by what they say, and how many rows hold each."""
    places = [cells.place(shelf, name) for name in names]
    found = cells.table(f"SELECT {', '.join(places)}, count(*) AS n FROM {shelf} GROUP BY ALL")
    columns = []
    for name, place in zip(names, places, strict=True):
        if cells.is_coded(shelf, name):
            texts = pa.array(cells.texts(shelf, name), pa.string())
            columns.append(Column(name, whole(found, place).astype(np.int32), texts))
        else:
            columns.append(Column.from_arrow(name, found.column(place)))
    return Table.of(columns, found.num_rows), whole(found, "n")


def labels_on_disk(cells: CellStore, quasi: Sequence[str]) -> Table:
    """Return the released values by code; rows are not looked at."""
    columns = (
        Column(name, np.zeros(0, np.int32), pa.array(cells.texts(WRITTEN, name), pa.string()))
        for name in quasi
    )
    return Table.of(columns, 0)


def named_only(names: Sequence[str]) -> Table:
    """Return a table of which nothing is known but the names of its columns."""
    return Table.of((CountedColumn.of(name, pa.nulls(0), np.zeros(0, np.int64)) for name in names), 0)
