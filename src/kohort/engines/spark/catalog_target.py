"""A released table that stands in a catalog: written by the executors under a name of its own, renamed when the release stands."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from kohort.engines.spark.output import Output
from kohort.engines.spark.spelling import Spelling
from kohort.errors import InputError
from kohort.folders.own_files import write_private
from kohort.interrupts import postponed, uninterrupted
from kohort.table.catalog import POINTER, UNFINISHED, Pointer
from kohort.table.cluster.failures import handed_over
from kohort.table.cluster.packets import by_part
from kohort.table.cluster.pieces import Batches
from kohort.table.cluster.row_digests import Held, held_by
from kohort.table.cluster.session import forgets_tables, quiet, told_plainly

_OWN = "spark_catalog."  # Spark's own catalog, within which names have two parts
_ROWS_OF_A_BATCH = 10_000
_LOOKS, _PAUSE = 3, 0.5  # at what is left, and seconds between them
_TYPES = {
    pa.string(): "string",
    pa.null(): "string",  # nothing stands in it, and few formats have a type for that
    pa.int64(): "bigint",
    pa.float64(): "double",
    pa.bool_(): "boolean",
    pa.date32(): "date",
    pa.timestamp("us"): "timestamp_ntz",
    pa.timestamp("us", "UTC"): "timestamp",
}


class CatalogTable:
    """Writes a release to a new table of a catalog; a table that is there already is never touched."""

    def __init__(self, spark: Any, output: Output, name: str) -> None:
        self._spark, self._output, self.name = spark, output, name
        self.staged: str | None = None  # where it is until the release stands
        self._stands = self._renaming = self._cut_off = False
        self._held: Held | None = None  # what was written
        demand_place(spark, name)

    def __call__(self, path: Path) -> None:
        """Write the rows, and to the file what they are; with another suffix than that of a pointer, a folder of parts."""
        if path.suffix != POINTER:
            self._output.write(path)
            return
        self.settle()  # what stands by an earlier saving is a release of its own
        demand_place(self._spark, self.name)
        self.staged = f"{self.name.rpartition('.')[0]}.{UNFINISHED}{secrets.token_hex(8)}"
        packets, spelling = self._output.told()
        with told_plainly(), self._tagged(self.staged):
            rows = packets.mapInArrow(partial(_rows, spelling), _schema(spelling.schema))
            rows.write.saveAsTable(self.staged)
            self._held = held_by(self._spark.table(self.staged))
        write_private(path, Pointer(self.name, *self._held).text())

    @contextmanager
    def _tagged(self, tag: str) -> Iterator[None]:
        """Name the work of this thread, so that it can be ended; where it is interrupted, a server goes on with it else."""
        self._spark.addTag(tag)
        try:
            yield
        except BaseException as end:
            self._cut_off = True
            with uninterrupted(), suppress(Exception), quiet():
                # where Java runs here it forgets tags with the thread that is cut off, and Ctrl-C means all work to it
                if not self._spark.interruptTag(tag) and not isinstance(end, Exception):
                    self._spark.interruptAll()
            raise
        finally:
            self._spark.removeTag(tag)

    def stand(self) -> None:
        """Give the table its name, unless there is one of that name by now; Ctrl-C waits until that is done."""
        if self.staged is not None:
            with postponed(), told_plainly():
                self._renaming = True
                self._spark.sql(f"ALTER TABLE {self.staged} RENAME TO {within_catalog(self.name)}").collect()
                self._stands, self._renaming = True, False

    def settle(self) -> None:
        """Leave the table to its release, which stands: whatever is saved after it does not take it back."""
        self.staged, self._held = None, None
        self._stands = self._renaming = False

    def withdraw(self) -> None:
        """Remove the table that was written, under whichever name it is; nothing that was there before."""
        if self.staged is None:
            return
        # whatever kept it from being written may keep it from being removed
        with suppress(Exception), quiet():
            name = self._called()
            self._spark.sql(f"DROP TABLE IF EXISTS {name}").collect()
            for _ in range(
                _LOOKS if self._cut_off else 0
            ):  # what ended as it was cut off leaves its table only now
                time.sleep(_PAUSE)
                self._spark.sql(f"DROP TABLE IF EXISTS {name}").collect()
        self.settle()

    def _called(self) -> str | None:
        """Return the name that the table has: where nobody can say whether it was renamed, that under which it is found."""
        if self._stands or not self._renaming or self._spark.catalog.tableExists(self.staged):
            return self.name if self._stands else self.staged
        is_ours = self._held is not None and held_by(self._spark.table(self.name)) == self._held
        return self.name if is_ours else self.staged


def within_catalog(name: str) -> str:
    """Return what a table is renamed to, which stays in its catalog.

    >>> within_catalog("spark_catalog.health.people"), within_catalog("health.people"), within_catalog("lake.health.people")
    ('health.people', 'health.people', 'lake.health.people')
    """
    return name[len(_OWN) :] if name.lower().startswith(_OWN) and name.count(".") == 2 else name


def demand_place(spark: Any, name: str) -> None:
    """Refuse a catalog that is gone when this program ends, a schema that is not there, and a table that is there already."""
    if forgets_tables(spark, name):
        raise InputError(
            f"[output] table: the catalog of {name} is gone when this program ends; name a Spark that keeps its tables "
            "(a Connect server, or a session of your own), or write files",
            code="plan.wrong-value",
            engine="spark",
            section="output",
            option="table",
        )
    _demand_schema(spark, name)
    with told_plainly():
        there = bool(spark.catalog.tableExists(name))
    if there:
        raise InputError(
            f"[output] table: there is a table {name} already, and a release takes no other's place; name another, or drop it",
            code="plan.wrong-value",
            engine="spark",
            section="output",
            option="table",
        )


def _demand_schema(spark: Any, name: str) -> None:
    schema = name.rpartition(".")[0]
    try:
        with told_plainly():
            there = bool(spark.catalog.databaseExists(schema))
    except InputError:  # of a catalog that it does not know
        there = False
    if not there:
        raise InputError(
            f"[output] table: Spark knows no schema {schema}, or may not look into it; create it first, or name another",
            code="plan.wrong-value",
            engine="spark",
            section="output",
            option="table",
        )


def _schema(columns: pa.Schema) -> str:
    return ", ".join(f"{_quoted(field.name)} {_type(field.name, field.type)}" for field in columns)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _type(name: str, kind: pa.DataType) -> str:
    if pa.types.is_decimal128(kind):
        return f"decimal({kind.precision}, {kind.scale})"
    if kind not in _TYPES:
        raise InputError(
            f"column {name!r} has the type {kind}, which is not released to a table of a catalog; write files",
            code="table.column-type",
            engine="spark",
            column=name,
        )
    return _TYPES[kind]


@handed_over
def _rows(spelling: Spelling, batches: Batches) -> Batches:
    """Yield the rows of the parts that come in, in their order: run by the executors."""
    for _, rows in by_part(batches):
        for group in spelling.spelled(spelling.in_order(rows)):
            kinds = [f.with_type(pa.string()) if pa.types.is_null(f.type) else f for f in group.schema]
            yield from group.cast(pa.schema(kinds)).to_batches(_ROWS_OF_A_BATCH)
