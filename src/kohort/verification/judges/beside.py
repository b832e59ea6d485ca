"""Judges that a file holds its table and nothing beside it: no second sheet, comment, free page or metadata."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from kohort.errors import KohortError
from kohort.folders.parts import is_numbered, parts_of
from kohort.folders.release_folder import sha256
from kohort.table.reading import read_table
from kohort.table.table import Table
from kohort.table.writing import write_table
from kohort.verification.judges.verdict import Verdict

BESIDE = "the files hold nothing beside their tables"
DELIMITED = {".csv": ",", ".tsv": "\t"}  # where the same cells are the same bytes, whatever wrote them
UNKNOWN = (
    "not judged: {} differs from what is written here of the same cells; another version of a library may have "
    "written it, or something stands beside the table in it"
)
CHANGED = "{} is not as Kohort writes it"


def judge_beside(tables: Mapping[Path, Table]) -> Verdict:
    """Return whether each file is what Kohort writes of the cells that were read from it, byte for byte.

    So must every part of a text in parts be, and nothing else may stand beside them.
    """
    differing = [file for file, table in tables.items() if not _is_rewritten(file, table)]
    if not differing:
        return Verdict(BESIDE, True)
    names = ", ".join(repr(file.name) for file in differing)
    if any(file.suffix in DELIMITED for file in differing):
        return Verdict(BESIDE, False, note=CHANGED.format(names))
    return Verdict(BESIDE, None, note=UNKNOWN.format(names))


def _is_rewritten(file: Path, table: Table) -> bool:
    if file.is_dir():  # parts of other formats are written by others than who writes here
        is_text = file.suffix in DELIMITED and is_numbered(file)
        return is_text and all(_is_rewritten(part, table) for part in parts_of(file))
    with tempfile.TemporaryDirectory(prefix="kohort-") as folder:
        copy = Path(folder) / file.name
        delimited = file.suffix in DELIMITED
        try:
            write_table(_spelled(file) if delimited else table, copy, escape_formulas=not delimited)
        except KohortError:
            return False
        return sha256(copy) == sha256(file)


def _spelled(file: Path) -> Table:
    """Return the cells of delimited text as they are spelled, since what was a number there is text here."""
    return read_table(file, delimiter=DELIMITED[file.suffix], quote='"', encoding="utf-8", header=True)
