"""`Budget`: how the memory that a process may take is shared between DuckDB, the classes in Python and the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import ceil

from kohort.errors import InputError

# bytes of the classes' share that go to compiled kernels, and to what two DuckDBs keep and no longer use
KEPT = 60_000_000
PROCESS = 350_000_000  # bytes of the program, its libraries and the pieces of a file under way
LEAST = 600_000_000  # below this nothing is left to share
# of what is left; the last quarter is what allocators keep and libraries do not count
DUCKDB, ROOM = 0.40, 0.35

_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
_LONGEST, _MOST = 30, 2**60  # signs, and bytes
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+|%)\s*")


@dataclass(frozen=True)
class Budget:
    """What a process on disk may take in all."""

    total: int  # bytes

    @classmethod
    def of(cls, memory: str | None) -> Budget:
        """Return the budget that `memory` spells, such as "4GB"; half of the machine's where nothing is said."""
        total = machine_bytes() // 2 if memory is None else spelled_bytes(memory)
        if memory is not None and total < LEAST:
            raise InputError(
                f"memory {memory!r}: the program itself takes more than half of that; allow at least {LEAST // 10**6}MB",
                code="engine.memory",
                option="memory",
                value=memory,
            )
        return cls(max(total, LEAST))

    @property
    def left(self) -> int:
        """What is left beside the program itself."""
        return self.total - PROCESS

    @property
    def duckdb(self) -> str:
        """What DuckDB may take, as it spells sizes."""
        return f"{int(self.left * DUCKDB) // 1_000_000}MB"

    @property
    def room(self) -> int:
        """How many bytes the classes may take in Python."""
        return int((self.left - KEPT) * ROOM)


def with_room(room: int) -> str:
    """Return the least memory, spelled, of which so many bytes are left in Python."""
    return f"{ceil(max(PROCESS + KEPT + room / ROOM, LEAST) / 1e8) / 10}GB"


def more_memory(lacking: int) -> str:
    """Return how much more memory, spelled, leaves so many bytes more in Python."""
    return f"{ceil(lacking / ROOM / 1e8) / 10}GB"


def spelled_bytes(memory: str) -> int:
    """Return how many bytes a size such as 800MB or 95.3 MiB is."""
    found = _SIZE.fullmatch(memory)
    unit = "" if found is None else found[2].upper()
    sizes = _UNITS if unit != "%" else {"%": machine_bytes() / 100}
    size = 0 if found is None or len(memory) > _LONGEST else int(float(found[1]) * sizes.get(unit, 0))
    if not 0 < size < _MOST:
        raise InputError(
            f"memory {memory!r}: write it as 800MB or 4GB",
            code="engine.memory",
            option="memory",
            value=memory,
        )
    return size


@cache
def machine_bytes() -> int:
    """Return the memory of the machine, or of the container: DuckDB takes 80 % of it where nothing is said."""
    import duckdb

    with duckdb.connect(":memory:") as connection:
        [[told]] = connection.execute("SELECT current_setting('memory_limit')").fetchall()
    return int(spelled_bytes(told) / 0.8)
