"""Rows with long texts put in order without holding them: dealt to files by the first bits of a number, each ordered by itself.

DuckDB orders what is narrow, and spills it. Of long texts it pins more than it may hold, and gives up. Here a row is written once,
or twice where there are very many, and what is held is one piece.

References: Knuth, D. The Art of Computer Programming, volume 3: Sorting and Searching. 1998, section 5.2.5 (distribution).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from kohort.arrays import IntArray
from kohort.table.piece_bytes import PIECE
from kohort.table.scratch import in_scratch

MOST = 256  # files at a time
TOGETHER = (
    1 << 15
)  # bytes that are written at a time: some rows of hundreds of columns are a thousand small buffers
FEW_COLUMNS = (
    64  # up to here cells are compressed: of more, each buffer is so small that it takes ten times as long
)
_LZ4 = pa.ipc.IpcWriteOptions(compression="lz4")


def in_order(
    batches: Iterable[pa.RecordBatch], by: str, ends: tuple[int, int], weight: float, folder: Path
) -> Iterator[pa.Table]:
    """Yield rows in the order of a whole number, those of one number in the order of `row`, some thousand at a time.

    Numbers are from the first of the `ends` on and below the second. Rows take about `weight` bytes in all: where that is
    too little, they are dealt again. The files lie in `folder` until their rows were yielded.

    Complexity: each row is written once for every factor 256 of what all take beyond a piece.
    """
    low, high = ends
    step = -(-(high - low) // _files(weight))
    paths = [folder / f"dealt-{low}-{step}-{i}.arrow" for i in range(-(-(high - low) // step))]
    weights = _deal(batches, by, low, step, paths)
    for i, (path, own) in enumerate(zip(paths, weights, strict=True)):
        if not own:
            continue
        if own > 2 * PIECE and step > 1:
            start = low + i * step
            yield from in_order(_read(path), by, (start, min(start + step, high)), own, folder)
        else:
            table = pa.Table.from_batches(_read(path)).combine_chunks()
            yield table.take(pa.array(np.lexsort((_numbers(table, "row"), _numbers(table, by)))))
        path.unlink()


def _files(weight: float) -> int:
    return int(min(max(2 * weight // PIECE, 2), MOST))


def _deal(batches: Iterable[pa.RecordBatch], by: str, low: int, step: int, paths: list[Path]) -> list[int]:
    """Write each row to the file of its number; return how many bytes each file was given."""
    weights, writers = [0] * len(paths), dict[int, Any]()
    with in_scratch(), ExitStack() as opened:
        for batch in batches:
            file_of = (_numbers(batch, by) - np.uint64(low)) // np.uint64(step)
            order = np.argsort(file_of, kind="stable")
            dealt = batch.take(pa.array(order))
            files, starts = np.unique(file_of[order], return_index=True)
            for file, start, end in zip(files, starts, [*starts[1:], batch.num_rows], strict=True):
                if file not in writers:
                    to_disk = opened.enter_context(pa.OSFile(str(paths[file]), "wb"))
                    sink = opened.enter_context(pa.BufferedOutputStream(to_disk, TOGETHER))
                    options = _LZ4 if batch.num_columns <= FEW_COLUMNS else None
                    writers[file] = opened.enter_context(
                        pa.ipc.new_stream(sink, batch.schema, options=options)
                    )
                piece = dealt.slice(start, end - start)
                writers[file].write_batch(piece)
                weights[file] += piece.nbytes
    return weights


def _read(path: Path) -> Iterator[pa.RecordBatch]:
    with pa.OSFile(str(path)) as source, pa.ipc.open_stream(source) as reader:
        yield from reader


def _numbers(rows: pa.RecordBatch | pa.Table, name: str) -> IntArray:
    return np.asarray(rows.column(name)).astype(np.uint64)
