"""Classes counted by Spark: one group-by over codes, and one more for each histogram."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, Histogram, Holders, group
from kohort.engines.node import Node
from kohort.engines.spark.keys import Digit, Keys
from kohort.engines.spark.rows import PERSON, ROWS, ClusterRows
from kohort.hierarchy import Label
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.keyed import RowKeys
from kohort.table.cluster.places import Places
from kohort.table.whole_numbers import whole
from kohort.verification.judges.claims import ClaimedClasses


def _digit(rows: ClusterRows, view: str, name: str, codes: IntArray, apart: bool) -> Digit:
    """Return how the code of a column is told: without a view where a code has one value of those that rows number, or all."""
    size = int(codes.max(initial=0)) + 1
    if not apart and rows.is_numbered(name) and len(np.unique(codes)) == len(codes):
        return Digit(f"{ROWS}.{rows.place(name)}", len(codes), codes)
    if not apart and (codes == codes[:1]).all():
        return Digit("0", 1, codes[:1])
    rows.map(view, name, codes)
    return Digit(f"{view}.code", size, view=view)


class Counting:
    """Rows at a node: values become codes in the cluster, so that finer tuples never come here.

    Besides distinct values, what must fit in memory is `Classes`: distinct tuples, their sensitive values
    and, where people are counted, (tuple, person) pairs and the values of those who have several rows.
    """

    def __init__(
        self, cluster: Cluster, rows: ClusterRows, node: Node, name: str, apart: bool = False
    ) -> None:
        """Where columns are `apart`, rows have the codes themselves; else numbers that stand for several of them."""
        self._cluster, self._rows, self._levels = cluster, rows, node.levels
        self._names, self._codes = tuple(node.codes), node.codes
        self._name, self._apart = name, apart

    @cached_property
    def _digits(self) -> list[Digit]:
        """How codes are told in SQL, where it is asked."""
        return [
            _digit(self._rows, f"{self._name}_{j}", column, codes, self._apart)
            for j, (column, codes) in enumerate(self._codes.items())
        ]

    @cached_property
    def _views(self) -> list[str]:
        return [digit.view for digit in self._digits if digit.view is not None]

    @cached_property
    def _keys(self) -> Keys:
        return Keys(self._digits, self._apart)

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

    @property
    def is_numbered(self) -> bool:
        """Whether rows hold the numbers of all their values: then tasks count them, and no row becomes one of Java's."""
        return all(map(self._rows.is_numbered, self._names))

    def numbered(self) -> list[tuple[str, IntArray]]:
        """Return the codes of numbers, column by column, without gaps."""
        return [(name, own) for name, (_, own) in zip(self._names, self._dense(), strict=True)]

    def distinct(self) -> int:
        """Return about how many classes there are."""
        codes, rows = self.placed()
        return self._cluster.number(f"SELECT approx_count_distinct(struct({', '.join(codes)})) FROM {rows}")

    def holdings(self, watched: Sequence[str]) -> list[int]:
        """Return about how many (tuple, person) there are and, where people have several rows, (tuple, person, value).

        Where rows do not hold numbers of all of these, it is told how many there are at most.
        """
        who = self._rows.respondent
        if who is None:
            return []
        several = self._rows.size(who) < self._rows.n_rows
        beside = [(who,), *((who, name) for name in watched if several)]
        if not all(map(self._rows.is_numbered, [*self._names, who, *watched])):
            return [self._rows.n_rows] * len(beside)
        return self._rows.distinct(
            [
                [*self.numbered(), *((name, np.arange(self._rows.size(name))) for name in names)]
                for names in beside
            ]
        )

    def sizes(self) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have, and how many have each."""
        if self.is_numbered:
            return self._rows.sizes(self.numbered())
        codes, rows = self.placed()
        tuples = f"SELECT count(*) AS n FROM {rows} GROUP BY {', '.join(codes)}"
        found = self._cluster.table(f"SELECT n, count(*) AS classes FROM ({tuples}) GROUP BY n ORDER BY n")
        return whole(found, "n"), whole(found, "classes")

    def records(self, codes: IntArray) -> dict[str, IntArray]:
        """Return, per column, the records per value among the rows whose codes are some of `codes`."""
        if self.is_numbered:
            return self._rows.records(*self._looked_up(codes), self._names)
        some = self._keys.of(codes)
        self._cluster.keep("some_classes", pa.table({f"s{j}": key for j, key in enumerate(some)}))
        found = {}
        for name in self._names:
            number, views = self._rows.number(name)
            hint, rows = self._rows.coded([*self._views, *views])
            keys = "".join(f", {key} AS k{j}" for j, key in enumerate(self._keys.sql))
            same = " AND ".join(f"k{j} = s{j}" for j in range(len(some)))
            table = self._cluster.table(
                f"SELECT value, count(*) AS n FROM (SELECT {hint} {number} AS value{keys} FROM {rows}) "
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
        numbers, views = self._numbers(watched)
        hint, rows = self._rows.coded([*self._views, *views])
        codes = {f"g{j}": key for j, key in enumerate(self._keys.sql)}
        codes |= {f"v{i}": number for i, number in enumerate(numbers)}
        selected = ", ".join(f"{code} AS {place}" for place, code in codes.items())
        grouped = ", ".join(codes)
        return (
            f"SELECT {grouped}, count(*) AS n FROM (SELECT {hint} {selected} FROM {rows}) GROUP BY {grouped}"
        )

    def lookup(self, base: Classes, released: BoolArray) -> tuple[RowKeys, Places] | None:
        """Return how executors find the class of a row that they have, where its values are numbered."""
        return self._looked_up(base.codes[released]) if self.is_numbered else None

    def _looked_up(self, classes: IntArray) -> tuple[RowKeys, Places]:
        """Return the keys of rows, and where those of some classes stand."""
        keys = self._rows.keys(self.numbered())
        codes = [np.searchsorted(told, classes[:, j]) for j, (told, _) in enumerate(self._dense())]
        return keys, Places(keys.packing.words(codes))

    def _dense(self) -> list[tuple[IntArray, IntArray]]:
        """Return the codes that values have at the node, and for each value which of these."""
        return [np.unique(codes, return_inverse=True) for codes in self._codes.values()]

    def keys(self, base: Classes, released: BoolArray) -> list[IntArray]:
        """Return the keys of the classes that are released."""
        return self._keys.of(base.codes[released])

    def numbers(self, base: Classes, released: BoolArray, name: str) -> IntArray | None:
        """Return the numbers of the values of a quasi-identifier in the released classes, where a code is of one value."""
        j = self._names.index(name)
        digit = self._digits[j]
        if digit.view is not None or digit.size != self._rows.size(name):
            return None
        return np.unique(digit.of(base.codes[released][:, j])).astype(np.int64)

    def claimed(
        self, base: Classes, released: BoolArray, labels: tuple[tuple[Label, ...] | None, ...]
    ) -> ClaimedClasses:
        """Return as what the rows of each class are told."""
        return ClaimedClasses(base.codes[released], base.levels, labels)

    def placed(self, beside: str | None = None) -> tuple[tuple[str, ...], str]:
        """Return what SQL calls the keys of a row, and the rows that have them; the code of a view `beside` them is PERSON.

        The codes come first, and what is joined by them after that: a planner that orders all joins at will (Sail's) loses rows
        that lack a value.
        """
        told = {f"k{j}": key for j, key in enumerate(self._keys.sql)}
        keys = tuple(f"{ROWS}.{place}" for place in told)
        told |= {} if beside is None else {PERSON: f"{beside}.code"}
        hint, rows = self._rows.coded([*self._views, *([] if beside is None else [beside])])
        selected = "".join(f", {key} AS {place}" for place, key in told.items())
        return keys, f"(SELECT {hint} {ROWS}.*{selected} FROM {rows}) AS {ROWS}"

    def _counted(self, **beside: str) -> tuple[IntArray, pa.Table]:
        """Return the codes of the tuples that rows have with the values of further columns, and how many rows do."""
        if all(map(self._rows.is_numbered, [*self._names, *beside.values()])):
            return self._counted_by_tasks(beside)
        numbers, views = self._numbers(beside.values())
        hint, rows = self._rows.coded([*self._views, *views])
        digits = [
            *self._digits,
            *(
                Digit(number, self._rows.size(name))
                for number, name in zip(numbers, beside.values(), strict=True)
            ),
        ]
        keys = Keys(digits)
        selected = ", ".join(f"{key} AS k{j}" for j, key in enumerate(keys.sql))
        grouped = ", ".join(f"k{j}" for j in range(len(keys.sql)))
        found = self._cluster.table(
            f"SELECT {grouped}, count(*) AS n FROM (SELECT {hint} {selected} FROM {rows}) GROUP BY {grouped}"
        )
        codes = keys.codes([whole(found, f"k{j}") for j in range(len(keys.sql))])
        told = {name: pa.array(code) for name, code in zip(beside, codes[self.width :], strict=True)}
        labels = np.column_stack(codes[: self.width]).astype(np.int32)
        return labels, pa.table(told | {"n": found.column("n")})

    def _counted_by_tasks(self, beside: Mapping[str, str]) -> tuple[IntArray, pa.Table]:
        """Return the same of numbered columns: every task counts its rows, and sends what it counted."""
        asked = self.numbered()
        asked += [(name, np.arange(self._rows.size(name))) for name in beside.values()]
        found, n = self._rows.counted(asked)
        labels = [told[own] for (told, _), own in zip(self._dense(), found[: self.width], strict=True)]
        told = {name: pa.array(code) for name, code in zip(beside, found[self.width :], strict=True)}
        return np.column_stack(labels).astype(np.int32), pa.table(told | {"n": n})

    def _numbers(self, names: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return what SQL calls the numbers of values, and the views that rows are joined with for them."""
        found = [self._rows.number(name) for name in names]
        return [number for number, _ in found], list(
            dict.fromkeys(view for _, views in found for view in views)
        )

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
