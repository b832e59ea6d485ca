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
from kohort.engines.spark.keys import Digit, Keys
from kohort.engines.spark.recoding import (
    Recoding,
    Unpacking,
    Work,
    kinds_needed,
    needed_by_all,
    of_query,
    of_source,
    to_parts,
)
from kohort.engines.spark.rows import PERSON, ROWS, ClusterRows
from kohort.engines.spark.settling import in_catalog, in_files, kind_of_any
from kohort.engines.spark.spelling import PeopleBeside, Spelling
from kohort.hierarchy import SUPPRESSED, Label
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.release.publishing import told_column
from kohort.table import Column
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.keyed import RowKeys
from kohort.table.cluster.packets import PACKETS, all_of, delivered
from kohort.table.cluster.places import Places
from kohort.table.cluster.session import told_plainly
from kohort.table.cluster.values import broadcast
from kohort.table.cluster.writing import write_parts
from kohort.table.packing import Packing
from kohort.table.settling import released_kind, settled_kind
from kohort.verification.judges.claims import Claim

ROWS_OF_A_PART = 1 << 20
DECISION = "decision"
_WHOSE = "\0person"  # as no column can be called


class Placing(Protocol):
    """How rows find the class by which they are released: by their codes at a node, or by their box."""

    def lookup(self, base: Classes, released: BoolArray) -> tuple[RowKeys, Places] | None:
        """Return how executors find the class of a row that they have, where they can."""

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
        self._write(self._spelling, path)

    def write_people(self, path: Path) -> None:
        """Write the pseudonym of every released row: in as many parts, and in their order."""
        self._write(PeopleBeside(self._spelling.kinds, self._spelling.values, (_WHOSE,)), path)

    def told(self) -> tuple[Any, Spelling]:
        """Return the released rows as packets for the parts in which they are written, and how they are spelled there."""
        return self._packets(self._spelling), self._spelling

    def _write(self, spelling: Spelling, path: Path) -> None:
        write_parts(self._packets(spelling), spelling, path)

    def _packets(self, spelling: Spelling) -> Any:
        n_rows = int(self._problem.base.rows[self._released].sum())
        parts = max(-(-n_rows // ROWS_OF_A_PART), 1)
        work = partial(to_parts, spelling=spelling.prepared(), parts=parts)
        return delivered(self._through(work, spelling.beside), parts)

    def claim(self) -> Claim:
        """Return as what the rows of each released class are told, for a judge to find true or false."""
        told = tuple(
            None if self._is_exact(name) else self._labels(j) for j, name in enumerate(self._problem.names)
        )
        return self._base.claimed(self._problem.base, self._released, told)

    def _through(self, work: Work, beside: Sequence[str]) -> Any:
        """Return what executors make of the released rows."""
        found = None if beside else self._base.lookup(self._problem.base, self._released)
        if found is None:
            unpacking, frame = self._queried(beside)
            with told_plainly():
                return frame.mapInArrow(partial(of_query, unpacking, work), PACKETS)
        keys, places = found
        labels = {name: codes for name, (_, codes) in self._told_labels.items()}
        numbered = {name: self._rows.held(name) for name in self._numbered}
        kinds = {name: self._rows.kind(name) for name in self._cells}
        recoding = Recoding(keys, places, labels, numbered, kinds)
        names = dict.fromkeys([*(name for name, _, _ in keys.coding), *numbered, *kinds])
        return self._rows.through(list(names), partial(of_source, recoding=recoding, work=work), PACKETS)

    def _queried(self, beside: Sequence[str]) -> tuple[Unpacking, Any]:
        """Return the released rows as SQL has them: each joined with what its class is released as, and its person's pseudonym."""
        self._cluster.keep(DECISION, self._decision())
        found, rows = self._base.placed(self._rows.pseudonyms() if beside else None)
        same = " AND ".join(f"{key} = {DECISION}.b{j}" for j, key in enumerate(found))
        digits = {
            name: Digit(f"{DECISION}.l{self._problem.names.index(name)}", len(values))
            for name, (values, _) in self._told_labels.items()
        }
        for name in self._numbered:
            digits[name] = Digit(f"{ROWS}.{self._rows.place(name)}", self._rows.size(name))
        keys = Keys(list(digits.values())) if digits else None
        told = {f"p{i}": key for i, key in enumerate([] if keys is None else keys.sql)}
        cells = {name: (self._rows.place(name), self._rows.kind(name)) for name in self._cells}
        told |= {place: f"{ROWS}.{place}" for place, _ in cells.values()}
        told |= {PERSON: f"{ROWS}.{PERSON}"} if beside else {}
        people = {person: (PERSON, pa.int32()) for person in beside}
        packing = Packing((), ()) if keys is None else keys.packing
        selected = ", ".join(f"{sql} AS {place}" for place, sql in told.items())
        hint = broadcast({DECISION: int(self._released.sum())})
        query = f"SELECT {hint} {selected} FROM {rows} JOIN {DECISION} ON {same}"
        return Unpacking(packing, tuple(digits), cells | people), self._cluster.query(query)

    @cached_property
    def _spelling(self) -> Spelling:
        """How released columns are told: those that have numbers in an order that is the same whoever is left out."""
        values = {name: told for name, (told, _) in self._told_labels.items()}
        values |= {name: self._rows.values(name) for name in self._numbered}
        kinds = self._kinds()
        # unsafe, since those who are left out may have values that the type does not hold; nobody writes them
        typed = {name: told.cast(kinds[name], safe=False) for name, told in values.items()}
        return Spelling({name: kinds[name] for name in self._plan.released}, typed)

    @property
    def _exact(self) -> list[str]:
        """The columns that are told as they were read."""
        return [name for name in self._plan.released if name not in self._told_labels]

    @property
    def _numbered(self) -> list[str]:
        return [name for name in self._exact if self._rows.is_numbered(name)]

    @property
    def _cells(self) -> list[str]:
        return [name for name in self._exact if not self._rows.is_numbered(name)]

    def _kinds(self) -> dict[str, pa.DataType]:
        """Return the types of the released columns, which are settled by the released values."""
        found = {name: told.type for name, (told, _) in self._told_labels.items()}
        found |= {name: told.values.type for name, told in self._by_class.items() if name not in found}
        asked: dict[str, pa.Array | None] = {}
        for name in self._exact:
            if name in found:
                continue
            values = self._rows.values(name) if self._rows.is_numbered(name) else None
            known = self._known(name) if values is not None else None
            kind = kind_of_any(self._rows.kind(name), values) if known is None else None
            if known is not None and values is not None:
                kind = settled_kind(values.take(pa.array(known)))
            if kind is None:
                asked[name] = values
            else:
                found[name] = kind
        if asked:
            with told_plainly():
                packets = self._through(partial(kinds_needed, asked=asked), ()).toArrow()
            found |= needed_by_all(all_of(packets))
        settled = {name: released_kind(kind) for name, kind in found.items()}
        if self._plan.output.table is None:
            return {name: in_files(kind, self._rows.kind(name)) for name, kind in settled.items()}
        return {name: in_catalog(kind) for name, kind in settled.items()}

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
                    column.values.take(pa.array(order, pa.int64())),
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
