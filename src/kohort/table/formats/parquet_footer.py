"""Footers of Parquet that contradict themselves: readers go by one word or by the other, and find different tables.

A footer is read here word by word (Thrift's compact protocol: a field is its kind, its number and its value), because Arrow ends
the whole program when it is asked for some words of a broken one.
"""

from __future__ import annotations

import base64
from collections.abc import Collection
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError

_TRUE, _FALSE, _BYTE, _NUMBERS, _DOUBLE, _BYTES, _LISTS, _STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12
_ROWS, _GROUPS, _BESIDE = 3, 4, 5  # of a file
_KEY, _VALUE, _ARROW_SCHEMA = 1, 2, b"ARROW:schema"  # of what stands beside
_COLUMNS, _ROWS_OF_GROUP = 1, 3
_CHUNK = 3  # of a column
_CELLS_AT, _DICTIONARY_AT = 9, 11  # of a chunk
_TYPE, _ENCODINGS, _NAMES, _CELLS, _WEIGHT, _STORED, _SIZES = 1, 2, 3, 5, 6, 7, 16
_PAGE_WEIGHT, _PAGE_STORED = 2, 3  # of a page
_HEADER, _LONGEST_HEADER = 1 << 12, 1 << 24  # bytes of the head of a page, for a start and at most
_MOST_PAGES = 10_000  # that are looked at
_TEXT, _BY_DICTIONARY, _TEXT_BYTES = 6, (2, 8), 1  # a type, encodings, a field of the sizes
_DEEPEST = 20
_MARK = b"PAR1"
_END = 8  # bytes: the length of the footer, and a mark


class BrokenFooterError(Exception):
    """What stands at the end of the file is no footer."""


def check_footer(path: Path) -> None:
    """Refuse a file whose footer counts rows in two ways, or puts the dictionary of a column behind what it is for.

    Complexity: linear in the footer.
    """
    footer = _Reading(_footer(path)).struct()
    try:
        groups = footer[_GROUPS]
        if footer[_ROWS] != sum(group[_ROWS_OF_GROUP] for group in groups):
            raise _contradiction(path, "it counts its rows in two ways")
        chunks = [column[_CHUNK] for group in groups if group[_ROWS_OF_GROUP] for column in group[_COLUMNS]]
        if any(chunk.get(_DICTIONARY_AT, -1) > chunk[_CELLS_AT] for chunk in chunks):
            raise _contradiction(path, "a dictionary stands behind the cells that it is for")
    except (KeyError, TypeError, AttributeError):
        raise BrokenFooterError from None


def rows_of_groups(path: Path) -> list[int]:
    """Return how many rows each row group of a file has."""
    try:
        return [int(group[_ROWS_OF_GROUP]) for group in _Reading(_footer(path)).struct()[_GROUPS]]
    except (KeyError, TypeError, AttributeError):
        raise BrokenFooterError from None


class ChunkWeight(NamedTuple):
    """What the texts of one column take in one row group."""

    name: str  # of the column
    cells: int
    texts: int  # bytes; 0 where cells are no texts
    known: bool  # whether they take no more than that once they are decoded
    start: int  # where it stands in the file
    stored: int  # bytes that it takes there
    weight: int  # bytes of its pages once they are decompressed


def weights_of_groups(path: Path, columns: Collection[str] | None = None) -> list[list[ChunkWeight]]:
    """Return what the texts of some columns, or of all, take in every row group, as the file says."""
    try:
        groups = _Reading(_footer(path)).struct()[_GROUPS]
        chunks = [[_weight(column[_CHUNK]) for column in group[_COLUMNS]] for group in groups]
    except (KeyError, TypeError, AttributeError, IndexError, UnicodeDecodeError):
        raise BrokenFooterError from None
    return [[chunk for chunk in own if columns is None or chunk.name in columns] for own in chunks]


def _weight(chunk: dict[int, Any]) -> ChunkWeight:
    name, cells = chunk[_NAMES][0].decode(), int(chunk[_CELLS])
    place = chunk.get(_DICTIONARY_AT) or chunk[_CELLS_AT], chunk[_STORED], chunk[_WEIGHT]
    if chunk[_TYPE] != _TEXT:
        return ChunkWeight(name, cells, 0, True, *place)
    told = chunk.get(_SIZES, {}).get(_TEXT_BYTES)
    coded = any(encoding in _BY_DICTIONARY for encoding in chunk[_ENCODINGS])
    return ChunkWeight(name, cells, max(told or 0, chunk[_WEIGHT]), told is not None or not coded, *place)


def largest_page(path: Path, chunk: ChunkWeight) -> int:
    """Return how many bytes the largest page of a chunk takes once it is decoded, which readers do with one at a time.

    Complexity: linear in its pages, of which no more than the first 10,000 are looked at.
    """
    largest, place = 0, chunk.start
    with path.open("rb") as file:
        for _ in range(_MOST_PAGES):
            if place >= chunk.start + chunk.stored:
                break
            header, length = _page(file, place)
            try:
                largest, place = max(largest, header[_PAGE_WEIGHT]), place + length + header[_PAGE_STORED]
            except (KeyError, TypeError):
                raise BrokenFooterError from None
    return largest


def _page(file: BinaryIO, place: int) -> tuple[dict[int, Any], int]:
    """Return the head of a page, and how long it is: texts may stand in it."""
    size = _HEADER
    while True:
        file.seek(place)
        reading = _Reading(file.read(size))
        try:
            return reading.struct(), reading.place
        except BrokenFooterError:
            if size > _LONGEST_HEADER:
                raise
            size *= 16


def footer_with(path: Path, schema: pa.Schema) -> pyarrow.parquet.FileMetaData:
    """Return the footer of a file with another schema in the place of the one that Arrow wrote into it."""
    footer = _footer(path)
    told = _Reading(footer).struct().get(_BESIDE, [])
    schemas = [pair.get(_VALUE, b"") for pair in told if pair.get(_KEY) == _ARROW_SCHEMA]
    if len(schemas) != 1:
        raise BrokenFooterError
    old, new = (_length(len(s)) + s for s in (schemas[0], base64.b64encode(schema.serialize())))
    if footer.count(old) != 1:
        raise BrokenFooterError
    footer = footer.replace(old, new)
    told_anew = _MARK + footer + len(footer).to_bytes(4, "little") + _MARK
    return pyarrow.parquet.read_metadata(pa.BufferReader(told_anew))


def _length(number: int) -> bytes:
    told = b""
    while number >= 128:
        told += bytes([number & 127 | 128])
        number >>= 7
    return told + bytes([number])


def _footer(path: Path) -> bytes:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(size - _END, 0))
        length = int.from_bytes(file.read(4), "little")
        if length + _END > size:
            raise BrokenFooterError
        file.seek(size - _END - length)
        return file.read(length)


class _Reading:
    """Reads structs as their fields by number."""

    def __init__(self, told: bytes) -> None:
        self._told, self._place = told, 0

    @property
    def place(self) -> int:
        """How many bytes were read."""
        return self._place

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > _DEEPEST:
            raise BrokenFooterError
        fields: dict[int, Any] = {}
        last = 0
        while head := self._byte():
            last = last + (head >> 4) if head >> 4 else self._number()
            fields[last] = self._value(head & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind in _NUMBERS:
            return self._number()
        if kind == _BYTES:
            return self._taken(self._length())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in _LISTS:
            return self._list(depth)
        if kind in (_BYTE, _DOUBLE):
            return self._taken(1 if kind == _BYTE else 8)
        raise BrokenFooterError

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        n, kind = head >> 4, head & 15
        n = self._length() if n == 15 else n
        if n > len(self._told) or depth > _DEEPEST:
            raise BrokenFooterError
        if kind in (_TRUE, _FALSE):
            return list(self._taken(n))
        return [self._value(kind, depth + 1) for _ in range(n)]

    def _taken(self, n: int) -> bytes:
        taken = self._told[self._place : self._place + n]
        self._place += n
        if len(taken) < n:
            raise BrokenFooterError
        return taken

    def _byte(self) -> int:
        return self._taken(1)[0]

    def _length(self) -> int:
        found = shift = 0
        while (byte := self._byte()) >= 128:
            found |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise BrokenFooterError
        return found | byte << shift

    def _number(self) -> int:
        found = self._length()
        return found >> 1 ^ -(found & 1)


def _contradiction(path: Path, what: str) -> InputError:
    return InputError(
        f"{path} contradicts itself ({what}), so that programs read different tables in it; write it anew by the program "
        "that made it, or export it as CSV",
        code="table.damaged",
        path=path,
    )
