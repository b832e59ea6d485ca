"""What a written file says, where its rows are on disk: counted by GROUP BY."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, group
from kohort.table.whole_numbers import whole
from kohort.verification.judges.cell_store import WRITTEN
from kohort.verification.judges.cells import Cells
from kohort.verification.judges.contents import Contents, contents_by_classes
from kohort.verification.judges.rows_alone import rows_alone_on_disk


def contents_on_disk(
    cells: Cells, names: Sequence[str], quasi: Sequence[str], sensitive: Sequence[str]
) -> Contents:
    """Return what the written file in the store says: the same as `contents_of` does of its table."""
    places = [cells.place(WRITTEN, name) for name in quasi]

    def counted(value: str) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        query = f"SELECT {', '.join(places)}, {value} AS value, count(*) AS n FROM {WRITTEN} GROUP BY ALL"
        found = cells.table(query)
        codes = np.column_stack([whole(found, place) for place in places]).astype(np.int32)
        return *group(codes), whole(found, "value"), whole(found, "n")

    codes, class_of, _, n = counted("0")
    rows = np.bincount(class_of, n, minlength=len(codes)).astype(np.int64)
    histograms = {}
    for name in sensitive:
        _, class_of, values, n = counted(cells.place(WRITTEN, name))
        size = len(cells.texts(WRITTEN, name))
        histograms[name] = Histogram.of(class_of, values.astype(np.int32), len(codes), size, n)
    return contents_by_classes(
        names,
        Classes(codes, (0,) * len(quasi), rows, rows, histograms),
        {name: cells.texts(WRITTEN, name) for name in quasi},
        {name: cells.texts(WRITTEN, name) for name in sensitive},
        rows_alone_on_disk(cells, names, quasi),
    )
