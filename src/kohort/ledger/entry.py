"""`Entry`: a release as the ledger keeps it."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.plan import Plan
from kohort.table import Role, Table

GROUP = "group"  # the column of Anatomy's tables that tells the class


@dataclass(frozen=True, eq=False)
class Entry:
    """A release as the ledger keeps it; `hashed` turns what must not be told into keyed hashes."""

    persons: Sequence[str]  # one text per distinct person
    person_of: IntArray  # per released row
    rows: Sequence[str] | None  # one text per released row, where somebody has several
    class_of: IntArray  # per released row
    values: Mapping[
        str, tuple[Sequence[str | None], IntArray]
    ]  # sensitive column: texts, code per released row
    k: int
    promises: tuple[str, ...]
    plan: str  # digest of the plan
    _members: dict[bytes, pa.Table] = field(default_factory=dict, repr=False)

    def members(self, key: bytes) -> pa.Table:
        """Return person, row and class of every released row."""
        if key not in self._members:  # a release is compared and then recorded
            people = _hashes(key, "person", self.persons)[self.person_of]
            rows = people if self.rows is None else _hashes(key, "row", self.rows)
            told = {"person": people, "row": rows, "class": self.class_of.astype(np.int64)}
            self._members[key] = pa.table(told)
        return self._members[key]

    def contents(self, key: bytes) -> pa.Table:
        """Return which sensitive values occur in which class."""
        found: list[IntArray] = [np.zeros((0, 3), np.int64)]
        for name, (texts, codes) in self.values.items():
            pairs, _ = group(np.column_stack([self.class_of, codes]).astype(np.int64))
            attribute = int(_hashes(key, "attribute", [name])[0])
            told = _hashes(key, f"value of {name}", ["" if t is None else f"={t}" for t in texts])
            columns = [pairs[:, 0], np.full(len(pairs), attribute, np.int64), told[pairs[:, 1]]]
            found.append(np.column_stack(columns))
        table = np.concatenate(found)
        return pa.table({"class": table[:, 0], "attribute": table[:, 1], "value": table[:, 2]})


def entry_of(table: Table, plan: Plan, tables: Mapping[str, Table], rows: IntArray) -> Entry:
    """Return a release as the ledger keeps it, from the original rows in the order they were released."""
    person_texts, person_of = _persons(table, plan, rows)
    return Entry(
        persons=person_texts,
        person_of=person_of,
        rows=_row_texts(table, table.names, rows) if len(np.unique(person_of)) < len(rows) else None,
        class_of=_class_of(plan, tables["table"]),
        values={
            name: (table[name].texts, table[name].codes[rows])
            for name in plan.sensitive
            if name in table.columns
        },
        k=max((int(k) for k in (getattr(m, "k", None) for m in plan.require) if k is not None), default=2),
        promises=tuple(model.label for model in plan.require),
        plan=hashlib.sha256(json.dumps(plan.to_dict(), sort_keys=True, default=str).encode()).hexdigest(),
    )


def _persons(table: Table, plan: Plan, rows: IntArray) -> tuple[Sequence[str], IntArray]:
    """Return who is released: by the respondent column, else by identifiers, else by the whole row."""
    if plan.input.respondent is not None:
        column = table[plan.input.respondent]
        return [str(text) for text in column.texts], column.codes[rows]
    names = [name for name in plan.named(Role.IDENTIFIER) if name in table.columns]
    return _row_texts(table, names or list(plan.columns), rows), np.arange(len(rows))


def _row_texts(table: Table, names: Sequence[str], rows: IntArray) -> list[str]:
    """Return each row as one text; JSON, so that no two different rows read alike."""
    columns = [np.array(table[name].texts, dtype=object)[table[name].codes[rows]] for name in sorted(names)]
    return [json.dumps(cells) for cells in zip(*columns, strict=True)]


def _class_of(plan: Plan, released: Table) -> IntArray:
    names = [GROUP] if GROUP in released.columns and GROUP not in plan.columns else list(plan.quasi)
    return group(np.column_stack([released[name].codes for name in names]).astype(np.int32))[1]


def _hashes(key: bytes, domain: str, texts: Sequence[str]) -> IntArray:
    """Return the first 64 bits of the HMAC of every text, as whole numbers."""
    start = hmac.new(key, domain.encode() + b"\0", hashlib.sha256)
    digests = []
    for text in texts:
        state = start.copy()
        state.update(text.encode("utf-8", "surrogatepass"))
        digests.append(state.digest()[:8])
    return np.frombuffer(b"".join(digests), ">i8").astype(np.int64)
