"""Arrow's whole numbers as numpy's, read from the buffers: Arrow's own conversion imports pandas."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray


def whole(table: pa.Table | pa.RecordBatch, name: str) -> IntArray:
    """Return a column of whole numbers without nulls."""
    column = table.column(name)
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if not chunks:
        return np.zeros(0, np.int64)
    return np.concatenate([plain_numbers(chunk) for chunk in chunks])


def plain_numbers(chunk: pa.Array) -> IntArray:
    """Return an array of whole numbers without nulls."""
    kind = np.dtype(str(chunk.type))
    numbers = chunk.buffers()[1]
    if numbers is None:
        return np.zeros(0, kind)
    return np.frombuffer(numbers, kind, len(chunk), chunk.offset * kind.itemsize)
