"""Row groups of very many columns, decoded some columns at a time.

Whoever decodes rows of a Parquet file holds a page of every column, its dictionary, and what was read of the file ahead: a row
group of 300 columns takes a gigabyte, however few rows are asked for. So where that is too much, the columns are decoded in
blocks, one after the other; what was decoded waits in a file that nobody else can open, until its rows are complete.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

from kohort.table.formats.parquet_footer import ChunkWeight, largest_page

BUFFER = 1 << 18  # bytes that are read ahead of each column
AT_ONCE, BLOCK = (
    64_000_000,
    24_000_000,
)  # bytes that all columns, or those of a block, may take while they are decoded
# Pages that a column holds: one as it was decompressed, one as it is stored, and a dictionary. Measured by pyarrow 25 on 200,000 x
# 300 and 50,000 x 1,000 floats and 200,000 x 100 texts: 2.1, 1.8 (of what the chunk takes) and 2.8.
_PAGES, _WHOLE = 3, 2
_LZ4 = pa.ipc.IpcWriteOptions(compression="lz4")


def blocks_of(path: Path, chunks: Sequence[ChunkWeight]) -> tuple[tuple[str, ...], ...]:
    """Return the columns that are decoded at a time, in order; none where all may be.

    The heads of pages are looked at only where what the footer tells of the chunks would be too much.
    """
    if sum(BUFFER + _WHOLE * chunk.weight for chunk in chunks) <= AT_ONCE:
        return ()
    held = [(chunk.name, decoding(path, chunk)) for chunk in chunks]
    if sum(size for _, size in held) <= AT_ONCE:
        return ()
    blocks: list[list[str]] = []
    room = 0
    for name, size in held:
        if not blocks or room < size:
            blocks.append([])
            room = BLOCK
        blocks[-1].append(name)
        room -= size
    return tuple(map(tuple, blocks))


def decoding(path: Path, chunk: ChunkWeight) -> int:
    """Return about how many bytes a column holds while it is decoded."""
    whole = _WHOLE * chunk.weight
    return min(BUFFER, chunk.stored) + min(
        whole, _PAGES * largest_page(path, chunk) if whole > BUFFER else whole
    )


def batches_by_blocks(
    file: pyarrow.parquet.ParquetFile,
    rows: int,
    groups: Sequence[int],
    blocks: Sequence[Sequence[str]],
    columns: Sequence[str],
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of some row groups; all blocks but the last wait on disk until that is decoded.

    Complexity: every cell is written and read once more.
    """

    def decoded(block: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from file.iter_batches(rows, row_groups=list(groups), columns=list(block))

    with tempfile.TemporaryFile() as waiting:  # it has no name, and is gone with the program
        places = [[_put(waiting, batch) for batch in decoded(block)] for block in blocks[:-1]]
        for i, last in enumerate(decoded(blocks[-1])):
            if any(i >= len(own) for own in places):
                raise pa.ArrowInvalid("columns of a row group have different numbers of rows")
            parts = [*(_taken(waiting, own[i]) for own in places), last]
            cells = {
                name: column
                for part in parts
                for name, column in zip(part.schema.names, part.columns, strict=True)
            }
            yield pa.RecordBatch.from_arrays([cells[name] for name in columns], list(columns))


def _put(file: IO[bytes], batch: pa.RecordBatch) -> tuple[int, int]:
    """Write some cells; return where they stand, and how many bytes they take there."""
    from kohort.table.scratch import in_scratch  # which knows formats itself

    start, sink = file.tell(), pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=_LZ4) as writer:
        writer.write_batch(batch)
    with in_scratch():
        return start, file.write(sink.getvalue())


def _taken(file: IO[bytes], place: tuple[int, int]) -> pa.RecordBatch:
    start, size = place
    file.seek(start)
    return pa.ipc.open_stream(file.read(size)).read_next_batch()
