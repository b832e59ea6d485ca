"""Released tables that Spark reads, judged by group-bys over their cells."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kohort.engines.duckdb.reading import TablesOnDisk
from kohort.engines.spark.sources import released_source, source_of
from kohort.hierarchy.coarse import Coarse
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.table.budget import Budget
from kohort.table.catalog import catalog_table
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.opening import DELIMITED
from kohort.table.cluster.source import ClusterSource
from kohort.table.streaming import open_released
from kohort.table.value_room import ValueRoom
from kohort.verification.judges import Verdict, told_again
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.beside_on_disk import IN_MEMORY, judge_beside_streamed
from kohort.verification.judges.cells_in_cluster import CellsInCluster

IN_CATALOG = "not judged: what a catalog keeps beside the rows of a table (files, properties, earlier versions) is not looked at"


class InSpark:
    """Room for the cells of tables where Spark has them."""

    def __init__(self, spark: Any, coarse: Mapping[str, Coarse]) -> None:
        self._cluster, self._coarse = Cluster(spark), coarse
        self._held = ValueRoom(Budget.of(None).room, ())

    @property
    def room(self) -> int:
        """How many bytes distinct tuples may take on the driver."""
        return self._held.left

    def hold_labels(self, name: str, n_bytes: int) -> None:
        """Take so many bytes of it for the labels of a column; refuses by name where they are not left."""
        self._held.hold_labels(name, n_bytes)

    def shelves(self, apart: Sequence[str], together: Sequence[str]) -> CellsInCluster:
        """Return where cells are put; what is told coarsely is compared by its texts."""
        told = dict.fromkeys([*together, *(name for name in self._coarse if name not in apart)])
        return CellsInCluster(self._cluster, apart, list(told))

    def original(self, source: Any, plan: Plan) -> ClusterSource:
        """Return an original as the plan says it is read, and told."""
        return source_of(source, plan)[1].telling(
            partial(told_again, coarse=self._coarse), tuple(self._coarse)
        )

    def nothing_else(self, written: ClusterSource) -> Verdict:
        """Return whether a file holds nothing beside its table; delimited text is rewritten here, piece by piece."""
        if catalog_table(written.path) is not None:
            return Verdict(BESIDE, None, note=IN_CATALOG)
        if written.path.suffix.lower() not in DELIMITED:
            return Verdict(BESIDE, None, note=IN_MEMORY.format(repr(written.path.name)))
        with tempfile.TemporaryDirectory(prefix="kohort-") as folder:
            return judge_beside_streamed(open_released(written.path), Path(folder))

    def close(self) -> None:
        """Give back what Spark holds of them."""
        self._cluster.close()


def tables_in_cluster(written: Any, plan: Plan, foreign: bool) -> TablesOnDisk[ClusterSource]:
    """Read the table of a release; one that others may have written as the plan or the file itself says."""
    spark, source = released_source(written, plan, foreign)
    return TablesOnDisk(source, plan, InSpark(spark, coarse_columns(plan)))
