"""What is wrong with a delimited file, and in which line: found by reading it again, slowly.

Only after a failure, so the fast path pays nothing. No message quotes a cell.
"""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.sniffing import Layout


def fault(path: Path, layout: Layout) -> InputError | None:
    """Return the error for the first row that is ragged or whose quotes do not close, None if there is none."""
    expected = len(layout.names)
    with path.open(encoding=layout.encoding, errors="replace", newline="") as text:
        above = sum(1 for _ in islice(text, layout.lines_above))
        reader = csv.reader(text, delimiter=layout.delimiter, quotechar=layout.quote, strict=True)
        start = above + 1
        try:
            for number, row in enumerate(reader):
                if row and len(row) != expected and (number or not layout.has_header):
                    return InputError(
                        f"{path}, line {start}: found {_fields(len(row))} where the first row has {expected}; "
                        f"every row must have the same number of fields: {_next_step(len(row) - expected, number)}",
                        code="table.uneven-rows",
                        path=path,
                        line=start,
                        found=len(row),
                    )
                start = above + reader.line_num + 1
        except csv.Error:
            if (size := _whole_line(path, layout, start)) is not None:
                return InputError(
                    f"{path}, line {start}: a row of {size:,} bytes, more than are read at once (16 MiB of a table held in "
                    "memory, 2 MiB of one read piece by piece); shorten its cells, or convert the file to Parquet",
                    code="table.long-row",
                    path=path,
                    line=start,
                    found=size,
                )
            return InputError(
                f"{path}, line {start}: a quoted cell that begins here is not closed; a cell in {layout.quote} "
                f"must end with {layout.quote}, one inside it must be doubled, and no cell may exceed "
                f"{csv.field_size_limit():,} signs",
                code="table.unclosed-quote",
                path=path,
                line=start,
            )
    return None


def _whole_line(path: Path, layout: Layout, number: int) -> int | None:
    """Return the bytes of a line in which every quote is closed; None where one is open."""
    with path.open(encoding=layout.encoding, errors="replace", newline="") as text:
        line = next(islice(text, number - 1, None), "")
    return None if line.count(layout.quote) % 2 else len(line.encode(layout.encoding, "replace"))


def _next_step(more: int, number: int) -> str:
    """Return what to do about a row with so many fields more than the header."""
    if (more, number) == (1, 1):
        return "give the header the name that it lacks (R's write.table writes it with col.names = NA), or state the delimiter"
    return "correct the row, state the delimiter, or pass over rows of a title with skip"


def _fields(number: int) -> str:
    return "1 field" if number == 1 else f"{number} fields"
