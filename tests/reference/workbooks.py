"""Workbooks of formats that nothing here writes, byte by byte: OpenDocument sheets and the old Excel's."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import xlsxwriter

Cell = str | int
Rows = Sequence[Sequence[Cell]]

_SECTOR = 512
_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (("office", "office"), ("table", "table"), ("text", "text"))
)
_KIND = "application/vnd.oasis.opendocument.spreadsheet"


def write_xlsx(path: Path, rows: Rows) -> None:
    """Write the rows as the sheet of a workbook."""
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for i, row in enumerate(rows):
            sheet.write_row(i, 0, row)


def write_ods(path: Path, rows: Rows) -> None:
    """Write the rows as an OpenDocument sheet."""
    lines = "".join(f"<table:table-row>{''.join(map(_element, row))}</table:table-row>" for row in rows)
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {_SPACES}><office:body><office:spreadsheet>'
        f'<table:table table:name="people">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", _KIND)
        book.writestr("META-INF/manifest.xml", manifest)
        book.writestr("content.xml", content)


def _element(cell: Cell) -> str:
    told = (
        f'office:value-type="float" office:value="{cell}"'
        if isinstance(cell, int)
        else 'office:value-type="string"'
    )
    return f"<table:table-cell {told}><text:p>{escape(str(cell))}</text:p></table:table-cell>"


def write_xls(path: Path, rows: Rows) -> None:
    """Write the rows as the sheet of an old workbook: BIFF8 records in a compound file."""
    globals_ = _record(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 1997, 0, 0))
    name = struct.pack("<BB", 6, 0) + b"people"
    start = len(globals_) + 4 + 6 + len(name) + 4
    book = globals_ + _record(0x0085, struct.pack("<IH", start, 0) + name) + _record(0x000A, b"")
    sheet = [_record(0x0809, struct.pack("<HHHHII", 0x0600, 0x10, 0, 1997, 0, 0))]
    sheet += [_cell(i, j, cell) for i, row in enumerate(rows) for j, cell in enumerate(row)]
    path.write_bytes(_compound(book + b"".join([*sheet, _record(0x000A, b"")])))


def _record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def _cell(row: int, column: int, cell: Cell) -> bytes:
    place = struct.pack("<HHH", row, column, 0)
    if isinstance(cell, int):
        return _record(0x0203, place + struct.pack("<d", cell))
    return _record(0x0204, place + struct.pack("<HB", len(cell), 1) + cell.encode("utf-16-le"))


def _compound(stream: bytes) -> bytes:
    """Return the stream `Workbook` in a compound file: header, one sector each of allocations and names, the stream."""
    stream = stream.ljust(max(4096, -(-len(stream) // _SECTOR) * _SECTOR), b"\0")
    sectors = len(stream) // _SECTOR
    chain = [_FAT, _END, *range(3, 2 + sectors), _END]
    table = struct.pack(f"<{_SECTOR // 4}I", *chain, *[_FREE] * (_SECTOR // 4 - len(chain)))
    header = (
        bytes.fromhex("d0cf11e0a1b11ae1")
        + bytes(16)
        + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
        + bytes(6)
    )
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, _END, 0, _END, 0)
    header += struct.pack("<109I", 0, *[_FREE] * 108)
    names = _entry("Root Entry", 5, _FREE, 1, _END, 0) + _entry("Workbook", 2, _FREE, _FREE, 2, len(stream))
    return header + table + names.ljust(_SECTOR, b"\0") + stream


def _entry(name: str, kind: int, left: int, child: int, start: int, size: int) -> bytes:
    told = (name + "\0").encode("utf-16-le")
    head = told.ljust(64, b"\0") + struct.pack("<HBBIII", len(told), kind, 1, left, _FREE, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


WORKBOOKS: Mapping[str, Callable[[Path, Rows], None]] = {
    ".xlsx": write_xlsx,
    ".ods": write_ods,
    ".xls": write_xls,
}
