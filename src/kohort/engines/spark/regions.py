"""Regions of rows that Spark keeps: counted by their attributes, and cut to boxes by its executors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.engines.spark.boxes import BOXED, ClusterBoxes
from kohort.engines.spark.counting import Counting
from kohort.recode.nodes import Assigning, Finish, Lines
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.session import told_plainly
from kohort.table.whole_numbers import whole

LINES, ASSIGNED = "lines", "assigned"
ROWS_OF_A_CELL = 1 << 20  # that one executor cuts by itself


class ClusterRegions:
    """The distinct tuples of rows with what is counted beside them, held by the executors and never here."""

    def __init__(
        self,
        cluster: Cluster,
        ground: Counting,
        watched: Sequence[str],
        made: Callable[[ClusterBoxes], None],
        demand: Callable[[int], None],
    ) -> None:
        self._cluster, self._ground, self._watched = cluster, ground, tuple(watched)
        self._made, self._demand = made, demand  # who is told of the boxes, and who refuses too many of them
        self.most = ROWS_OF_A_CELL

    @cached_property
    def _columns(self) -> dict[str, list[str]]:
        """The columns of a line: codes, values."""
        return {
            "codes": [f"g{j}" for j in range(self._ground.width)],
            "values": [f"v{i}" for i in range(len(self._watched))],
        }

    @cached_property
    def _lines(self) -> str:
        """The view of lines, which is made when it is asked for first."""
        self._cluster.put(LINES, self._cluster.query(self._ground.lines(self._watched)), held=True)
        return LINES

    def marginals(
        self, tree: Assigning, regions: Sequence[int]
    ) -> list[tuple[tuple[IntArray, IntArray], ...]]:
        """Return, for every region and attribute, the codes that occur in it and the records of each, in one pass."""
        self._assign(tree, regions)
        places = self._columns["codes"]
        sets = ", ".join(f"(region, {place})" for place in places)
        found = self._cluster.table(
            f"SELECT region, {', '.join(places)}, grouping_id() AS of, CAST(sum(n) AS BIGINT) AS n "
            f"FROM {ASSIGNED} GROUP BY GROUPING SETS ({sets})"
        )
        of, every = whole(found, "of"), (1 << len(places)) - 1
        told = [
            self._told(found.filter(pa.array(of == every ^ (1 << (len(places) - 1 - j)))), place)
            for j, place in enumerate(places)
        ]
        return [
            tuple((codes[region == i], records[region == i]) for region, codes, records in told)
            for i in range(len(regions))
        ]

    @staticmethod
    def _told(found: pa.Table, place: str) -> tuple[IntArray, IntArray, IntArray]:
        region, codes, records = whole(found, "region"), whole(found, place), whole(found, "n")
        order = np.lexsort((codes, region))
        return region[order], codes[order], records[order]

    def values(
        self, tree: Assigning, regions: Sequence[int], name: str
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return (place of the region, value, records) of a watched column."""
        self._assign(tree, regions)
        value = f"v{self._watched.index(name)}"
        found = self._cluster.table(
            f"SELECT region, {value} AS value, CAST(sum(n) AS BIGINT) AS n FROM {ASSIGNED} GROUP BY region, {value}"
        )
        return whole(found, "region"), whole(found, "value"), whole(found, "n")

    def finished(self, tree: Assigning, finish: Finish) -> ClusterBoxes:
        """Cut every region to boxes: the lines of one come to one executor."""
        codes, values = self._columns.values()
        schema = ", ".join([*(f"{place} int" for place in (*codes, *values)), "n bigint"])
        with told_plainly():
            lines = self._cluster.query(f"SELECT * FROM {self._lines}")
            assigned = lines.mapInArrow(partial(_numbered, tree, len(codes)), f"{schema}, region bigint")
            boxed = assigned.groupBy("region").applyInArrow(
                _finishing(finish, len(codes), self._watched),
                f"{schema}, cell bigint, box bigint, told array<bigint>",
            )
            self._cluster.put(BOXED, boxed, held=True)
        return ClusterBoxes(self._cluster, self._ground, self._watched, self._made, self._demand)

    def _assign(self, tree: Assigning, regions: Sequence[int]) -> None:
        """Make a view of the lines of some regions, with the place of each among these."""
        place = np.full(max(regions) + 1, -1, np.int64)
        place[list(regions)] = np.arange(len(regions))
        codes, values = self._columns.values()
        schema = ", ".join(f"{name} int" for name in (*codes, *values))
        with told_plainly():
            lines = self._cluster.query(f"SELECT * FROM {self._lines}")
            seen = lines.mapInArrow(
                partial(_assigned, tree, len(codes), place), f"{schema}, n bigint, region bigint"
            )
            self._cluster.put(ASSIGNED, seen)


@handed_over
def _assigned(
    tree: Assigning, width: int, place: IntArray, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yield the lines of some regions, as the search sees them: run by the executors."""
    for batch in batches:
        codes, region = tree.assigned(_ground(batch, width))
        region = np.where(region < len(place), place[np.minimum(region, len(place) - 1)], -1)
        seen = [pa.array(np.ascontiguousarray(codes[:, j]), pa.int32()) for j in range(width)]
        columns = [*seen, *batch.columns[width:], pa.array(region, pa.int64())]
        told = pa.RecordBatch.from_arrays(columns, names=[*batch.schema.names, "region"])
        yield told.filter(pa.array(region >= 0))


@handed_over
def _numbered(tree: Assigning, width: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield lines as they are with the number of their region: run by the executors."""
    for batch in batches:
        _, region = tree.assigned(_ground(batch, width))
        columns = [*batch.columns, pa.array(region, pa.int64())]
        yield pa.RecordBatch.from_arrays(columns, names=[*batch.schema.names, "region"])


def _finishing(finish: Finish, width: int, watched: Sequence[str]) -> Callable[[pa.Table], pa.Table]:
    """Return what executors make of the lines of a region: Spark takes nothing but a function of its own."""

    def finished(region: pa.Table) -> pa.Table:
        [told] = handed_over(_cut)(finish, width, watched, region)
        return told

    return finished


def _cut(finish: Finish, width: int, watched: Sequence[str], region: pa.Table) -> Iterator[pa.Table]:
    columns = [column.to_numpy() for column in region.columns]
    number, records = int(columns[-1][0]), columns[-2]
    ground = np.column_stack(columns[:width]).astype(np.int32)
    values = dict(zip(watched, columns[width : width + len(watched)], strict=True))
    box, numbers = finish(Lines(number, ground, values, records))
    first = np.zeros(len(box), np.bool_)
    first[np.unique(box, return_index=True)[1]] = True  # one line of a box tells its numbers
    ends = np.append(0, np.cumsum(np.where(first, numbers.shape[1], 0))).astype(np.int32)
    told = pa.ListArray.from_arrays(
        pa.array(ends), pa.array(numbers[box[first]].reshape(-1)), mask=pa.array(~first)
    )
    names = [*region.column_names[:-1], "cell", "box", "told"]
    cell = pa.array(np.full(len(box), number), pa.int64())
    yield pa.table([*region.columns[:-1], cell, pa.array(box, pa.int64()), told], names=names)


def _ground(batch: pa.RecordBatch, width: int) -> IntArray:
    if not batch.num_rows:
        return np.zeros((0, width), np.int32)
    return np.column_stack([column.to_numpy() for column in batch.columns[:width]])
