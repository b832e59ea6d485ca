"""Names that stand in two rows: groups of columns above, as merged cells have them, and their own names below."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.table.formats.heading import looks_numeric, stands_for_want

_BELOW = 2  # rows of the table at least, by which names are told from somebody's row

Rows = Sequence[Sequence[str]]


def has_names_below(rows: Rows) -> bool:
    """Tell whether the first row names groups of columns and the second all of them, one by one.

    >>> table = [["41", "f", "94138"], ["35", "m", "94139"]]
    >>> has_names_below([["person", "", "home"], ["age", "sex", "zip"], *table]), has_names_below([["age", "", "zip"], *table])
    (True, False)
    """
    if not _may_be_two(rows):
        return False
    names = [cell.strip().casefold() for cell in rows[1]]
    return all(names) and len(set(names)) == len(names)


def has_split_names(rows: Rows) -> bool:
    """Tell whether each column has its name in the first row, in the second, or one of both, and neither row has them all."""
    if not _may_be_two(rows) or has_names_below(rows):
        return False
    first, second = _padded(rows[0], len(rows[1])), rows[1]
    return all(a.strip() or b.strip() for a, b in zip(first, second, strict=True))


def _may_be_two(rows: Rows) -> bool:
    """Say whether the first row has gaps or one name twice, and the second holds names: words, some of them above numbers.

    Somebody's row would have numbers there, and words that others have too.
    """
    if len(rows) < 2 + _BELOW or len(rows[0]) > len(rows[1]):
        return False
    first, second = _padded(rows[0], len(rows[1])), rows[1]
    told = [cell.strip() for cell in first if cell.strip()]
    gaps = [j for j, cell in enumerate(first) if not cell.strip() and j > 0]
    if len(told) < 2 or not (gaps or len(set(told)) < len(told)) or any(map(looks_numeric, told)):
        return False
    below = [[row[j] for row in rows[2:] if len(row) > j and row[j].strip()] for j in range(len(second))]
    named = [(cell, cells) for cell, cells in zip(second, below, strict=True) if cell.strip()]
    if any(looks_numeric(cell) or cell in cells for cell, cells in named):
        return False
    above = [cell for cell, cells in named if cells and all(map(looks_numeric, cells))]
    return bool(above) and not any(map(stands_for_want, above))


def _padded(row: Sequence[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]
