"""The engines by name, imported when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kohort.engines.engine import Engine
from kohort.engines.serving import demand_source
from kohort.engines.wanted import Wanted
from kohort.errors import InputError

# name -> "folder:Class" below kohort.engines
ENGINES: dict[str, str] = {"memory": "memory.engine:InMemory", "duckdb": "duckdb.engine:OnDisk"}
DEFAULT = "memory"


def engine(name: str) -> type[Engine]:
    """Return the engine of that name."""
    if name not in ENGINES:
        raise InputError(f"there is no engine {name!r}; the engines are: {', '.join(ENGINES)}")
    module, attribute = ENGINES[name].split(":")
    found: type[Engine] = getattr(import_module(f"kohort.engines.{module}"), attribute)
    return found


def opened(name: str, source: Any, wanted: Wanted, memory: str | None = None) -> Engine:
    """Return the engine of that name with what is wanted of a source; refuses a source that it does not read."""
    kind = engine(name)
    demand_source(kind, source)
    return kind(source, wanted, memory)
