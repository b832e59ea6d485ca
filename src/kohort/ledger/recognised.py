"""The same columns and values of several releases under the same numbers, where it leaves no doubt that they are the same.

`1` of one release is `1.0` of another, and `Age` is `age`; but a release that holds both tells two values by them, or two columns,
and everybody who reads it sees which is which. So spellings of values count as one only where no release that is compared, nor the
original of one, holds several of them, and spellings of names where no release tells several; of any other only what is written
alike is the same, in all of them. So too little agrees rather than too much.

Values left are counted once more, by readers who take spellings for one: to them fewer are left, and what is missing stands
for whatever looks like a mark. To others it stands for what its plan reads as missing, however numbers are spelled there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from kohort.arrays import IntArray
from kohort.classes.schemes import Column
from kohort.ledger.hashed_columns import MARKED
from kohort.ledger.held import Held
from kohort.ledger.lines import exchanged

Numbers = Mapping[int, int]  # what is written: as what it counts


def recognised(releases: Sequence[Held]) -> list[Held]:
    """Return releases that know columns and values by numbers that are the same in all of them."""
    doubtful = _doubtful_names(releases)
    spelled = _spelled(releases)
    values, alike = _values(spelled)
    return [
        _numbered(
            _named(held, {c: n for c, n in held.names.items() if _read_as(held, c) not in doubtful}),
            values,
            alike,
            spelled,
        )
        for held in releases
    ]


def _doubtful_names(releases: Sequence[Held]) -> frozenset[Column]:
    """Return the columns, by their plain names, of which a release tells several."""
    return frozenset(
        plain
        for held in releases
        for plain in held.names.values()
        if sum(held.names.get(column, column) == plain for column in held.columns) > 1
    )


def _read_as(held: Held, attribute: Column) -> Column:
    """Return an attribute, in whatever form it is told, as it was read, by its plain name."""
    column = held.forms.get(attribute, attribute)
    return held.names.get(column, column)


def _spelled(releases: Sequence[Held]) -> IntArray:
    """Return all values that have a plainer form, or that a mark would mean in another spelling."""
    found = [np.column_stack([*held.spellings.values()]) for held in releases if held.spellings is not None]
    return np.unique(np.concatenate([np.zeros((0, 3), np.int64), *found]), axis=0)


def _values(spelled: IntArray) -> tuple[Numbers, Numbers]:
    """Return which values are plainly others, and which a reader may only take for others."""
    spelled = spelled[spelled[:, 2] < MARKED]
    doubtful = np.isin(spelled[:, 1], spelled[spelled[:, 2] > 0, 1])
    sure, unsure = (dict(spelled[some, :2].tolist()) for some in (~doubtful, doubtful))
    return sure, unsure


def _named(held: Held, names: Mapping[Column, Column]) -> Held:
    """Return a release with columns by their plain names; the names that are in doubt stay with it."""
    if not names:
        return held

    def of(column: Column) -> Column:
        return names.get(column, column)

    return replace(
        held,
        least={of(column): count for column, count in held.least.items()},
        contents={**held.contents, "attribute": exchanged(held.contents["attribute"], names)},
        lines={**held.lines, "attribute": exchanged(held.lines["attribute"], names)},
        forms={of(form): of(column) for form, column in held.forms.items()},
        marks={of(column): values for column, values in held.marks.items()},
        quasi=frozenset(map(of, held.quasi)),
        names={column: plain for column, plain in held.names.items() if column not in names},
    )


def _numbered(held: Held, values: Numbers, alike: Numbers, spelled: IntArray) -> Held:
    if not (values or alike):
        return replace(held, marks_alike=held.marks)
    by_number, by_form = spelled[spelled[:, 2] == MARKED], spelled[spelled[:, 2] != MARKED]
    marks, marks_alike = {}, {}
    for column, some in held.marks.items():
        read = some | _of(by_number, some)
        plain = frozenset(values.get(v, alike.get(v, v)) for v in read)
        marks[column] = frozenset(values.get(v, v) for v in read)
        marks_alike[column] = marks[column] | frozenset(values.get(v, v) for v in _of(by_form, plain))
    return replace(
        held,
        contents={**held.contents, "value": exchanged(held.contents["value"], values)},
        lines={**held.lines, "value": exchanged(held.lines["value"], values)},
        marks=marks,
        marks_alike=marks_alike,
        alike=alike,
    )


def _of(spelled: IntArray, meant: frozenset[int]) -> frozenset[int]:
    """Return the values that are spelled otherwise than some that are meant."""
    return frozenset(spelled[np.isin(spelled[:, 1], [*meant]), 0].tolist()) if meant else frozenset()
