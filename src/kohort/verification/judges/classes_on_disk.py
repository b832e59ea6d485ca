"""The classes that the cells of a written file form, where its rows are on disk: one GROUP BY for each histogram."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, Holders, Pairs, group
from kohort.errors import InputError
from kohort.models import Attribute, PrivacyModel, Reference
from kohort.models.model import guards_of
from kohort.plurals import many
from kohort.table import Column, Table
from kohort.table.counted import CountedColumn
from kohort.table.whole_numbers import whole
from kohort.verification.judges.cell_store import WRITTEN
from kohort.verification.judges.cells import Cells
from kohort.verification.judges.definitions.counted import Counted, members_of
from kohort.verification.judges.definitions.held import Held
from kohort.verification.judges.definitions.tally import tally
from kohort.verification.judges.promises import foreign_value
from kohort.verification.judges.same_values import codes_in_use
from kohort.verification.judges.tally import HeldValues, Tally
from kohort.verification.judges.twice import Twice

# bytes of a label of a class, of a value that it holds, and of a person in it or a value that they hold, while they are counted
PER_LABEL, PER_LINE, PER_PERSON = 24, 80, 120
NOBODY: Mapping[str, Lines] = MappingProxyType({})


class Alike(NamedTuple):
    """The classes by their numbers: no two have the same labels."""

    labels: IntArray  # int32 (classes, quasi-identifiers)
    rows: IntArray


class Lines(NamedTuple):
    """What a GROUP BY finds: so many rows of a class with a value, and a person where it is asked for."""

    owner: IntArray  # the number of the class
    rows: IntArray
    values: IntArray
    size: int  # of the values' domain
    people: IntArray | None = None


@dataclass(frozen=True, eq=False)
class RowsOnDisk:
    """The written rows as a view tells them, and what it calls the person of each, where it does.

    Where they were tallied, nothing is counted again.
    """

    cells: Cells
    view: str
    who: str | None = None
    tally: Tally | None = None

    def classes(self, quasi: Sequence[str], sensitive: Sequence[Attribute]) -> Twice:
        """Return the classes that the released quasi-identifiers form; sensitive values are coded as told."""
        alike = self.alike(quasi)
        values = {attribute.name: self._values(quasi, attribute) for attribute in sensitive}
        if self.people() is None:  # whose a row is tells nothing where nobody has another one
            return Twice(_classes(alike, values), _counts(alike, values))
        people = self._people(quasi)
        held = {attribute.name: self._values_of_people(quasi, attribute) for attribute in sensitive}
        return Twice(_classes(alike, values, people, held), _counts(alike, values, people, held))

    def demand_room(self, quasi: Sequence[str], sensitive: Sequence[str], room: int) -> None:
        """Refuse to count classes that take more than `room` bytes; they are counted on disk first where that may be."""
        wide, n = len(quasi), self.n_rows()
        named = self.people() is not None
        most = n * (PER_LABEL * wide + (PER_LINE + PER_PERSON * named) * len(sensitive) + PER_PERSON * named)
        if most <= room:
            return
        classes, lines = self._sizes(quasi, sensitive)
        people = self._pairs(quasi, sensitive) if named else 0
        if classes * PER_LABEL * wide + lines * PER_LINE + people * PER_PERSON > room:
            if people:
                raise InputError(
                    f"{many(people, 'pair')} of a class and a person, with the sensitive values of these, do not fit in memory; "
                    "allow more memory",
                    code="engine.no-bottom",
                    found=people,
                )
            raise InputError(
                f"{many(classes, 'class', 'classes')} with their sensitive values do not fit in memory; allow more memory",
                code="engine.no-bottom",
                found=classes,
            )

    def _sizes(self, quasi: Sequence[str], sensitive: Sequence[str]) -> tuple[int, int]:
        """Return how many classes there are, and how many values they hold."""
        if self.tally is not None:
            return len(self.tally.rows), sum(len(self.tally.held[name].owner) for name in sensitive)
        return self._lines(quasi, ()), sum(self._lines(quasi, (name,)) for name in sensitive)

    def _pairs(self, quasi: Sequence[str], sensitive: Sequence[str]) -> int:
        """Return how many people there are in all classes, and how many values they hold there."""
        who = str(self.who)
        return sum(self._lines(quasi, beside, who) for beside in ((), *((name,) for name in sensitive)))

    def n_rows(self) -> int:
        """Return how many rows there are."""
        if self.tally is not None:
            return self.tally.n_written
        return self.cells.number(f"SELECT count(*) FROM {self.view}")

    def _lines(self, quasi: Sequence[str], beside: Sequence[str], *others: str) -> int:
        keys = ", ".join([*self.cells.keys(WRITTEN, [*quasi, *beside]).values(), *others])
        return self.cells.number(f"SELECT count(*) FROM (SELECT 1 FROM {self.view} GROUP BY {keys})")

    def people(self) -> int | None:
        """Return how many people the rows are about, where some have several; None where a row is a person."""
        if self.who is None:
            return None
        people = self.cells.number(f"SELECT count(DISTINCT {self.who}) FROM {self.view}")
        return None if people == self.n_rows() else people

    def alike(self, quasi: Sequence[str]) -> Alike:
        """Number the classes, and return the labels and rows of each by its number."""
        if self.tally is not None:
            return Alike(self.tally.labels, self.tally.rows)
        return alike_on_disk(self.cells, self.cells.number_classes(self.view, quasi), quasi)

    def _counted(self, quasi: Sequence[str], value: str) -> pa.Table:
        return self.cells.table(values_by_class(self.cells, self.view, quasi, value))

    def _counted_with_people(
        self, quasi: Sequence[str], value: str | None = None
    ) -> tuple[pa.Table, IntArray]:
        """Return how many rows of each class are whose, and the number of each person: by value, where one is named."""
        numbered = self.cells.number_people(self.view, str(self.who))
        who = str(self.who) if numbered is None else "person"
        found = self.cells.table(
            values_by_class(self.cells, self.view, quasi, value or who, value and who, numbered)
        )
        place = "person" if value else "value"
        if numbered is not None:
            return found, whole(found, place)
        return found, Table.from_arrow(found.select([place]))[place].codes

    def _people(self, quasi: Sequence[str]) -> Lines:
        found, person = self._counted_with_people(quasi)
        return Lines(whole(found, "class"), whole(found, "n"), person, int(person.max(initial=-1)) + 1)

    def held(self, quasi: Sequence[str], name: str) -> HeldValues:
        """Return how many rows of each class hold each value of a coded column."""
        if self.tally is not None:
            return self.tally.held[name]
        return _held_in(self._counted(quasi, self.cells.place(WRITTEN, name)))

    def _values(self, quasi: Sequence[str], attribute: Attribute) -> Lines:
        return self._lines_of(attribute, self.held(quasi, attribute.name))

    def _values_of_people(self, quasi: Sequence[str], attribute: Attribute) -> Lines:
        found, person = self._counted_with_people(quasi, self.cells.place(WRITTEN, attribute.name))
        return self._lines_of(attribute, _held_in(found), person)

    def _lines_of(self, attribute: Attribute, held: HeldValues, person: IntArray | None = None) -> Lines:
        """Return the values that were counted, in the codes that the original's distribution has for them."""
        values = codes_in_use(held.values, self.cells.texts(WRITTEN, attribute.name), attribute.labels)
        if (values < 0).any():
            raise foreign_value(attribute.name)
        return Lines(held.owner, held.rows, values, len(attribute.labels), person)


def values_by_class(
    cells: Cells,
    view: str,
    quasi: Sequence[str],
    value: str,
    person: str | None = None,
    rows: str | None = None,
) -> str:
    """Return the SQL of how many rows of each class, by its number, have a value; and of which person, where that is asked.

    These are the rows of the view, or `rows` of it that are told more of.
    """
    keys = cells.keys(WRITTEN, quasi)
    beside = {} if person is None else {"person": person}
    told = keys | {"value": value} | beside
    selected = ", ".join(f"{own} AS {name}" for name, own in told.items())
    lines = f"SELECT {selected}, count(*) AS n FROM {rows or view} GROUP BY {', '.join(told.values())}"
    # classes are looked up for lines that were counted, which are fewer than rows
    return (
        f"SELECT class, value, {''.join(f'{name}, ' for name in beside)}lines.n FROM ({lines}) AS lines "
        f"JOIN {view}_classes USING ({', '.join(keys)})"
    )


def _held_in(found: pa.Table) -> HeldValues:
    """Return what `values_by_class` finds."""
    return HeldValues(whole(found, "class"), whole(found, "value"), whole(found, "n"))


def alike_on_disk(cells: Cells, table: str, quasi: Sequence[str]) -> Alike:
    """Return the labels and rows of the classes that were numbered in a table, by their number."""
    found = cells.table(f"SELECT * FROM {table} ORDER BY class")
    labels = [whole(found, cells.place(WRITTEN, name)) for name in quasi]
    return Alike(np.column_stack(labels).astype(np.int32, copy=False), whole(found, "n"))


def _classes(
    alike: Alike, values: Mapping[str, Lines], people: Lines | None = None, held: Mapping[str, Lines] = NOBODY
) -> Classes:
    """Return lines as the models know classes."""
    codes, class_of = group(alike.labels)
    n, levels = len(codes), (0,) * alike.labels.shape[1]
    rows = np.bincount(class_of, alike.rows, minlength=n).astype(np.int64)

    def histogram(lines: Lines) -> Histogram:
        return Histogram.of(class_of[lines.owner], lines.values, n, lines.size, lines.rows)

    histograms = {name: histogram(lines) for name, lines in values.items()}
    if people is None:
        return Classes(codes, levels, rows, rows, histograms)
    respondents = histogram(people)
    holders = {name: _holders(lines, class_of, n) for name, lines in held.items()}
    return Classes(codes, levels, respondents.distinct(), rows, histograms, respondents, holders)


def _holders(lines: Lines, class_of: IntArray, n_classes: int) -> Holders:
    assert lines.people is not None
    return Holders.of(class_of[lines.owner], lines.people, lines.values, n_classes, lines.size)


def _counts(
    alike: Alike, values: Mapping[str, Lines], people: Lines | None = None, held: Mapping[str, Lines] = NOBODY
) -> Counted:
    """Return lines as the definitions know classes."""
    told = {name: tally(lines.owner, lines.values, lines.rows) for name, lines in values.items()}
    tuples = alike.labels.astype(np.int64)
    members = None if people is None else members_of(people.owner, people.values, people.rows)
    if members is None:
        return Counted(alike.rows, alike.rows, told, tuples)
    holding = {name: _held(lines) for name, lines in held.items()}
    return Counted(alike.rows, members.per_class(), told, tuples, members, holding)


def _held(lines: Lines) -> Held:
    assert lines.people is not None
    return Held.of(lines.owner, lines.people, lines.values)


def pairs_of(cells: Cells, shelf: str, who: str, column: CountedColumn, view: str | None = None) -> Pairs:
    """Return who holds which value of a coded column, from the distinct (person, value) of a file or a view of it."""
    place = cells.place(shelf, column.name)
    numbered = cells.number_people(view or shelf, who)
    told = who if numbered is None else "person"
    found = cells.table(
        f"SELECT DISTINCT {told} AS person, {place} AS value FROM {numbered or view or shelf}"
    )
    place_of = {text: i for i, text in enumerate(column.texts)}
    code_of = np.array([place_of.get(text, -1) for text in cells.texts(shelf, column.name)], np.int32)
    person = (
        Table.from_arrow(found.select(["person"]))["person"].codes
        if numbered is None
        else whole(found, "person")
    )
    return Pairs.of(person, code_of[whole(found, "value")], len(column.values))[0]


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
    return Reference(rows.n_rows(), attributes, people=people)


def tuples_on_disk(cells: Cells, shelf: str, names: Sequence[str]) -> tuple[Table, IntArray]:
    """Return the distinct combinations of columns of a file, by what they say, and how many rows hold each."""
    places = [cells.place(shelf, name) for name in names]
    found = cells.table(
        f"SELECT {', '.join(places)}, count(*) AS n FROM {shelf} GROUP BY {', '.join(places)}"
    )
    columns = []
    for name, place in zip(names, places, strict=True):
        if cells.is_coded(shelf, name):
            # files may share their texts: only those that this one holds are its own
            used, codes = np.unique(whole(found, place), return_inverse=True)
            texts = pa.array(cells.texts(shelf, name), pa.string()).take(pa.array(used))
            columns.append(Column(name, codes.astype(np.int32), texts))
        else:
            columns.append(Column.from_arrow(name, found.column(place)))
    return Table.of(columns, found.num_rows), whole(found, "n")


def labels_on_disk(cells: Cells, quasi: Sequence[str]) -> Table:
    """Return the released values by code; rows are not looked at."""
    columns = (
        Column(name, np.zeros(0, np.int32), pa.array(cells.texts(WRITTEN, name), pa.string()))
        for name in quasi
    )
    return Table.of(columns, 0)


def values_on_disk(cells: Cells, names: Iterable[str]) -> dict[str, Table]:
    """Return the distinct values of some columns of the written file, each column by itself."""
    return {name: tuples_on_disk(cells, WRITTEN, [name])[0] for name in names}


def named_only(names: Sequence[str]) -> Table:
    """Return a table of which nothing is known but the names of its columns."""
    return Table.of((CountedColumn.of(name, pa.nulls(0), np.zeros(0, np.int64)) for name in names), 0)
