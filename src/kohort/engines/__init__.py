"""Where the rows are kept while a table is released, judged or looked at: in memory, or on disk by DuckDB."""

from kohort.engines.engine import Engine, Need, Reduced, Released
from kohort.engines.node import Node
from kohort.engines.registry import (
    AVAILABLE_ENGINES,
    DEFAULT,
    ENGINES,
    bounded,
    bounded_engine,
    engine,
    engine_for,
    opened,
)
from kohort.engines.serving import (
    demand_algorithm,
    demand_release,
    demand_search,
    demand_source,
    demand_tables,
)
from kohort.engines.wanted import Wanted

__all__ = [
    "AVAILABLE_ENGINES",
    "DEFAULT",
    "ENGINES",
    "Engine",
    "Need",
    "Node",
    "Reduced",
    "Released",
    "Wanted",
    "bounded",
    "bounded_engine",
    "demand_algorithm",
    "demand_release",
    "demand_search",
    "demand_source",
    "demand_tables",
    "engine",
    "engine_for",
    "opened",
]
