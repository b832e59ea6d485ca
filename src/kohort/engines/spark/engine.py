"""The engine in a cluster: rows stay where Spark keeps them; its executors count, join and write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.engines.engine import Need, Reduced, Released
from kohort.engines.node import Node
from kohort.engines.reading import Reading
from kohort.engines.room import demand_boxes, lacking_for_bottom, refuse_bottom
from kohort.engines.spark.boxes import ClusterBoxes
from kohort.engines.spark.catalog_target import CatalogTable, demand_place
from kohort.engines.spark.counting import Counting
from kohort.engines.spark.decided import at_its_levels, counted_from
from kohort.engines.spark.output import Output, Placing
from kohort.engines.spark.reading import tables_in_cluster
from kohort.engines.spark.regions import ClusterRegions
from kohort.engines.spark.rows import ClusterRows
from kohort.engines.spark.sources import released_source, source_of
from kohort.engines.wanted import Wanted
from kohort.hierarchy.coarse import Coarse, coarsened_table
from kohort.ledger import Recorded, unrecorded
from kohort.plan import Plan
from kohort.proposals.agreeing import Agreement
from kohort.recode import Problem, Recoded
from kohort.release.blank_rows import demand_blank_class
from kohort.release.no_rows_left import no_rows_left
from kohort.release.published import Content, in_memory
from kohort.table import Table
from kohort.table.alike import alike
from kohort.table.budget import Budget
from kohort.table.catalog import POINTER
from kohort.table.cluster.cluster import SMALL, Cluster
from kohort.table.cluster.opening import READS, unglobbed
from kohort.table.cluster.scratch_folder import ScratchFolder
from kohort.table.cluster.session import session
from kohort.table.cluster.spark_frames import is_spark_frame
from kohort.table.cluster.writing import FORMS
from kohort.table.hidden_names import new_key, with_hidden
from kohort.table.value_room import ValueRoom
from kohort.verification.judges import Judged, told_again
from kohort.verification.judges.written import Promised
from kohort.verification.judges.written_in_cluster import ClusterSources, judge_in_cluster


class InCluster:
    """Reads files, folders, tables of a catalog and data frames of Spark, and lets its executors count, join and write the rows.

    Complexity: a scan and a shuffle for each column and histogram that is counted; memory here of the distinct tuples.

    >>> sorted(InCluster.reads), sorted(InCluster.writes)
    (['.catalog', '.csv', '.parquet', '.pq', '.tab', '.tsv', '.txt'], ['.catalog', '.csv', '.parquet', '.tsv'])

    References: Zaharia, M. et al. Resilient distributed datasets. NSDI 2012. Armbrust, M. et al. Spark SQL. SIGMOD 2015.
    """

    card: ClassVar[Card] = Card(
        "spark",
        "rows in Apache Spark, for tables of more than one machine; single rows are grouped region by region",
    )
    lacks: ClassVar[frozenset[Need]] = frozenset(Need) - {Need.FRAMES, Need.COARSE, Need.PEOPLE}
    bounded: ClassVar[bool] = False
    reads: ClassVar[frozenset[str]] = READS | {POINTER}
    writes: ClassVar[frozenset[str]] = frozenset({*FORMS, POINTER})

    def __init__(self, source: Any, wanted: Wanted, memory: str | None = None) -> None:  # noqa: ARG002
        self._original = source
        self._spark, found = source_of(source, wanted.plan, wanted.expected)
        self._wanted = wanted.among(found.names)
        told = partial(_told, coarse=wanted.coarse, hidden=self._wanted.hidden, key=new_key())
        read = found.telling(told, (*wanted.coarse, *self._wanted.hidden))
        self._cluster = Cluster(self._spark)
        self._rows = ClusterRows(self._cluster, read, self._wanted)
        self._table = Table.of((self._rows.profile(name) for name in read.names), self._rows.n_rows)
        self._held = ValueRoom(Budget.of(None).room, ())
        self._base: Placing | None = None
        self._ground: tuple[Node, Classes] | None = None  # where distinct tuples came here
        self._output: Output | None = None
        self._target: CatalogTable | None = None
        self._scratch: ScratchFolder | None = None  # of a release that is not saved yet

    @property
    def wanted(self) -> Wanted:
        """What is kept of the source."""
        return self._wanted

    @property
    def table(self) -> Table:
        """The table without its rows; of columns that are not counted, the names are known."""
        return self._table

    @property
    def room(self) -> int:
        """How many bytes classes may take on the driver."""
        return self._held.left

    def hold_labels(self, name: str, n_bytes: int) -> None:
        """Take so many bytes of the room for the labels of a column; refuses by name where they are not left."""
        self._held.hold_labels(name, n_bytes)

    def people(self) -> tuple[int, int]:
        """Return the number of distinct respondents, and of rows that name nobody."""
        return self._rows.people()

    def empty(self, names: Sequence[str]) -> tuple[int, int]:
        """Return how many rows lack a value in all of these columns, and -1: rows of a cluster have no order."""
        return self._rows.empty(names)

    def names_alike(self) -> int:
        """Return how many distinct respondents equal another one in what a reader sees."""
        names = self._rows.names()
        return 0 if names is None else alike(names)

    def alone(self, name: str) -> tuple[int, int]:
        """Return how many rows hold a value that no other row, or no other person, has, and how many not the most frequent one."""
        return self._rows.alone(name)

    def agreement(self, name: str, other: str) -> Agreement:
        """Return how rows of one value of a column agree in a counted one; counted where the rows are."""
        return self._rows.agreement(name, other)

    def reduce(self, ground: Node, watched: Sequence[str]) -> Reduced:
        """Return the classes of the rows; which row is in which stays in the cluster."""
        base = self._base = Counting(self._cluster, self._rows, ground, "base")
        nothing, classes = np.zeros(0, np.int32), base.classes(watched)
        self._ground = ground, classes
        return Reduced(
            classes,
            nothing,
            dict.fromkeys(watched, nothing),
            None if self._wanted.respondent is None else nothing,
        )

    def count(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node: from distinct tuples where a few came here, else grouped in the cluster."""
        if self._ground is not None and len(self._ground[1]) <= SMALL:
            found = counted_from(self._ground[1], self._ground[0], node, watched)
            if found is not None:
                return found
        return Counting(self._cluster, self._rows, node, "node").classes(watched)

    def distinct(self, nodes: Sequence[Node]) -> list[int]:
        """Return about how many classes each node has, by sketches in the executors."""
        counting = [Counting(self._cluster, self._rows, node, "node") for node in nodes]
        if all(own.is_numbered for own in counting):
            return self._rows.distinct([own.numbered() for own in counting])
        return [own.distinct() for own in counting]

    def holdings(self, ground: Node, watched: Sequence[str]) -> list[int]:
        """Return about how many (tuple, person) there are, and (tuple, person, value), by sketches in the executors."""
        return Counting(self._cluster, self._rows, ground, "node").holdings(watched)

    def sizes(self, node: Node) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at a node, and how many have each; counted in the cluster."""
        return Counting(self._cluster, self._rows, node, "node").sizes()

    def alone_in(self, node: Node) -> int:
        """Return how many people are the only ones in some class at a node; refuses classes that do not fit on the driver."""
        if lacking := lacking_for_bottom(self, node, ()):
            raise refuse_bottom("an audit", "name fewer sensitive columns", lacking)
        return self.count(node, ()).alone()

    def records(self, node: Node, codes: IntArray) -> dict[str, IntArray]:
        """Return the records per distinct value among the rows of some classes at a node; counted in the cluster."""
        return Counting(self._cluster, self._rows, node, "node").records(codes)

    def settle(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node, by which rows are then written."""
        base = self._base = Counting(self._cluster, self._rows, node, "base")
        self._ground = None
        return base.classes(watched)

    def regions(self, ground: Node, watched: Sequence[str]) -> ClusterRegions:
        """Return the rows as regions of them are counted and cut; boxes are then written."""
        counting = Counting(self._cluster, self._rows, ground, "ground", apart=True)
        demand = partial(demand_boxes, self, len(ground.codes), watched)
        return ClusterRegions(self._cluster, counting, watched, self._in_boxes, demand)

    def _in_boxes(self, boxes: ClusterBoxes) -> None:
        self._base, self._ground = boxes, None

    @classmethod
    def demand_target(cls, source: Any, plan: Plan) -> None:
        """Refuse a table of a catalog that a release cannot become."""
        if plan.output.table is not None:
            spark = source.sparkSession if is_spark_frame(source) else session()
            demand_place(spark, plan.output.table)

    def release(self, plan: Plan, problem: Problem, recoded: Recoded) -> Released:
        """Return how the released table is written."""
        assert self._base is not None
        if not recoded.kept.any():
            raise no_rows_left(plan, problem)
        if plan.recode.suppressed_rows == "blank":
            demand_blank_class(problem, recoded)
        base, ground = self._base, self._ground
        found = None if ground is None else at_its_levels(problem, recoded)
        if ground is not None and found is not None:
            problem, recoded = found
            node = ground[0].at_levels(problem.hierarchies, problem.base.levels)
            base = Counting(self._cluster, self._rows, node, "decided")
        self._output = Output(self._cluster, self._rows, base, plan, problem, recoded)
        people = {} if self._wanted.respondent is None else {"respondents": self._output.write_people}
        if plan.output.table is None:
            return Released({"table": self._output.write}, people)
        self._target = CatalogTable(self._spark, self._output, plan.output.table)
        return Released({"table": self._target}, people)

    def judge(self, written: Mapping[str, Any], plan: Plan, problem: Problem) -> Judged:
        """Return the verdicts on what was written: read anew, as is the original."""
        assert self._output is not None
        staged = None if self._target is None else self._target.staged
        _, table = released_source(self._file(written["table"]), plan, staged=staged)
        _, found = source_of(self._original, plan, self._wanted.expected)
        coarse = self._wanted.coarse
        original = found.telling(partial(told_again, coarse=coarse), tuple(coarse))
        judging = Cluster(self._spark)
        try:
            return judge_in_cluster(
                ClusterSources(judging, table, original, self._output.claim()),
                Promised(
                    plan.released,
                    tuple(plan.require),
                    tuple(problem.hierarchies),
                    problem.reference,
                    plan.input.respondent,
                    plan.level_bounds,
                    problem.max_suppressed,
                    plan.open_ends,
                    coarse,
                    plan.leaves_blank,
                ),
            )
        finally:
            judging.close()

    def _file(self, written: Any) -> Path:
        """Return where the table was written: what was not written yet is written where it goes with the engine."""
        if isinstance(written, str | Path):
            return Path(written)
        self._scratch = ScratchFolder()
        path = self._scratch.path("table.parquet")
        written(path)
        return path

    def record(
        self,
        plan: Plan,
        released: Released,  # noqa: ARG002
        directory: Path,  # noqa: ARG002
        files: Mapping[str, str],  # noqa: ARG002
    ) -> Recorded:
        """Say why it is in no ledger."""
        return unrecorded(plan)

    def convert(self, released: Content) -> Any:
        """Return the table as a data frame of Spark: the very bytes that were judged, kept as long as the release is held."""
        if self._scratch is None:
            return in_memory(released)  # it was saved: what was written is at hand
        return self._spark.read.parquet(unglobbed(self._scratch.path("table.parquet")))

    @classmethod
    def read(
        cls,
        written: Mapping[str, Any],
        plan: Plan,
        memory: str | None = None,  # noqa: ARG003
        foreign: bool = False,
    ) -> Reading:
        """Return a released table as its reader finds it, its rows in the cluster."""
        return tables_in_cluster(written["table"], plan, foreign)


def _told(table: Table, coarse: Mapping[str, Coarse], hidden: frozenset[str], key: bytes) -> Table:
    """Return a piece as executors are to hold it: some columns coarser, those that only name people as numbers."""
    return with_hidden(coarsened_table(table, coarse), hidden, key)
