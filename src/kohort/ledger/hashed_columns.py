"""Columns as the ledger keeps them: attributes and values as keyed hashes, in the form in which they are told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.ledger.keys import hashes
from kohort.ledger.lines import MISSING
from kohort.ledger.spelling import plain_name, same_value
from kohort.table.markers import as_marked

MEMBERS = ("person", "row", "class")
CONTENTS = ("class", "attribute", "value")
LINES = ("class", "line", "attribute", "value")
PLACES = ("line",)
SPELLINGS = ("value", "plain", "several")
# In place of whether there are several: as which value marks of what is missing mean a number; and may mean it, for to readers
# with a decimal comma `9.000` is nine thousand.
MARKED, PERHAPS = 2, 3
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}")


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
    """Return a keyed hash of every value of a column, as it is written; missing is the same in all columns.

    Columns whose names differ in their spelling only have the same values.
    """
    hashed = hashes(key, f"value of {plain_name(name)}{_told(form)}", [text_bytes(text) for text in texts])
    return np.where([text is None for text in texts], MISSING, hashed)


def names_of(key: bytes, forms: Mapping[str, str]) -> dict[int, int]:
    """Return the attributes of columns whose names have a plainer form, in each form that is kept, and what they are by that."""
    return {
        attribute_of(key, name, told): attribute_of(key, plain_name(name), told)
        for name, form in forms.items()
        for told in ("", form)
        if name != plain_name(name)
    }


def name_of(key: bytes, attribute: int, names: Iterable[str]) -> str | None:
    """Return which of some names is that of an attribute, as it was read, by itself or by its plain form; None for none of them."""
    return next(
        (n for n in names if attribute in (attribute_of(key, n), attribute_of(key, plain_name(n)))), None
    )


def spellings_of(
    key: bytes,
    name: str,
    texts: Iterable[str | None],
    marks: Mapping[str, Iterable[str]] = MappingProxyType({}),
    form: str = "",
) -> IntArray:
    """Return the values of a column that have a plainer form: each, the plain one, and whether several values have that.

    Several are values that are written otherwise, and a value beside what is read as missing. Beside them stand numbers
    that a mark would mean in another spelling, and how others may spell what is read as missing: that leaves doubt.
    """
    cells, marked = _by_plain_form(texts), _by_plain_form(marks)
    several = {plain for plain, some in cells.items() if len(some | marked.get(plain, some)) > 1}
    told = [
        (text, plain, int(plain in several))
        for forms in (cells, marked)
        for plain, some in forms.items()
        for text in sorted(some)
        if text != plain or plain in several
    ]
    told += [(text, same_value(mark), 1) for mark, others in marks.items() for text in others]
    told += [
        (text, as_marked(text), PERHAPS if _GROUPED.fullmatch(text) else MARKED)
        for text, *_ in told
        if as_marked(text) != text
    ]
    found = np.zeros((len(told), len(SPELLINGS)), np.int64)
    for j in (0, 1):
        found[:, j] = values_of(key, name, [str(one[j]) for one in told], form)
    found[:, 2] = [one[2] for one in told]
    return found


def _by_plain_form(texts: Iterable[str | None]) -> dict[str, set[str]]:
    forms: dict[str, set[str]] = {}
    for text in texts:
        if text is not None:
            forms.setdefault(same_value(text), set()).add(text)
    return forms


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
