"""Whether the first row of a file names its columns, or is somebody's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from math import inf, prod
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.options import ReadingOptions

DOUBT = 0.05  # how likely a first row may be somebody's and still be taken for names
ENOUGH_COUNTED = 5  # rows that are counted: fewer may be so by chance
LONGEST_NAME = (
    5  # letters and digits that a name, numbered, may have by chance as many of as the keys below it
)
_NUMBER_OR_DATE = re.compile(r"[+-]?\d[\d.,:/ TZ+-]*(?:[eE][+-]?\d+)?$|[+-]?\.\d+$")
# What stands in a column of numbers for want of a number: signs, a word for nothing; or a number with something about it.
_NOTHING = re.compile(
    r"\W*$|\W*(n\W*a|nan|null|nil|none|nothing|missing|unknown|unbekannt|unkn|inconnu|k\W*a|keine angabe|withheld|"
    r"not (known|stated|available|applicable)|refused|tbd)\W*$",
    re.IGNORECASE,
)
_FOR_WANT = re.compile(
    r"\W*\d.*|\W*(other|inf)\W*$|"
    # about, over or under a number; a day with its month in words
    r"\W*(ca|circa|approx|approximately|about|around|age|aged|over|under|above|below|more than|less than|at least|born|"
    r"etwa|rund|über|unter|ab|bis|mehr als|weniger als|mindestens|env|environ|plus de|moins de|más de|menos de)\W+\d.*|"
    r"\W*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez)\w*\W+\d.*",
    re.IGNORECASE,
)
# A number in words, on its own or among others: `thirty`, `over forty-two`, `zweiunddreißig`.
_IN_WORDS = re.compile(
    r"(?<!\w)(?:"
    r"(?:twen|thir|for|four|fif|six|seven|eigh|nine)ty|(?:thir|four|fif|six|seven|eigh|nine)teen|zero|one|two|three|four|"
    r"five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|dozen|"
    r"\w*(?:zig|ßig|ssig|zehn|hundert|tausend)|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|elf|zwölf|"
    r"un|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|"
    r"cinquante|soixante|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|quince|veint\w*|treinta|"
    r"cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|venti|trenta|"
    r"quaranta|cinquanta|sessanta|settanta|ottanta|novanta"
    r")(?!\w)",
    re.IGNORECASE,
)

Rows = Sequence[Sequence[str]]


def has_names(path: Path, rows: Rows, options: ReadingOptions) -> bool:
    """Say whether the first row names the columns: as the caller says, or because it holds the names expected."""
    if options.header is not None:
        return options.header
    known = bool(options.expected) and set(options.expected) <= set(rows[0])
    return known or _stands_above_numbers(rows) or _has_header(path, rows)


def _stands_above_numbers(rows: Rows) -> bool:
    """Say whether the first cell is empty above rows that are counted from 0 or 1 on: somebody's row would be counted too.

    That is how R and pandas write a table.
    """
    counted = [row[0] for row in rows[1:] if row]
    starts = ([str(number) for number in range(start, start + len(counted))] for start in (0, 1))
    return len(counted) >= ENOUGH_COUNTED and not rows[0][0].strip() and counted in starts


def check_names_apply(path: Path, header: bool | None, headed: bool) -> None:
    """Refuse to be told that there is no header where a format has names of its own: they would be taken all the same."""
    if header is False and not headed:
        raise InputError(
            f"{path}: header = false, but a {path.suffix.lower()} file keeps the names of its columns apart from the rows; "
            "leave header out",
            code="table.header",
            path=path,
            option="header",
        )


def _has_header(path: Path, rows: Rows) -> bool:
    """Say whether the first row names the columns; where it might as well be somebody's row, ask.

    It is somebody's row if it looks like the rows below in every respect: where a column holds numbers or
    dates only, so does its first cell, and in most text columns the first cell occurs again further down.
    It names the columns if a person's row would hardly look like that, and nothing of `_DOUBTS` is found in it.
    """
    first, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    if not body:
        return not all(map(looks_numeric, first))
    below = [_told([row[j] for row in body if row[j]]) for j in range(len(first))]
    if _looks_like_data(first, below):
        return False
    if any(doubt(first, below) for doubt in _DOUBTS):
        raise InputError(
            f"{path}: the first row may name the columns or be somebody's, and nothing tells which; say it: header = true or "
            "header = false under [input] of the plan",
            code="table.header-unclear",
            path=path,
            option="header",
            allowed=(True, False),
        )
    return True


def _told(cells: Sequence[str]) -> Sequence[str]:
    """Return the cells without those that stand for want of a number, where all the others are numbers or dates."""
    told = [cell for cell in cells if not _NOTHING.match(cell.strip())]
    return told if told and all(map(looks_numeric, told)) else cells


def _looks_like_data(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    recurring = texts = 0
    for cell, cells in zip(first, below, strict=True):
        if cells and all(map(looks_numeric, cells)):
            if not looks_numeric(cell):
                return False
        else:
            texts += 1
            recurring += cell in cells
    return texts == 0 or 2 * recurring >= texts


def _holds_values(first: Sequence[str], below: Rows) -> bool:
    """Say whether some cell occurs again in its own column, or says above numbers that there is none: hardly a name."""
    return any(cell in cells or _is_nothing(cell, cells) for cell, cells in zip(first, below, strict=True))


def _holds_one_of_a_kind(first: Sequence[str], below: Rows) -> bool:
    """Say whether some cell is of the kind of all those below it, such as an address or a code, and no word is above numbers."""
    return 0.0 not in _chances(first, below) and any(map(_is_of_the_kind, first, below))


def _may_be_somebodys(first: Sequence[str], below: Rows) -> bool:
    """Say whether a person's row would look like that once in twenty times or more."""
    return not prod(_chances(first, below)) <= DOUBT  # 0 · inf is no number: a name here, a number there


# Where one of these is found in a first row, it is never taken for names unasked.
_DOUBTS = (_holds_values, _holds_one_of_a_kind, _may_be_somebodys)


def _chances(first: Sequence[str], below: Rows) -> list[float]:
    return [_chance(cell, cells) for cell, cells in zip(first, below, strict=True)]


def _is_of_the_kind(cell: str, cells: Sequence[str]) -> bool:
    """Say whether a cell is written as nearly all below it are: `p0@x.de`, `B20`, a key; or as people's names are."""
    if not cells:
        return False
    nearly = 0.9 * len(cells)
    marked = any(sign.isdigit() or sign == "@" for sign in cell)
    alike = sum(_shape(told) == _shape(cell) for told in cells) >= nearly
    as_long = len(cell) > LONGEST_NAME and sum(len(told) == len(cell) for told in cells) >= nearly
    distinct = len(set(cells)) >= nearly
    return (marked and (alike or as_long)) or (alike and distinct and " " in cell.strip())


def stands_for_want(cell: str) -> bool:
    """Tell whether a cell says above or among numbers that there is none, or is one with something about it."""
    return any(told.fullmatch(cell.strip()) for told in (_NOTHING, _FOR_WANT))


def _is_nothing(cell: str, cells: Sequence[str]) -> bool:
    return (
        bool(cell and cells) and all(map(looks_numeric, cells)) and _NOTHING.match(cell.strip()) is not None
    )


def _chance(cell: str, cells: Sequence[str]) -> float:
    """Return about how likely a further row would hold such a cell: one of a value, or of a shape, not seen so far.

    Values seen once among n tell how many are unseen (Good and Turing): (once + 1) / (n + 1). An empty cell says nothing:
    a column may have no name, and a person no value.
    """
    if not cell.strip():
        return 1.0
    if cells and all(map(looks_numeric, cells)):
        if looks_numeric(cell):
            return inf  # a number above numbers is a name of nothing, or a year
        told = _FOR_WANT.fullmatch(cell.strip()) or _IN_WORDS.search(cell)
        return 1.0 if told else 0.0
    return min(_unseen(cell, cells), _unseen(_shape(cell), [_shape(told) for told in cells]))


def _unseen(cell: str, cells: Sequence[str]) -> float:
    counts = Counter(cells)
    once = sum(count == 1 for count in counts.values())
    return 1.0 if cell in counts else (once + 1) / (len(cells) + 1)


def _shape(cell: str) -> str:
    """Return the kinds of signs in the cell: `Anna 12` is `Aa 9`."""
    kinds = ("9" if s.isdigit() else "A" if s.isupper() else "a" if s.isalpha() else s for s in cell.strip())
    return "".join(kind for kind, _ in groupby(kinds))


def looks_numeric(cell: str) -> bool:
    """Tell whether a cell is a number or a date."""
    return _NUMBER_OR_DATE.match(cell.strip()) is not None
