"""Tables in parts, as folders of files."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet


def folder_of(table: pa.Table, folder: Path, parts: int, suffix: str) -> Path:
    folder.mkdir()
    for i in range(parts):
        piece = table.slice(i * len(table) // parts, (i + 1) * len(table) // parts - i * len(table) // parts)
        if suffix == "csv":
            pa.csv.write_csv(piece, folder / f"{i}.csv")
        else:
            pa.parquet.write_table(piece, folder / f"{i}.parquet")
    return folder
