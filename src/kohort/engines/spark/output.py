"""Writes a decision about rows that Spark keeps: its executors write the parts of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes
from kohort.engines.spark.rows import PERSON, ROWS, ClusterRows
from kohort.engines.spark.settling import kind_in_sql, settled_kinds
from kohort.hierarchy import SUPPRESSED, Label
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.release.publishing import told_column
from kohort.table import Column
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.values import broadcast
from kohort.table.cluster.writing import ordered, write_parts
from kohort.verification.judges.claims import Claim

ROWS_OF_A_PART = 1 << 20
DECISION = "decision"


class Placing(Protocol):
    """How rows find the class by which they are released: by their codes at a node, or by their box."""

    def placed(self, beside: str | None = None) -> tuple[tuple[str, ...], str]:
        """Return what SQL calls the keys of a row's class, and the rows that have them, with the codes of a view `beside` them."""

    def keys(self, base: Classes, released: BoolArray) -> list[IntArray]:
        """Return the keys of the classes that are released."""

    def claimed(
        self, base: Classes, released: BoolArray, labels: tuple[tuple[Label, ...] | None, ...]
    ) -> Claim:
        """Return as what rows are told, for a judge."""


class Output:
    """Writes the released rows as parts, and says as what the rows of each class are told."""

    def __init__(
        self,
        cluster: Cluster,
        rows: ClusterRows,
        base: Placing,
        plan: Plan,
        problem: Problem,
        recoded: Recoded,
    ) -> None:
        self._cluster, self._rows, self._base = cluster, rows, base
        self._plan, self._problem, self._recoded = plan, problem, recoded
        self._blank = plan.recode.suppressed_rows == "blank" and not recoded.kept.all()
        self._released: BoolArray = np.ones_like(recoded.kept) if self._blank else recoded.kept

    def write(self, path: Path) -> None:
        """Write the released table as a folder of parts.

        Which part a row is in, and where in it, follows from its released cells alone: nothing of the order in which the
        original stood is left, and an executor that is lost and replaced does the same again.
        """
        names = self._plan.released
        write_parts(self._ordered(self._places), dict(zip(self._places, names, strict=True)), path)

    def write_people(self, path: Path) -> None:
        """Write the pseudonym of every released row: in as many parts, and in their order."""
        write_parts(self._ordered([PERSON]), {PERSON: "respondent"}, path)

    @property
    def _places(self) -> list[str]:
        return [f"r{i}" for i in range(len(self._plan.released))]

    def _ordered(self, places: Sequence[str]) -> Any:
        """Return some columns of the released rows in their parts, in order."""
        n_rows = int(self._problem.base.rows[self._released].sum())
        return ordered(self._frame, -(-n_rows // ROWS_OF_A_PART), self._places, self._people).select(*places)

    @property
    def _people(self) -> list[str]:
        return [] if self._rows.respondent is None else [PERSON]

    def claim(self) -> Claim:
        """Return as what the rows of each released class are told, for a judge to find true or false."""
        told = tuple(
            None if self._is_exact(name) else self._labels(j) for j, name in enumerate(self._problem.names)
        )
        return self._base.claimed(self._problem.base, self._released, told)

    @cached_property
    def _frame(self) -> Any:
        """The released rows: each class is joined with what it is released as, each row with its person's pseudonym."""
        decision = self._decision()
        self._cluster.keep(DECISION, decision)
        codes, rows = self._base.placed(self._rows.pseudonyms() if self._people else None)
        same = " AND ".join(f"{code} = {DECISION}.b{j}" for j, code in enumerate(codes))
        source = f"FROM {rows} JOIN {DECISION} ON {same}"
        kinds = settled_kinds(self._cluster, source, self._carried())
        kinds |= {name: kind_in_sql(told.values.type) for name, told in self._by_class.items()}
        selected = [
            f"{self._cell(name, kinds)} AS {place}"
            for name, place in zip(self._plan.released, self._places, strict=True)
        ]
        people = [f"{ROWS}.{person}" for person in self._people]
        hint = broadcast({DECISION: decision.num_rows})
        return self._cluster.query(f"SELECT {hint} {', '.join([*selected, *people])} {source}")

    def _cell(self, name: str, kinds: Mapping[str, str]) -> str:
        place = f"{ROWS}.{self._rows.place(name)}"
        if name in self._problem.names and not self._is_exact(name):
            place = f"{DECISION}.l{self._problem.names.index(name)}"
        return f"CAST({place} AS {kinds[name]})" if name in kinds else place

    def _carried(self) -> dict[str, tuple[str, pa.DataType]]:
        return {
            name: (f"{ROWS}.{self._rows.place(name)}", self._rows.kind(name))
            for name in self._plan.released
            if name not in self._problem.names
        }

    def _decision(self) -> pa.Table:
        """Return the codes of the released classes, and what their quasi-identifiers are released as."""
        keys = self._base.keys(self._problem.base, self._released)
        told = {f"b{j}": pa.array(key) for j, key in enumerate(keys)}
        for j, name in enumerate(self._problem.names):
            if not self._is_exact(name):
                told[f"l{j}"] = _as_held(self._by_class[name].to_arrow())
        return pa.table(told)

    @cached_property
    def _by_class(self) -> dict[str, Column]:
        """The quasi-identifiers of the released classes, as they are released."""
        kept: BoolArray = self._recoded.kept[self._released]
        return {
            name: told_column(
                self._problem,
                self._recoded,
                j,
                self._recoded.columns[j].codes[self._released].astype(np.int32),
                kept,
                self._rows.kind(name),
            )
            for j, name in enumerate(self._problem.names)
        }

    def _labels(self, j: int) -> tuple[Label, ...]:
        """Return the label of every released class."""
        column = self._recoded.columns[j]
        kept: BoolArray = self._recoded.kept[self._released]
        codes: IntArray = column.codes[self._released]
        return tuple(
            column.labels[code] if own else SUPPRESSED for code, own in zip(codes, kept, strict=True)
        )

    def _is_exact(self, name: str) -> bool:
        """Say whether a quasi-identifier is told as it was read: then its cells are taken from the rows."""
        told, read = self._by_class[name].values.type, self._rows.kind(name)
        exact = self._recoded.columns[self._problem.names.index(name)].ground and not self._blank
        return exact and _is_text(told) == _is_text(read)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _as_held(labels: pa.Array) -> pa.Array:
    """Return labels in a type that Spark has."""
    return labels.cast(pa.decimal128(20, 0)) if pa.types.is_uint64(labels.type) else labels
