"""Cells as a file stores them: each with its own kind, before numbers, texts, labels and kinds of missing are read as one."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign
from typing import Any

import pyarrow as pa

from kohort.table.mixed import mixed_array
from kohort.table.texts import text_of


def stored(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> pa.Table:
    """Return columns in which every cell has the kind that it has in the file.

    >>> stored(["it"], [[1, 1.0, "1"]])["it"].chunk(0).type_codes.to_pylist()
    [2, 4, 0]
    """
    return pa.table([mixed_array(cells, _text) for cells in columns], names=list(names))


def _text(cell: Any) -> str | None:
    """Return the text of a cell, with the sign of a zero that has one."""
    return "-0.0" if cell == 0 and type(cell) is float and copysign(1, cell) < 0 else text_of(cell)
