"""Rows in memory: the fastest way for tables that fit, and the only one for algorithms that look at rows."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa

from kohort.arrays import IntArray
from kohort.card import Card
from kohort.chance import permutation
from kohort.engines.workplace import Released
from kohort.ledger import recorder
from kohort.plan import Plan
from kohort.preparation import prepare
from kohort.preparation.sources import read_source, reread
from kohort.recode import Problem, Recoded
from kohort.release.kind import Kind
from kohort.release.publishing import released_order, released_tables
from kohort.table import Table
from kohort.table.alike import alike_warnings
from kohort.verification.judgement import Original, judge_release
from kohort.verification.judges import Judged, contents_of


class InMemory:
    """Reads the whole source; `memory` is not heeded.

    Complexity: time and memory linear in the cells of the source; tuples are hashed.

    >>> from kohort import Plan
    >>> from kohort.algorithms import Silent
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> from kohort.pipeline import make_release
    >>> make_release(WARD, Plan(**ward_plan("datafly")), Silent(), engine="memory").facts.levels
    {'age': 1, 'zip': 1}

    References: the columnar format of Apache Arrow, in which sources of all kinds are read.
    """

    def __init__(self, source: Any, plan: Plan, memory: str | None = None) -> None:  # noqa: ARG002
        self._plan = plan
        self._table, self._convert = read_source(source, plan)

    @property
    def table(self) -> Table:
        """The table."""
        return self._table

    def warnings(self) -> list[str]:
        """Return what is odd about the names of people and the values of sensitive columns."""
        respondent = self._plan.input.respondent
        names = None if respondent is None else self._table[respondent].values
        sensitive = {name: self._table[name].values for name in self._plan.sensitive}
        return alike_warnings(respondent, names, sensitive)

    def prepare(self, population: Table | None) -> Problem:
        """Check the table against the plan and reduce it to its classes."""
        return prepare(self._table, self._plan, population)

    def admit(self, card: Card) -> None:
        """Admit every algorithm."""

    def release(self, problem: Problem, recoded: Recoded) -> Released:
        """Return the released tables."""
        rows = released_order(self._plan, problem, recoded)
        tables = released_tables(self._table, self._plan, problem, recoded, rows)

        def judge(written: Mapping[str, Any], facts: Mapping[str, Any]) -> Judged:  # noqa: ARG001
            original = Original(self._table, problem.hierarchies, problem.reference)
            people = None if problem.respondents is None else problem.respondents[rows]
            read = {stem: reread(table) for stem, table in written.items()}
            with ThreadPoolExecutor(
                1
            ) as aside:  # the same rows are counted for the public while they are judged
                told = aside.submit(contents_of, read, self._plan.quasi, self._plan.sensitive)
                verdicts = judge_release(read, self._plan, Kind.of(self._plan), original, people, rows)
            return Judged(verdicts, told.result)

        ledger = recorder(self._table, self._plan, tables, rows)
        return Released(tables, judge, ledger, _people(problem, rows))

    def convert(self, released: pa.Table) -> Any:
        """Return a released table in the type of the source."""
        return self._convert(released)


def _people(problem: Problem, rows: IntArray) -> dict[str, pa.Table]:
    """Return a pseudonym per released row, where k counts people: what re-verification needs."""
    if problem.respondents is None:
        return {}
    pseudonyms = permutation(int(problem.respondents.max()) + 1)
    return {"respondents": pa.table({"respondent": pseudonyms[problem.respondents[rows]]})}
