"""`Entry`: a release as the ledger keeps it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.ledger.keys import hashes
from kohort.ledger.together import Held
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
    cells: Sequence[
        Coded
    ]  # all columns, where somebody in the table has several rows: they tell which row is which
    class_of: IntArray  # per released row
    values: Mapping[str, Coded]  # sensitive columns
    together: Mapping[str, Coded]  # columns that stand side by side in the released rows, sensitive or not
    k: int
    least: Mapping[str, int]  # sensitive column: how many values a class promises
    promises: tuple[str, ...]
    plan: str  # digest of the plan

    def hashed(self, key: bytes) -> Held:
        """Return the release with keyed hashes for whatever must not be told."""
        if self.respondent is None:
            nobody = np.zeros(0, np.int64)
            return Held(
                0, self.k, {}, *(dict.fromkeys(names, nobody) for names in (MEMBERS, CONTENTS, LINES))
            )
        texts, codes = self.persons
        people = hashes(key, "person", [same_person(text) for text in texts])[codes]
        rows = people if not self.cells else _rows(key, people, self.cells)
        members = {"person": people, "row": rows, "class": self.class_of.astype(np.int64)}
        least = {self._attribute(key, name): count for name, count in self.least.items()}
        return Held(0, self.k, least, members, self._contents(key), self._lines(key))

    def named_by(self, key: bytes) -> int | None:
        """Return a keyed hash of the name of the respondent column: others may name other people.

        The form in which ids are kept is part of it: in another form nobody would be found, and all would seem fine.
        """
        return None if self.respondent is None else self._named(key, f"respondent, form {FORM}")

    def named_before(self, key: bytes) -> int:
        """Return the same as it was before ids had the form they have now."""
        return self._named(key, "respondent")

    def _named(self, key: bytes, domain: str) -> int:
        return int(hashes(key, domain, [_bytes(self.respondent)])[0])

    def _attribute(self, key: bytes, name: str) -> int:
        return int(hashes(key, "attribute", [_bytes(name)])[0])

    def _contents(self, key: bytes) -> dict[str, IntArray]:
        found: list[IntArray] = [np.zeros((0, 3), np.int64)]
        for name, (texts, codes) in self.values.items():
            pairs, _ = group(np.column_stack([self.class_of, codes]).astype(np.int64))
            attribute = np.full(len(pairs), self._attribute(key, name), np.int64)
            found.append(np.column_stack([pairs[:, 0], attribute, _values(key, name, texts)[pairs[:, 1]]]))
        return dict(zip(CONTENTS, np.concatenate(found).T.copy(), strict=True))

    def _lines(self, key: bytes) -> dict[str, IntArray]:
        """Return the distinct tuples of each class, by what the rows tell side by side."""
        if not self.together:
            return dict.fromkeys(LINES, np.zeros(0, np.int64))
        codes = [codes for _, codes in self.together.values()]
        tuples, _ = group(np.column_stack([self.class_of, *codes]).astype(np.int64))
        line = np.arange(len(tuples))
        found = [
            np.column_stack(
                [
                    tuples[:, 0],
                    line,
                    np.full(len(tuples), self._attribute(key, name)),
                    _values(key, name, texts)[tuples[:, j]],
                ]
            )
            for j, (name, (texts, _)) in enumerate(self.together.items(), 1)
        ]
        return dict(zip(LINES, np.concatenate(found).T.copy(), strict=True))


MEMBERS = ("person", "row", "class")
CONTENTS = ("class", "attribute", "value")
LINES = ("class", "line", "attribute", "value")


def entry_of(table: Table, plan: Plan, tables: Mapping[str, Table], rows: IntArray) -> Entry:
    """Return a release as the ledger keeps it, from the original rows in the order they were released."""
    respondent = plan.input.respondent
    persons: Coded = ((), np.zeros(0, np.int64))
    if respondent is not None:
        persons = table[respondent].texts, table[respondent].codes[rows]
    # Whom the table gives several rows may have one of them in this release and another in the next.
    several = respondent is not None and len(set(map(same_person, persons[0]))) < table.n_rows
    return Entry(
        respondent=respondent,
        persons=persons,
        cells=[(table[name].texts, table[name].codes[rows]) for name in sorted(table.names)]
        if several
        else (),
        class_of=_class_of(plan, tables),
        values={n: _plain(table, n, rows) for n in plan.sensitive if n in table.columns},
        together={n: _plain(table, n, rows) for n in _side_by_side(table, plan, tables)},
        k=max(crowd_of(plan.require), ALONE),
        least=_values_promised(plan.require),
        promises=tuple(model.label for model in plan.require),
        plan=hashlib.sha256(json.dumps(plan.to_dict(), sort_keys=True, default=str).encode()).hexdigest(),
    )


def _plain(table: Table, name: str, rows: IntArray) -> Coded:
    """Return a column without what people and programs write differently."""
    texts = tuple(None if text is None else plain_form(text) for text in table[name].texts)
    return texts, table[name].codes[rows]


def _side_by_side(table: Table, plan: Plan, tables: Mapping[str, Table]) -> list[str]:
    """Return the columns that the rows tell beside the quasi-identifiers; not what is told apart from them."""
    layout = Kind.of(plan).layout
    crowds, shown = layout.crowds(tables), tables[layout.stems[0]]
    other = {*plan.quasi, *(() if crowds is None else {*crowds.told, *crowds.links})}
    return [name for name in shown.names if name in table.columns and name not in other]


def same_person(text: str | None) -> bytes:
    """Return an id without what people and programs write differently: blanks, case, forms, spellings of a number.

    Two people of one such id become one, who hides among fewer: a comparison errs on the safe side.
    """
    return _bytes(None if text is None else plain_form(text))


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


def _rows(key: bytes, people: IntArray, cells: Sequence[Coded]) -> IntArray:
    """Return a keyed hash of every whole row, the person included."""
    hashed = [hashes(key, "cell", [_bytes(text) for text in texts])[codes] for texts, codes in cells]
    matrix = np.ascontiguousarray(np.column_stack([people, *hashed]))
    width, whole = matrix.shape[1] * matrix.itemsize, matrix.tobytes()
    return hashes(key, "row", [whole[start : start + width] for start in range(0, len(whole), width)])


def _values(key: bytes, name: str, texts: Sequence[str | None]) -> IntArray:
    return hashes(key, f"value of {name}", [_bytes(text) for text in texts])


def _bytes(text: str | None) -> bytes:
    return b"" if text is None else b"=" + text.encode("utf-8", "surrogatepass")
