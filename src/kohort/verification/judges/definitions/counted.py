"""`Counted`: the classes of a release, as the verifier counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Label
from kohort.verification.judges.definitions.held import Held
from kohort.verification.judges.definitions.tally import Entries, numbered, tally
from kohort.verification.judges.definitions.whole import Population, Whole


@dataclass(frozen=True, eq=False)
class Counted:
    """How many records and people each class has, and what they hold; and what is known of the whole table."""

    records: IntArray  # per class
    people: IntArray  # per class; the records, where a row is a person
    values: Mapping[str, Entries]  # (class, value) -> records, of sensitive columns and guards
    tuples: IntArray | None = None  # the released labels of each class by code, where classes have such
    members: Entries | None = None  # (class, person) -> records, where people have several rows
    held: Mapping[str, Held] = field(default_factory=dict)  # who holds what, likewise
    wholes: Mapping[str, Whole] = field(default_factory=dict)
    guards: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)  # what people ask for, by code
    population: Population | None = None

    def __len__(self) -> int:
        return len(self.records)

    def holding(self, column: str) -> Entries:
        """Return how many people of each class hold each value of a column, in any of their rows."""
        return self.held[column].holding() if column in self.held else self.values[column]


def counted_rows(
    labels: Sequence[IntArray], values: Mapping[str, IntArray], people: IntArray | None = None
) -> Counted:
    """Count rows: those that share their labels are a class. `people` names the person of each row."""
    class_of, n = numbered(labels)
    some_row = np.empty(n, np.int64)
    some_row[class_of] = np.arange(len(class_of))
    records = np.bincount(class_of, minlength=n).astype(np.int64)
    tuples = np.column_stack([column[some_row] for column in labels]).astype(np.int64)
    told = {name: tally(class_of, column) for name, column in values.items()}
    members = None if people is None else members_of(class_of, people)
    if people is None or members is None:
        return Counted(records, records, told, tuples)
    held = {name: Held.of(class_of, people, column) for name, column in values.items()}
    return Counted(records, members.per_class(), told, tuples, members, held)


def members_of(class_of: IntArray, people: IntArray, rows: IntArray | None = None) -> Entries | None:
    """Return the rows of each person in each class, of lines that stand for so many rows; None where a row is a person."""
    person, n_people = numbered([people])
    n_rows = len(people) if rows is None else int(rows.sum())
    return None if n_people == n_rows else tally(class_of, person, rows)


def counted_lines(name: str, owner: IntArray, values: IntArray, counts: IntArray) -> Counted:
    """Count groups that a table tells line by line: so many records of a group hold a value; empty ones are left out."""
    some = counts > 0
    groups = np.unique(owner[some], return_inverse=True)[1]
    entries = tally(groups, values[some], counts[some])
    return Counted(entries.sums, entries.sums, {name: entries})
