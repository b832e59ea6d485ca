"""Where the rows are kept while a release is made: in memory, or on disk by DuckDB."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.engines.memory import InMemory
from kohort.engines.on_disk import OnDisk
from kohort.engines.workplace import Released, Workplace

ENGINES: Mapping[str, type[Workplace]] = {"memory": InMemory, "duckdb": OnDisk}

__all__ = ["ENGINES", "InMemory", "OnDisk", "Released", "Workplace"]
