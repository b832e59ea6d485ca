"""The lines of a delimited text as they stand in the file, quotes and line ends included, some thousand at a time."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.table.formats.sniffing import Layout

_PIECE_BYTES = 1 << 20
_LONGEST = 1 << 24  # bytes of a row; readers hold no longer ones
_LF, _CR = 10, 13
_UTF8 = ("utf-8", "utf-8-sig")
_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class UnrulyTextError(Exception):
    """The bytes are not those that a program writes for these cells."""


@dataclass(frozen=True, eq=False)
class RawRows:
    """Some rows of a text, blank ones too."""

    lengths: IntArray  # how many fields each row has
    blank: BoolArray  # rows in which no byte stands
    ends: frozenset[str]  # the kinds of line ends
    fields: pa.Array  # of all rows, with their quotes; of a text without quotes none are told


def has_quotes(path: Path, layout: Layout) -> bool:
    """Say whether a quote stands anywhere in a file."""
    quote = layout.quote.encode()
    return any(quote in piece for piece in _pieces(path, layout.encoding))


def begins_with(path: Path) -> bytes:
    """Return the byte-order mark with which a file begins, if it does."""
    with path.open("rb") as file:
        first = file.read(max(map(len, _MARKS)))
    return next((mark for mark in _MARKS if first.startswith(mark)), b"")


def raw_rows(path: Path, layout: Layout, is_quoted: bool) -> Iterator[RawRows]:
    """Yield the rows of a file in order; raises UnrulyTextError where it cannot be cut.

    Fields are told where it, or another one that is looked at with it, `is_quoted`.
    Complexity: linear in the bytes; held are a megabyte of them, or the longest row.
    """
    quote, delimiter = (layout.quote.encode(), layout.delimiter.encode())
    carried = b""
    for piece in _pieces(path, layout.encoding):
        block = carried + piece
        whole = _whole_rows(block, quote)
        carried = block[whole:]
        if len(carried) > _LONGEST:
            raise UnrulyTextError
        if whole:
            yield _cut(block[:whole], quote, delimiter, is_quoted)
    if carried.count(quote) % 2:
        raise UnrulyTextError
    if carried.endswith(b"\r"):  # which waited for its LF
        yield _cut(carried, quote, delimiter, is_quoted)
    elif carried:  # the last line need not end
        yield replace(_cut(carried + b"\n", quote, delimiter, is_quoted), ends=frozenset())


def _pieces(path: Path, encoding: str) -> Iterator[bytes]:
    """Yield the text as UTF-8, without a byte-order mark; it must be spelled as its encoding has it."""
    with path.open("rb") as file:
        if encoding in _UTF8:
            first = file.read(_PIECE_BYTES).removeprefix(codecs.BOM_UTF8)
            yield first
            while piece := file.read(_PIECE_BYTES):
                yield piece
            return
        decoder, encoder = codecs.getincrementaldecoder(encoding)(), codecs.getincrementalencoder(encoding)()
        unmatched, is_last = b"", False
        while not is_last:
            piece = file.read(_PIECE_BYTES)
            is_last = not piece
            text = decoder.decode(piece, final=is_last)
            unmatched += piece
            spelled = encoder.encode(text, final=is_last)
            if not unmatched.startswith(spelled):
                raise UnrulyTextError
            unmatched = unmatched[len(spelled) :]
            yield text.encode()


def _whole_rows(block: bytes, quote: bytes) -> int:
    """Return how many bytes the rows take that are known to be whole."""
    if quote not in block:
        return max(block.rfind(b"\n"), block.rfind(b"\r", 0, len(block) - 1)) + 1
    ends = np.flatnonzero(_outside(block, quote, b"\r\n"))
    ends = ends[: -1 if len(ends) and ends[-1] == len(block) - 1 and block[-1] == _CR else None]
    return int(ends[-1]) + 1 if len(ends) else 0


def _outside(block: bytes, quote: bytes, signs: bytes) -> BoolArray:
    """Mark the signs that stand outside of quotes."""
    codes = np.frombuffer(block, np.uint8)
    found = np.isin(codes, np.frombuffer(signs, np.uint8))
    if quote in block:
        found &= np.bitwise_xor.accumulate((codes == quote[0]).view(np.uint8)) == 0
    return found


def _cut(block: bytes, quote: bytes, delimiter: bytes, is_quoted: bool) -> RawRows:
    """Cut whole rows into fields, at the signs that stand outside of quotes."""
    codes = np.frombuffer(block, np.uint8)
    ends = _outside(block, quote, b"\r\n")
    second = np.zeros(len(codes), np.bool_)  # an LF that belongs to the CR before it
    second[1:] = ends[1:] & ends[:-1] & (codes[1:] == _LF) & (codes[:-1] == _CR)
    stops = ends & ~second
    cuts = stops | _outside(block, quote, delimiter) if is_quoted else stops
    places = np.flatnonzero(cuts)
    starts = np.concatenate([[0], places[:-1] + 1])
    starts += second[np.minimum(starts, len(codes) - 1)]
    widths = places - starts
    last = np.flatnonzero(stops[places])
    lengths = np.diff(last, prepend=-1)
    blank = (lengths == 1) & (widths[last] == 0)
    fields = _fields(codes[~(cuts | second)], widths) if is_quoted else pa.nulls(0, pa.string())
    return RawRows(lengths, blank, _kinds(codes, stops, second), fields)


def _fields(signs: np.ndarray, widths: IntArray) -> pa.Array:  # type: ignore[type-arg]
    offsets = np.concatenate([[0], np.cumsum(widths)]).astype(np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(signs))]
    return pa.Array.from_buffers(pa.string(), len(widths), buffers)


def _kinds(codes: np.ndarray, stops: BoolArray, second: BoolArray) -> frozenset[str]:  # type: ignore[type-arg]
    both = int(second.sum())
    found = {
        "LF": bool((codes[stops] == _LF).any()),
        "CRLF": both > 0,
        "CR": int((codes[stops] == _CR).sum()) > both,
    }
    return frozenset(kind for kind, is_found in found.items() if is_found)
