"""A file piece by piece, for tables that do not fit in memory: the same cells as `read_table` finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import pyarrow as pa

from kohort.errors import InputError
from kohort.table.formats import HEADED
from kohort.table.formats.database_stream import names_of_database, stream_database
from kohort.table.formats.delimited_parts import names_of_delimited, stream_delimited
from kohort.table.formats.heading import check_names_apply
from kohort.table.formats.options import HowToRead, ReadingOptions, reading_options
from kohort.table.formats.parquet import names_of_parquet, stream_parquet
from kohort.table.piece_bytes import passing_pieces
from kohort.table.reading import check_file
from kohort.table.table import Table
from kohort.table.tidying import tidied

Names = Callable[[Path, ReadingOptions], tuple[str, ...]]
Streamer = Callable[[Path, ReadingOptions], Iterator[pa.Table]]

_DELIMITED = (names_of_delimited, stream_delimited)
_PARQUET = (names_of_parquet, stream_parquet)
_DATABASE = (names_of_database, stream_database)
STREAMS: Mapping[str, tuple[Names, Streamer]] = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt"), _DELIMITED),
    **dict.fromkeys((".parquet", ".pq"), _PARQUET),
    **dict.fromkeys((".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db"), _DATABASE),
}


@dataclass(frozen=True)
class TableStream:
    """A file that is read piece by piece, as often as asked, always in the same order."""

    path: Path
    names: tuple[str, ...]
    options: ReadingOptions
    told: Callable[[Table], Table] = lambda piece: piece  # what is made of every piece that is read
    retold: frozenset[str] = frozenset()  # the columns that are not what was read, once they are told

    def telling(self, told: Callable[[Table], Table], names: Iterable[str]) -> TableStream:
        """Return the file with some of its columns told otherwise than they are read."""
        return replace(self, told=told, retold=frozenset(names))

    def pieces(self, columns: Sequence[str]) -> Iterator[Table]:
        """Yield the rows of some columns; every piece is coded by itself."""
        stream = STREAMS[self.path.suffix.lower()][1]
        # Escaped names are known only after reading: then all columns are read.
        options = self.options
        if not options.unescape_formulas:
            options = replace(options, columns=tuple(columns))
        with passing_pieces():
            for piece in stream(self.path, options):
                table = Table.from_arrow(piece.select(list(columns)))
                read = tidied(table, options)
                yield self.told(read)


def open_stream(path: str | Path, **told: Unpack[HowToRead]) -> TableStream:
    """Return the file to be read piece by piece; the options are those of `read_table`."""
    return _opened(Path(path), reading_options(told))


def open_released(path: str | Path) -> TableStream:
    """Return a file that was released, to be read piece by piece as `read_released` reads it."""
    path = Path(path)
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") else ","
    is_text = STREAMS.get(path.suffix.lower()) is _DELIMITED
    options = ReadingOptions(
        delimiter=delimiter,
        quote='"',
        encoding="utf-8",
        header=True,
        unescape_formulas=is_text,
    )
    return _opened(path, options)


def as_spelled(stream: TableStream) -> TableStream:
    """Return delimited text that was released with its cells as they are spelled, escaped formulas and all."""
    return _opened(stream.path, replace(stream.options, unescape_formulas=False))


def _opened(path: Path, options: ReadingOptions) -> TableStream:
    check_file(path)
    try:
        names, _ = STREAMS[path.suffix.lower()]
    except KeyError:
        raise InputError(
            f"{path}: files with the suffix {path.suffix!r} are not read piece by piece, only {', '.join(STREAMS)}; "
            "use the memory engine",
            code="engine.format",
            path=path,
            format=path.suffix,
            allowed=list(STREAMS),
        ) from None
    check_names_apply(path, options.header, path.suffix.lower() in HEADED)
    return TableStream(path, names(path, options), options)
