"""The engines by name, imported when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kohort.engines.engine import Engine
from kohort.engines.serving import demand_source
from kohort.engines.wanted import Wanted
from kohort.errors import InputError
from kohort.table.cluster.spark_frames import is_spark_frame
from kohort.third_parties import Available

# name -> "folder:Class" below kohort.engines
ENGINES: dict[str, str] = {
    "memory": "memory.engine:InMemory",
    "duckdb": "duckdb.engine:OnDisk",
    "spark": "spark.engine:InCluster",
}
DEFAULT = "memory"


def engine(name: str) -> type[Engine]:
    """Return the engine of that name."""
    if name not in AVAILABLE_ENGINES:
        raise InputError(
            f"there is no engine {name!r}; the engines are: {', '.join(AVAILABLE_ENGINES)}",
            code="engine.unknown",
            engine=name,
            allowed=list(AVAILABLE_ENGINES),
        )
    return AVAILABLE_ENGINES[name]


def _own(name: str) -> type[Engine]:
    module, attribute = ENGINES[name].split(":")
    found: type[Engine] = getattr(import_module(f"kohort.engines.{module}"), attribute)
    return found


AVAILABLE_ENGINES: Available[type[Engine]] = Available("kohort.engines", ENGINES, _own, Engine)


def engine_for(name: str | None, *tables: object) -> str:
    """Return the engine that is named, else the one that keeps these tables: Spark's where one is a data frame of Spark."""
    if name is not None:
        return name
    return "spark" if any(map(is_spark_frame, tables)) else DEFAULT


def opened(name: str, source: Any, wanted: Wanted, memory: str | None = None) -> Engine:
    """Return the engine of that name with what is wanted of a source; refuses a source that it does not read."""
    kind = bounded_engine(name, memory)
    demand_source(kind, source)
    return kind(source, wanted, memory)


def bounded() -> list[str]:
    """Return the names of the engines whose memory can be bounded."""
    return [name for name, kind in AVAILABLE_ENGINES.usable().items() if kind.bounded]


def bounded_engine(name: str, memory: str | None) -> type[Engine]:
    """Return the engine of that name; refuses to bound the memory of one that keeps no bound."""
    kind = engine(name)
    if memory is not None and not kind.bounded:
        raise InputError(
            f"memory is {memory!r}, but the {name} engine keeps no bound; leave it out, or use: {', '.join(bounded())}",
            code="engine.memory",
            engine=name,
            option="memory",
            value=memory,
            allowed=bounded(),
        )
    return kind
