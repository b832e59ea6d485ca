"""A file of released values, written piece by piece: the same bytes per row as `write_table` makes."""

from __future__ import annotations

import base64
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.table.formats.delimited import append_rows, header_line
from kohort.table.formats.naming import check_header
from kohort.table.formats.options import WritingOptions
from kohort.table.table import Column, Table

WAITING = 2  # pieces that are made and not yet written
APPENDABLE = (".csv", ".tsv", ".parquet")
_TEXTS = pa.dictionary(pa.int32(), pa.string())


class _Sink(Protocol):
    def prepared(self, piece: Table) -> Callable[[], None]: ...

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
        self.prepared(piece)()

    def prepared(self, piece: Table) -> Callable[[], None]:
        """Return what writes the rows of a piece, to be called in the order of the pieces."""
        if self._sink is None:
            check_header("the release", piece.names)
            self._sink = (
                _Parquet(self._file, piece)
                if self._delimiter is None
                else _Delimited(self._file, piece, self._delimiter, self._escapes)
            )
        return self._sink.prepared(piece)

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


class WriterBehind:
    """Writes pieces on a thread of its own, so that the next one is made meanwhile; at most a few wait.

    Use it as a context: on leaving it, all are written. What goes wrong is raised by the next piece, or on leaving.
    """

    def __init__(self, writer: TableWriter) -> None:
        self._writer, self._aside = writer, ThreadPoolExecutor(1)
        self._waiting: deque[Future[None]] = deque()

    def append(self, piece: Table) -> None:
        """Write the rows of a piece after those written before."""
        while len(self._waiting) >= WAITING:
            self._waiting.popleft().result()
        self._waiting.append(self._aside.submit(self._writer.prepared(piece)))

    def __enter__(self) -> WriterBehind:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._aside.shutdown(cancel_futures=error is not None)
        while self._waiting and error is None:
            self._waiting.popleft().result()


class _Delimited:
    def __init__(self, file: BinaryIO, first: Table, delimiter: str, escapes: bool) -> None:
        self._file, self._delimiter = file, delimiter
        self._options = WritingOptions(escape_formulas=escapes)
        file.write(header_line(first.names, delimiter, escapes))

    def prepared(self, piece: Table) -> Callable[[], None]:
        return partial(append_rows, self._file, piece, self._options, self._delimiter)

    def close(self) -> None:
        pass


class _Parquet:
    """Texts are handed over as codes of the texts of their piece, as the file has them anyhow: they are not sought again."""

    def __init__(self, file: BinaryIO, first: Table) -> None:
        kinds = {column.name: column.values.type for column in first}
        coded = {name: _TEXTS if pa.types.is_string(kind) else kind for name, kind in kinds.items()}
        self._writer: Any = pyarrow.parquet.ParquetWriter(
            file, pa.schema(coded.items()), compression="zstd", store_schema=False
        )
        # what is stored of types is as if every text had been handed over
        told = base64.b64encode(pa.schema(kinds.items()).serialize().to_pybytes())
        self._writer.add_key_value_metadata({"ARROW:schema": told})

    def prepared(self, piece: Table) -> Callable[[], None]:
        return partial(self._writer.write_table, pa.table({column.name: _coded(column) for column in piece}))

    def close(self) -> None:
        self._writer.close()


def _coded(column: Column) -> pa.Array:
    """Return a column as Parquet takes it; texts stand in the order in which rows of the piece have them, and no others."""
    if not pa.types.is_string(column.values.type):
        return column.to_arrow()
    n = len(column.codes)
    first = np.full(len(column.values), n)
    first[column.codes[::-1]] = np.arange(n)[::-1]
    order = np.argsort(first)[: int((first < n).sum())]
    place = np.zeros(len(first), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    codes, texts = place[column.codes], column.values.take(pa.array(order))
    if not texts.null_count:
        return pa.DictionaryArray.from_arrays(codes, texts)
    missing = np.asarray(texts.is_null())
    kept = (np.cumsum(~missing) - 1).astype(np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(kept[codes], mask=missing[codes]), texts.drop_null())


def _secret(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
