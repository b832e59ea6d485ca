"""Classes counted by DuckDB: one GROUP BY over packed codes, and one more for each histogram."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, Holders, Pairs, group
from kohort.engines.duckdb.coded_rows import CodedRows
from kohort.engines.duckdb.paths import PathsAtNode
from kohort.engines.node import Node
from kohort.table.packing import Packing
from kohort.table.scratch import Scratch
from kohort.table.whole_numbers import whole


class Counting:
    """Rows under the keys of their tuples: the view `NAME_keyed`.

    The table `NAME_tuples` tells the records of every key, where a node was counted, and `NAME_classes` the class of each.

    Besides distinct values, what must fit in memory is `Classes`: distinct tuples, their sensitive values
    and, where people are counted, (tuple, person) pairs and the values of those who have several rows.
    """

    def __init__(self, scratch: Scratch, rows: CodedRows, name: str, writes: bool = False) -> None:
        self._scratch, self._rows, self._writes = scratch, rows, writes  # rows are written by `placed`
        self._view, self._classes = f"{name}_keyed", f"{name}_classes"
        self._tuples = f"{name}_tuples"
        self._node: Node | None = None  # whose tuples are counted
        self._keys = ""

    def reduced(self, ground: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at the bottom: rows are keyed by their values, and values are told as codes afterwards."""
        names = tuple(ground.codes)
        packing = Packing(
            tuple(self._rows.place(name) for name in names),
            tuple(max(self._rows.size(name), 1) for name in names),
        )
        self._key(packing, "kept_rows")
        tuples = self._scratch.table(f"SELECT {self._keys}, count(*) AS n FROM {self._view} GROUP BY ALL")
        told = [
            codes[own] for codes, own in zip(ground.codes.values(), packing.unpacked(tuples), strict=True)
        ]
        return self._counted(tuples, told, ground, watched)

    def at(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node: values become codes in DuckDB, so that finer tuples are never held here."""
        keys = self._tallied(node)
        tuples = self._scratch.table(f"SELECT * FROM {self._tuples} ORDER BY {self._keys}")
        codes = keys.unpacked(tuples)
        if not keys.is_ordered:
            return self._counted(tuples, codes, node, watched)
        # ordered as the codes are: the first stands in the highest digit
        stacked = np.column_stack(codes).astype(np.int32, copy=False)
        return self._histograms(tuples, stacked, np.arange(len(stacked)), node, watched)

    def sizes(self, node: Node) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at a node, and how many have each."""
        self._tallied(node)
        found = self._scratch.table(
            f"SELECT n, count(*) AS classes FROM {self._tuples} GROUP BY n ORDER BY n"
        )
        return whole(found, "n"), whole(found, "classes")

    def alone(self, node: Node) -> int:
        """Return how many people are the only ones in some class at a node; rows, where nobody is named."""
        if not self._rows.named:
            sizes, classes = self.sizes(node)
            return int(classes[sizes == 1].sum())
        self._node = None
        self._key_at(node)
        return self._scratch.number(
            "SELECT count(DISTINCT who) FROM (SELECT min(person) AS who "
            f"FROM {self._rows.with_people(self._view)} GROUP BY {self._keys} HAVING min(person) = max(person))"
        )

    def records(self, node: Node, codes: IntArray) -> dict[str, IntArray]:
        """Return, per column of the node, the records per value among the rows whose codes are some of `codes`."""
        self._scratch.keep("some_classes", self._key_at(node).packed(codes))
        places = {name: self._rows.place(name) for name in node.codes}
        found = self._scratch.table(
            f"SELECT {', '.join(places.values())}, count(*) AS n FROM {self._view} SEMI JOIN some_classes "
            f"USING ({self._keys}) GROUP BY GROUPING SETS ({', '.join(f'({place})' for place in places.values())})"
        )
        return {name: self._per_value(found, place, self._rows.size(name)) for name, place in places.items()}

    def _tallied(self, node: Node) -> Packing | PathsAtNode:
        """Count the tuples at a node, unless it is the one counted last."""
        keys = self._key_at(node)
        if node is not self._node:
            self._node = None
            self._scratch.run(
                f"CREATE OR REPLACE TABLE {self._tuples} AS SELECT {self._keys}, count(*) AS n FROM {self._view} GROUP BY ALL"
            )
            self._node = node
        return keys

    def forget(self) -> None:
        """Give back what it takes to remember the node counted last."""
        self._node = None
        for table in (self._tuples, self._classes):
            self._scratch.run(f"DROP TABLE IF EXISTS {table}")

    @staticmethod
    def _per_value(found: pa.Table, place: str, size: int) -> IntArray:
        """Return the counts of one grouping set: the rows in which its column is told."""
        own = found.filter(found.column(place).is_valid())
        return np.bincount(whole(own, place), whole(own, "n"), minlength=size).astype(np.int64)

    def _key_at(self, node: Node) -> Packing | PathsAtNode:
        """Key the rows by their codes at a node: by what it leaves of the paths of their values, where these have any."""
        paths = self._rows.paths(node.rungs)
        if paths is None:
            return self._key_by_codes(node)
        keys = paths.at(node.levels)
        self._key(keys, "kept_rows")
        return keys

    def _key_by_codes(self, node: Node) -> Packing:
        """Join rows with their codes at a node; columns that tell nothing there are not looked at."""
        joins, columns = "kept_rows", []
        for j, (name, codes) in enumerate(node.codes.items()):
            if not codes.any():
                columns.append("0")
                continue
            mapping = f"{self._view}_{j}"
            self._scratch.keep(mapping, pa.table({f"v{j}": np.arange(len(codes)), f"w{j}": codes}))
            joins += f" JOIN {mapping} ON {self._rows.place(name)} = v{j}"
            columns.append(f"w{j}")
        packing = Packing(
            tuple(columns), tuple(int(codes.max(initial=0)) + 1 for codes in node.codes.values())
        )
        self._key(packing, joins)
        return packing

    def placed(self, columns: Sequence[str], released: IntArray) -> str:
        """Return the SQL of rows with their class, and person where people are named, in the released classes."""
        wanted = "".join(f", {place}" for name in columns for place in self._rows.places(name))
        person = ", person" if self._rows.named else ""
        self._scratch.keep("released", pa.table({"class": pa.array(released, pa.int32())}))
        self._scratch.run(
            f"CREATE OR REPLACE TABLE released_classes AS SELECT * FROM {self._classes} SEMI JOIN released USING (class)"
        )
        return (
            f"SELECT row, class{person}{wanted} FROM {self._rows.with_people(self._view)} "
            f"JOIN released_classes USING ({self._keys})"
        )

    def _key(self, keys: Packing | PathsAtNode, rows: str) -> None:
        self._keys = ", ".join(keys.names)
        self._scratch.run(
            f"CREATE OR REPLACE VIEW {self._view} AS "
            f"SELECT kept_rows.*, {', '.join(keys.expressions())} FROM {rows}"
        )

    def _counted(
        self, tuples: pa.Table, codes: Sequence[IntArray], node: Node, watched: Sequence[str]
    ) -> Classes:
        return self._histograms(tuples, *group(np.column_stack(codes).astype(np.int32)), node, watched)

    def _histograms(
        self,
        tuples: pa.Table,
        distinct: IntArray,
        class_of: IntArray,
        node: Node,
        watched: Sequence[str],
    ) -> Classes:
        n = len(distinct)
        keys = tuples.drop_columns(["n"])
        if watched or self._rows.named or self._writes:
            self._scratch.keep(self._classes, keys.append_column("class", pa.array(class_of, pa.int32())))
        rows = np.bincount(class_of, whole(tuples, "n"), minlength=n).astype(np.int64)
        people, several = None, False
        if self._rows.named:
            n_people, _ = self._rows.people()
            several = n_people < self._rows.n_rows
            people = self._people_in(n, n_people)
        return Classes(
            codes=distinct,
            levels=node.levels,
            sizes=rows if people is None else people.distinct(),
            rows=rows,
            sensitive={
                name: self._histogram(self._view, self._rows.place(name), n, self._rows.size(name))
                for name in watched
            },
            respondents=people,
            holders={name: self._holders(name, n) for name in watched} if several else {},
        )

    def _histogram(self, rows: str, place: str, n_classes: int, size: int) -> Histogram:
        found = self._scratch.table(
            f"SELECT class, {place} AS value, count(*) AS n FROM {rows} "
            f"JOIN {self._classes} USING ({self._keys}) GROUP BY ALL"
        )
        return Histogram.of(
            whole(found, "class"), whole(found, "value").astype(np.int32), n_classes, size, whole(found, "n")
        )

    def _people_in(self, n_classes: int, n_people: int) -> Histogram:
        """Return the records of each person in each class, in the order in which they are held: there may be as many as rows."""
        found = self._scratch.table(
            "SELECT class, person::INTEGER AS person, count(*)::INTEGER AS n "
            f"FROM {self._rows.with_people(self._view)} JOIN {self._classes} USING ({self._keys}) "
            "GROUP BY ALL ORDER BY ALL"
        )
        return _in_order(found, "person", n_classes, n_people, whole(found, "n").astype(np.int64))

    def _holders(self, name: str, n_classes: int) -> Holders:
        """Return who holds what in each class, from the distinct (class, person, value); pairs are numbered in DuckDB."""
        value, pairs = self._rows.place(name), f"{self._classes}_pairs"
        self._scratch.run(
            f"CREATE OR REPLACE TABLE {pairs} AS SELECT person, value, "
            "(row_number() OVER (ORDER BY value, person) - 1)::INTEGER AS pair "
            f"FROM (SELECT DISTINCT person, {value} AS value FROM {self._rows.with_people('kept_rows')})"
        )
        held = self._scratch.table(f"SELECT value::INTEGER AS value, person FROM {pairs} ORDER BY pair")
        n_people, _ = self._rows.people()
        own = Pairs(whole(held, "person"), whole(held, "value"), n_people, self._rows.size(name))
        del held
        rows = (
            f"(SELECT class, person, {value} AS value FROM {self._rows.with_people(self._view)} "
            f"JOIN {self._classes} USING ({self._keys}))"
        )
        found = self._scratch.table(
            f"SELECT DISTINCT class, pair FROM {rows} JOIN {pairs} USING (person, value) ORDER BY ALL"
        )
        self._scratch.run(f"DROP TABLE {pairs}")
        once = np.ones(found.num_rows, np.int64)
        return Holders(own, _in_order(found, "pair", n_classes, len(own), once))


def _in_order(found: pa.Table, value: str, n_classes: int, size: int, counts: IntArray) -> Histogram:
    """Return the histogram of lines that are in its order already, each class and value once."""
    starts = np.searchsorted(whole(found, "class"), np.arange(n_classes + 1)).astype(np.int64)
    return Histogram(starts, whole(found, value).astype(np.int32, copy=False), counts, size)
