"""Files that are called like text and are none: what another program wrote, renamed."""

from __future__ import annotations

import codecs
import unicodedata
from pathlib import Path

from kohort.errors import InputError

TRIED = ("utf-8", "utf-16", "cp1252")
_BEGINNINGS = (  # of files that are often renamed
    (b"PK\x03\x04", "a workbook (.xlsx) or another ZIP archive"),
    (bytes.fromhex("d0cf11e0a1b11ae1"), "an old workbook (.xls)"),
    (b"SQLite format 3\0", "an SQLite database (.sqlite)"),
    (b"PAR1", "a Parquet file (.parquet)"),
    (b"ARROW1", "an Arrow file"),
    (b"$FL2", "an SPSS file (.sav)"),
    (b"\x1f\x8b", "a file compressed by gzip: unpack it first"),
    (b"BZh", "a file compressed by bzip2: unpack it first"),
    (b"\xfd7zXZ\0", "a file compressed by xz: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a file compressed by zstd: unpack it first"),
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)
_LAYOUT = "\t\n\v\f\r\x1a\ufeff"  # signs of control that texts have, the end of old files included
_STRANGE = 100  # one sign in so many may be of control, or newer than this Python


def no_text(path: Path, head: bytes) -> InputError:
    """Return the error for a file whose first bytes are not those of a text, whichever encoding is tried."""
    begins = next((told for beginning, told in _BEGINNINGS if head.startswith(beginning)), "")
    return InputError(
        f"{path} is not a text file, for it has bytes that no text has, be it read as {', '.join(TRIED[:-1])} or {TRIED[-1]}"
        f"{f'; it begins like {begins}' if begins else ''}; if another program made it (a workbook, a database), give it the "
        "suffix of that program's files, or save it as CSV there; if it is text, state its encoding",
        code="table.encoding",
        path=path,
    )


def begins_as_another(head: bytes) -> bool:
    """Say whether a file begins as no text does, but files of another program do."""
    return any(
        head.startswith(beginning)
        for beginning, _ in _BEGINNINGS
        if not beginning.isascii() or min(beginning) < 9
    )


def reads_as_text(head: bytes, encoding: str) -> bool:
    """Say whether the first bytes of a file are text in an encoding: they can be decoded, and are hardly ever signs of control.

    >>> reads_as_text("a;b 1;2".encode("utf-16-le"), "utf-16-le"), reads_as_text(bytes(8), "utf-16-le")
    (True, False)
    """
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeError:
        return False
    strange = sum(unicodedata.category(sign) in ("Cc", "Cn") for sign in text if sign not in _LAYOUT)
    return strange * _STRANGE <= len(text)
