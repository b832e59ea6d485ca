"""`check_levels`: all that is wrong with an edited level file at once, each with its rows and without a cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from kohort.hierarchy.file import File
from kohort.level_files.column import ColumnLevels
from kohort.level_files.fault import Fault, Rows
from kohort.level_files.spoilt_cells import spoilt_faults
from kohort.level_files.taken_for import day_of
from kohort.plurals import many
from kohort.table.blanks import is_blank


def check_levels(found: ColumnLevels, path: Path) -> list[Fault]:
    """Return what is wrong with a level file for a column; nothing where a plan can name it as it is.

    What a plan declares of the column now tells what a spreadsheet has spoilt: a label that was no date and is one in the
    file. Rows are told by their numbers, and cells are not quoted.
    """
    name = found.hierarchy.name
    rows = File(path.name, base=path.parent).rows(name, set(found.texts))
    if not rows:
        return [Fault("the file holds no row", (), 0, "give it one row per ground value")]
    usual = Counter(map(len, rows)).most_common(1)[0][0]
    whole = [i for i, row in enumerate(rows, 1) if len(row) == usual]
    among = [rows[i - 1] for i in whole]
    labels = [*_tree(among), *_blanks(among), *_mistaken(among), *spoilt_faults(found, among)]
    faults = [
        *_ragged(rows, usual),
        *_grounds(rows),
        *(replace(fault, rows=tuple(whole[i - 1] for i in fault.rows)) for fault in labels),
        *_missed(found, rows),
    ]
    return sorted(faults, key=lambda fault: fault.rows[:1])


def _ragged(rows: Rows, usual: int) -> Iterator[Fault]:
    odd = tuple(i for i, row in enumerate(rows, 1) if len(row) != usual)
    if odd:
        yield Fault(
            f"{many(len(odd), 'row has', 'rows have')} more or fewer cells than the others",
            odd,
            len(odd),
            f"every row must have a label at every level, as most have {many(usual, 'cell')}",
        )


def _grounds(rows: Rows) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    twice = tuple(i for i, row in enumerate(rows, 1) if seen.setdefault(row[0], i) != i)
    if twice:
        yield Fault(
            f"{many(len(twice), 'ground value stands', 'ground values stand')} there more than once",
            twice,
            len(twice),
            "keep one row for each value",
        )


def _tree(rows: Rows) -> Iterator[Fault]:
    """Yield the labels that have two parents, level by level, and that there are several roots."""
    width = len(rows[0])
    for level in range(1, width - 1):
        parents: dict[str, str] = {}
        torn = tuple(
            i
            for i, row in enumerate(rows, 1)
            if parents.setdefault(row[level], row[level + 1]) != row[level + 1]
        )
        if torn:
            labels = len({rows[i - 1][level] for i in torn})
            yield Fault(
                f"{many(labels, 'label')} at level {level} {'has' if labels == 1 else 'have'} more than one parent",
                torn,
                len(torn),
                f"a label must lie under one label of level {level + 1} only: these rows differ from the first that has it",
            )
    roots = Counter(row[-1] for row in rows)
    if len(roots) > 1 or width < 2:
        usual = roots.most_common(1)[0][0]
        others = tuple(i for i, row in enumerate(rows, 1) if row[-1] != usual)
        yield Fault(
            f"the last column holds {many(len(roots), 'label')}",
            others,
            len(roots),
            'it must hold one for all rows, such as "*"',
        )


def _mistaken(rows: Rows) -> Iterator[Fault]:
    """Yield the labels that are values of the column and do not cover these: a reader would take one for the other."""
    own = {row[0]: row for row in rows}
    for level in range(1, len(rows[0])):
        mistaken = tuple(
            i
            for i, row in enumerate(rows, 1)
            if not is_blank(row[level]) and row[level] in own and own[row[level]][level] != row[level]
        )
        if mistaken:
            labels = len({rows[i - 1][level] for i in mistaken})
            yield Fault(
                f"{many(labels, 'label')} at level {level} {'is a value' if labels == 1 else 'are values'} of the column "
                "with another label there, so that readers take one for the other",
                mistaken,
                len(mistaken),
                "name the label otherwise, or give the value the same label",
            )


def _blanks(rows: Rows) -> Iterator[Fault]:
    blank = tuple(i for i, row in enumerate(rows, 1) if not is_blank(row[0]) and any(map(is_blank, row[1:])))
    if blank:
        yield Fault(
            f"{many(len(blank), 'row has', 'rows have')} a blank label",
            blank,
            len(blank),
            "name it: a blank is read as a missing value",
        )
    padded = tuple(
        i for i, row in enumerate(rows, 1) if any(cell != cell.strip() for cell in row if not is_blank(cell))
    )
    if padded:
        yield Fault(
            f"{many(len(padded), 'row has', 'rows have')} cells with blanks at an end",
            padded,
            len(padded),
            "take them away, unless the table has them too: texts must match exactly",
        )


def _missed(found: ColumnLevels, rows: Rows) -> Iterator[Fault]:
    """Yield how many values of the table the file misses, those first that differ in zeros, case or blanks only."""
    held = {row[0] for row in rows}
    missed = {
        text: int(n)
        for text, n in zip(found.texts, found.counts.tolist(), strict=True)
        if text is not None and text not in held
    }
    for what, form, advice in _ALIKE:
        forms = {form(text) for text in held}
        alike = [text for text in missed if form(text) in forms]
        if alike:
            yield _absent(what, [missed.pop(text) for text in alike], advice)
    if missed:
        yield _absent("", list(missed.values()), "add a row for each, with its path to the root")


def _absent(what: str, rows: list[int], advice: str) -> Fault:
    n = len(rows)
    if what:
        stand = f"{many(n, 'value')} of the table {'stands' if n == 1 else 'stand'} there"
        start = f"{stand} {what}, and not as {'it is' if n == 1 else 'they are'}"
    else:
        start = f"{many(n, 'value')} of the table {'is' if n == 1 else 'are'} not there"
    return Fault(f"{start}, in {many(sum(rows), 'row')} of it", (), len(rows), advice)


_ALIKE: tuple[tuple[str, Callable[[str], str], str], ...] = (
    (
        "without the zeros in front",
        lambda text: text.lstrip("0"),
        "import the first column as text, so that zeros stay",
    ),
    (
        "in other case or with other blanks",
        lambda text: "".join(text.casefold().split()),
        "spell them as the table is read: without blanks at the ends and, where [input] fold names the column, in lower case",
    ),
    (
        "as a date written otherwise",
        day_of,
        "import the first column as text, so that dates stay as they are",
    ),
    ("with a decimal comma", lambda text: text.replace(",", "."), "write the point that the table has"),
)
