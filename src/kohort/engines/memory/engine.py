"""The engine in memory: dictionary codes, and the kernels that count them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.card import Card
from kohort.chance import permutation
from kohort.classes import Classes, classes_of_columns, group, group_columns
from kohort.engines.engine import Need, Reduced, Released
from kohort.engines.memory.asked import read_wanted
from kohort.engines.memory.reading import TablesInMemory
from kohort.engines.node import Node
from kohort.engines.wanted import Wanted
from kohort.hierarchy.coarse import coarsened_table
from kohort.ledger import Recorded, recorder
from kohort.plan import Plan
from kohort.preparation.kind import Kind
from kohort.preparation.sources import reread
from kohort.proposals.agreeing import Agreement, agreement_of, tuples_of
from kohort.recode import Problem, Recoded
from kohort.release.published import Content, in_memory
from kohort.release.publishing import released_order, released_tables
from kohort.table import Table
from kohort.table.alike import alike
from kohort.table.empty_rows import empty_rows
from kohort.table.formats import READERS, WRITERS
from kohort.verification.judgement import Original, judge_release
from kohort.verification.judges import Judged, told_again


class InMemory:
    """Reads the whole source, and holds it.

    Complexity: time and memory linear in the cells of the source; tuples are hashed.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> anonymize(WARD, Plan(**ward_plan("datafly")), engine="memory").levels
    {'age': 1, 'zip': 1}

    References: the columnar format of Apache Arrow, in which sources of all kinds are read.
    """

    card: ClassVar[Card] = Card("memory", "rows in memory: the fastest for what fits; serves everything")
    lacks: ClassVar[frozenset[Need]] = frozenset()
    bounded: ClassVar[bool] = False
    reads: ClassVar[frozenset[str]] = frozenset(READERS)
    writes: ClassVar[frozenset[str]] = frozenset(WRITERS)

    def __init__(self, source: Any, wanted: Wanted, memory: str | None = None) -> None:  # noqa: ARG002
        self._read, self._convert = read_wanted(source, wanted)
        self._wanted = wanted.among(self._read.names)
        self._table = coarsened_table(self._read, wanted.coarse)
        self._rows: IntArray = np.zeros(0, np.int64)  # the original row of each released one

    @property
    def wanted(self) -> Wanted:
        """What is kept of the source."""
        return self._wanted

    @property
    def table(self) -> Table:
        """The table."""
        return self._table

    @property
    def room(self) -> None:
        """Classes may take what the machine has."""

    def hold_labels(self, name: str, n_bytes: int) -> None:
        """Take nothing: what is held is not bounded."""

    def people(self) -> tuple[int, int]:
        """Return the number of distinct respondents, and of rows that name nobody."""
        if self._wanted.respondent is None:
            return self._table.n_rows, 0
        column = self._table[self._wanted.respondent]
        nobody = int((column.codes == column.texts.index(None)).sum()) if column.values.null_count else 0
        return len(column.values), nobody

    def empty(self, names: Sequence[str]) -> tuple[int, int]:
        """Return how many rows lack a value in all of these columns, and the first of them; -1 where there is none."""
        rows = empty_rows(self._table, names)
        return len(rows), int(rows[0]) if len(rows) else -1

    def names_alike(self) -> int:
        """Return how many distinct respondents equal another one in what a reader sees."""
        return 0 if self._wanted.respondent is None else alike(self._table[self._wanted.respondent].values)

    def alone(self, name: str) -> tuple[int, int]:
        """Return how many rows hold a value that no other row, or no other person, has, and how many not the most frequent one."""
        column = self._table[name]
        counts = column.counts()
        others = len(column.codes) - int(counts.max(initial=0))
        if self._wanted.respondent is None:
            return int((counts == 1).sum()), others
        pairs, _ = group_columns([column.codes, self._table[self._wanted.respondent].codes])
        return int(counts[np.bincount(pairs[:, 0], minlength=len(counts)) == 1].sum()), others

    def agreement(self, name: str, other: str) -> Agreement:
        """Return how rows of one value of a column agree in another one."""
        return agreement_of(*tuples_of(self._table)((name, other)))

    def reduce(self, ground: Node, watched: Sequence[str]) -> Reduced:
        """Return the classes of the rows, the class of each, and what each holds."""
        base, class_of = self._classes(ground, watched)
        return Reduced(base, class_of, {name: self._table[name].codes for name in watched}, self._people)

    def count(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node, counted from the rows."""
        return replace(self._classes(node, watched)[0], levels=node.levels)

    @property
    def _people(self) -> IntArray | None:
        return None if self._wanted.respondent is None else self._table[self._wanted.respondent].codes

    def _classes(self, node: Node, watched: Sequence[str]) -> tuple[Classes, IntArray]:
        rows = [codes[self._table[name].codes] for name, codes in node.codes.items()]
        held = {name: (self._table[name].codes, len(self._table[name].values)) for name in watched}
        return classes_of_columns(rows, held, self._people)

    def distinct(self, nodes: Sequence[Node]) -> list[int]:
        """Return how many classes each node has."""
        return [len(self._classes(node, ())[0]) for node in nodes]

    def holdings(self, ground: Node, watched: Sequence[str]) -> list[int]:
        """Return how many (tuple, person) there are, and (tuple, person, value), where people have several rows."""
        people = self._classes(ground, watched)[0]
        if people.respondents is None:
            return []
        held = (len(own.entries.values) for own in people.holders.values())
        return [len(people.respondents.values), *held]

    def sizes(self, node: Node) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at a node, and how many have each."""
        sizes, classes = np.unique(self._classes(node, ())[0].rows, return_counts=True)
        return sizes.astype(np.int64), classes.astype(np.int64)

    def alone_in(self, node: Node) -> int:
        """Return how many people are the only ones in some class at a node."""
        return self._classes(node, ())[0].alone()

    def records(self, node: Node, codes: IntArray) -> dict[str, IntArray]:
        """Return the records per distinct value among the rows of some classes at a node."""
        classes, class_of = self._classes(node, ())
        wanted = group(np.concatenate([classes.codes, codes]))[1]
        kept = np.isin(wanted[: len(classes)], wanted[len(classes) :])[class_of]
        return {
            name: np.bincount(self._table[name].codes[kept], minlength=len(self._table[name].values))
            for name in node.codes
        }

    def settle(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node; rows are at hand, so nothing need be remembered."""
        return self.count(node, watched)

    def release(self, plan: Plan, problem: Problem, recoded: Recoded) -> Released:
        """Return the released tables, and a pseudonym per released row where k counts people."""
        self._rows = released_order(plan, problem, recoded)
        tables = released_tables(self._table, plan, problem, recoded, self._rows)
        return Released(tables, _pseudonyms(problem, self._rows))

    def judge(self, written: Mapping[str, Any], plan: Plan, problem: Problem) -> Judged:
        """Return the verdicts on what was written; the same rows are counted for the public meanwhile."""
        original = Original(
            told_again(self._read, self._wanted.coarse), problem.hierarchies, problem.reference
        )
        people = None if problem.respondents is None else problem.respondents[self._rows]
        kind = Kind.of(plan)
        read = {stem: reread(table) for stem, table in written.items()}
        with ThreadPoolExecutor(1) as aside:
            told = aside.submit(kind.layout.contents, read, plan.quasi, plan.sensitive)
            verdicts = judge_release(read, plan, kind, original, people, self._rows)
        return Judged(verdicts, told.result)

    def record(self, plan: Plan, released: Released, directory: Path, files: Mapping[str, str]) -> Recorded:
        """Compare the release with those of the same people that were shared, and record it as a draft."""
        tables = {stem: released.in_memory(stem) for stem in released.tables}
        return recorder(self._table, plan, tables, self._rows, self._read)(directory, files)

    def convert(self, released: Content) -> Any:
        """Return a released table in the type of the source."""
        return self._convert(in_memory(released))

    @classmethod
    def read(
        cls,
        written: Mapping[str, Any],
        plan: Plan,
        memory: str | None = None,  # noqa: ARG003
        foreign: bool = False,
    ) -> TablesInMemory:
        """Return released tables as their reader finds them."""
        return TablesInMemory.of(written, plan if foreign else None, cls._original)

    @classmethod
    def _original(cls, source: Any, plan: Plan) -> Table:
        """Return an original as this engine reads it."""
        return cls(source, Wanted((), plan=plan)).table


def _pseudonyms(problem: Problem, rows: IntArray) -> dict[str, pa.Table]:
    """Return a pseudonym per released row, where k counts people: what re-verification needs."""
    if problem.respondents is None:
        return {}
    pseudonyms = permutation(int(problem.respondents.max()) + 1)
    return {"respondents": pa.table({"respondent": pseudonyms[problem.respondents[rows]]})}
