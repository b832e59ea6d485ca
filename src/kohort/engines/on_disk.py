"""Rows on disk: for tables that do not fit in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.algorithms import able, algorithm
from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes.engine import PlacedRows
from kohort.engines.duckdb import DuckDBEngine
from kohort.engines.workplace import Released
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import SUPPRESSED
from kohort.ledger import ledger_path, unrecorded
from kohort.plan import Plan
from kohort.preparation import (
    check_names,
    check_people,
    check_pointer,
    pointing,
    problem_of,
    quasi_hierarchies,
    watched,
)
from kohort.recode import Problem, Recoded
from kohort.release.publishing import demand_blank_class
from kohort.table import Column, Table
from kohort.table.alike import alike_warnings
from kohort.table.appending import TableWriter
from kohort.table.counted import CountedColumn
from kohort.table.settling import as_kind, settled_kind, wider
from kohort.table.streaming import open_stream
from kohort.verification.judges import Judged
from kohort.verification.judges.written import Sources, judge_written


class OnDisk:
    """Reads a file piece by piece, keeps its rows coded on disk and lets DuckDB count, join and order them.

    Complexity: time of sorting the rows; memory of what DuckDB is given, and of the distinct tuples.

    >>> from tempfile import TemporaryDirectory
    >>> import pyarrow.csv
    >>> from kohort.algorithms import Silent
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> from kohort.pipeline import make_release
    >>> plan = Plan(**ward_plan("datafly"), output={"ledger": ""})
    >>> with TemporaryDirectory() as folder:
    ...     pyarrow.csv.write_csv(WARD, f"{folder}/ward.csv")
    ...     draft = make_release(f"{folder}/ward.csv", plan, Silent(), engine="duckdb")
    >>> draft.facts.levels
    {'age': 1, 'zip': 1}

    References: Raasveldt, M. and Mühleisen, H. DuckDB: an embeddable analytical database. SIGMOD 2019.
    """

    def __init__(self, source: Any, plan: Plan, memory: str | None = None) -> None:
        if not isinstance(source, str | Path):
            raise InputError(
                "the duckdb engine reads files; frames are in memory already: use the memory engine"
            )
        if plan.recode.algorithm is not None:
            _admit(algorithm(plan.recode.algorithm).card)
        if plan.guards:
            raise InputError(
                f"[columns] {plan.guards[0]}: guards are compared with the values of their rows, which the duckdb engine "
                "keeps on disk; use the memory engine"
            )
        if plan.output.task is not None:
            raise InputError(
                "[output] task: a model is trained on rows in memory; leave it out, or use the memory engine"
            )
        if ledger_path(plan, Path()) is not None:
            raise InputError(
                "releases of this plan are recorded in a ledger of the people in them, which the duckdb engine cannot "
                'write; set ledger = "" under [output] to release without it, or use the memory engine'
            )
        told = plan.input
        self._plan, self._memory = plan, memory
        self._stream = open_stream(
            source,
            table=told.table,
            missing=told.missing,
            delimiter=told.delimiter,
            encoding=told.encoding,
            header=told.header,
            expected=plan.quasi,
        )
        check_names(self._stream.names, plan)
        coded = [*plan.quasi, *watched(plan)]
        self._engine = DuckDBEngine(self._stream, coded, plan.released, told.respondent, memory)
        self._table = self._profile(coded)

    def _profile(self, coded: Sequence[str]) -> Table:
        """Return the table with values and counts of the coded columns; of the others the names are known."""
        unknown = pa.nulls(0)
        columns = (
            self._engine.column(name)
            if name in coded
            else CountedColumn.of(name, unknown, np.zeros(0, np.int64))
            for name in self._stream.names
        )
        return Table.of(columns, self._engine.n_rows)

    @property
    def table(self) -> Table:
        """The table without its rows."""
        return self._table

    def warnings(self) -> list[str]:
        """Return what is odd about the names of people and the values of sensitive columns."""
        respondent = self._plan.input.respondent
        names = None if respondent is None else self._engine.names()
        sensitive = {name: self._table[name].values for name in self._plan.sensitive}
        return alike_warnings(respondent, names, sensitive)

    def prepare(self, population: Table | None) -> Problem:
        """Check the table against the plan and reduce it to its classes."""
        plan, engine = self._plan, self._engine
        respondent = plan.input.respondent
        check_people(plan, *(engine.people() if respondent is not None else (engine.n_rows, 0)))
        for name in pointing(plan):
            check_pointer(name, engine.alone(name), engine.n_rows)
        hierarchies = quasi_hierarchies(self._table, plan, population)
        ground = {h.name: h.encode(self._table[h.name].texts) for h in hierarchies}
        base = engine.reduce(ground, watched(plan))
        nothing = np.zeros(0, np.int32)
        return problem_of(
            self._table,
            plan,
            hierarchies,
            base,
            population,
            class_of=nothing,
            sensitive=dict.fromkeys(watched(plan), nothing),
            people=None if respondent is None else nothing,
        )

    def admit(self, card: Card) -> None:
        """Refuse an algorithm that looks at single rows."""
        _admit(card)

    def release(self, problem: Problem, recoded: Recoded) -> Released:
        """Return how the released table is written, and how it is judged from what was written."""
        if not recoded.kept.any():
            raise InfeasibleError(
                "every row would have to be suppressed, and an empty table is no release; add levels to the "
                "hierarchies, name fewer quasi-identifiers or ask for less"
            )
        blank = self._plan.recode.suppressed_rows == "blank" and not recoded.kept.all()
        if blank:
            demand_blank_class(problem, recoded)
        output = _Output(self._plan, self._engine, problem, recoded, blank)

        def judge(written: Mapping[str, Any], facts: Mapping[str, Any]) -> Judged:  # noqa: ARG001
            sources = Sources(written["table"], self._stream, output.order)
            return judge_written(
                sources,
                self._plan.released,
                self._plan.require,
                problem.hierarchies,
                problem.reference,
                self._plan.input.respondent,
                self._memory,
                self._plan.level_bounds,
                0 if self._plan.recode.suppressed_rows == "blank" else problem.max_suppressed,
                self._plan.open_ends,
            )

        people = {} if problem.respondents is None else {"respondents": output.write_people}
        return Released({"table": output.write}, judge, lambda _: unrecorded(self._plan), people)

    def convert(self, released: pa.Table) -> Any:
        """Return the table as it is."""
        return released


class _Output:
    """Writes the released rows in one order, and remembers that order on disk."""

    def __init__(
        self, plan: Plan, engine: DuckDBEngine, problem: Problem, recoded: Recoded, blank: bool
    ) -> None:
        self._plan, self._engine, self._problem, self._recoded = plan, engine, problem, recoded
        self._blank = blank
        self.order = engine.room("order.parquet")  # per released row: its original row, and the person

    def write(self, path: Path) -> None:
        """Write the released table."""
        kinds = self._kinds()
        with TableWriter(path) as writer, _OrderWriter(self.order) as order:
            for rows in self._placed():
                columns = [self._column(name, rows) for name in self._plan.released]
                columns = [as_kind(column, kinds.get(column.name, column.values.type)) for column in columns]
                writer.append(Table.of(columns, len(rows.row)))
                order.append(rows)

    def write_people(self, path: Path) -> None:
        """Write the pseudonym of every released row."""
        pieces = pyarrow.parquet.ParquetFile(self.order).iter_batches(columns=["person"])
        with TableWriter(path) as writer:
            for piece in pieces:
                told = pa.table({"respondent": piece.column("person")})
                writer.append(Table.from_arrow(told))

    def _kinds(self) -> dict[str, pa.DataType]:
        """Return the types of the columns that are told as they are: the released values settle them."""
        typed = [name for name in self._exact() if not pa.types.is_string(self._engine.kind(name))]
        kinds: dict[str, pa.DataType] = dict.fromkeys(typed, pa.null())
        for rows in self._engine.placed(self._released(), typed, shuffle=False) if typed else ():
            for name in typed:
                kinds[name] = wider(kinds[name], settled_kind(rows.columns[name].compacted().values))
        return kinds

    def _placed(self) -> Iterator[PlacedRows]:
        return self._engine.placed(self._released(), self._exact(), self._plan.output.shuffle)

    def _released(self) -> BoolArray:
        """Return the base classes whose rows are written."""
        return np.ones(len(self._recoded.kept), np.bool_) if self._blank else self._recoded.kept

    def _exact(self) -> list[str]:
        return [n for n in self._plan.released if n not in self._problem.names or self._is_exact(n)]

    def _is_exact(self, name: str) -> bool:
        """Say whether a quasi-identifier is released as it was read, type and all."""
        return self._recoded.columns[self._problem.names.index(name)].ground and not self._blank

    def _column(self, name: str, rows: PlacedRows) -> Column:
        if name in rows.columns:
            return rows.columns[name].compacted()
        released = self._recoded.columns[self._problem.names.index(name)]
        labels = pa.array([*released.labels, SUPPRESSED] if self._blank else released.labels, pa.string())
        codes: IntArray = released.codes[rows.class_of].astype(np.int32)
        if self._blank:
            codes = np.where(self._recoded.kept[rows.class_of], codes, np.int32(len(labels) - 1))
        return Column(name, codes, labels).compacted()


class _OrderWriter:
    """Writes the original row and the person of every released row."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None

    def append(self, rows: PlacedRows) -> None:
        told = {"row": pa.array(rows.row)}
        if rows.person is not None:
            told["person"] = pa.array(rows.person)
        piece = pa.table(told)
        if self._writer is None:
            self._writer = pyarrow.parquet.ParquetWriter(self._path, piece.schema, compression="lz4")
        self._writer.write_table(piece)

    def __enter__(self) -> _OrderWriter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()


def _admit(card: Card) -> None:
    if card.decides != "class":
        raise InputError(
            f"[recode] algorithm: {card.name} looks at single rows, which the duckdb engine keeps on disk; use the memory "
            f"engine, or one of: {', '.join(able(lambda other: other.decides == 'class'))}"
        )
