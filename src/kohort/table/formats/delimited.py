"""CSV and TSV: every cell is text, so leading zeros, long numbers and dates survive verbatim.

pyarrow's reader fills dictionary columns directly (one code per cell), which is about half the time of
reading by DuckDB and is why it was chosen: see docs/decisions/0002-reading.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from kohort.errors import InputError
from kohort.table.formats import formulas
from kohort.table.formats.delimited_faults import fault
from kohort.table.formats.encodings import fallback_encoding, undecodable
from kohort.table.formats.naming import check_header, wanted
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.formats.repeated_lines import read_repeated
from kohort.table.formats.sniffing import SAMPLE_BYTES, Layout, sniff
from kohort.table.table import Column, Table
from kohort.table.texts import spelled

_BLOCK_BYTES = 1 << 24
_ROWS_PER_PIECE = 1 << 17
_ENOUGH_ROWS = 100
_MARKS_OF_ARROW = 10_000  # bytes of the texts that mean missing
_CODED_TEXT = pa.dictionary(pa.int32(), pa.string())


def read_csv(path: Path, options: ReadingOptions) -> pa.Table:
    """Return the cells of a delimited file as dictionary-coded text."""
    if options.delimiter is None and path.suffix.lower() in (".tsv", ".tab"):
        options = replace(options, delimiter="\t")
    layout = sniff(path, options)
    check_header(f"{path}, line {layout.lines_above + 1}", layout.names)
    columns = wanted(path, layout.names, options.columns)
    table = _parsed(path, layout, options)
    if table is None:
        return read_csv(path, replace(options, encoding=fallback_encoding(path)))
    if may_be_unclosed(table.column(layout.names[-1])) and (unclosed := fault(path, layout)):
        raise unclosed
    table = table.select(columns).slice(0, max(table.num_rows - options.footer, 0))
    return without_apostrophes(table) if options.unescape_formulas else table


def may_be_unclosed(column: pa.Array | pa.ChunkedArray) -> bool:
    """Say whether the last cell holds a line break: a quote never closed swallows the rest of the file."""
    last = column[-1].as_py() if len(column) else None
    return last is not None and ("\n" in last or "\r" in last)


def unreadable(path: Path) -> InputError:
    """Return the error for a file that nothing more can be said about."""
    return InputError(
        f"{path} cannot be cut into cells; check its delimiter and its quotes",
        code="table.uneven-rows",
        path=path,
    )


def names_alone(path: Path, layout: Layout) -> pa.Table:
    """Return no rows of a text that ends with its header, which Arrow reads only where that line ends; else raise its fault."""
    if (wrong := fault(path, layout)) is not None:
        raise wrong from None
    if layout.body or not layout.has_header or path.stat().st_size >= SAMPLE_BYTES:
        raise unreadable(path) from None
    return pa.table([pa.array([], pa.string())] * len(layout.names), names=list(layout.names))


def write_csv(table: Table, path: Path, options: WritingOptions, delimiter: str = ",") -> None:
    """Write the table as UTF-8 with quotes only where a cell needs them; a missing value is an empty field.

    Each distinct value is spelled, escaped and quoted once; a piece of rows is then one join of
    dictionary look-ups, and the joined buffer is the text of the file itself.
    """
    with path.open("wb") as file:
        file.write(header_line(table.names, delimiter, options.escape_formulas))
        append_rows(file, table, options, delimiter)


def append_rows(file: BinaryIO, table: Table, options: WritingOptions, delimiter: str = ",") -> None:
    """Write the rows of a table, without a header."""
    columns = tuple(table)
    cells = [_cells(column, delimiter, options.escape_formulas) for column in columns]
    cells[-1] = pc.binary_join_element_wise(cells[-1], "\n", "")

    def piece(start: int) -> pa.Buffer:
        rows = slice(start, start + _ROWS_PER_PIECE)
        taken = [texts.take(pa.array(c.codes[rows])) for texts, c in zip(cells, columns, strict=True)]
        return pc.binary_join_element_wise(*taken, delimiter).buffers()[2]

    with ThreadPoolExecutor(2) as pool:
        waiting: deque[Future[pa.Buffer]] = deque()
        for start in range(0, table.n_rows, _ROWS_PER_PIECE):
            waiting.append(pool.submit(piece, start))
            if len(waiting) > 2:  # two are joined while one is written; no more wait in memory
                file.write(waiting.popleft().result())
        for last in waiting:
            file.write(last.result())


def write_tsv(table: Table, path: Path, options: WritingOptions) -> None:
    """Write the table as `write_csv` does, with tabs."""
    write_csv(table, path, options, delimiter="\t")


def header_line(columns: Sequence[str], delimiter: str, escape_formulas: bool) -> bytes:
    """Return the line that names the columns."""
    names = pa.array(columns, pa.string())
    cells = _quoted(formulas.escaped(names) if escape_formulas else names, delimiter)
    return (delimiter.join(cells.to_pylist()) + "\n").encode()


def _parsed(path: Path, layout: Layout, options: ReadingOptions) -> pa.Table | None:
    """Return the cells, None where a file taken for UTF-8 turns out not to be."""
    how = settings(layout, options)
    repeated = read_repeated(path, layout.names, layout.quote, how)
    if repeated is not None:
        return repeated
    try:
        return pyarrow.csv.read_csv(path, **how)
    except UnicodeError:
        raise undecodable(path, layout.encoding) from None
    except pa.ArrowInvalid as error:
        if "invalid UTF8" not in str(error):
            return names_alone(path, layout)
        if options.encoding is not None:
            raise undecodable(path, layout.encoding) from None
        return None


def settings(layout: Layout, options: ReadingOptions, block_bytes: int = _BLOCK_BYTES) -> dict[str, Any]:
    """Return what pyarrow is to be told: the one way in which delimited text is cut into cells."""
    names = layout.names
    # The last column is always read: `may_be_unclosed` looks at it.
    include = None if options.columns is None else list({*options.columns, names[-1]})
    return {
        "read_options": pyarrow.csv.ReadOptions(
            block_size=block_bytes,
            column_names=names,
            skip_rows=layout.lines_above,
            skip_rows_after_names=int(layout.has_header),
            encoding="utf8" if layout.encoding in ("utf-8", "utf-8-sig") else layout.encoding,
        ),
        "parse_options": pyarrow.csv.ParseOptions(
            delimiter=layout.delimiter,
            quote_char=layout.quote,
            newlines_in_values=True,
            ignore_empty_lines=len(names) > 1,  # in a single column a blank line is a missing value
        ),
        "convert_options": pyarrow.csv.ConvertOptions(
            column_types=_types(layout),
            include_columns=include,
            strings_can_be_null=True,
            null_values=_for_arrow(options.missing),
        ),
    }


def _for_arrow(missing: Sequence[str]) -> list[str]:
    """Return what Arrow is told of the texts that mean missing: none where they are many or long.

    Its tree of them overflows, which ends the process. `tidied` looks for all of them anyway; Arrow is only faster.
    """
    return list(missing) if sum(len(text.encode()) for text in missing) < _MARKS_OF_ARROW else []


def _types(layout: Layout) -> dict[str, pa.DataType]:
    """Return how each column is to be held: coded, unless nearly every cell seen is another.

    Names and numbers of persons are coded faster in one go than block by block.
    """
    rows = [row for row in layout.body if len(row) == len(layout.names)]
    types = dict.fromkeys(layout.names, _CODED_TEXT)
    if len(rows) >= _ENOUGH_ROWS:
        for name, cells in zip(layout.names, zip(*rows, strict=True), strict=True):
            if 2 * len(set(cells)) > len(rows):
                types[name] = pa.string()
    return types


def without_apostrophes(table: pa.Table) -> pa.Table:
    """Return the cells and names as they were before `write_csv` escaped them; each distinct text is looked at once."""
    names = formulas.unescaped(pa.array(table.column_names, pa.string())).to_pylist()
    return pa.table([_plain(column) for column in table.columns], names=names)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_dictionary(column.type):
        return pa.chunked_array(map(formulas.unescaped, column.chunks), column.type)
    if not column.num_chunks:
        return column
    coded = column.unify_dictionaries().chunks
    texts = formulas.unescaped(coded[0].dictionary)
    # the codes are Arrow's own: nothing is to be checked
    return pa.chunked_array(
        [pa.DictionaryArray.from_arrays(chunk.indices, texts, safe=False) for chunk in coded], column.type
    )


def _cells(column: Column, delimiter: str, escape_formulas: bool) -> pa.Array:
    """Return the distinct values as they stand in the file."""
    texts = spelled(column.values)
    is_text = pa.types.is_string(column.values.type) or pa.types.is_large_string(column.values.type)
    if is_text and escape_formulas:
        texts = formulas.escaped(texts)
    return _quoted(texts, delimiter).fill_null("")


def _quoted(texts: pa.Array, delimiter: str) -> pa.Array:
    """Return the texts in quotes where they are empty or hold a delimiter, a quote or a line break."""
    inner = "\\t" if delimiter == "\t" else f"\\{delimiter}"
    needed = pc.match_substring_regex(texts, rf'\A\z|["\r\n\x{{feff}}]|{inner}')
    if not pc.any(needed).as_py():
        return texts
    doubled = pc.replace_substring(texts, '"', '""')
    return pc.if_else(needed, pc.binary_join_element_wise('"', doubled, '"', ""), texts)
