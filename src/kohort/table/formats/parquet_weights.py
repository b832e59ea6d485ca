"""What the cells of a Parquet file take once they are decoded, as far as its footer says, and how many are decoded at a time.

A row group may hold a million rows of long texts. A file tells how many bytes the texts of a group take, or how many they take
in the file; where a dictionary stands for them, that is less than what they are, and few rows are decoded at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet

from kohort.table.formats.parquet_footer import ChunkWeight
from kohort.table.piece_bytes import rows_within

FEW = 1 << 14  # rows that are decoded at a time where nobody knows how long their texts are
_FIXED = 8  # bytes of a cell that is no text, and of where a text begins


class Run(NamedTuple):
    """Row groups that follow one another, decoded by as many rows at a time."""

    rows: int
    groups: list[int]


def runs(groups: Sequence[Sequence[ChunkWeight]], most: int) -> list[Run]:
    """Return the row groups in order, with how many rows are decoded at a time; told are the chunks of each group."""
    sized = [(_rows(chunks, most), number) for number, chunks in enumerate(groups)]
    return [Run(rows, [number for _, number in own]) for rows, own in groupby(sized, lambda pair: pair[0])]


def batches_of(
    file: pyarrow.parquet.ParquetFile, told: Sequence[Run], columns: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file; what rows took so far makes the pieces to come smaller, never larger."""
    width = 0.0
    for run in told:
        uncertain = run.rows <= FEW and len(run.groups) > 1
        for groups in [[group] for group in run.groups] if uncertain else [run.groups]:
            rows = rows_within(run.rows, width)
            for batch in file.iter_batches(rows, row_groups=groups, columns=list(columns)):
                width = max(width, batch.nbytes / max(batch.num_rows, 1))
                yield batch


def _rows(chunks: Sequence[ChunkWeight], most: int) -> int:
    width: float = sum(_FIXED + chunk.texts / max(chunk.cells, 1) for chunk in chunks)
    known = all(chunk.known for chunk in chunks)
    return rows_within(most if known else min(most, FEW), width)
