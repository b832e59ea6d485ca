"""How many rows a piece has that is held in Python: as many as take so many bytes, and no more than so many rows.

What is left of pieces that passed is given back.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

import pyarrow as pa

PIECE = (
    8 << 20
)  # bytes of the cells of a piece; it stands in several places at a time while it is read or written


def rows_within(rows: int, width: float) -> int:
    """Return how many rows of so many bytes are a piece: a power of two, at least 1 and at most `rows`.

    >>> rows_within(1 << 16, 20), rows_within(1 << 16, 3_000), rows_within(1 << 16, 10**9)
    (65536, 2048, 1)
    """
    fitting = int(PIECE / width) if width > 0 else rows
    return min(rows, 1 << max(fitting.bit_length() - 1, 0))


def pieces_within(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.Table]:
    """Yield small batches together, as many as are a piece: none is divided."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        if held and (
            sum(b.num_rows for b in held) + batch.num_rows > rows
            or sum(b.nbytes for b in held) + batch.nbytes > PIECE
        ):
            yield pa.Table.from_batches(held)
            held = []
        held.append(batch)
    if held:
        yield pa.Table.from_batches(held)


@contextmanager
def passing_pieces() -> Iterator[None]:
    """Give back to the system what Arrow keeps of the pieces that passed meanwhile: a hundred megabytes, of which nobody knows."""
    try:
        yield
    finally:
        give_back()


def give_back() -> None:
    """Give back to the system what allocators keep of what is no longer held: Arrow's, and where it is glibc's, Python's."""
    pa.default_memory_pool().release_unused()
    trim = getattr(_libc(), "malloc_trim", None)
    if trim is not None:
        trim(0)


@cache
def _libc() -> ctypes.CDLL | None:
    """Return what is linked into the program; other systems than Linux have nothing of it that gives back."""
    return ctypes.CDLL(None) if sys.platform == "linux" else None
