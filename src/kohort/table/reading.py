"""A file becomes a `Table`."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from kohort.errors import InputError
from kohort.folders.parts import is_in_parts, parts_of
from kohort.paths import usable
from kohort.table.catalog import POINTER, catalog_table
from kohort.table.formats import HEADED, LABELS, READERS, Reader
from kohort.table.formats.heading import check_names_apply
from kohort.table.formats.options import HowToRead, ReadingOptions, reading_options
from kohort.table.memory_left import check_fits
from kohort.table.table import Table
from kohort.table.tidying import tidied


def read_table(path: str | Path, **told: Unpack[HowToRead]) -> Table:
    """Return the table a file holds; the suffix names the format.

    Delimited text is read as text throughout: a ZIP `01234`, a long number, a date stay as written. The other formats
    keep their types and their own missing values. A text of blanks only is missing in all of them; `missing` lists
    what else is, as it is spelled (`["NA", "-99"]`, numbers and dates too). `table` names the table of a
    database or the sheet of a workbook where there are several. Delimiter, quote, encoding and header are
    looked for unless stated; a first row that holds all the names `expected` is a header. `skip` passes over lines
    (of a sheet: rows) of a title, and `footer` leaves out so many rows at the end (of a sheet: filled ones). `missing_in`
    lists further texts that mean missing, by column; with a `decimal` sign numbers so written are read as `1234.5`; `trim`
    and, of single columns, `fold` take away blanks and upper case.
    A file that tells of more cells than fit in the memory that is left is refused before any is read.
    `unescape_formulas` takes back what `write_table` did to texts that look like formulas.
    """
    path = Path(path)
    check_file(path)
    reader = _reader(path)
    options = reading_options(told)
    check_names_apply(path, options.header, path.suffix.lower() in HEADED)
    check_fits(path, options)
    read = Table.from_arrow(reader(path, options))
    if not read.n_rows:
        raise InputError(
            f"{path} has columns but no rows; there is nothing to release", code="table.empty", path=path
        )
    return tidied(read, options)


def read_labels(path: str | Path) -> dict[str, str]:
    """Return what a file of SPSS, Stata or SAS says each column is about; other formats say nothing."""
    path = Path(path)
    if path.suffix.lower() not in LABELS:
        return {}
    told = LABELS[path.suffix.lower()](path, ReadingOptions())
    return dict(zip(told["name"].to_pylist(), told["label"].to_pylist(), strict=True))


def read_released(path: str | Path) -> Table:
    """Return a table that `write_table` wrote, cell by cell as it was handed over.

    Nothing is sniffed: header, delimiter, quoting and the escaping of formulas are those of `write_table`.
    """
    return read_table(
        path,
        delimiter="\t" if Path(path).suffix.lower() in (".tsv", ".tab") else ",",
        quote='"',
        encoding="utf-8",
        header=True,
        unescape_formulas=True,
    )


def _reader(path: Path) -> Reader:
    try:
        return READERS[path.suffix.lower()]
    except KeyError:
        known = ", ".join(sorted(READERS))
        raise InputError(
            f"{path}: unknown suffix {path.suffix!r}; Kohort reads {known}",
            code="table.unknown-format",
            path=path,
            format=path.suffix,
            allowed=list(READERS),
        ) from None


def check_file(path: Path) -> None:
    """Refuse what is no file, or holds nothing."""
    if catalog_table(path) is not None:
        raise InputError(
            f"{path.name} is a table of a catalog, which the spark engine reads; use that, or name a file",
            code="table.no-file",
            path=path,
        )
    if path.suffix == POINTER:
        raise InputError(
            f"{path} stands for a table of a catalog, which the spark engine reads; use that, or name a file",
            code="table.no-file",
            path=path,
        )
    if is_in_parts(usable(path, "the table")):
        for part in parts_of(path):
            check_file(part)
        return
    if path.is_dir():
        raise InputError(f"{path} is a directory; name one file in it", code="table.no-file", path=path)
    if not path.exists():
        raise InputError(
            f"there is no file {path}; the folder searched is {path.absolute().parent}",
            code="table.no-file",
            path=path,
        )
    if not path.is_file():
        raise InputError(
            f"{path} is a device or a pipe, which cannot be read twice; save it as a file first",
            code="table.no-file",
            path=path,
        )
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}; check its permissions",
            code="table.unreadable",
            path=path,
        ) from None
    if empty:
        raise InputError(
            f"{path} is empty; it must hold a header row and at least one row below it",
            code="table.empty",
            path=path,
        )
