"""Which engine keeps a table where nobody names one."""

from __future__ import annotations

import pyarrow as pa

from kohort.engines import engine_for


class _Base:
    pass


DataFrame = type("DataFrame", (_Base,), {"__module__": "pyspark.sql.connect.dataframe"})
Other = type("DataFrame", (_Base,), {"__module__": "elsewhere"})
OfSpark = type(
    "Classic", (DataFrame,), {"__module__": "somebody"}
)  # as the classes of sessions descend from it


def test_frames_of_spark_stay_there_unless_an_engine_is_named() -> None:
    assert engine_for(None, DataFrame()) == engine_for(None, "t.csv", OfSpark()) == "spark"
    assert engine_for(None, pa.table({}), None, "t.csv", Other()) == engine_for(None) == "memory"
    assert engine_for("memory", DataFrame()) == "memory"
    assert engine_for("duckdb", "t.csv") == "duckdb"
