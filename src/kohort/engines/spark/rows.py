"""`ClusterRows`: the rows of a source where Spark keeps them, and the distinct values of what is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.chance import permutation
from kohort.engines.agreeing_in_sql import agreement_in_sql, agreement_told, one_in
from kohort.engines.wanted import Wanted
from kohort.errors import InputError
from kohort.proposals.agreeing import Agreement
from kohort.table.cluster.cluster import SMALL, Cluster
from kohort.table.cluster.keyed import (
    RECORDS,
    RowKeys,
    all_lines,
    counted_keys,
    met_keys,
    met_sizes,
    records_of,
)
from kohort.table.cluster.packets import PACKETS, all_of, parts_for
from kohort.table.cluster.pieces import Batches, PieceReader
from kohort.table.cluster.places import Places
from kohort.table.cluster.session import told_plainly
from kohort.table.cluster.sketches import SKETCHES, estimates, sketches
from kohort.table.cluster.source import ClusterSource
from kohort.table.cluster.values import broadcast, joined, values_of
from kohort.table.counted import CountedColumn
from kohort.table.whole_numbers import whole

ROWS = "kept_rows"
PSEUDONYMS = "pseudonyms"
PERSON = "person"  # what SQL calls the pseudonym of a row


class ClusterRows:
    """Keeps what is wanted of a source as the view `kept_rows`.

    The distinct values of columns that are counted, and of respondents, are held here. Rows hold their numbers, in the order of
    their texts, and the values themselves only of columns that have very many, or are not counted.
    """

    def __init__(self, cluster: Cluster, source: ClusterSource, wanted: Wanted) -> None:
        self._cluster, self._source, self._wanted = cluster, source, wanted
        self._maps: dict[str, str] = {}  # views of codes, and the column of each
        read = source.settled(cluster, "source_rows", wanted.columns)
        people = () if wanted.respondent is None else (wanted.respondent,)
        self._read = read
        counted = list(dict.fromkeys([*wanted.counted, *people]))
        others = [name for name in wanted.used if name not in counted]
        self._values = values_of(cluster, read, counted, others)
        self._numbered = frozenset(name for name, values in self._values.items() if len(values.held) <= SMALL)
        coding = {name: (self._values[name].held, np.arange(self.size(name))) for name in self._numbered}
        read.put_codes(cluster, ROWS, wanted.columns, coding)
        any_of_them = next(iter(self._values.values()), None)  # tells the number of rows
        self.n_rows = (
            cluster.number(f"SELECT count(*) FROM {ROWS}")
            if any_of_them is None
            else int(any_of_them.column.totals.sum())
        )
        if not self.n_rows:
            raise InputError(
                f"{source.path} has columns but no rows; there is nothing to release",
                code="table.empty",
                path=source.path,
            )

    @property
    def respondent(self) -> str | None:
        """The column that names the person of each row."""
        return self._wanted.respondent

    def place(self, name: str) -> str:
        """Return what SQL calls a column."""
        return self._source.place(name)

    def kind(self, name: str) -> pa.DataType:
        """Return the type of a column."""
        return self._source.kind(name)

    def size(self, name: str) -> int:
        """Return how many distinct values a counted column has."""
        return len(self._values[name].column.values)

    def profile(self, name: str) -> CountedColumn:
        """Return the distinct values of a column with their counts; of one that is not counted, none are known."""
        if name in self._wanted.counted:
            return self._values[name].column
        return CountedColumn.of(name, pa.nulls(0), np.zeros(0, np.int64))

    def people(self) -> tuple[int, int]:
        """Return the number of distinct respondents, and of rows that name nobody."""
        if self.respondent is None:
            return self.n_rows, 0
        column = self._values[self.respondent].column
        return len(column.values), int(column.totals[[text is None for text in column.texts]].sum())

    def names(self) -> pa.Array | None:
        """Return the distinct respondents as they stand in the source."""
        return None if self.respondent is None else self._values[self.respondent].column.values

    def held(self, name: str) -> pa.Array:
        """Return the distinct values of a counted column as Spark holds them, by their numbers."""
        return self._values[name].held

    def values(self, name: str) -> pa.Array:
        """Return the same as Kohort reads them."""
        return self._values[name].column.values

    def through(
        self, names: Sequence[str], work: Callable[[PieceReader, Batches], Batches], schema: str
    ) -> Any:
        """Return what executors make of the rows of some columns."""
        return self._read.through(names, work, schema)

    def keys(self, codes: Sequence[tuple[str, IntArray]]) -> RowKeys:
        """Return the keys that rows have by numbered columns, with the code of each number."""
        return RowKeys(tuple((name, self.held(name), code_of) for name, code_of in codes))

    def counted(self, codes: Sequence[tuple[str, IntArray]]) -> tuple[list[IntArray], IntArray]:
        """Return the distinct codes that rows have, column by column, and how many rows do."""
        keys, names = self.keys(codes), list(dict.fromkeys(name for name, _ in codes))
        parts = parts_for(self.n_rows, self._cluster.parts)
        lines = self.through(names, partial(counted_keys, keys=keys, parts=parts), PACKETS)
        return all_lines(all_of(self._cluster.met([lines], parts, met_keys, PACKETS)), keys.packing)

    def sizes(self, codes: Sequence[tuple[str, IntArray]]) -> tuple[IntArray, IntArray]:
        """Return the numbers of rows that the distinct codes have, and how many have each; codes stay in the cluster."""
        keys, names = self.keys(codes), list(dict.fromkeys(name for name, _ in codes))
        parts = parts_for(self.n_rows, self._cluster.parts)
        lines = self.through(names, partial(counted_keys, keys=keys, parts=parts), PACKETS)
        found = self._cluster.met([lines], parts, met_sizes, "n bigint, keys bigint")
        sizes, own = np.unique(whole(found, "n"), return_inverse=True)
        return sizes, np.bincount(own, whole(found, "keys"), minlength=len(sizes)).astype(np.int64)

    def distinct(self, nodes: Sequence[Sequence[tuple[str, IntArray]]]) -> list[int]:
        """Return about how many distinct codes rows have, of several codings of the same columns, in one pass."""
        same: dict[tuple[str, bytes], IntArray] = {}
        keys = [
            self.keys([(name, same.setdefault((name, own.tobytes()), own)) for name, own in codes])
            for codes in nodes
        ]
        names = list(dict.fromkeys(name for codes in nodes for name, _ in codes))
        found = self.through(names, partial(sketches, keys=keys), SKETCHES)
        with told_plainly():
            return [min(self.n_rows, n) for n in estimates(found.toArrow(), len(nodes))]

    def records(self, keys: RowKeys, some: Places, names: Sequence[str]) -> dict[str, IntArray]:
        """Return, per column, the rows per value among those whose keys are some that are told, in one pass."""
        work = partial(records_of, keys=keys, some=some, values={name: self.held(name) for name in names})
        totals = {name: np.zeros(self.size(name), np.int64) for name in names}
        with told_plainly():
            found = self.through(list(names), work, RECORDS).toArrow()
        for j, n in zip(found.column("of").to_pylist(), found.column("n").to_pylist(), strict=True):
            totals[names[j]] += np.frombuffer(n, np.int64)
        return totals

    def is_numbered(self, name: str) -> bool:
        """Say whether rows hold the numbers of a column's values."""
        return name in self._numbered

    def alone(self, name: str) -> tuple[int, int]:
        """Return how many rows hold a value that no other row, or no other person, has, and how many not the most frequent one."""
        one, who = "count(*)", self.respondent
        if who is None and name in self._values:
            totals = self._values[name].column.totals
            return int((totals == 1).sum()), int(totals.sum() - totals.max())
        if (
            who is not None
        ):  # rows that name nobody are one person's, as everywhere; numbers are never missing
            nobody = (
                ""
                if who in self._numbered
                else f" + max(CASE WHEN {self.place(who)} IS NULL THEN 1 ELSE 0 END)"
            )
            one = f"count(DISTINCT {self.place(who)}){nobody}"
        found = self._cluster.table(
            "SELECT CAST(coalesce(sum(CASE WHEN one = 1 THEN n ELSE 0 END), 0) AS BIGINT) AS alone, "
            "CAST(sum(n) - max(n) AS BIGINT) AS others "
            f"FROM (SELECT count(*) AS n, {one} AS one FROM {ROWS} GROUP BY {self.place(name)})"
        )
        return int(found["alone"][0].as_py()), int(found["others"][0].as_py())

    def agreement(self, name: str, other: str) -> Agreement:
        """Return how rows of one value of a column agree in a counted one."""
        told = (
            " AND ".join(f"NOT ({lacking})" for lacking in map(self._lacking, (name, other)) if lacking)
            or "true"
        )
        if (every := one_in(self.n_rows)) > 1:
            told += f" AND pmod(hash({self.place(name)}), {every}) = 0"
        query = agreement_in_sql(ROWS, self.place(name), self.place(other), told)
        return agreement_told(self._cluster.table(query))

    def _lacking(self, name: str) -> str:
        """Return what SQL says of a row that lacks a value; "" where none does."""
        if not self.is_numbered(name):
            return f"{self.place(name)} IS NULL"
        missing = np.flatnonzero(self.held(name).is_null().to_numpy(zero_copy_only=False))
        return f"{self.place(name)} = {missing[0]}" if len(missing) else ""

    def empty(self, names: Sequence[str]) -> tuple[int, int]:
        """Return how many rows lack a value in all of these columns; which is the first, rows of a cluster do not tell."""
        lacking = list(map(self._lacking, names))
        if not lacking or not all(lacking):
            return 0, -1
        return self._cluster.number(f"SELECT count(*) FROM {ROWS} WHERE {' AND '.join(lacking)}"), -1

    def map(self, view: str, name: str, codes: IntArray | None = None) -> str:
        """Make a view of the codes of a column's values, which are numbered where none are given; return its name."""
        told = np.arange(self.size(name)) if codes is None else codes
        table = self._values[name].codes(told)
        if self.is_numbered(name):
            table = table.set_column(0, "value", pa.array(np.arange(self.size(name)), pa.int32()))
        self._cluster.keep(view, table)
        self._maps[view] = name
        return view

    def place_of(self, view: str) -> str:
        """Return what SQL calls the column whose codes a view tells."""
        return self.place(self._maps[view])

    def number(self, name: str) -> tuple[str, list[str]]:
        """Return what SQL calls the number of a row's value, and the views that rows are joined with for it."""
        if self.is_numbered(name):
            return f"{ROWS}.{self.place(name)}", []
        view = f"numbers_{self.place(name)}"
        if view not in self._maps:
            self.map(view, name)
        return f"{view}.code", [view]

    def pseudonyms(self) -> str:
        """Return the view of a number for each person; they follow no order that anybody knows."""
        assert self.respondent is not None
        if PSEUDONYMS not in self._maps:
            self.map(PSEUDONYMS, self.respondent, permutation(self.size(self.respondent)))
        return PSEUDONYMS

    def coded(self, views: Sequence[str]) -> tuple[str, str]:
        """Return a hint, and the rows as SQL joins them with views of codes; a code is then `VIEW.code`."""
        hint = broadcast({view: self.size(self._maps[view]) for view in views})
        numbered = [view for view in views if self.is_numbered(self._maps[view])]
        return hint, joined(ROWS, {view: self.place(self._maps[view]) for view in views}, numbered)
