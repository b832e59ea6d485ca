"""A last row that sums up the others, as spreadsheets have it: nobody stands there, but it would count as a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from kohort.arrays import BoolArray
from kohort.plurals import many
from kohort.proposals.evidence import Evidence
from kohort.table import Column, Table

_LAST = 3  # rows that are looked at
_FEWEST = 5  # rows above them
_NEAR = 0.001  # of a sum, which may be rounded
_SUM = re.compile(
    r"(?:grand |sub-?)?totals?(?: général| general| generale)?|sums?|all|mean|average|"
    r"summe|summen|gesamt|gesamtsumme|gesamtergebnis|insgesamt|zusammen|mittelwert|durchschnitt|"
    r"somme|ensemble|moyenne|suma|promedio|media|totale|totali|somma|totaal|som|gemiddelde|razem|celkem|summa|i alt|yhteensä",
    re.IGNORECASE,
)
_SUBTOTAL = re.compile(
    rf"{_SUM.pattern}|sub[- ]?totals?|zwischensummen?|übertrag|sous[- ]?total|sub[- ]?totale?|subtotaal|tussentotaal|mezisoučet|"
    r"suma częściowa|delsumma|delsum|välisumma",
    re.IGNORECASE,
)


def footer_of(table: Table) -> tuple[int, str] | None:
    """Return how many of the last rows sum up the others, and why; None where that is not clear.

    A word of the row must say so and stand in no other row of its column, and half of its other cells must be empty or one
    of them the sum of those above: such a word alone may be a person's. Rows of a single cell below it belong
    to it, and empty ones above. No word is quoted.
    """
    found = [(row, name) for row, name in _summing(table) if _has_no_person(table, row, name)]
    if not found:
        return None
    first, name = found[0]
    sums = {row for row, _ in found}
    if any(row not in sums and _filled(table, row) > 1 for row in range(first, table.n_rows)):
        return None
    while first and not _filled(table, first - 1):
        first -= 1
    rows = table.n_rows - first
    last, left = ("the last row sums", "it is") if rows == 1 else (f"the last {rows} rows sum", "they are")
    return rows, f"{last} up those above, by a word like Total or Mean in {name!r}: {left} left out"


def sum_rows(table: Table) -> Iterator[str]:
    """Yield of each of the last rows that a word of it says that it sums up the others; it is not quoted."""
    for row, name in _summing(table):
        yield (
            f"row {row + 1:,} (the header not counted) has a word like Total or Mean in {name!r}, as a row that sums up "
            "those above it, and would count as a person: if nobody stands there, remove it"
        )


def subtotal_rows(table: Table) -> Iterator[str]:
    """Yield of rows above the last ones that a word of theirs says that they sum up others, and half of their cells are empty."""
    empty = np.sum([_is_empty(column)[column.codes] for column in table], axis=0)
    for column in table:
        told = (_SUBTOTAL.fullmatch((text or "").strip(" :.")) for text in column.texts)
        words = np.array([found is not None for found in told], np.bool_)
        rows = np.flatnonzero(words[column.codes] & (2 * empty >= len(table.names) - 1))
        rows = rows[rows < table.n_rows - _LAST]
        if len(rows):
            yield (
                f"{many(len(rows), 'row has', 'rows have')} a word like Subtotal in {column.name!r} and half of the other cells "
                f"empty, the first in row {rows[0] + 1:,} (the header not counted), and would count as people: if nobody stands "
                "there, remove such rows"
            )


def _is_empty(column: Column) -> BoolArray:
    return np.array([not (text or "").strip() for text in column.texts], np.bool_)


def _summing(table: Table) -> Iterator[tuple[int, str]]:
    """Yield which of the last rows have such a word, and where."""
    if table.n_rows < _LAST + _FEWEST:
        return
    for row in range(table.n_rows - _LAST, table.n_rows):
        found = next((column for column in table if _sums_up(column, row)), None)
        if found is not None:
            yield row, found.name


def _has_no_person(table: Table, row: int, name: str) -> bool:
    others = [column for column in table if column.name != name]
    empty = sum(not _text(column, row) for column in others)
    return (bool(others) and 2 * empty >= len(others)) or any(_is_sum(column, row) for column in others)


def _filled(table: Table, row: int) -> int:
    return sum(bool(_text(column, row)) for column in table)


def _is_sum(column: Column, row: int) -> bool:
    """Say whether a cell is the sum of those above it, as far as it is told; a mean may be somebody's."""
    evidence = Evidence(column)
    if not evidence.is_number or not _text(column, row):
        return False
    above = evidence.numbers[:row][~np.isnan(evidence.numbers[:row])]
    told = float(evidence.numbers[row])
    return len(np.unique(above)) > 1 and abs(told - float(above.sum())) <= _NEAR * abs(told)


def _sums_up(column: Column, row: int) -> bool:
    text = _text(column, row)
    return _SUM.fullmatch(text) is not None and int(column.counts()[column.codes[row]]) == 1


def _text(column: Column, row: int) -> str:
    return (column.texts[column.codes[row]] or "").strip(" :.")
