"""Classes counted by Spark: one group-by over codes, and one more for each histogram."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, Histogram, Holders, group
from kohort.engines.node import Node
from kohort.engines.spark.rows import PERSON, ROWS, ClusterRows
from kohort.hierarchy import Label
from kohort.table.cluster.cluster import Cluster
from kohort.table.whole_numbers import whole
from kohort.verification.judges.claims import ClaimedClasses


class Counting:
    """Rows at a node: values become codes in the cluster, so that finer tuples never come here.

    Besides distinct values, what must fit in memory is `Classes`: distinct tuples, their sensitive values
    and, where people are counted, (tuple, person) pairs and the values of those who have several rows.
    """

    def __init__(self, cluster: Cluster, rows: ClusterRows, node: Node, name: str) -> None:
        self._cluster, self._rows, self._levels = cluster, rows, node.levels
        self._names = tuple(node.codes)
        self._views = [
            rows.map(f"{name}_{j}", column, codes) for j, (column, codes) in enumerate(node.codes.items())
        ]

    def classes(self, watched: Sequence[str]) -> Classes:
        """Return the classes at the node, in the order of their codes."""
        first = next(iter(watched), None)  # its values tell the classes, too: a pass less
        labels, found = self._counted(**({} if first is None else {"value": first}))
        codes, class_of = group(labels)
        n = len(codes)
        sensitive = {name: self._entries(class_of, found, name, n) for name in watched if name == first}
        rows = np.bincount(class_of, whole(found, "n"), minlength=n).astype(np.int64)
        respondent = self._rows.respondent
        people = None if respondent is None else self._histogram(respondent, n)
        several = respondent is not None and self._rows.size(respondent) < self._rows.n_rows
        return Classes(
            codes=codes,
            levels=self._levels,
            sizes=rows if people is None else people.distinct(),
            rows=rows,
            sensitive=sensitive | {name: self._histogram(name, n) for name in watched if name != first},
            respondents=people,
            holders={name: self._holders(name, n) for name in watched} if several else {},
        )

    def distinct(self) -> int:
        """Return about how many classes there are."""
        codes, rows = self.placed()
        return self._cluster.number(f"SELECT approx_count_distinct(struct({', '.join(codes)})) FROM {rows}")

    def sizes(self) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have, and how many have each."""
        codes, rows = self.placed()
        tuples = f"SELECT count(*) AS n FROM {rows} GROUP BY {', '.join(codes)}"
        found = self._cluster.table(f"SELECT n, count(*) AS classes FROM ({tuples}) GROUP BY n ORDER BY n")
        return whole(found, "n"), whole(found, "classes")

    def records(self, codes: IntArray) -> dict[str, IntArray]:
        """Return, per column, the records per value among the rows whose codes are some of `codes`."""
        columns = (np.ascontiguousarray(column) for column in codes.T)
        some = {f"s{j}": pa.array(column, pa.int32()) for j, column in enumerate(columns)}
        self._cluster.keep("some_classes", pa.table(some))
        found = {}
        for name in self._names:
            numbers = self._rows.numbered(name)
            hint, rows = self._rows.coded([*self._views, numbers])
            keys = "".join(
                f", {code} AS k{j}" for j, code in enumerate(f"{view}.code" for view in self._views)
            )
            same = " AND ".join(f"k{j} = s{j}" for j in range(self.width))
            table = self._cluster.table(
                f"SELECT value, count(*) AS n FROM (SELECT {hint} {numbers}.code AS value{keys} FROM {rows}) "
                f"LEFT SEMI JOIN some_classes ON {same} GROUP BY value"
            )
            found[name] = np.bincount(
                whole(table, "value"), whole(table, "n"), minlength=self._rows.size(name)
            ).astype(np.int64)
        return found

    @property
    def width(self) -> int:
        """The number of quasi-identifiers."""
        return len(self._names)

    def size(self, name: str) -> int:
        """Return how many distinct values a counted column has."""
        return self._rows.size(name)

    def lines(self, watched: Sequence[str]) -> str:
        """Return the query of the distinct tuples with the values of watched columns: `g0`…, `v0`… and `n` rows of each."""
        numbers = [self._rows.numbered(name) for name in watched]
        hint, rows = self._rows.coded([*self._views, *numbers])
        codes = {f"g{j}": f"{view}.code" for j, view in enumerate(self._views)}
        codes |= {f"v{i}": f"{view}.code" for i, view in enumerate(numbers)}
        selected = ", ".join(f"{code} AS {place}" for place, code in codes.items())
        return f"SELECT {hint} {selected}, count(*) AS n FROM {rows} GROUP BY {', '.join(codes.values())}"

    def keys(self, base: Classes, released: BoolArray) -> list[IntArray]:
        """Return the codes of the classes that are released, column by column."""
        return [np.ascontiguousarray(column) for column in base.codes[released].T]

    def claimed(
        self, base: Classes, released: BoolArray, labels: tuple[tuple[Label, ...] | None, ...]
    ) -> ClaimedClasses:
        """Return as what the rows of each class are told."""
        return ClaimedClasses(base.codes[released], base.levels, labels)

    def placed(self, beside: str | None = None) -> tuple[tuple[str, ...], str]:
        """Return what SQL calls the codes of a row, and the rows that have them; the code of a view `beside` them is PERSON.

        The codes come first, and what is joined by them after that: a planner that orders all joins at will (Sail's) loses rows
        that lack a value.
        """
        views = {f"k{j}": view for j, view in enumerate(self._views)}
        codes = tuple(f"{ROWS}.{place}" for place in views)
        views |= {} if beside is None else {PERSON: beside}
        hint, rows = self._rows.coded(list(views.values()))
        told = "".join(f", {view}.code AS {place}" for place, view in views.items())
        return codes, f"(SELECT {hint} {ROWS}.*{told} FROM {rows}) AS {ROWS}"

    def _counted(self, **beside: str) -> tuple[IntArray, pa.Table]:
        """Return the codes of the tuples that rows have with the values of further columns, and how many rows do."""
        numbers = {told: self._rows.numbered(name) for told, name in beside.items()}
        hint, rows = self._rows.coded([*self._views, *numbers.values()])
        columns = {f"q{j}": f"{view}.code" for j, view in enumerate(self._views)}
        columns |= {told: f"{view}.code" for told, view in numbers.items()}
        selected = ", ".join(f"{code} AS {place}" for place, code in columns.items())
        grouped = ", ".join(columns.values())
        found = self._cluster.table(f"SELECT {hint} {selected}, count(*) AS n FROM {rows} GROUP BY {grouped}")
        labels = [whole(found, f"q{j}") for j in range(len(self._views))]
        return np.column_stack(labels).astype(np.int32), found

    def _histogram(self, name: str, n_classes: int) -> Histogram:
        # Every class has rows, so that tuples with values are grouped to the same classes in the same order.
        labels, found = self._counted(value=name)
        return self._entries(group(labels)[1], found, name, n_classes)

    def _entries(self, class_of: IntArray, found: pa.Table, name: str, n_classes: int) -> Histogram:
        values = whole(found, "value").astype(np.int32)
        return Histogram.of(class_of, values, n_classes, self._rows.size(name), whole(found, "n"))

    def _holders(self, name: str, n_classes: int) -> Holders:
        """Return who holds what in each class, from the distinct (class, person, value)."""
        assert self._rows.respondent is not None
        labels, found = self._counted(person=self._rows.respondent, value=name)
        return Holders.of(
            group(labels)[1], whole(found, "person"), whole(found, "value"), n_classes, self._rows.size(name)
        )
