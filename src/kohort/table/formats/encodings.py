"""In which encoding a text file is written."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.no_text import begins_as_another, no_text, reads_as_text

_CHUNK_BYTES = 1 << 20
_FEW = 10  # of UTF-16 that could be UTF-8, every other byte is zero
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


_NOT_OF_FILES = {
    "idna",
    "punycode",
    "undefined",
    "unicode_escape",
    "raw-unicode-escape",
    "raw_unicode_escape",
}


def checked(path: Path, encoding: str) -> str:
    """Return the encoding under its usual name."""
    try:
        "".encode(encoding)  # which also refuses codecs that are not for text
        name = codecs.lookup(encoding).name
        if name in _NOT_OF_FILES:
            raise LookupError
        return name
    except (LookupError, ValueError):  # UnicodeError, of a codec that takes no text, and zero bytes in a name
        raise InputError(
            f"{path}: there is no encoding {encoding!r}; try utf-8, utf-16 or cp1252",
            code="table.encoding",
            path=path,
            value=encoding,
        ) from None


def encoding_of(path: Path, head: bytes) -> str:
    """Return the encoding the first bytes of the file tell of.

    A byte-order mark decides; zero bytes at every other place mean UTF-16; what is not UTF-8 is cp1252 if
    anything. What then does not read as text is none. Bytes beyond `head` may still prove a UTF-8 file to be none: see
    `fallback_encoding`.
    """
    if begins_as_another(head):
        raise no_text(path, head)
    marked = next((name for mark, name in _BYTE_ORDER_MARKS if head.startswith(mark)), None)
    if marked is not None or b"\0" in head:
        wide = marked or _wide_encoding(path, head)
        if not reads_as_text(head, wide):
            raise no_text(path, head)
        return wide
    return "utf-8" if _begins_as_utf8(head) else fallback_encoding(path)


def _begins_as_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _wide_encoding(path: Path, head: bytes) -> str:
    zeros_even, zeros_odd = head[0::2].count(0), head[1::2].count(0)
    few = (zeros_even + zeros_odd) * _FEW < len(head)
    if few and _begins_as_utf8(
        head
    ):  # single zeros in what is text otherwise: read by twos it would be another
        raise no_text(path, head)
    if zeros_odd > 8 * zeros_even:
        return "utf-16-le"
    if zeros_even > 8 * zeros_odd:
        return "utf-16-be"
    raise no_text(path, head)


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
                except UnicodeError:
                    break
                line += 1
            where = f", line {line}"
    return InputError(
        f"{path}{where}: the bytes are not {encoding} text; state the encoding of the file, or save it anew as UTF-8",
        code="table.encoding",
        path=path,
        value=encoding,
    )


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
