"""`Entry`: a release as the ledger keeps it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.ledger.forms import Exact, Marks, exact_columns, missing_marks, written_column
from kohort.ledger.hashed_columns import (
    CONTENTS,
    LINES,
    MEMBERS,
    SPELLINGS,
    HashedColumn,
    attribute_of,
    contents_of,
    hashed_column,
    lines_of,
    names_of,
    spellings_of,
    text_bytes,
    values_of,
)
from kohort.ledger.held import Held
from kohort.ledger.keys import hashes
from kohort.models import PrivacyModel, crowd_of
from kohort.plan import Plan
from kohort.preparation.kind import Kind
from kohort.table import Table
from kohort.table.alike import plain_form

FORM = 2  # of ids: `same_person`
ALONE = 2  # where no k is promised, nobody should stand alone

Coded = tuple[Sequence[str | None], IntArray]  # texts, and the code of each released row


@dataclass(frozen=True, eq=False)
class Entry:
    """A release before it is hashed. Without a respondent nobody can be recognised in another release."""

    respondent: str | None  # the column that names people
    persons: Coded
    cells: Mapping[str, Coded]  # of rows whose people have several: all other columns tell which row is which
    class_of: IntArray  # per released row
    values: Mapping[str, Coded]  # sensitive columns
    together: Mapping[str, Coded]  # columns that stand side by side in the released rows, sensitive or not
    k: int
    least: Mapping[str, int]  # sensitive column: how many values a class promises
    promises: tuple[str, ...]
    plan: str  # digest of the plan
    exact: Mapping[str, Exact] = field(default_factory=dict)  # columns that are not told as they were read
    marks: Mapping[str, Marks] = field(default_factory=dict)  # per column: what was read as missing
    several: BoolArray | None = (
        None  # released rows whose people have others in the table, left out or not; None: all
    )
    quasi: Sequence[str] = ()  # columns that are known of people outside

    @property
    def cells_kept(self) -> int:
        """Return how many numbers the ledger keeps of it, or more."""
        columns = len({*self.values, *self.together}) + len(self.exact)
        return len(self.class_of) * (6 + 5 * columns)

    def hashed(self, key: bytes) -> Held:
        """Return the release with keyed hashes for whatever must not be told."""
        if self.respondent is None:
            parts = (MEMBERS, CONTENTS, LINES, SPELLINGS)
            nobody = [dict.fromkeys(names, np.zeros(0, np.int64)) for names in parts]
            return Held(0, self.k, {}, nobody[0], nobody[1], nobody[2], spellings=nobody[3])
        texts, codes = self.persons
        people = hashes(key, "person", [same_person(text) for text in texts])[codes]
        rows = people.copy()
        if self.cells:
            several = slice(None) if self.several is None else self.several
            rows[several] = _rows(key, people[several], self.cells)
        members = {"person": people, "row": rows, "class": self.class_of.astype(np.int64)}
        least = {attribute_of(key, name, self._form(name)): count for name, count in self.least.items()}
        forms = {attribute_of(key, n, exact.form): attribute_of(key, n) for n, exact in self.exact.items()}
        marks = {
            attribute_of(key, n): frozenset(values_of(key, n, [*marks]).tolist())
            for n, marks in self.marks.items()
        }
        lines, places = self._lines(key)
        quasi = frozenset(attribute_of(key, name) for name in self.quasi)
        contents, spellings = self._contents(key), self._spellings(key)
        names = names_of(key, {name: self._form(name) for name in self.columns()})
        return Held(0, self.k, least, members, contents, lines, forms, marks, quasi, places, spellings, names)

    def named_by(self, key: bytes) -> int | None:
        """Return a keyed hash of the name of the respondent column: others may name other people.

        The form in which ids are kept is part of it: in another form nobody would be found, and all would seem fine.
        """
        return None if self.respondent is None else _named(key, self.respondent, f"respondent, form {FORM}")

    def named_before(self, key: bytes) -> int | None:
        """Return the same as it was before ids had the form they have now."""
        return named_before(self.respondent, key)

    def _column(self, key: bytes, name: str, told: Coded) -> HashedColumn:
        return hashed_column(key, name, *told, form=self._form(name))

    def _both(self, key: bytes, name: str, told: Coded) -> list[HashedColumn]:
        """Return a column as it is told and, where that is another form, as it was read."""
        found = [self._column(key, name, told)]
        if name in self.exact:
            found.append(hashed_column(key, name, self.exact[name].texts, self.exact[name].codes))
        return found

    def _form(self, name: str) -> str:
        return self.exact[name].form if name in self.exact else ""

    def columns(self) -> list[str]:
        """Return the names of all columns that are told, in any way."""
        return [*{**self.values, **self.together, **self.exact, **self.marks, **dict.fromkeys(self.quasi)}]

    def _spellings(self, key: bytes) -> dict[str, IntArray]:
        """Return the values of all columns, as they are told and as they were read, that have a plainer form."""
        found = [np.zeros((0, len(SPELLINGS)), np.int64)]
        told = {**self.values, **self.together}
        for name in self.columns():
            read: list[str | None] = []
            if name in self.exact:
                read += self.exact[name].texts
            if name in told and self._form(name):
                found.append(spellings_of(key, name, told[name][0], form=self._form(name)))
            elif name in told:
                read += told[name][0]
            found.append(spellings_of(key, name, read, self.marks.get(name, {})))
        return dict(zip(SPELLINGS, np.concatenate(found).T.copy(), strict=True))

    def _contents(self, key: bytes) -> dict[str, IntArray]:
        """Return the values of sensitive columns as they are told, and of quasi-identifiers as they were read."""
        columns = [self._column(key, name, told) for name, told in self.values.items()]
        for name, exact in self.exact.items():
            if name not in self.values and name not in self.together:
                columns.append(hashed_column(key, name, exact.texts, exact.codes))
        return contents_of(self.class_of, columns)

    def _lines(self, key: bytes) -> tuple[dict[str, IntArray], IntArray]:
        """Return what the rows tell side by side, what is told apart from them beside what was read, and the line of each row."""
        beside = [column for name, told in self.together.items() for column in self._both(key, name, told)]
        apart = [
            self._both(key, name, told)
            for name, told in self.values.items()
            if name in self.exact and name not in self.together
        ]
        return lines_of(self.class_of, beside, apart)


def entry_of(table: Table, plan: Plan, tables: Mapping[str, Table], rows: IntArray, read: Table) -> Entry:
    """Return a release as the ledger keeps it, from the original rows in the order they were released.

    `read` is the table before some of its columns were told more coarsely.
    """
    respondent = plan.input.respondent
    persons: Coded = ((), np.zeros(0, np.int64))
    if respondent is not None:
        persons = table[respondent].texts, table[respondent].codes[rows]
    several = np.zeros(0, np.bool_) if respondent is None else _with_several_rows(table, respondent)[rows]
    by_class = _by_class(plan, tables)
    told = _side_by_side(table, plan, tables, by_class)
    values = [name for name in plan.sensitive if name in table.columns]
    return Entry(
        respondent=respondent,
        persons=persons,
        cells={
            name: (read[name].texts, read[name].codes[rows[several]])
            for name in sorted(read.names)
            if name != respondent and several.any()
        },
        class_of=_class_of(plan, tables),
        values={name: written_column(table, name, rows) for name in values},
        together={name: written_column(table, name, rows) for name in told},
        k=promised_crowd(plan),
        least=_values_promised(plan.require),
        promises=tuple(model.label for model in plan.require),
        plan=_digest(plan),
        exact=exact_columns(read, plan, (*plan.quasi, *values, *told), by_class, rows),
        marks={
            name: missing_marks(plan, read[name]) for name in dict.fromkeys((*plan.quasi, *values, *told))
        },
        several=several,
        quasi=plan.quasi,
    )


def entry_of_nobody(plan: Plan, released: int, classes: int) -> Entry:
    """Return a release in which nobody can be recognised, as the ledger keeps it: its counts and what it promised."""
    return Entry(
        respondent=None,
        persons=((), np.zeros(0, np.int64)),
        cells={},
        class_of=np.arange(released, dtype=np.int64) % max(classes, 1),  # counted, and never looked at
        values={},
        together={},
        k=promised_crowd(plan),
        least=_values_promised(plan.require),
        promises=tuple(model.label for model in plan.require),
        plan=_digest(plan),
    )


def _digest(plan: Plan) -> str:
    return hashlib.sha256(json.dumps(plan.to_dict(), sort_keys=True, default=str).encode()).hexdigest()


def promised_crowd(plan: Plan) -> int:
    """Return among how many people everybody should hide, by one release and by all of them together."""
    return max(crowd_of(plan.require), ALONE)


def named_before(respondent: str | None, key: bytes) -> int | None:
    """Return how a respondent column was named before ids had the form they have now."""
    return None if respondent is None else _named(key, respondent, "respondent")


def _named(key: bytes, respondent: str, domain: str) -> int:
    return int(hashes(key, domain, [text_bytes(respondent)])[0])


def _by_class(plan: Plan, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """Return the quasi-identifiers that are told by the classes of rows; in groups (Anatomy) the rows tell them as they are."""
    return tuple(plan.quasi) if Kind.of(plan).layout.crowds(tables) is None else ()


def _side_by_side(
    table: Table, plan: Plan, tables: Mapping[str, Table], by_class: Sequence[str]
) -> list[str]:
    """Return the columns that the rows tell, but by their classes; not what is told apart from them."""
    layout = Kind.of(plan).layout
    crowds, shown = layout.crowds(tables), tables[layout.stems[0]]
    other = {*by_class, *(() if crowds is None else {*crowds.told, *crowds.links})}
    return [name for name in shown.names if name in table.columns and name not in other]


def _with_several_rows(table: Table, respondent: str) -> BoolArray:
    """Mark the rows of people who have others in the table: one may be in this release and another in the next.

    Whoever has a single row is known by the person alone, whatever is changed in the row.
    """
    column = table[respondent]
    number: dict[bytes, int] = {}
    numbers = [number.setdefault(same_person(text), len(number)) for text in column.texts]
    person = np.array(numbers, np.int64)[column.codes]
    return np.asarray(np.bincount(person)[person] > 1)


def same_person(text: str | None) -> bytes:
    """Return an id without what people and programs write differently: blanks, case, forms, spellings of a number.

    Two people of one such id become one, who hides among fewer: a comparison errs on the safe side.
    """
    return text_bytes(None if text is None else plain_form(text))


def _values_promised(models: Sequence[PrivacyModel]) -> dict[str, int]:
    least: dict[str, int] = {}
    for model in models:
        for gain in model.demand.gains:
            least[gain.column] = max(least.get(gain.column, 0), gain.least)
    return least


def _class_of(plan: Plan, tables: Mapping[str, Table]) -> IntArray:
    """Return the class in which each released row is told."""
    layout = Kind.of(plan).layout
    crowds, rows = layout.crowds(tables), tables[layout.stems[0]]
    if crowds is not None:
        return crowds.class_of
    return group(np.column_stack([rows[name].codes for name in plan.quasi]).astype(np.int32))[1]


def _rows(key: bytes, people: IntArray, cells: Mapping[str, Coded]) -> IntArray:
    """Return a keyed hash of every whole row, the person and the names of all columns included."""
    hashed = [
        hashes(key, f"cell of {name}", [text_bytes(text) for text in texts])[codes]
        for name, (texts, codes) in cells.items()
    ]
    matrix = np.ascontiguousarray(np.column_stack([people, *hashed]))
    width, whole = matrix.shape[1] * matrix.itemsize, matrix.tobytes()
    return hashes(key, "row", [whole[start : start + width] for start in range(0, len(whole), width)])
