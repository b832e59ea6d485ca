"""What a written file says, where its rows are on disk: counted by GROUP BY."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.classes import Classes, Histogram, group
from kohort.table.whole_numbers import whole
from kohort.verification.judges.cell_store import WRITTEN
from kohort.verification.judges.cells import Cells
from kohort.verification.judges.classes_on_disk import alike_on_disk, values_by_class
from kohort.verification.judges.contents import Contents, contents_by_classes
from kohort.verification.judges.rows_alone import rows_alone_on_disk


def contents_on_disk(
    cells: Cells, names: Sequence[str], quasi: Sequence[str], sensitive: Sequence[str]
) -> Contents:
    """Return what the written file in the store says: the same as `contents_of` does of its table."""
    alike = alike_on_disk(cells, cells.number_classes(WRITTEN, quasi), quasi)
    codes, class_of = group(alike.labels)
    rows = np.bincount(class_of, alike.rows, minlength=len(codes)).astype(np.int64)
    histograms = {}
    for name in sensitive:
        found = cells.table(values_by_class(cells, WRITTEN, quasi, cells.place(WRITTEN, name)))
        owner, values, n = (whole(found, column) for column in ("class", "value", "n"))
        size = len(cells.texts(WRITTEN, name))
        histograms[name] = Histogram.of(class_of[owner], values.astype(np.int32), len(codes), size, n)
    return contents_by_classes(
        names,
        Classes(codes, (0,) * len(quasi), rows, rows, histograms),
        {name: cells.texts(WRITTEN, name) for name in quasi},
        {name: cells.texts(WRITTEN, name) for name in sensitive},
        rows_alone_on_disk(cells, names, quasi),
    )
