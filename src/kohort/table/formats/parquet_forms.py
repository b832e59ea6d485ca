"""Columns of Parquet files whose stored type has several forms of one value: whoever reads the bytes tells them apart.

Time stamps of 96 bits count hours beyond a day, decimals in bytes may begin with any number of zeros, and numbers of 8 or 16 bits
stand in 32, of which readers drop what is too much.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet

from kohort.folders.parts import parts_of

_NARROW = tuple(f"{sign}INT_{bits}" for sign in ("", "U") for bits in (8, 16))


def with_room_for_forms(path: Path) -> list[str]:
    """Return the columns of a Parquet file, or of its parts, that have room for several forms; of other files none."""
    if path.suffix.lower() not in (".parquet", ".pq"):
        return []
    found: dict[str, None] = {}
    for part in parts_of(path) if path.is_dir() else [path]:
        schema = pyarrow.parquet.ParquetFile(part).schema
        for place in range(len(schema.names)):
            column = schema.column(place)
            if _has_room(column.physical_type, column.converted_type):
                found[column.name] = None
    return list(found)


def _has_room(physical: str, converted: str) -> bool:
    wide = physical == "BYTE_ARRAY" and converted == "DECIMAL"
    return physical == "INT96" or wide or converted in _NARROW
