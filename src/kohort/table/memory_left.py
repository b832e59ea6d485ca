"""How much memory can still be had, and whether the cells of a file fit in it: known before any of them is read.

Half a megabyte of Parquet or of a database may hold a value two hundred million times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from kohort.errors import InputError
from kohort.plurals import many
from kohort.table.budget import machine_bytes
from kohort.table.formats.database_stream import size_of_database
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.parquet import size_of_parquet

SIZES: Mapping[str, Callable[[Path, ReadingOptions], tuple[int, int]]] = {
    **dict.fromkeys((".parquet", ".pq"), size_of_parquet),
    **dict.fromkeys((".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db"), size_of_database),
}
PER_CELL = 20  # bytes while a file is read, measured: its cells as they stand there, and codes
_MACHINE, _CONTAINER = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
_AVAILABLE, _GIVEN_BACK = "MemAvailable:", "inactive_file"


def check_fits(path: Path, options: ReadingOptions) -> None:
    """Refuse a file of more cells than fit in the memory that is left; rows and columns are asked of what it tells of itself.

    Of text nothing is known before it is read, but it takes its room on disk too.
    """
    sized = SIZES.get(path.suffix.lower())
    if sized is None:
        return
    rows, columns = sized(path, options)
    needed, left = rows * columns * PER_CELL, memory_left()
    if needed > left:
        raise InputError(
            f"{path} has {many(rows, 'row')} of {many(columns, 'column')}, which take about {needed / 1e9:,.1f} GB in memory, and "
            f"{left / 1e9:,.1f} GB are left on this machine; use the duckdb engine, which keeps rows on disk, or leave columns out",
            code="table.no-room",
            path=path,
            found=needed,
            allowed=left,
        )


def memory_left() -> int:
    """Return the bytes that programs can still have, on the machine or in the container; the whole machine's where nobody tells."""
    told = [left for left in (_of_machine(), _of_container()) if left is not None]
    return min(told) if told else machine_bytes()


def _of_machine() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in _MACHINE.read_text(encoding="ascii").splitlines():
            if line.startswith(_AVAILABLE):
                return int(line.split()[1]) * 1024
    return None


def _of_container() -> int | None:
    """Return what a container may still take; None where it has no bound."""
    with suppress(OSError, ValueError):
        most, taken = (
            int((_CONTAINER / f"memory.{name}").read_text(encoding="ascii")) for name in ("max", "current")
        )
        held = (_CONTAINER / "memory.stat").read_text(encoding="ascii").splitlines()
        files = next((int(line.split()[1]) for line in held if line.startswith(f"{_GIVEN_BACK} ")), 0)
        return max(most - taken + files, 0)
    return None
