"""A file that is said to be written holds all of the table, whatever room there was; else it is refused for the system's reason."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from kohort.refusals import cause_of
from kohort.table.formats import WRITERS
from kohort.table.reading import read_released
from kohort.table.streaming import STREAMS
from kohort.table.writing import write_table

ROWS, POINTS = 12_000, 16
BY_BLOCKS = sorted(
    WRITERS.keys() & STREAMS.keys()
)  # others are written whole, or are read back by a process of their own


@contextmanager
def no_larger_than(limit: int) -> Iterator[None]:
    """Let no file grow beyond a limit, whatever library writes it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("suffix", BY_BLOCKS)
def test_what_has_no_room_is_refused_and_what_is_not_is_whole(suffix: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    table = pa.table({name: rng.integers(0, 1 << 31, ROWS) for name in ("a", "b")})
    path = tmp_path / f"table{suffix}"
    write_table(table, path)
    size = path.stat().st_size
    path.unlink()
    refused = []
    for limit in np.linspace(0, 1.5 * size, POINTS).astype(int).tolist():
        try:
            with no_larger_than(limit):
                write_table(table, path)
        except OSError as problem:
            refused.append(cause_of(problem))
            left = os.listdir(tmp_path)
        else:
            left = [] if read_released(path).n_rows == ROWS else ["half a table"]
            path.unlink()
        assert left == []
    assert 0 < len(refused) < POINTS
    assert set(refused) <= {errno.EFBIG, errno.EIO}  # SQLite tells a full disk and nothing else
