"""What is wrong with a delimited file, and in which line: found by reading it again, slowly.

Only after a failure, so the fast path pays nothing. No message quotes a cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.sniffing import Layout

_CHUNK_BYTES = 1 << 20


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


def undecodable(path: Path, encoding: str) -> InputError:
    """Return the error for the first line whose bytes are not in the encoding."""
    line = 1
    with path.open("rb") as file:
        if encoding.startswith(("utf-16", "utf-32")):
            where = ""
        else:
            for raw in file:
                try:
                    raw.decode(encoding)
                except UnicodeDecodeError:
                    break
                line += 1
            where = f", line {line}"
    return InputError(f"{path}{where}: the bytes are not {encoding} text; state the encoding of the file")


def fallback_encoding(path: Path) -> str:
    """Return cp1252 for a file that is not UTF-8, unless parts of it clearly are.

    Western 8-bit text hardly ever forms a valid UTF-8 sequence. A file with valid sequences and invalid
    bytes is damaged UTF-8: reading it as cp1252 would quietly garble names, so it is an error.
    """
    for text in _replaced(path):
        if any(ord(sign) > 127 and sign != "\ufffd" for sign in text):
            raise undecodable(path, "utf-8")
    return "cp1252"


def _replaced(path: Path) -> Iterator[str]:
    with io.TextIOWrapper(path.open("rb"), encoding="utf-8", errors="replace", newline="") as text:
        while chunk := text.read(_CHUNK_BYTES):
            yield chunk
