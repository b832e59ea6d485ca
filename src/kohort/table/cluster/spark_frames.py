"""Data frames of Spark, known without importing it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def is_spark_frame(source: object) -> bool:
    """Say whether something is a data frame of Spark, at hand or at the other end of Connect."""
    return any(
        kind.__module__.startswith("pyspark.sql") and kind.__name__ == "DataFrame"
        for kind in type(source).__mro__
    )


def beside(frame: Any, table: pa.Table) -> Any:
    """Return a table as a frame of the session that another frame is of."""
    from kohort.table.cluster.session import told_plainly

    with told_plainly():
        return frame.sparkSession.createDataFrame(table)
