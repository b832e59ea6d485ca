"""About how many distinct keys rows have, of many sets of keys in one pass: the least of their digests tell.

References: Bar-Yossef, Z. et al. Counting distinct elements in a data stream. RANDOM 2002.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.keyed import RowKeys, mixed
from kohort.table.cluster.pieces import Batches, PieceReader, coded
from kohort.table.packing import Packing

SKETCHES = "of int, least binary"  # what SQL calls them
LEAST = 4096  # digests that are kept: errs by 1.6 % as a rule
MARGIN = 1.1  # rather too many than too few


@handed_over
def sketches(reader: PieceReader, batches: Batches, *, keys: Sequence[RowKeys]) -> Batches:
    """Yield the least digests that the rows of a task have by each of several keys.

    Columns are coded once for all keys that have the same codes: these are the same object.
    """
    least = [np.zeros(0, np.uint64) for _ in keys]
    packings = [own.packing for own in keys]
    for columns, _ in reader.pieces(batches):
        own = {column.name: column for column in columns}
        met: dict[tuple[str, int], IntArray] = {}
        for i, (row_keys, packing) in enumerate(zip(keys, packings, strict=True)):
            for name, values, code_of in row_keys.coding:
                if (name, id(code_of)) not in met:
                    met[name, id(code_of)] = coded(own[name], values, code_of)
            codes = [met[name, id(code_of)] for name, _, code_of in row_keys.coding]
            least[i] = _least(least[i], _digests(codes, packing))
    for i, found in enumerate(least):
        told = [pa.array([i], pa.int32()), pa.array([found.tobytes()], pa.binary())]
        yield pa.RecordBatch.from_arrays(told, names=["of", "least"])


def estimates(found: pa.Table, number: int) -> list[int]:
    """Return about how many distinct keys all tasks together met, of each of so many."""
    least = [np.zeros(0, np.uint64) for _ in range(number)]
    for i, told in zip(found.column("of").to_pylist(), found.column("least").to_pylist(), strict=True):
        least[i] = _least(least[i], np.frombuffer(told, np.uint64))
    return [_estimate(own) for own in least]


def _estimate(least: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> int:
    if len(least) < LEAST:
        return len(least)
    return int((LEAST - 1) / (float(least[-1]) / 2.0**64) * MARGIN)


def _least(
    least: np.ndarray[tuple[int], np.dtype[np.uint64]], digests: np.ndarray[tuple[int], np.dtype[np.uint64]]
) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return the least distinct ones of two lots of digests, in order."""
    if len(least) == LEAST:
        digests = digests[digests < least[-1]]
    return np.unique(np.concatenate([least, digests]))[:LEAST]


def _digests(codes: Sequence[IntArray], packing: Packing) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return numbers that look as if drawn by chance, one for each key: the last step of SplitMix64."""
    told = mixed(packing.words(codes)).astype(np.uint64)
    for shift, odd in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        told = (told ^ (told >> np.uint64(shift))) * np.uint64(odd)
    return told ^ (told >> np.uint64(31))
