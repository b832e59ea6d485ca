"""Where the rows are kept while a release is made: in memory, or on disk by DuckDB."""

from __future__ import annotations

from importlib import import_module

from kohort.engines.workplace import Released, Workplace

# name -> "module:Class" below kohort.engines; imported when asked for, as the algorithms are
ENGINES: dict[str, str] = {"memory": "memory:InMemory", "duckdb": "on_disk:OnDisk"}


def engine(name: str) -> type[Workplace]:
    """Return the engine of that name."""
    module, attribute = ENGINES[name].split(":")
    found: type[Workplace] = getattr(import_module(f"kohort.engines.{module}"), attribute)
    return found


__all__ = ["ENGINES", "Released", "Workplace", "engine"]
