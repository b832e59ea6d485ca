"""Rows that Spark's executors have cut into boxes: what is counted of each, and how rows find theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, Histogram
from kohort.engines.spark.counting import Counting
from kohort.hierarchy import Label
from kohort.table.cluster.cluster import Cluster
from kohort.table.whole_numbers import whole
from kohort.verification.judges.claims import ClaimedBoxes

BOXED, TUPLES = "boxed", "boxed_tuples"


class ClusterBoxes:
    """The view `boxed`: lines, each with its cell and its box in that; one line of a box tells its numbers."""

    def __init__(
        self,
        cluster: Cluster,
        ground: Counting,
        watched: Sequence[str],
        made: Callable[[ClusterBoxes], None],
        demand: Callable[[int], None],
    ) -> None:
        self._cluster, self._ground, self._watched, self._made = cluster, ground, watched, made
        demand(cluster.number(f"SELECT count(*) FROM {BOXED} WHERE told IS NOT NULL"))
        found = cluster.table(
            f"SELECT cell, box, told FROM {BOXED} WHERE told IS NOT NULL ORDER BY cell, box"
        )
        self._cell, self._box = whole(found, "cell"), whole(found, "box")
        numbers = found.column("told").combine_chunks().flatten().to_numpy()
        self.told: IntArray = numbers.reshape(len(self._cell), -1)
        self._place: IntArray = np.arange(len(self._cell))  # of each box, as told, among the classes

    def classes(self, codes: IntArray, order: IntArray, levels: tuple[int, ...]) -> Classes:
        """Return the boxes as classes, in an order; rows are then written by them."""
        self._place = np.argsort(order)
        owner, _, records = self._counted("box")
        sensitive = {}
        for i, name in enumerate(self._watched):
            place, values, held = self._counted(f"v{i}")
            sensitive[name] = Histogram.of(
                place, values.astype(np.int32), len(order), self._ground.size(name), held
            )
        sizes = np.bincount(owner, records, minlength=len(order)).astype(np.int64)
        self._made(self)
        return Classes(codes, levels, sizes, sizes, sensitive)

    def joint(self, j: int, codes: IntArray) -> IntArray:
        """Return (ground code, released code, records) of an attribute, counted in the cluster."""
        told = {"cell": self._cell, "box": self._box, "released": codes[self._place].astype(np.int64)}
        self._cluster.keep("released_as", pa.table(told))
        found = self._cluster.table(
            f"SELECT g{j} AS ground, released, CAST(sum(n) AS BIGINT) AS n FROM {BOXED} JOIN released_as USING (cell, box) "
            f"GROUP BY g{j}, released ORDER BY ground, released"
        )
        return np.column_stack([whole(found, "ground"), whole(found, "released"), whole(found, "n")])

    def placed(self, beside: str | None = None) -> tuple[tuple[str, ...], str]:
        """Return what SQL calls cell and box of a row, and the rows that have them."""
        codes, rows = self._ground.placed(beside)
        tuples = self._tuples
        same = " AND ".join(f"{code} = {tuples}.g{j}" for j, code in enumerate(codes))
        return (f"{tuples}.cell", f"{tuples}.box"), f"{rows} JOIN {tuples} ON {same}"

    def lookup(self, base: Classes, released: BoolArray) -> None:
        """Return nothing: which box a tuple is in is known in the cluster."""

    def keys(self, base: Classes, released: BoolArray) -> list[IntArray]:  # noqa: ARG002
        """Return cell and box of the classes that are released."""
        order = np.argsort(self._place)
        return [self._cell[order][released], self._box[order][released]]

    def numbers(self, base: Classes, released: BoolArray, name: str) -> IntArray | None:  # noqa: ARG002
        """Return nothing: boxes tell labels, not values."""
        return None

    def claimed(
        self, base: Classes, released: BoolArray, labels: tuple[tuple[Label, ...] | None, ...]
    ) -> ClaimedBoxes:
        """Return as what the rows of each tuple are told."""
        cell, box = self.keys(base, released)
        width = self._ground.width
        frame = self._cluster.query(f"SELECT * FROM {self._tuples}")
        columns = frame.toDF(*(f"b{j}" for j in range(width)), "cell", "box")
        return ClaimedBoxes(columns, width, cell, box, labels)

    @cached_property
    def _tuples(self) -> str:
        """The view of the distinct tuples with the box of each."""
        places = ", ".join(f"g{j}" for j in range(self._ground.width))
        self._cluster.put(TUPLES, self._cluster.query(f"SELECT DISTINCT {places}, cell, box FROM {BOXED}"))
        return TUPLES

    def _counted(self, value: str) -> tuple[IntArray, IntArray, IntArray]:
        """Return (class, value, records) of a column that is counted in the boxes."""
        found = self._cluster.table(
            f"SELECT cell, box, {value} AS value, CAST(sum(n) AS BIGINT) AS n FROM {BOXED} GROUP BY cell, box, {value}"
        )
        span = int(self._box.max()) + 1
        keys = self._cell * span + self._box  # ascending
        place = np.searchsorted(keys, whole(found, "cell") * span + whole(found, "box"))
        return self._place[place], whole(found, "value"), whole(found, "n")
