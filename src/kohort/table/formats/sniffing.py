"""How a text file is laid out: encoding, delimiter, quote character, header."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.encodings import checked, encoding_of, undecodable
from kohort.table.formats.heading import has_names
from kohort.table.formats.naming import names_in, numbered
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.titles import refuse_title, with_row_numbers

SAMPLE_BYTES = 1 << 18
SAMPLE_ROWS = 1000
DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True, slots=True)
class Layout:
    """What must be known to cut a text file into cells."""

    encoding: str
    delimiter: str
    quote: str
    names: tuple[str, ...]
    has_header: bool
    lines_above: int  # of a title, and blank ones, before the first row
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
    text, lines_above = _below_title(path, _decoded(path, head, encoding), options.skip)
    if not text:
        raise InputError(
            f"{path} is empty; it must hold a header row and at least one row below it",
            code="table.empty",
            path=path,
        )
    cut_short = len(head) == SAMPLE_BYTES
    if cut_short and not text.replace("\r", "\n").partition("\n")[1]:
        raise InputError(
            f"{path}: the first line has more than {SAMPLE_BYTES:,} bytes, which is no header of a table; check the line "
            "ends and the delimiter, or give the file fewer columns",
            code="table.header",
            path=path,
        )
    delimiter = options.delimiter or _delimiter(text, cut_short)
    quote = options.quote or _quote(text, delimiter)
    rows = with_row_numbers(_rows(text, delimiter, quote, cut_short))
    refuse_title(path, rows, options, lambda count: lines_above + _lines(text, delimiter, quote, count))
    has_header = has_names(path, rows, options)
    names = names_in(rows, options) if has_header else numbered(len(rows[0]))
    return Layout(encoding, delimiter, quote, names, has_header, lines_above, rows[int(has_header) :])


def _below_title(path: Path, text: str, skip: int) -> tuple[str, int]:
    """Return the text below a title of so many lines and the blank lines after it, and how many lines stand above."""
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text, maxsplit=min(skip, len(text))) if skip else [text]
    if len(lines) <= skip or not lines[-1].strip("\r\n"):
        if not skip:
            return "", 0
        raise InputError(
            f"{path}: skip = {skip} passes over all that there is, or over more than {SAMPLE_BYTES:,} bytes, which is no "
            "title; say how many lines stand above the header",
            code="table.title",
            path=path,
            option="skip",
            value=skip,
        )
    below = lines[-1].lstrip("\r\n")
    blank = lines[-1][: len(lines[-1]) - len(below)]
    return below, skip + len(blank.splitlines())


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


def _lines(text: str, delimiter: str, quote: str, count: int) -> int:
    """Return how many lines stand above the row that comes after so many, blank lines counted."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quotechar=quote)
    above = 0
    for row in reader:
        if row and not count:
            break
        count, above = count - bool(row), reader.line_num
    return above


def _delimiter(text: str, cut_short: bool) -> str:
    def fitness(candidate: str) -> tuple[float, int]:
        widths = Counter(len(row) for row in _rows(text, candidate, '"', cut_short))
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        return (count / widths.total() if width > 1 else 0.0, width)

    best = max(DELIMITERS, key=fitness)  # the first of equals: the comma before the others
    return best if fitness(best)[1] > 1 else ","


def _quote(text: str, delimiter: str) -> str:
    """Return the apostrophe where every cell of the first line stands between apostrophes."""
    cells = text.splitlines()[0].split(delimiter)
    wrapped = all(len(cell) > 1 and cell[0] == cell[-1] == "'" for cell in cells)
    return "'" if wrapped else '"'
