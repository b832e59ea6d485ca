"""`spoilt_faults`: the cells of a level file that a spreadsheet took for dates or numbers, by level and row."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from kohort.level_files.column import ColumnLevels
from kohort.level_files.export import level_rows
from kohort.level_files.fault import Fault, Rows
from kohort.level_files.spoilt import SPOILT, spoilt_as
from kohort.level_files.taken_for import Taken, serial_day, taken_for

_RANGE = re.compile(r"[0-9]\D+[0-9]|[<>=≤≥][0-9]")
Became = Callable[[Sequence[str]], str | None]  # what happened to the cell of a row, if something did


def spoilt_faults(found: ColumnLevels, rows: Rows) -> Iterator[Fault]:
    """Yield the cells that look as spreadsheets make them, and as nothing that the plan declares, level by level.

    A plan that declares the levels tells what a cell was. Where it does not, a cell is compared with the others of its level.
    """
    declared = len(rows[0]) == len(found.hierarchy.levels) > 2
    for level in range(len(rows[0])):
        became = (
            _of_values(found, rows)
            if level == 0
            else _of_labels(found, level)
            if declared
            else _beside(rows, level)
        )
        usual = {spoilt_as(label) for label in _declared(found, level)} | {None}
        places: dict[str, list[int]] = defaultdict(list)
        for i, row in enumerate(rows, 1):
            looks = spoilt_as(row[level])
            how = became(row) if looks in usual else looks
            if how is not None:
                places[how].append(i)
        yield from (_fault(how, level, held) for how, held in places.items())


def _fault(how: str, level: int, held: list[int]) -> Fault:
    one, several, advice = SPOILT[how]
    cells = (
        f"1 cell at level {level} is {one}"
        if len(held) == 1
        else f"{len(held):,} cells at level {level} are {several}"
    )
    return Fault(cells, tuple(held), len(held), advice)


def _declared(found: ColumnLevels, level: int) -> set[str]:
    """Return the labels that a plan gives a level, and the values of the table."""
    levels = found.hierarchy.levels
    labels = levels[min(level, len(levels) - 1)].labels
    return {label for label in (*labels, *found.texts) if label is not None}


def _of_values(found: ColumnLevels, rows: Rows) -> Became:
    """Tell of a value that the table has not what it was, among those that the file misses; zeros are told with these."""
    values = {text for text in (*found.texts, *found.hierarchy.ground) if text is not None}
    taken = taken_for(values - {row[0] for row in rows})
    return lambda row: None if row[0] in values or taken.how(row[0]) == "zeros" else taken.how(row[0])


def _of_labels(found: ColumnLevels, level: int) -> Became:
    """Tell of a label that the plan has not what became of the one that it gives to the value."""
    labels = {path[0]: path[level] for path in level_rows(found.hierarchy)}
    taken: dict[str, Taken] = {label: taken_for([label]) for label in set(labels.values())}

    def became(row: Sequence[str]) -> str | None:
        known = labels.get(row[0])
        return None if known is None or row[level] in taken else taken[known].how(row[level])

    return became


def _beside(rows: Rows, level: int) -> Became:
    """Tell of a label that others at its level are ranges, or begin as their values do, zeros included."""
    labels = {row[level] for row in rows}
    ranges = any(_RANGE.search(label) for label in labels)
    prefixes = any(row[level] != row[0] and row[0].startswith(row[level]) for row in rows)

    def became(row: Sequence[str]) -> str | None:
        value, label = row[0], row[level]
        if ranges and serial_day(label) is not None and not value.startswith(label):
            return "serial"
        lost = value.startswith("0") and not label.startswith("0") and value.lstrip("0").startswith(label)
        return "zeros" if prefixes and label.isdecimal() and lost else None

    return became
