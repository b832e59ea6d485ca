"""A file of released values, written piece by piece: the same bytes per row as `write_table` makes."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.table.formats.delimited import append_rows, header_line
from kohort.table.formats.naming import check_header
from kohort.table.formats.options import WritingOptions
from kohort.table.table import Table

APPENDABLE = (".csv", ".tsv", ".parquet")


class _Sink(Protocol):
    def append(self, piece: Table) -> None: ...

    def close(self) -> None: ...


class TableWriter:
    """Appends pieces of a table to a file that only the owner can read; use it as a context.

    All pieces must have the same columns and types. Values that no row of a piece holds are not written. Texts
    that a spreadsheet would run as formulas are escaped unless `escape_formulas` is false.
    """

    def __init__(self, path: Path, escape_formulas: bool = True) -> None:
        suffix = path.suffix.lower()
        if suffix not in APPENDABLE:
            raise InputError(
                f"{path}: files with the suffix {path.suffix!r} are not written piece by piece, only "
                f"{', '.join(APPENDABLE)}; use the memory engine",
                code="engine.format",
                path=path,
                format=path.suffix,
                allowed=APPENDABLE,
            )
        self._file: BinaryIO = open(path, "wb", opener=_secret)  # noqa: SIM115 - closed on leaving
        self._delimiter = {".csv": ",", ".tsv": "\t"}.get(suffix)
        self._escapes = escape_formulas
        self._sink: _Sink | None = None

    def append(self, piece: Table) -> None:
        """Write the rows of a piece after those written before."""
        if self._sink is None:
            check_header("the release", piece.names)
            self._sink = (
                _Parquet(self._file, piece)
                if self._delimiter is None
                else _Delimited(self._file, piece, self._delimiter, self._escapes)
            )
        self._sink.append(piece)

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._sink is not None:
                self._sink.close()
        finally:
            self._file.close()


class _Delimited:
    def __init__(self, file: BinaryIO, first: Table, delimiter: str, escapes: bool) -> None:
        self._file, self._delimiter = file, delimiter
        self._options = WritingOptions(escape_formulas=escapes)
        file.write(header_line(first.names, delimiter, escapes))

    def append(self, piece: Table) -> None:
        append_rows(self._file, piece, self._options, self._delimiter)

    def close(self) -> None:
        pass


class _Parquet:
    def __init__(self, file: BinaryIO, first: Table) -> None:
        self._writer: Any = pyarrow.parquet.ParquetWriter(
            file, first.to_arrow().schema, compression="zstd", store_schema=True
        )

    def append(self, piece: Table) -> None:
        self._writer.write_table(pa.table(piece.to_arrow()))

    def close(self) -> None:
        self._writer.close()


def _secret(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
