"""CSV and TSV as one file or as a folder of parts, each with its header: rows come in the order of the parts' names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from kohort.errors import InputError
from kohort.folders.parts import parts_of
from kohort.table.formats.delimited import read_csv
from kohort.table.formats.delimited_stream import names_of_csv, stream_csv
from kohort.table.formats.options import ReadingOptions


def read_delimited(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the cells of a delimited file, or of all parts of a folder of them, as text."""
    if not path.is_dir():
        return read_csv(path, options)
    names_of_delimited(path, options)
    read = [read_csv(part, options) for part in parts_of(path)]
    return pa.concat_tables(map(_coded, read))


def names_of_delimited(path: Path, options: ReadingOptions) -> tuple[str, ...]:
    """Return the names in the header, which must be the same in every part."""
    parts = parts_of(path)
    refuse_footer(path, parts, options.footer)
    first, *others = (names_of_csv(part, options) for part in parts)
    for part, names in zip(parts[1:], others, strict=True):
        if names != first:
            raise unlike(part, parts[0])
    return first


def stream_delimited(path: Path, options: ReadingOptions) -> Iterator[pa.Table]:
    """Yield the rows of a file, or of all parts, some thousand at a time."""
    for part in parts_of(path):
        yield from stream_csv(part, options)


def unlike(part: Path, first: Path) -> InputError:
    """Return the error of a part that has other columns than the first one."""
    return InputError(
        f"{part} has other columns than {first.name} beside it; the files of a folder are one table",
        code="table.unknown-column",
        path=part,
    )


def refuse_footer(path: Path, parts: Sequence[Path], footer: int) -> None:
    """Refuse to leave out the last rows of a table in several parts."""
    if len(parts) > 1 and footer:
        raise InputError(
            f"[input] footer: {path} is a folder of several files, and nobody can say which rows are the last; take such rows "
            "out of the file in which they are",
            code="plan.no-effect",
            section="input",
            option="footer",
        )


def _coded(table: pa.Table) -> pa.Table:
    """Return columns of text dictionary-coded: which ones are read so may differ from part to part."""
    columns = [
        column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        for column in table.columns
    ]
    return pa.table(columns, names=table.column_names)
