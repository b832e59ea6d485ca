"""`Cluster`: tables by name in a Spark session, asked by SQL."""

from __future__ import annotations

import re
import secrets
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

import pyarrow as pa

from kohort.table.cluster.packets import delivered
from kohort.table.cluster.session import quiet, told_plainly

Batches = Iterator[pa.RecordBatch]
SMALL = 500_000  # rows of a table that every executor may hold


class Cluster:
    """Views of a session under names of their own, gone when this is closed.

    Only what Spark Connect serves is asked for: SQL over views, and Arrow on the way in and out.
    """

    def __init__(self, spark: Any) -> None:
        self.spark = spark
        self._prefix = f"kohort_{secrets.token_hex(8)}_"
        self._views: dict[str, Any] = {}  # name -> the frame, where it is kept in the executors' memory
        self._end = weakref.finalize(self, _clear, spark, self._prefix, self._views)

    @property
    def name(self) -> str:
        """What nobody else in the session is called."""
        return self._prefix

    @property
    def parts(self) -> int:
        """In how many parts the session shuffles rows: as many as suit its cores, or what Spark says where nobody did."""
        with told_plainly():
            return int(self.spark.conf.get("spark.sql.shuffle.partitions", "200"))

    def put(self, name: str, frame: Any, held: bool = False) -> None:
        """Make a frame a view; one that is asked often is held by the executors, in memory or on their disks."""
        with told_plainly():
            if held:
                frame = frame.persist()
            frame.createOrReplaceTempView(self._prefix + name)
        self._views[name] = frame if held else None

    def keep(self, name: str, table: pa.Table) -> None:
        """Make an Arrow table a view."""
        with told_plainly():
            self.put(name, self.spark.createDataFrame(table))

    def query(self, query: str) -> Any:
        """Return the frame of a query over the views."""
        # Names are told by common table expressions: two at work in one session do not meet.
        named = [name for name in self._views if re.search(rf"\b{name}\b", query)]
        views = ", ".join(f"{name} AS (SELECT * FROM {self._prefix}{name})" for name in named)
        with told_plainly():
            return self.spark.sql(f"WITH {views} {query}" if views else query)

    def table(self, query: str) -> pa.Table:
        """Return the result of a query."""
        with told_plainly():
            return self.query(query).toArrow()

    def met(
        self, packets: Sequence[Any], parts: int, work: Callable[[Batches], Batches], schema: str
    ) -> pa.Table:
        """Return what executors make of the packets in some frames, all packets of a part being handed to one of them."""
        with told_plainly():
            both = reduce(lambda one, other: one.unionAll(other), packets)
            return delivered(both, parts).mapInArrow(work, schema).toArrow()

    def number(self, query: str) -> int:
        """Return the one whole number that a query asks for."""
        return int(self.table(query).column(0)[0].as_py())

    def close(self) -> None:
        """Give back what the session holds for it."""
        self._end()


def _clear(spark: Any, prefix: str, views: dict[str, Any]) -> None:
    try:
        with quiet():
            for name, held in views.items():
                spark.catalog.dropTempView(prefix + name)
                if held is not None:
                    held.unpersist()
    except Exception:
        pass
    views.clear()
