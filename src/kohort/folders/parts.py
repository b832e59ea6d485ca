"""A table in parts: a folder of files of one format, as those write it who write with many hands."""

from __future__ import annotations

import os
from pathlib import Path

from kohort.errors import InputError

SUFFIXES = (".parquet", ".pq")
TEXTS = (".csv", ".tsv", ".tab", ".txt")
_NOT_ROWS = ("_", ".")  # what others put beside the parts: marks of success, sums


def part_name(number: int, suffix: str) -> str:
    """Return what a part is called.

    >>> part_name(7, ".csv")
    'part-00007.csv'
    """
    return f"part-{number:05d}{suffix}"


def is_in_parts(path: Path) -> bool:
    """Say whether a path is a table in parts: a folder that is called like a file of Parquet, or of text."""
    return path.suffix.lower() in (*SUFFIXES, *TEXTS) and path.is_dir() and not path.is_symlink()


def parts_of(path: Path, suffixes: tuple[str, ...] = SUFFIXES) -> list[Path]:
    """Return the files of a table in the order of their names: the file itself, or the parts of a folder.

    A folder that is called like a text holds texts with its own suffix, and nothing else that could be rows.
    """
    if not path.is_dir():
        return [path]
    is_text = is_in_parts(path) and path.suffix.lower() in TEXTS
    suffixes = (path.suffix.lower(),) if is_text else suffixes
    files = [part for part in path.rglob("*") if part.is_file() and not part.name.startswith(_NOT_ROWS)]
    found = sorted(part for part in files if part.suffix.lower() in suffixes)
    if is_text and len(found) < len(files):
        other = min(set(files) - set(found))
        raise InputError(
            f"{path} holds {other.name!r} beside what ends with {suffixes[0]}; a folder is one table: take that out",
            code="table.several-parts",
            path=path,
        )
    if not found:
        raise InputError(
            f"{path} is a folder without a file of the suffix {' or '.join(suffixes)}; name a file, or the folder of a table",
            code="table.no-file",
            path=path,
        )
    return found


def is_numbered(path: Path) -> bool:
    """Say whether all that stands in a folder are its parts as Kohort calls them, one after the other."""
    names = sorted(os.listdir(path))
    return names == [part_name(number, path.suffix) for number in range(len(names))]
