"""Writes a decision about rows that Spark keeps: its executors write the parts of the table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes
from kohort.engines.spark.keys import Digit
from kohort.engines.spark.rows import PERSON, ROWS, ClusterRows
from kohort.engines.spark.settling import kind_in_sql, kind_of, settled_kinds
from kohort.engines.spark.spelling import Cell, Spelling, spelled_out
from kohort.hierarchy import SUPPRESSED, Label
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.release.publishing import told_column
from kohort.table import Column
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.session import told_plainly
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

    def numbers(self, base: Classes, released: BoolArray, name: str) -> IntArray | None:
        """Return the numbers of the values of a quasi-identifier in the released classes, in order, where they are known."""

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
        spelling, kinds = self._spelling
        with told_plainly():
            # Before they are put in order: a Spark of another making may hand rows to Python, and back, in another.
            spelled = self._frame.mapInArrow(partial(spelled_out, spelling), self._schema)
            released = self._ordered(spelled).selectExpr(
                *(
                    f"CAST({cell.place} AS {kinds[name]}) AS {cell.place}" if name in kinds else cell.place
                    for name, cell in zip(self._plan.released, spelling.cells, strict=True)
                )
            )
        places = [cell.place for cell in spelling.cells]
        write_parts(released, dict(zip(places, self._plan.released, strict=True)), path)

    def write_people(self, path: Path) -> None:
        """Write the pseudonym of every released row: in as many parts, and in their order."""
        write_parts(self._ordered(self._frame).select(PERSON), {PERSON: "respondent"}, path)

    @property
    def _schema(self) -> str:
        """The columns of rows that are spelled out, and their types; the pseudonym comes last."""
        with told_plainly():
            own = {field.name: field.dataType.simpleString() for field in self._frame.schema.fields}
        people = [f"{person} {own[person]}" for person in self._people]
        return ", ".join([self._spelling[0].schema, *people])

    def _ordered(self, rows: Any) -> Any:
        """Return released rows in their parts and in order."""
        n_rows = int(self._problem.base.rows[self._released].sum())
        places = list(self._spelling[0].selected)
        return ordered(rows, -(-n_rows // ROWS_OF_A_PART), places, self._people)

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
    def _source(self) -> str:
        """The released rows as SQL has them: each is joined with what its class is released as, and its person's pseudonym."""
        self._cluster.keep(DECISION, self._decision())
        keys, rows = self._base.placed(self._rows.pseudonyms() if self._people else None)
        same = " AND ".join(f"{key} = {DECISION}.b{j}" for j, key in enumerate(keys))
        return f"FROM {rows} JOIN {DECISION} ON {same}"

    @cached_property
    def _frame(self) -> Any:
        """The released rows as numbers, with the pseudonym of each row's person."""
        told = self._spelling[0].selected | {person: f"{ROWS}.{person}" for person in self._people}
        selected = ", ".join(f"{sql} AS {place}" for place, sql in told.items())
        views = [
            cell.digit.view for cell in self._spelling[0].cells if cell.digit is not None and cell.digit.view
        ]
        hint = broadcast({DECISION: int(self._released.sum())} | dict.fromkeys(views, 0))
        joins = "".join(
            f" JOIN {view} ON {ROWS}.{self._rows.place_of(view)} = {view}.value" for view in views
        )
        return self._cluster.query(f"SELECT {hint} {selected} {self._source}{joins}")

    @cached_property
    def _spelling(self) -> tuple[Spelling, dict[str, str]]:
        """How released columns are told by numbers, and the types of those that are told as they were read."""
        exact = [name for name in self._plan.released if name not in self._told_labels]
        numbers, kinds = self._settled(exact)
        cells = []
        for i, name in enumerate(self._plan.released):
            place = f"r{i}"
            if name in self._told_labels:
                values, _ = self._told_labels[name]
                digit = Digit(f"{DECISION}.l{self._problem.names.index(name)}", len(values))
                cells.append(Cell(place, kind_in_sql(values.type), digit, values))
            elif name in numbers:
                cells.append(self._numbered(place, name, numbers[name]))
            else:
                cells.append(Cell(place, self._rows.type_of(name), sql=f"{ROWS}.{self._rows.place(name)}"))
        typed = {name: kind_in_sql(told.values.type) for name, told in self._by_class.items()}
        return Spelling(tuple(cells)), kinds | {name: kind for name, kind in typed.items() if name in exact}

    def _numbered(self, place: str, name: str, numbers: IntArray) -> Cell:
        """Return a column by the numbers of its values among those that are released, which tell nothing of others."""
        own, view = f"{ROWS}.{self._rows.place(name)}", None
        if len(numbers) < self._rows.size(name):
            among = np.full(self._rows.size(name), len(numbers))
            among[numbers] = np.arange(len(numbers))
            view = self._rows.map(f"released_{place}", name, among)
            own = f"{view}.code"
        values = self._rows.held(name).take(pa.array(numbers))
        return Cell(place, self._rows.type_of(name), Digit(own, len(numbers), view=view), values)

    def _settled(self, exact: Sequence[str]) -> tuple[dict[str, IntArray], dict[str, str]]:
        """Return the numbers of values that are released, in order, and the types that columns have then."""
        numbered = [name for name in exact if self._rows.is_numbered(name)]
        numbers = {name: self._known(name) for name in numbered}
        asked = [name for name, known in numbers.items() if known is None]
        others = {
            name: (f"{ROWS}.{self._rows.place(name)}", self._rows.kind(name))
            for name in exact
            if name not in numbered
        }
        sets = {name: f"{ROWS}.{self._rows.place(name)}" for name in asked}
        found, kinds = settled_kinds(self._cluster, self._source, others, sets)
        told = {name: found[name] if known is None else known for name, known in numbers.items()}
        for name, seen in told.items():
            kind = kind_of(self._rows.profile(name).values.take(pa.array(seen)))
            kinds |= {} if kind is None else {name: kind}
        return told, kinds

    def _known(self, name: str) -> IntArray | None:
        """Return the numbers of the values of a column that are released, where classes tell them."""
        base = self._problem.base
        if name in self._problem.names:
            return self._base.numbers(base, self._released, name)
        if name not in base.sensitive:
            return None
        held = base.sensitive[name]
        return np.unique(held.values[self._released[held.owners]]).astype(np.int64)

    def _decision(self) -> pa.Table:
        """Return the keys of the released classes, and the numbers of the labels by which they are told."""
        keys = self._base.keys(self._problem.base, self._released)
        told = {f"b{j}": pa.array(key) for j, key in enumerate(keys)}
        for name, (_, codes) in self._told_labels.items():
            told[f"l{self._problem.names.index(name)}"] = pa.array(codes, pa.int32())
        return pa.table(told)

    @cached_property
    def _told_labels(self) -> dict[str, tuple[pa.Array, IntArray]]:
        """The distinct labels of each column that is told by labels, in order, and the number of that of every released class."""
        told = {}
        for name, column in self._by_class.items():
            if not self._is_exact(name):
                texts = column.texts
                order = sorted(range(len(texts)), key=lambda i: (texts[i] is not None, texts[i] or ""))
                told[name] = (
                    _as_held(column.values.take(pa.array(order, pa.int64()))),
                    np.argsort(order).astype(np.int64)[column.codes],
                )
        return told

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
