"""The footer of a Parquet file taken apart and put together again: Thrift's compact protocol, as far as footers use it.

A field is `[type, value]` under its number; lists are `[type, values]`. Nothing of it is known by name, so that any word can be changed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TRUE, FALSE, BYTE, NUMBERS, DOUBLE, BYTES, LISTS, STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12
Fields = dict[int, list[Any]]


def load(path: Path) -> tuple[bytes, Fields]:
    """Return what stands before the footer, and the footer."""
    whole = path.read_bytes()
    end = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    return whole[:end], _Reading(whole, end).struct()


def save(path: Path, body: bytes, footer: Fields) -> None:
    """Write a file with this footer."""
    told = _struct(footer)
    path.write_bytes(body + told + len(told).to_bytes(4, "little") + b"PAR1")


def words(fields: Fields) -> Iterator[tuple[list[Any], int]]:
    """Yield every number of a footer as a list and the place in it."""
    for field in fields.values():
        kind, value = field
        if kind in NUMBERS:
            yield field, 1
        elif kind == STRUCT:
            yield from words(value)
        elif kind in LISTS:
            inner, items = value
            for place, item in enumerate(items):
                if inner == STRUCT:
                    yield from words(item)
                elif inner in NUMBERS:
                    yield items, place


def changed(footer: Fields, chance: random.Random, size: int) -> None:
    """Change one number of a footer."""
    holder, place = chance.choice(list(words(footer)))
    old = holder[place]
    near = [0, 1, 2, 20, 30, 40, old + 1, old - 1, old * 2, old // 2, -1]
    holder[place] = chance.choice([*near, chance.randrange(200), chance.randrange(size)])


class _Reading:
    def __init__(self, whole: bytes, place: int) -> None:
        self._whole, self._place = whole, place

    def struct(self) -> Fields:
        fields: Fields = {}
        last = 0
        while head := self._byte():
            kind, step = head & 15, head >> 4
            last = last + step if step else self._number()
            fields[last] = [kind, self._value(kind)]
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):
            return None
        if kind == BYTE:
            return self._byte()
        if kind in NUMBERS:
            return self._number()
        if kind in (DOUBLE, BYTES):
            return self._taken(8 if kind == DOUBLE else self._length())
        if kind == STRUCT:
            return self.struct()
        head = self._byte()
        n, inner = head >> 4, head & 15
        n = self._length() if n == 15 else n
        return [inner, [self._byte() if inner in (TRUE, FALSE) else self._value(inner) for _ in range(n)]]

    def _taken(self, n: int) -> bytes:
        self._place += n
        return self._whole[self._place - n : self._place]

    def _byte(self) -> int:
        return self._taken(1)[0]

    def _length(self) -> int:
        found = shift = 0
        while (byte := self._byte()) >= 128:
            found |= (byte & 127) << shift
            shift += 7
        return found | byte << shift

    def _number(self) -> int:
        found = self._length()
        return found >> 1 ^ -(found & 1)


def _struct(fields: Fields) -> bytes:
    told, last = b"", 0
    for number, (kind, value) in sorted(fields.items()):
        step, last = number - last, number
        told += bytes([step << 4 | kind]) if 0 < step < 16 else bytes([kind]) + _number(number)
        told += _value(kind, value)
    return told + b"\0"


def _value(kind: int, value: Any) -> bytes:
    if kind in (TRUE, FALSE):
        return b""
    if kind == BYTE:
        return bytes([value])
    if kind in NUMBERS:
        return _number(value)
    if kind == DOUBLE:
        return bytes(value)
    if kind == BYTES:
        return _length(len(value)) + value
    if kind == STRUCT:
        return _struct(value)
    inner, items = value
    n = len(items)
    head = bytes([n << 4 | inner]) if n < 15 else bytes([0xF0 | inner]) + _length(n)
    return head + b"".join(bytes([i]) if inner in (TRUE, FALSE) else _value(inner, i) for i in items)


def _length(number: int) -> bytes:
    told = b""
    while number >= 128:
        told += bytes([number & 127 | 128])
        number >>= 7
    return told + bytes([number])


def _number(number: int) -> bytes:
    return _length(number << 1 if number >= 0 else (-number << 1) - 1)
