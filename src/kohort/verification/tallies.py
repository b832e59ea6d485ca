"""What a written file says, where its rows are on disk: counted by GROUP BY."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, group
from kohort.table.whole_numbers import whole
from kohort.verification.shelves import WRITTEN, Shelves
from kohort.verification.told import Told, told_by_classes


def told_on_shelves(
    shelves: Shelves, names: Sequence[str], quasi: Sequence[str], sensitive: Sequence[str]
) -> Told:
    """Return what the written file on the shelves says: the same as `told_of` does of its table."""
    places = [shelves.place(WRITTEN, name) for name in quasi]

    def counted(value: str) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        query = f"SELECT {', '.join(places)}, {value} AS value, count(*) AS n FROM {WRITTEN} GROUP BY ALL"
        found = shelves.table(query)
        codes = np.column_stack([whole(found, place) for place in places]).astype(np.int32)
        return *group(codes), whole(found, "value"), whole(found, "n")

    codes, class_of, _, n = counted("0")
    rows = np.bincount(class_of, n, minlength=len(codes)).astype(np.int64)
    histograms = {}
    for name in sensitive:
        _, class_of, values, n = counted(shelves.place(WRITTEN, name))
        size = len(shelves.texts(WRITTEN, name))
        histograms[name] = Histogram.of(class_of, values.astype(np.int32), len(codes), size, n)
    return told_by_classes(
        names,
        Classes(codes, (0,) * len(quasi), rows, rows, histograms),
        {name: shelves.texts(WRITTEN, name) for name in quasi},
        {name: shelves.texts(WRITTEN, name) for name in sensitive},
    )
