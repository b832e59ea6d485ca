"""A file becomes a `Table`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats import READERS
from kohort.table.formats.options import ReadingOptions
from kohort.table.table import Table


def read_table(
    path: str | Path,
    *,
    table: str | None = None,
    missing: Sequence[str] = ("",),
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    columns: Sequence[str] | None = None,
    unescape_formulas: bool = False,
    quoted_missing: bool = True,
) -> Table:
    """Return the table a file holds; the suffix names the format.

    Delimited text is read as text throughout: a ZIP `01234`, a long number, a date stay as written, and
    the empty field is missing (with whatever else `missing` names). The other formats keep their types.
    `table` names the table of a database or the sheet of a workbook; None of the other options is needed
    as long as the file explains itself.
    """
    path = Path(path)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path}: unknown suffix {path.suffix!r}; Kohort reads {', '.join(sorted(READERS))}")
    _check_file(path)
    options = ReadingOptions(
        table=table,
        missing=tuple(missing),
        delimiter=delimiter,
        encoding=encoding,
        header=header,
        columns=None if columns is None else tuple(columns),
        unescape_formulas=unescape_formulas,
        quoted_missing=quoted_missing,
    )
    read = Table.from_arrow(reader(path, options))
    if not read.n_rows:
        raise InputError(f"{path} has a header but no rows; there is nothing to release")
    return read


def read_released(path: str | Path) -> Table:
    """Return a table that `write_table` wrote, cell by cell as it was handed over.

    Nothing is sniffed: header, delimiter, quoting and the escaping of formulas are those of `write_table`.
    """
    return read_table(
        path,
        delimiter="\t" if Path(path).suffix.lower() in (".tsv", ".tab") else ",",
        encoding="utf-8",
        header=True,
        unescape_formulas=True,
        quoted_missing=False,
    )


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a directory; name one file in it")
    if not path.exists():
        raise InputError(f"there is no file {path}; the folder searched is {path.absolute().parent}")
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; check its permissions") from None
    if empty:
        raise InputError(f"{path} is empty; it must hold a header row and at least one row below it")
