"""What a delimited text holds beside its cells: line ends of several kinds, blank lines, quotes around some cells only.

None of it is read, and each can mark a row. Programs quote by a rule: every cell, the texts of a column, the ones that need it. So
a rule is looked for, column by column: cells that need quotes, empty ones, words for nothing, numbers, cells with signs that
some programs mind, and all others are each quoted, or not, throughout.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import BoolArray, IntArray
from kohort.folders.parts import parts_of
from kohort.table.formats.delimited_stream import layout_of
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.raw_rows import RawRows, UnrulyTextError, begins_with, has_quotes, raw_rows
from kohort.table.formats.sniffing import Layout

ENDS = "line ends of several kinds"
BLANK = "blank lines"
_KINDS = 6  # of cells
_NAMES = -1  # beside the columns
_SPARE = 1  # blank lines that may end a file

# Kinds of cells that a rule may tell apart; the first pattern that is found decides, and none of them is a kind too.
_NOTHING = r"(?i)\A(?:na|n/a|nan|null|none|nil)\z"
_NUMBER = r"\A[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?\z"
_MINDED = r"\A\s|\s\z|[;,|'#\\\x00-\x1f\x7f\x{feff}]"


@dataclass(frozen=True)
class TextLayout:
    """What was found beside the cells of a text."""

    found: tuple[str, ...]
    by_rule: bool  # whether its cells are quoted by a rule, and its bytes are those of its encoding


def text_layout(path: Path, options: ReadingOptions) -> TextLayout:
    """Return what a delimited text, or all parts of one together, holds beside its cells.

    Complexity: linear in the bytes; held are a megabyte of them and six marks for every column.
    """
    layouts = {part: layout_of(part, options) for part in parts_of(path)}
    first = next(iter(layouts.values()))
    look = _Look(first)
    try:
        if len({_cut_by(part, layout) for part, layout in layouts.items()}) > 1:
            raise UnrulyTextError
        is_quoted = any(has_quotes(part, layout) for part, layout in layouts.items())
        for part, layout in layouts.items():
            for rows in raw_rows(part, layout, is_quoted):
                look.add(rows)
            look.end()
    except UnrulyTextError:
        return TextLayout(look.found, by_rule=False)
    return TextLayout(look.found, look.by_rule)


def _cut_by(path: Path, layout: Layout) -> tuple[object, ...]:
    """Return all that a text is cut into cells by."""
    signs = layout.encoding, begins_with(path), layout.delimiter, layout.quote
    return *signs, layout.names, layout.has_header, layout.lines_above


@dataclass(eq=False)
class _Look:
    layout: Layout
    ends: frozenset[str] = frozenset()
    begun: bool = False  # whether there was a row
    waiting: int = 0  # blank lines below the last row so far
    parted: bool = False  # whether blank lines stand above a row
    tails: set[int] = field(default_factory=set)  # blank lines that end each text
    seen: BoolArray = field(
        init=False
    )  # by column (names are the last), kind of cell, and whether it is quoted
    patterns: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.seen = np.zeros((len(self.layout.names) + 1, _KINDS, 2), np.bool_)
        needed = "".join(
            f"\\x{ord(sign):02x}" for sign in (self.layout.delimiter, self.layout.quote, *"\r\n")
        )
        self.patterns = (f"[{needed}]", r"\A\z", _NOTHING, _NUMBER, _MINDED)

    @property
    def found(self) -> tuple[str, ...]:
        """What is told of the lines."""
        told = {ENDS: len(self.ends) > 1, BLANK: self.parted or self.waiting > _SPARE}
        return tuple(what for what, is_so in told.items() if is_so)

    @property
    def by_rule(self) -> bool:
        """Whether no two cells of one kind in a column are quoted, and not."""
        return not self.seen.all(axis=2).any()

    def add(self, rows: RawRows) -> None:
        """Take in some rows."""
        self.ends |= rows.ends
        has_names = self.layout.has_header and not self.begun
        filled = self._filled(rows.blank)
        lengths = rows.lengths[filled]
        if not len(rows.fields) or not len(lengths):
            return
        fields = rows.fields.filter(pa.array(np.repeat(filled, rows.lengths)))
        if has_names:
            names, fields, lengths = fields[: lengths[0]], fields[lengths[0] :], lengths[1:]
            self._add(names, slice(_NAMES, None))
        if (lengths != len(self.layout.names)).any():
            raise UnrulyTextError
        self._add(fields, slice(None, _NAMES))

    def end(self) -> None:
        """Take note that a text is at its end, and another one may come."""
        self.tails.add(self.waiting)
        self.parted |= self.waiting > _SPARE or len(self.tails) > 1
        self.begun, self.waiting = False, 0

    def _filled(self, blank: BoolArray) -> BoolArray:
        """Mark the lines that are rows, and count the others: all that are blank, but those of a single column below its first."""
        if self.begun and len(self.layout.names) == 1:
            return np.ones(len(blank), np.bool_)
        told = np.flatnonzero(~blank)
        if not len(told):
            self.waiting += len(blank)
            return ~blank
        first, last, alone = int(told[0]), int(told[-1]), len(self.layout.names) == 1
        self.begun = True
        self.parted |= self.waiting + first > 0 or (not alone and bool(blank[:last].any()))
        self.waiting = 0 if alone else len(blank) - 1 - last
        return np.arange(len(blank)) >= first if alone else ~blank

    def _add(self, fields: pa.Array, columns: slice) -> None:
        """Mark which kinds of cells are quoted in some columns, or among the names, and which are not."""
        coded = fields.dictionary_encode()
        kinds, quoted = self._kinds(coded.dictionary)
        seen = self.seen[columns]
        marks = (2 * kinds + quoted)[np.asarray(coded.indices)]
        for column, told in enumerate(marks.reshape(-1, len(seen)).T if len(seen) > 1 else [marks]):
            seen[column] |= (np.bincount(told, minlength=2 * _KINDS) > 0).reshape(_KINDS, 2)

    def _kinds(self, fields: pa.Array) -> tuple[IntArray, BoolArray]:
        """Return of which kind each field is, and which are quoted; raises where one is quoted in part."""
        sign = f"\\x{ord(self.layout.quote):02x}"
        quoted = pc.match_substring_regex(fields, rf"\A{sign}(?:[^{sign}]|{sign}{sign})*{sign}\z")
        if pc.any(pc.and_not(pc.match_substring(fields, self.layout.quote), quoted)).as_py():
            raise UnrulyTextError
        texts = pc.if_else(quoted, pc.replace_substring_regex(fields, rf"\A{sign}|{sign}\z", ""), fields)
        kinds = np.full(len(fields), len(self.patterns), np.int64)
        for kind in reversed(range(len(self.patterns))):
            kinds[np.asarray(pc.match_substring_regex(texts, self.patterns[kind]))] = kind
        return kinds, np.asarray(quoted)
