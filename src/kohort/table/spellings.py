"""Cells that are read as one value though a file spells them in several ways: whoever looks at the file tells them apart.

An escaped formula and the same text without its apostrophe, blanks of any length, `0.0` and `-0.0`, not a number and nothing: a
table that others wrote may mark people by them, and classes, values and truth are counted of what is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.formats import READERS, formulas
from kohort.table.formats.options import ReadingOptions
from kohort.table.mixed import MIXED, told_apart
from kohort.table.streaming import STREAMS
from kohort.table.table import Table
from kohort.table.tidying import tidied

_BITS = {
    pa.float16(): (np.float16, np.int16),
    pa.float32(): (np.float32, np.int32),
    pa.float64(): (np.float64, np.int64),
}


def several_spellings(path: Path, options: ReadingOptions) -> list[str]:
    """Return the columns of a file in which two spellings are read as one value.

    Complexity: linear in the cells; held are the distinct ones that are read otherwise than they are spelled.
    """
    found: dict[str, _Retold] = {}
    for name, cells in _cells(path, options):
        found.setdefault(name, _Retold()).add(*_read(name, cells, options))
    asked = {name: retold for name, retold in found.items() if retold.spelling_of and not retold.doubled}
    if asked:
        for name, cells in _cells(path, options):
            if name in asked:
                asked[name].meet(*_read(name, cells, options))
    return [name for name, retold in found.items() if retold.doubled]


@dataclass(eq=False)
class _Retold:
    """What is read otherwise than it is spelled in a column: the value, and its spelling."""

    spelling_of: dict[str | int | None, str | int] = field(default_factory=dict)
    doubled: bool = False

    def add(self, spelled: pa.Array, read: pa.Array) -> None:
        """Take in distinct cells, as they are spelled and as they are read."""
        changed = pc.invert(pc.fill_null(pc.equal(spelled, read), False))
        changed = pc.and_(changed, pc.is_valid(spelled))
        if not pc.any(changed).as_py():
            return
        pairs = zip(read.filter(changed).to_pylist(), spelled.filter(changed).to_pylist(), strict=True)
        for value, spelling in pairs:
            if self.spelling_of.setdefault(value, spelling) != spelling:
                self.doubled = True

    def meet(self, spelled: pa.Array, read: pa.Array) -> None:
        """Look whether a value that was read otherwise than spelled also stands in the column as it is."""
        same = spelled.filter(pc.fill_null(pc.equal(spelled, read), False))
        values = [value for value in self.spelling_of if value is not None]
        if values and pc.any(pc.is_in(same, pa.array(values, spelled.type))).as_py():
            self.doubled = True
        if None in self.spelling_of and spelled.null_count:
            self.doubled = True


def _cells(path: Path, options: ReadingOptions) -> Iterator[tuple[str, pa.Array]]:
    """Yield the distinct cells of every column, some thousand rows at a time, as they are spelled."""
    as_spelled = replace(
        options, unescape_formulas=False, missing=(), missing_in={}, decimal=None, trim=False, fold=()
    )
    suffix = path.suffix.lower()
    pieces = (
        STREAMS[suffix][1](path, as_spelled) if suffix in STREAMS else [READERS[suffix](path, as_spelled)]
    )
    for piece in pieces:
        for name, column in zip(piece.column_names, piece.columns, strict=True):
            if column.type == MIXED:
                column = told_apart(column.chunks)[0]
            yield name, _distinct(column)


def _distinct(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    whole = whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole
    if isinstance(whole.type, pa.DictionaryType):
        return whole.dictionary_decode().unique()
    if whole.type not in _BITS:
        return whole.unique()
    return _of_bits(_bits(whole).unique(), whole.type)


def _read(name: str, spelled: pa.Array, options: ReadingOptions) -> tuple[pa.Array, pa.Array]:
    """Return distinct cells and what is read of each, both as texts or as the bits of numbers."""
    is_text = pa.types.is_string(spelled.type)
    cells = formulas.unescaped(spelled) if is_text and options.unescape_formulas else spelled
    column = tidied(Table.from_arrow(pa.table({name: cells})), options)[name]
    read = column.values.take(pa.array(column.codes))
    if spelled.type in _BITS:
        return _bits(spelled), _bits(read.cast(spelled.type))
    return spelled, read.cast(spelled.type) if is_text else spelled


def _bits(numbers: pa.Array) -> pa.Array:
    kind, bits = _BITS[numbers.type]
    missing = np.asarray(numbers.is_null())
    values = np.frombuffer(numbers.buffers()[1] or b"", kind)[numbers.offset : numbers.offset + len(numbers)]
    return pa.array(values.view(bits), mask=missing)


def _of_bits(bits: pa.Array, kind: pa.DataType) -> pa.Array:
    values, missing = np.asarray(bits.fill_null(0)), np.asarray(bits.is_null())
    return pa.array(values.view(_BITS[kind][0]), kind, mask=missing)
