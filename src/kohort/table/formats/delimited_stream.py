"""CSV and TSV piece by piece: the same cells as `read_csv`, of files that do not fit in memory."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from kohort.table.formats.delimited import may_be_unclosed, names_alone, settings, without_apostrophes
from kohort.table.formats.delimited_faults import fault
from kohort.table.formats.encodings import fallback_encoding, undecodable
from kohort.table.formats.naming import check_header, wanted
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.sniffing import Layout, sniff

_PIECE_BYTES = 1 << 21  # pyarrow reads some thirty of them ahead
_UTF8 = ("utf-8", "utf-8-sig")


def names_of_csv(path: Path, options: ReadingOptions) -> tuple[str, ...]:
    """Return the names in the header."""
    layout = layout_of(path, options)
    if not options.unescape_formulas:
        return layout.names
    empty = pa.table([pa.array([], pa.string())] * len(layout.names), names=list(layout.names))
    return tuple(without_apostrophes(empty).column_names)


def stream_csv(path: Path, options: ReadingOptions) -> Iterator[pa.Table]:
    """Yield the rows of the file in order, some thousand at a time."""
    yield from without_last(_all_rows(path, options), options.footer)


def without_last(pieces: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Yield the pieces of a table without its last rows, holding back as few as may be among these."""
    held: pa.Table | None = None
    for piece in pieces:
        held = piece if held is None else pa.concat_tables([held, piece])
        if held.num_rows > rows:
            yield held.slice(0, held.num_rows - rows)
            held = held.slice(held.num_rows - rows) if rows else None


def _all_rows(path: Path, options: ReadingOptions) -> Iterator[pa.Table]:
    layout = layout_of(path, options)
    columns = wanted(path, layout.names, options.columns)
    last: pa.Array = pa.array([], pa.string())
    try:
        for batch in pyarrow.csv.open_csv(path, **settings(layout, options, _PIECE_BYTES)):
            if batch.num_rows:
                last = batch.column(batch.schema.get_field_index(layout.names[-1]))
                piece = pa.Table.from_batches([batch]).select(columns)
                yield without_apostrophes(piece) if options.unescape_formulas else piece
    except UnicodeError:
        raise undecodable(path, layout.encoding) from None
    except pa.ArrowInvalid as error:
        if "invalid UTF8" in str(error):
            raise undecodable(path, layout.encoding) from None
        if "Empty CSV file" not in str(error):
            names_alone(path, layout)
    if may_be_unclosed(last) and (unclosed := fault(path, layout)):
        raise unclosed


def layout_of(path: Path, options: ReadingOptions) -> Layout:
    """Return the layout, its encoding settled by the whole file: there is no second start once rows are out."""
    if options.delimiter is None and path.suffix.lower() in (".tsv", ".tab"):
        options = replace(options, delimiter="\t")
    layout = sniff(path, options)
    if options.encoding is None and layout.encoding in _UTF8 and not _is_utf8(path):
        layout = sniff(path, replace(options, encoding=fallback_encoding(path)))
    check_header(f"{path}, line {layout.lines_above + 1}", layout.names)
    return layout


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_PIECE_BYTES):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
