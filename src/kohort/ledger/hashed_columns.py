"""Columns as the ledger keeps them: attributes and values as keyed hashes, in the form in which they are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.ledger.keys import hashes
from kohort.ledger.lines import MISSING

MEMBERS = ("person", "row", "class")
CONTENTS = ("class", "attribute", "value")
LINES = ("class", "line", "attribute", "value")
PLACES = ("line",)


class HashedColumn(NamedTuple):
    """A column of the released rows."""

    attribute: int
    values: IntArray
    codes: IntArray  # the place of each row's value among them


def hashed_column(
    key: bytes, name: str, texts: Sequence[str | None], codes: IntArray, form: str = ""
) -> HashedColumn:
    """Return a column as it was read or, told in another form, as another attribute."""
    return HashedColumn(attribute_of(key, name, form), values_of(key, name, texts, form), codes)


def attribute_of(key: bytes, name: str, form: str = "") -> int:
    """Return a keyed hash of a column's name, and of the form in which it is told."""
    return int(hashes(key, f"attribute{_told(form)}", [text_bytes(name)])[0])


def values_of(key: bytes, name: str, texts: Sequence[str | None], form: str = "") -> IntArray:
    """Return a keyed hash of every value of a column; missing is the same in all columns."""
    hashed = hashes(key, f"value of {name}{_told(form)}", [text_bytes(text) for text in texts])
    return np.where([text is None for text in texts], MISSING, hashed)


def contents_of(class_of: IntArray, columns: Sequence[HashedColumn]) -> dict[str, IntArray]:
    """Return the distinct values of each class, of every column by itself."""
    found = [np.zeros((0, len(CONTENTS)), np.int64)]
    for column in columns:
        pairs, _ = group(np.column_stack([class_of, column.codes]).astype(np.int64))
        attribute = np.full(len(pairs), column.attribute, np.int64)
        found.append(np.column_stack([pairs[:, 0], attribute, column.values[pairs[:, 1]]]))
    return dict(zip(CONTENTS, np.concatenate(found).T.copy(), strict=True))


def lines_of(
    class_of: IntArray, beside: Sequence[HashedColumn], apart: Sequence[Sequence[HashedColumn]]
) -> tuple[dict[str, IntArray], IntArray]:
    """Return the distinct tuples of each class: of the columns beside each other in the rows, numbered from 0 on.

    So are those of columns that go together apart from the rows, numbered below 0. And the line that each row tells.
    """
    first, place = _numbered(class_of, beside, 0, 1)
    found, below = [first], -1
    for columns in apart:
        found.append(_numbered(class_of, columns, below, -1)[0])
        below -= len(found[-1]) // len(columns)
    return dict(zip(LINES, np.concatenate(found).T.copy(), strict=True)), place


def _numbered(
    class_of: IntArray, columns: Sequence[HashedColumn], first: int, step: int
) -> tuple[IntArray, IntArray]:
    if not columns:
        return np.zeros((0, len(LINES)), np.int64), np.zeros(len(class_of), np.int64)
    codes = [column.codes for column in columns]
    tuples, number = group(np.column_stack([class_of, *codes]).astype(np.int64))
    line = first + step * np.arange(len(tuples))
    told = [
        np.column_stack(
            [tuples[:, 0], line, np.full(len(tuples), column.attribute), column.values[tuples[:, j]]]
        )
        for j, column in enumerate(columns, 1)
    ]
    return np.concatenate(told), number.astype(np.int64)


def text_bytes(text: str | None) -> bytes:
    """Return a text as it is hashed; what is missing is not as an empty one."""
    return b"" if text is None else b"=" + text.encode("utf-8", "surrogatepass")


def _told(form: str) -> str:
    return f", told by {form}" if form else ""
