"""Cells that tell sets of items become `Baskets`.

A cell holds the items of one row, between separators: `tea;milk`, or in braces `{tea;milk}`. Without a separator
every cell is one item, and the rows of a person are the set. Blanks around items do not count, nor do items named
twice or left blank; upper and lower case are different items. A missing cell, a blank one and `{}` say the
same: nothing is held.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.errors import InputError
from kohort.sets.baskets import Baskets
from kohort.table import Column, Table
from kohort.table.empty_rows import of_nobody
from kohort.table.texts import spelled
from kohort.table.whole_numbers import plain_numbers


@dataclass(frozen=True, eq=False, repr=False)
class HeldItems:
    """The distinct items of a table in the order of their texts, and who holds which."""

    items: tuple[str, ...]
    baskets: Baskets

    def counts(self) -> list[int]:
        """Return how many people hold each item."""
        counts: list[int] = self.baskets.counts(len(self.items)).tolist()
        return counts


def read_items(table: Table, name: str, separator: str | None, respondent: str | None) -> HeldItems:
    """Return the items that people hold; all rows of one respondent are one person's, and their sets one set."""
    column = table[name]
    items, cells = _cells(column, separator)
    rows = cells.part(column.codes)
    if respondent is None:
        return HeldItems(items, rows)
    people = table[respondent]
    _refuse_nobody(people)
    return HeldItems(items, Baskets.of(people.codes[rows.people], rows.items, len(people.values)))


def _cells(column: Column, separator: str | None) -> tuple[tuple[str, ...], Baskets]:
    """Return the items in the order of their texts, and those of each distinct cell."""
    texts = _unbraced(pc.utf8_trim_whitespace(spelled(column.values)))
    lists = pc.split_pattern(texts.fill_null(""), separator) if separator else _alone(texts)
    told = pc.utf8_trim_whitespace(lists.flatten())
    fine = pc.not_equal(told, "")
    owners = plain_numbers(pc.list_parent_indices(lists).filter(fine))
    coded = told.filter(fine).dictionary_encode()
    found = coded.dictionary.to_pylist()
    items = tuple(sorted(found))
    place = {item: code for code, item in enumerate(items)}
    codes = np.array([place[item] for item in found], np.int64)[plain_numbers(coded.indices)]
    return items, Baskets.of(owners, codes, len(column.values))


def _alone(texts: pa.Array) -> pa.Array:
    """Return every cell as a list of itself."""
    return pa.ListArray.from_arrays(pa.array(range(len(texts) + 1), pa.int32()), texts.fill_null(""))


def _unbraced(texts: pa.Array) -> pa.Array:
    """Return the cells without the braces around a set."""
    braced = pc.match_substring_regex(texts, r"(?s)^\{.*\}$")
    return pc.if_else(braced, pc.utf8_slice_codeunits(texts, 1, -1), texts)


def _refuse_nobody(people: Column) -> None:
    if people.values.null_count:
        code = people.texts.index(None)
        nobody, first = int(people.counts()[code]), int(np.argmax(people.codes == code))
        raise InputError(
            f"respondent column {people.name!r}: {of_nobody(nobody, first)}; give every row a respondent, or leave "
            "such rows out",
            code="table.no-respondent",
            column=people.name,
            rows=nobody,
        )
