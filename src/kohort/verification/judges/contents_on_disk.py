"""What a written file says, where its rows are on disk: counted by GROUP BY."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.classes import Classes, Histogram, group
from kohort.verification.judges.cell_store import WRITTEN
from kohort.verification.judges.cells import Cells
from kohort.verification.judges.classes_on_disk import RowsOnDisk
from kohort.verification.judges.contents import Contents, contents_by_classes
from kohort.verification.judges.rows_alone import rows_alone_on_disk
from kohort.verification.judges.tally import Tally


def contents_on_disk(
    cells: Cells,
    names: Sequence[str],
    quasi: Sequence[str],
    sensitive: Sequence[str],
    tally: Tally | None = None,
) -> Contents:
    """Return what the written file in the store says: the same as `contents_of` does of its table."""
    rows_of = RowsOnDisk(cells, WRITTEN, tally=tally)
    alike = rows_of.alike(quasi)
    codes, class_of = group(alike.labels)
    rows = np.bincount(class_of, alike.rows, minlength=len(codes)).astype(np.int64)
    histograms, alone = {}, {frozenset[str](): int((alike.rows == 1).sum())}
    for name in sensitive:
        owner, values, n = rows_of.held(quasi, name)
        alone[frozenset({name})] = int((n == 1).sum())
        size = len(cells.texts(WRITTEN, name))
        histograms[name] = Histogram.of(class_of[owner], values.astype(np.int32), len(codes), size, n)
        del owner, values, n
    return contents_by_classes(
        names,
        Classes(codes, (0,) * len(quasi), rows, rows, histograms),
        {name: cells.texts(WRITTEN, name) for name in quasi},
        {name: cells.texts(WRITTEN, name) for name in sensitive},
        rows_alone_on_disk(cells, names, quasi, alone if tally is None else tally.alone),
    )
