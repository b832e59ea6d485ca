"""A last row that sums up the others, as spreadsheets have it: nobody stands there, but it would count as a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kohort.table import Column, Table

_LAST = 3  # rows that are looked at
_FEWEST = 5  # rows above them
_SUM = re.compile(
    r"(?:grand |sub-?)?totals?(?: général| general| generale)?|sums?|all|mean|average|"
    r"summe|summen|gesamt|gesamtsumme|gesamtergebnis|insgesamt|zusammen|mittelwert|durchschnitt|"
    r"somme|ensemble|moyenne|suma|promedio|media|totale|totali|somma|totaal|som|gemiddelde|razem|celkem|summa|i alt|yhteensä",
    re.IGNORECASE,
)


def sum_rows(table: Table) -> Iterator[str]:
    """Yield of each of the last rows that a word of it says that it sums up the others.

    The word must stand in no other row of its column; it is not quoted, for it may be somebody's name.
    """
    if table.n_rows < _LAST + _FEWEST:
        return
    for row in range(table.n_rows - _LAST, table.n_rows):
        found = next((column for column in table if _sums_up(column, row)), None)
        if found is not None:
            yield (
                f"row {row + 1:,} (the header not counted) has a word like Total or Mean in {found.name!r}, as a row that sums up "
                "those above it, and would count as a person: if nobody stands there, remove it from the file"
            )


def _sums_up(column: Column, row: int) -> bool:
    text = _text(column, row)
    return _SUM.fullmatch(text) is not None and int(column.counts()[column.codes[row]]) == 1


def _text(column: Column, row: int) -> str:
    return (column.texts[column.codes[row]] or "").strip(" :.")
