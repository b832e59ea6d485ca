"""What is wrong with a delimited file, and in which line: found by reading it again, slowly.

Only after a failure, so the fast path pays nothing. No message quotes a cell.
"""

from __future__ import annotations

import csv
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.sniffing import Layout


def parse_error(path: Path, layout: Layout) -> InputError:
    """Return the error for the first row that has not as many fields as there are columns."""
    expected = len(layout.names)
    with path.open(encoding=layout.encoding, errors="replace", newline="") as text:
        reader = csv.reader(text, delimiter=layout.delimiter, quotechar=layout.quote, strict=True)
        start = 1
        try:
            for row in reader:
                if row and len(row) != expected:
                    return InputError(
                        f"{path}, line {start}: found {len(row)} fields where the first line has {expected}; "
                        "every row must have the same number of fields: correct the row, or state the delimiter"
                    )
                start = reader.line_num + 1
        except csv.Error:
            pass
    return InputError(
        f"{path}, line {start}: a quoted cell that begins here is not closed properly; "
        f"a cell in {layout.quote} must end with {layout.quote}, and one inside it must be doubled"
    )
