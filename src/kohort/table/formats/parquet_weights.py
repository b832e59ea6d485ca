"""What the cells of a Parquet file take once they are decoded, as far as its footer says, and how many are decoded at a time.

A row group may hold a million rows of long texts. A file tells how many bytes the texts of a group take, or how many they take
in the file; where a dictionary stands for them, that is less than what they are, and few rows are decoded at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet

from kohort.table.formats.parquet_blocks import batches_by_blocks, blocks_of
from kohort.table.formats.parquet_footer import ChunkWeight
from kohort.table.piece_bytes import rows_within

FEW = 1 << 14  # rows that are decoded at a time where nobody knows how long their texts are
_FIXED = 8  # bytes of a cell that is no text, and of where a text begins


class Run(NamedTuple):
    """Row groups that follow one another, decoded by as many rows at a time."""

    rows: int
    groups: list[int]
    blocks: tuple[tuple[str, ...], ...] = ()  # of columns that are decoded at a time, where not all may be


def runs(path: Path, groups: Sequence[Sequence[ChunkWeight]], most: int) -> list[Run]:
    """Return the row groups in order, with how many rows, and of how many columns, are decoded at a time.

    Told are the chunks of each group.
    """
    sized = [(_rows(chunks, most), blocks_of(path, chunks), number) for number, chunks in enumerate(groups)]
    return [
        Run(rows, [number for *_, number in own], blocks)
        for (rows, blocks), own in groupby(sized, lambda told: told[:2])
    ]


def batches_of(
    file: pyarrow.parquet.ParquetFile, told: Sequence[Run], columns: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file; what rows took so far makes the pieces to come smaller, never larger."""
    width = 0.0
    for run in told:
        uncertain = (run.rows <= FEW or bool(run.blocks)) and len(run.groups) > 1
        for groups in [[group] for group in run.groups] if uncertain else [run.groups]:
            rows = rows_within(run.rows, width)
            batches = (
                batches_by_blocks(file, rows, groups, run.blocks, columns)
                if run.blocks
                else file.iter_batches(rows, row_groups=groups, columns=list(columns))
            )
            for batch in batches:
                width = max(width, batch.nbytes / max(batch.num_rows, 1))
                yield batch


def _rows(chunks: Sequence[ChunkWeight], most: int) -> int:
    width: float = sum(_FIXED + chunk.texts / max(chunk.cells, 1) for chunk in chunks)
    known = all(chunk.known for chunk in chunks)
    return rows_within(most if known else min(most, FEW), width)
