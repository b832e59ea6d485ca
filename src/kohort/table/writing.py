"""A table of released values becomes a file that holds nothing else."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pyarrow as pa

from kohort.errors import InputError
from kohort.table.formats import WRITERS
from kohort.table.formats.naming import check_header
from kohort.table.formats.options import WritingOptions
from kohort.table.formats.unholdable import check_texts
from kohort.table.rebuilding import rebuilt
from kohort.table.table import Table


def write_table(
    table: pa.Table | Table, path: str | Path, *, name: str = "release", escape_formulas: bool = True
) -> None:
    """Write the values of the table to a file in the format its suffix names; nothing else goes along.

    Columns are rebuilt first: no metadata, index, unused category, dictionary entry or byte under a null
    reaches the file. It is written in a temporary folder that only the owner can enter and renamed when
    complete, so that a killed process leaves no half file under `path`; it keeps mode 0600.

    Text cells that a spreadsheet would run as formulas are escaped in CSV, TSV and Excel unless
    `escape_formulas` is false; `read_released` undoes it. `name` is the table of a database, the sheet of
    a workbook.
    """
    path = Path(path)
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise InputError(
            f"{path}: unknown suffix {path.suffix!r}; Kohort writes {', '.join(sorted(WRITERS))}",
            code="table.unknown-format",
            path=path,
            format=path.suffix,
            allowed=sorted(WRITERS),
        )
    fresh = rebuilt(table)
    if not fresh.columns:
        raise InputError(
            f"{path}: a table without columns cannot be written; at least one must be released",
            code="table.empty",
            path=path,
        )
    check_header(str(path), fresh.names)
    check_texts(fresh, path)
    with _private_folder(path) as folder:
        staged = Path(folder) / path.name
        writer(fresh, staged, WritingOptions(name, escape_formulas))
        staged.chmod(0o600)
        os.replace(staged, path)


def _private_folder(path: Path) -> tempfile.TemporaryDirectory[str]:
    """Return a folder beside `path` that only the owner can enter: journals and drafts are written there."""
    try:
        return tempfile.TemporaryDirectory(prefix=".kohort-", dir=path.parent)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}; choose another folder",
            code="file.unwritable",
            path=path,
        ) from None
