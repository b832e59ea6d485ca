"""What stands in a file that Kohort writes, to be compared with another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from kohort.table import Table
from kohort.table.writing import write_table


def written(table: Table, path: Path) -> Any:
    """Return the bytes of a file; of DuckDB's, which hold random numbers too, its cells and types."""
    write_table(table, path)
    if path.suffix != ".duckdb":
        return path.read_bytes()
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.sql("SELECT * FROM release").to_arrow_table()
