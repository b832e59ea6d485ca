"""How a text file is laid out: encoding, delimiter, quote character, header."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf, prod
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.encodings import checked, encoding_of, undecodable
from kohort.table.formats.options import ReadingOptions

SAMPLE_BYTES = 1 << 18
SAMPLE_ROWS = 1000
DOUBT = 0.05  # how likely a first row may be somebody's and still be taken for names
DELIMITERS = (",", ";", "\t", "|")
_NUMBER_OR_DATE = re.compile(r"[+-]?\d[\d.,:/ TZ+-]*(?:[eE][+-]?\d+)?$|[+-]?\.\d+$")


@dataclass(frozen=True, slots=True)
class Layout:
    """What must be known to cut a text file into cells."""

    encoding: str
    delimiter: str
    quote: str
    names: tuple[str, ...]
    has_header: bool
    blank_lines: int  # before the first row
    body: Sequence[Sequence[str]]  # the first rows below the header


def sniff(path: Path, options: ReadingOptions) -> Layout:
    """Return the layout of the file; what the caller states is taken as given.

    Only the first 256 KiB are looked at. The delimiter is the candidate that cuts the most rows into
    equally many (at least two) fields; the comma where none does.
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
    _check_signs(path, options)
    encoding = checked(path, options.encoding) if options.encoding else encoding_of(path, head)
    text = _decoded(path, head, encoding)
    blank_lines = len(text[: len(text) - len(text.lstrip("\r\n"))].splitlines())
    if not text.strip("\r\n"):
        raise InputError(
            f"{path} is empty; it must hold a header row and at least one row below it",
            code="table.empty",
            path=path,
        )
    cut_short = len(head) == SAMPLE_BYTES
    if cut_short and not text.lstrip("\r\n").replace("\r", "\n").partition("\n")[1]:
        raise InputError(
            f"{path}: the first line has more than {SAMPLE_BYTES:,} bytes, which is no header of a table; check the line "
            "ends and the delimiter, or give the file fewer columns",
            code="table.header",
            path=path,
        )
    delimiter = options.delimiter or _delimiter(text, cut_short)
    quote = options.quote or _quote(text, delimiter)
    rows = _rows(text, delimiter, quote, cut_short)
    known = bool(options.expected) and set(options.expected) <= set(rows[0])
    has_header = (known or _has_header(path, rows)) if options.header is None else options.header
    names = tuple(rows[0]) if has_header else tuple(f"column{i}" for i in range(1, len(rows[0]) + 1))
    return Layout(encoding, delimiter, quote, names, has_header, blank_lines, rows[int(has_header) :])


def _decoded(path: Path, head: bytes, encoding: str) -> str:
    try:
        text = codecs.getincrementaldecoder(encoding)(errors="replace").decode(head)
    except UnicodeError:  # a byte-order mark that is missing cannot be replaced
        raise undecodable(path, encoding) from None
    return text.removeprefix("\ufeff")


def _check_signs(path: Path, options: ReadingOptions) -> None:
    for what, sign in (("delimiter", options.delimiter), ("quote", options.quote)):
        if sign is not None and (len(sign) != 1 or not sign.isascii() or sign in "\r\n\0"):
            raise InputError(
                f"{path}: {sign!r} cannot be the {what}; it must be one ASCII sign such as , ; or |",
                code="table.delimiter",
                path=path,
                option=what,
                value=sign,
            )


def _rows(text: str, delimiter: str, quote: str, cut_short: bool = False) -> list[list[str]]:
    """Return the first complete rows, blank lines left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quotechar=quote)
    rows = []
    try:
        for row in reader:
            if row:
                rows.append(row)
            if len(rows) > SAMPLE_ROWS:
                break
    except csv.Error:  # a field beyond csv's limit: an unclosed quote, reported when the file is read
        pass
    whole = rows[:-1] if cut_short or len(rows) > SAMPLE_ROWS else rows
    return whole or rows or [[text]]


def _delimiter(text: str, cut_short: bool) -> str:
    def fitness(candidate: str) -> tuple[float, int]:
        widths = Counter(len(row) for row in _rows(text, candidate, '"', cut_short))
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        return (count / widths.total() if width > 1 else 0.0, width)

    best = max(DELIMITERS, key=fitness)  # the first of equals: the comma before the others
    return best if fitness(best)[1] > 1 else ","


def _quote(text: str, delimiter: str) -> str:
    """Return the apostrophe where every cell of the first line stands between apostrophes."""
    cells = text.lstrip("\r\n").splitlines()[0].split(delimiter)
    wrapped = all(len(cell) > 1 and cell[0] == cell[-1] == "'" for cell in cells)
    return "'" if wrapped else '"'


def _has_header(path: Path, rows: Sequence[Sequence[str]]) -> bool:
    """Say whether the first row names the columns; where it might as well be somebody's row, ask.

    It is somebody's row if it looks like the rows below in every respect: where a column holds numbers or
    dates only, so does its first cell, and in most text columns the first cell occurs again further down.
    It names the columns if a person's row would hardly look like that: `_chance` is small.
    """
    first, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    if not body:
        return not all(map(_looks_numeric, first))
    below = [[row[j] for row in body if row[j]] for j in range(len(first))]
    if _looks_like_data(first, below):
        return False
    if not prod(map(_chance, first, below)) <= DOUBT:  # 0 · inf is no number: a name here, a number there
        raise InputError(
            f"{path}: the first row may name the columns or be somebody's, and nothing tells which; say it: header = true or "
            "header = false under [input] of the plan",
            code="table.header-unclear",
            path=path,
            option="header",
            allowed=(True, False),
        )
    return True


def _looks_like_data(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    recurring = texts = 0
    for cell, cells in zip(first, below, strict=True):
        if cells and all(map(_looks_numeric, cells)):
            if not _looks_numeric(cell):
                return False
        else:
            texts += 1
            recurring += cell in cells
    return texts == 0 or 2 * recurring >= texts


def _chance(cell: str, cells: Sequence[str]) -> float:
    """Return about how likely a further row would hold such a cell: one of a value, or of a shape, not seen so far.

    Values seen once among n tell how many are unseen (Good and Turing): (once + 1) / (n + 1).
    """
    if cells and all(map(_looks_numeric, cells)):
        return inf if _looks_numeric(cell) else 0.0  # a number above numbers is a name of nothing, or a year
    return min(_unseen(cell, cells), _unseen(_shape(cell), [_shape(told) for told in cells]))


def _unseen(cell: str, cells: Sequence[str]) -> float:
    counts = Counter(cells)
    once = sum(count == 1 for count in counts.values())
    return 1.0 if cell in counts else (once + 1) / (len(cells) + 1)


def _shape(cell: str) -> str:
    """Return the kinds of signs in the cell: `Anna 12` is `Aa 9`."""
    kinds = ("9" if s.isdigit() else "A" if s.isupper() else "a" if s.isalpha() else s for s in cell.strip())
    return "".join(kind for kind, _ in groupby(kinds))


def _looks_numeric(cell: str) -> bool:
    return _NUMBER_OR_DATE.match(cell.strip()) is not None
