"""Columns that name people, kept where rows are counted: by keyed numbers, never as they are.

Whose rows agree is counted as well by numbers of 64 bits. Their key is drawn anew for each reading and kept nowhere, so
that what a killed run leaves on a disk names nobody.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection

import numpy as np
import pyarrow as pa

from kohort.table.table import Column, Table

SIZE = 32  # bytes of a key; as hex digits, one block of MD5


def new_key() -> bytes:
    """Return a key that nobody knows."""
    return secrets.token_bytes(SIZE)


def hidden(column: Column, key: bytes) -> Column:
    """Return a column of numbers in place of its values; what is missing stays missing.

    >>> names = Column.from_arrow("name", pa.array(["Ana", "Bea", None, "Ana"]))
    >>> first, second, third, fourth = hidden(names, new_key()).to_arrow().to_pylist()
    >>> first == fourth != second, third
    (True, None)
    """
    start, texts = hashlib.blake2b(digest_size=8, key=key), column.texts
    digests = []
    for text in texts:
        state = start.copy()
        state.update(("" if text is None else text).encode("utf-8", "surrogatepass"))
        digests.append(state.digest())
    missing = np.array([text is None for text in texts], np.bool_)
    return Column(
        column.name, column.codes, pa.array(np.frombuffer(b"".join(digests), "<i8"), pa.int64(), mask=missing)
    )


def with_hidden(table: Table, names: Collection[str], key: bytes) -> Table:
    """Return the table with numbers in place of the values of some columns."""
    return Table.of((hidden(c, key) if c.name in names else c for c in table), table.n_rows)


def hidden_in_sql(cell: str, key: bytes) -> str:
    """Return what DuckDB makes a number of a cell with; other numbers than `hidden`, for a column is told in one way only."""
    return (
        f"CASE WHEN ({cell}) IS NOT NULL THEN md5_number_lower(concat('{key.hex()}', ({cell})::VARCHAR)) END"
    )
