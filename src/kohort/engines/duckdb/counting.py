"""Classes counted by DuckDB: one GROUP BY over packed codes, and one more for each histogram."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, Holders, group
from kohort.engines.duckdb.coded_rows import CodedRows
from kohort.engines.duckdb.packing import Packing
from kohort.engines.node import Node
from kohort.table.scratch import Scratch
from kohort.table.whole_numbers import whole


class Counting:
    """Rows under the keys of their tuples: a view `NAME_keyed`, and the class of every key in the table `NAME_classes`.

    Besides distinct values, what must fit in memory is `Classes`: distinct tuples, their sensitive values
    and, where people are counted, (tuple, person) pairs and the values of those who have several rows.
    """

    def __init__(self, scratch: Scratch, rows: CodedRows, name: str) -> None:
        self._scratch, self._rows = scratch, rows
        self._view, self._classes = f"{name}_keyed", f"{name}_classes"
        self._keys = ""

    def reduced(self, ground: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at the bottom: rows are keyed by their values, and values are told as codes afterwards."""
        names = tuple(ground.codes)
        packing = Packing(
            tuple(self._rows.place(name) for name in names),
            tuple(max(self._rows.size(name), 1) for name in names),
        )
        self._key(packing, "kept_rows")
        tuples = self._tuples()
        told = [
            codes[own] for codes, own in zip(ground.codes.values(), packing.unpacked(tuples), strict=True)
        ]
        return self._counted(tuples, told, ground.levels, watched)

    def at(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node: values become codes in DuckDB, so that finer tuples are never held here."""
        joins = "kept_rows"
        for j, (name, codes) in enumerate(node.codes.items()):
            mapping = f"{self._view}_{j}"
            self._scratch.keep(mapping, pa.table({f"v{j}": np.arange(len(codes)), f"w{j}": codes}))
            joins += f" JOIN {mapping} ON {self._rows.place(name)} = v{j}"
        sizes = tuple(int(codes.max(initial=0)) + 1 for codes in node.codes.values())
        packing = Packing(tuple(f"w{j}" for j in range(len(sizes))), sizes)
        self._key(packing, joins)
        tuples = self._tuples()
        return self._counted(tuples, packing.unpacked(tuples), node.levels, watched)

    def placed(self, columns: Sequence[str], released: str) -> str:
        """Return the SQL of rows with their class, and person where people are named, in the classes that a table lists."""
        wanted = "".join(f", {place}" for name in columns for place in self._rows.places(name))
        person = ", person" if self._rows.named else ""
        return (
            f"SELECT row, class{person}{wanted} FROM {self._rows.with_people(self._view)} "
            f"JOIN {self._classes} USING ({self._keys}) JOIN {released} USING (class)"
        )

    def _key(self, packing: Packing, rows: str) -> None:
        self._keys = ", ".join(packing.names)
        self._scratch.run(
            f"CREATE OR REPLACE VIEW {self._view} AS "
            f"SELECT kept_rows.*, {', '.join(packing.expressions())} FROM {rows}"
        )

    def _tuples(self) -> pa.Table:
        return self._scratch.table(f"SELECT {self._keys}, count(*) AS n FROM {self._view} GROUP BY ALL")

    def _counted(
        self, tuples: pa.Table, codes: Sequence[IntArray], levels: tuple[int, ...], watched: Sequence[str]
    ) -> Classes:
        distinct, class_of = group(np.column_stack(codes).astype(np.int32))
        n = len(distinct)
        keys = tuples.drop_columns(["n"])
        self._scratch.keep(self._classes, keys.append_column("class", pa.array(class_of, pa.int64())))
        rows = np.bincount(class_of, whole(tuples, "n"), minlength=n).astype(np.int64)
        people, several = None, False
        if self._rows.named:
            n_people, _ = self._rows.people()
            several = n_people < self._rows.n_rows
            people = self._histogram(self._rows.with_people(self._view), "person", n, n_people)
        return Classes(
            codes=distinct,
            levels=levels,
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

    def _holders(self, name: str, n_classes: int) -> Holders:
        """Return who holds what in each class, from the distinct (class, person, value)."""
        found = self._scratch.table(
            f"SELECT DISTINCT class, person, {self._rows.place(name)} AS value "
            f"FROM {self._rows.with_people(self._view)} JOIN {self._classes} USING ({self._keys})"
        )
        return Holders.of(
            whole(found, "class"),
            whole(found, "person"),
            whole(found, "value"),
            n_classes,
            self._rows.size(name),
        )
