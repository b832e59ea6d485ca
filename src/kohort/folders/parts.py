"""A table in parts: a folder of files of one format, as those write it who write with many hands."""

from __future__ import annotations

from pathlib import Path

from kohort.errors import InputError

PART = "part-{:05d}.parquet"
SUFFIXES = (".parquet", ".pq")
_NOT_ROWS = ("_", ".")  # what others put beside the parts: marks of success, sums


def is_in_parts(path: Path) -> bool:
    """Say whether a path is a table in parts: a folder that is called like a Parquet file."""
    return path.suffix.lower() in SUFFIXES and path.is_dir() and not path.is_symlink()


def parts_of(path: Path, suffixes: tuple[str, ...] = SUFFIXES) -> list[Path]:
    """Return the files of a table in the order of their names: the file itself, or the parts of a folder."""
    if not path.is_dir():
        return [path]
    found = sorted(
        part
        for part in path.rglob("*")
        if part.suffix.lower() in suffixes and part.is_file() and not part.name.startswith(_NOT_ROWS)
    )
    if not found:
        raise InputError(
            f"{path} is a folder without a file of the suffix {' or '.join(suffixes)}; name a file, or the folder of a table",
            code="table.no-file",
            path=path,
        )
    return found
