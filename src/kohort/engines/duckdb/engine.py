"""The embedded engine: rows lie coded on disk, DuckDB counts and orders them and spills what does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.engines.duckdb.coded_rows import CodedRows
from kohort.engines.duckdb.counting import Counting
from kohort.engines.duckdb.estimating import estimate, estimate_holdings
from kohort.engines.duckdb.many_columns import check_columns_of_file
from kohort.engines.duckdb.output import Output
from kohort.engines.duckdb.reading import tables_on_disk
from kohort.engines.duckdb.streams import stream_of
from kohort.engines.engine import Need, Reduced, Released
from kohort.engines.node import Node
from kohort.engines.reading import Reading
from kohort.engines.wanted import Wanted
from kohort.hierarchy.coarse import coarsened_table
from kohort.ledger import Recorded, unrecorded
from kohort.plan import Plan
from kohort.proposals.agreeing import Agreement
from kohort.recode import Problem, Recoded
from kohort.release.blank_rows import demand_blank_class
from kohort.release.no_rows_left import no_rows_left
from kohort.release.published import Content, in_memory
from kohort.table import Table
from kohort.table.appending import APPENDABLE
from kohort.table.budget import Budget
from kohort.table.piece_bytes import give_back
from kohort.table.scratch import Scratch
from kohort.table.streaming import STREAMS
from kohort.table.text_room import TextRoom
from kohort.table.value_room import ValueRoom
from kohort.verification.judges import Judged, told_again
from kohort.verification.judges.written import Sources, judge_written

MOST_THREADS = 8  # that are taken to look at whole rows at a time


class OnDisk:
    """Reads a file piece by piece, keeps its rows coded on disk and lets DuckDB count, join and order them.

    Complexity: time of sorting the rows; memory of what DuckDB is given, and of the distinct tuples.

    >>> from tempfile import TemporaryDirectory
    >>> import pyarrow.csv
    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> plan = Plan(**ward_plan("datafly"), output={"ledger": ""})
    >>> with TemporaryDirectory() as folder:
    ...     pyarrow.csv.write_csv(WARD, f"{folder}/ward.csv")
    ...     release = anonymize(f"{folder}/ward.csv", plan, engine="duckdb")
    >>> release.levels
    {'age': 1, 'zip': 1}

    References: Raasveldt, M. and Mühleisen, H. DuckDB: an embeddable analytical database. SIGMOD 2019.
    """

    card: ClassVar[Card] = Card(
        "duckdb", "rows coded on disk, for tables that do not fit in memory; decisions by class only"
    )
    lacks: ClassVar[frozenset[Need]] = frozenset(Need) - {Need.COARSE, Need.PEOPLE, Need.ORDER}
    bounded: ClassVar[bool] = True
    reads: ClassVar[frozenset[str]] = frozenset(STREAMS)
    writes: ClassVar[frozenset[str]] = frozenset(APPENDABLE)

    def __init__(self, source: Any, wanted: Wanted, memory: str | None = None) -> None:
        self._budget = Budget.of(memory)
        self._stream = stream_of(source, wanted.plan, wanted.expected)
        self._wanted = wanted.among(self._stream.names)
        self._values = ValueRoom(self._budget.room, self._wanted.quasi)
        texts = TextRoom.of(self._budget)
        texts.check_file(self._stream.path, frozenset(self._wanted.columns))
        self._scratch = Scratch(self._budget.duckdb)
        check_columns_of_file(self._scratch, self._stream, self._wanted, texts)
        coarse = self._stream.telling(partial(coarsened_table, coarse=wanted.coarse), wanted.coarse)
        self._rows = CodedRows(self._scratch, coarse, self._wanted, self._values)
        for name in self._wanted.columns:
            texts.check_width(name, self._rows.weight([name]).width)
        self._demand_columns(texts)
        self._base = Counting(self._scratch, self._rows, "base", writes=True)
        self._node = Counting(self._scratch, self._rows, "node")
        columns = (self._rows.profile(name) for name in self._stream.names)
        self._table = Table.of(columns, self._rows.n_rows)
        self._output: Output | None = None

    def _demand_columns(self, texts: TextRoom) -> None:
        """Refuse more columns than can be judged within the bound, once they were read and before anything is sought."""
        carried, threads = (
            [n for n in self._wanted.columns if not self._rows.is_coded(n)],
            self._scratch.threads,
        )
        if len(carried) > texts.most_columns(threads):
            texts.check_columns(self._rows.of_many_values(carried), threads)

    @property
    def wanted(self) -> Wanted:
        """What is kept of the file."""
        return self._wanted

    @property
    def table(self) -> Table:
        """The table without its rows; of columns that are not counted, the names are known."""
        return self._table

    @property
    def room(self) -> int:
        """How many bytes classes may take beside what DuckDB does."""
        return self._values.left

    def hold_labels(self, name: str, n_bytes: int) -> None:
        """Take so many bytes of the room for the labels of a column; refuses by name where they are not left."""
        self._values.hold_labels(name, n_bytes)

    def people(self) -> tuple[int, int]:
        """Return the number of distinct respondents, and of rows that name nobody."""
        return self._rows.people()

    def empty(self, names: Sequence[str]) -> tuple[int, int]:
        """Return how many rows lack a value in all of these columns, and the first of them; -1 where there is none."""
        return self._rows.empty(names)

    def names_alike(self) -> int:
        """Return how many distinct respondents equal another one in what a reader sees; counted on disk."""
        return self._rows.names_alike()

    def alone(self, name: str) -> tuple[int, int]:
        """Return how many rows hold a value that no other row, or no other person, has, and how many not the most frequent one."""
        return self._rows.alone(name)

    def agreement(self, name: str, other: str) -> Agreement:
        """Return how rows of one value of a column agree in a counted one; counted where the rows are."""
        return self._rows.agreement(name, other)

    def reduce(self, ground: Node, watched: Sequence[str]) -> Reduced:
        """Return the classes of the rows; which row is in which stays on disk."""
        nothing, base = np.zeros(0, np.int32), self._base.reduced(ground, watched)
        give_back()
        return Reduced(
            base,
            nothing,
            dict.fromkeys(watched, nothing),
            nothing if self._rows.named else None,
        )

    def count(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node; finer tuples are grouped on disk and never held in memory."""
        return self._node.at(node, watched)

    def distinct(self, nodes: Sequence[Node]) -> list[int]:
        """Return about how many classes each node has, by sketches of their keys in one pass over the rows."""
        return estimate(self._scratch, self._rows, nodes)

    def holdings(self, ground: Node, watched: Sequence[str]) -> list[int]:
        """Return about how many (tuple, person) there are, and (tuple, person, value), by sketches in one pass over the rows."""
        return estimate_holdings(self._scratch, self._rows, tuple(ground.codes), watched)

    def sizes(self, node: Node) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at a node, and how many have each; counted on disk."""
        return self._node.sizes(node)

    def alone_in(self, node: Node) -> int:
        """Return how many people are the only ones in some class at a node; counted on disk."""
        return self._node.alone(node)

    def records(self, node: Node, codes: IntArray) -> dict[str, IntArray]:
        """Return the records per distinct value among the rows of some classes at a node; counted on disk."""
        return self._node.records(node, codes)

    def settle(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node, by which rows are then written."""
        self._node.forget()
        return self._base.at(node, watched)

    def release(self, plan: Plan, problem: Problem, recoded: Recoded) -> Released:
        """Return how the released table is written."""
        if not recoded.kept.any():
            raise no_rows_left(plan, problem)
        if plan.recode.suppressed_rows == "blank":
            demand_blank_class(problem, recoded)
        give_back()
        output = self._output = Output(self._scratch, self._rows, self._base, plan, problem, recoded)
        people = {"respondents": output.write_people} if self._rows.named else {}
        return Released({"table": output.write}, people)

    def judge(self, written: Mapping[str, Any], plan: Plan, problem: Problem) -> Judged:
        """Return the verdicts on what was written: read anew, as is the original."""
        assert self._output is not None
        original = self._stream.telling(partial(told_again, coarse=self._wanted.coarse), self._wanted.coarse)
        file = self._file(written["table"])
        with self._scratch.resting():  # the judge has a DuckDB of its own
            return judge_written(
                Sources(file, original, self._output.order),
                plan.released,
                plan.require,
                problem.hierarchies,
                problem.reference,
                plan.input.respondent,
                self._budget.duckdb,
                plan.level_bounds,
                problem.max_suppressed,
                plan.open_ends,
                self._wanted.coarse,
                plan.leaves_blank,
            )

    def _file(self, written: Any) -> Path:
        """Return where the table was written: what was not written yet is written where it goes with the engine."""
        if isinstance(written, str | Path):
            return Path(written)
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
        """Refuse to hand over rows that are on disk."""
        return in_memory(released)

    @classmethod
    def read(
        cls, written: Mapping[str, Any], plan: Plan, memory: str | None = None, foreign: bool = False
    ) -> Reading:
        """Return a released table as its reader finds it, its rows on disk."""
        return tables_on_disk(Path(written["table"]), plan, memory, foreign)
