"""Files that no honest program would write, by class; made when a test asks for them."""

from __future__ import annotations

import gzip
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

SHEET = (
    '<?xml version="1.0"?>{doctype}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    "<sheetData>{rows}</sheetData></worksheet>"
)
PARTS = {
    "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<?xml version="1.0"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
}
LAUGHS = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def workbook(path: Path, rows: str, doctype: str = "") -> None:
    """Write a workbook of one sheet."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, text in PARTS.items():
            parts.writestr(name, text)
        parts.writestr("xl/worksheets/sheet1.xml", SHEET.format(rows=rows, doctype=doctype))


def text_cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def _duckdb(path: Path, *statements: str) -> None:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)


def _sqlite(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def _parquet(path: Path, table: pa.Table, change: Callable[[bytes], bytes] = bytes) -> None:
    pq.write_table(table, path)
    path.write_bytes(change(path.read_bytes()))


def _noise(content: bytes) -> bytes:
    return bytes(byte ^ 0x55 if i % 7 == 0 else byte for i, byte in enumerate(content))


def _more_rows(content: bytes) -> bytes:
    """Let every count of rows in a footer be one of ten million millions."""
    length = int.from_bytes(content[-8:-4], "little")
    footer = content[-8 - length : -8].replace(_varint(2 * MARKED), _varint(2 * 10**13))
    return content[: -8 - length] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def _varint(number: int) -> bytes:
    told = b""
    while number >= 128:
        told += bytes([number & 127 | 128])
        number >>= 7
    return told + bytes([number])


MARKED = 12_345  # rows, a number that nothing else in a footer is
SMALL = pa.table({"zip": ["94138"] * 9, "age": range(9)})

# class: (suffix, what writes the file, what is said); each ends with exit code 2
FILES: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "an empty file": (".csv", lambda p: p.write_bytes(b""), "is empty"),
    "a byte order mark and nothing else": (".csv", lambda p: p.write_bytes(b"\xef\xbb\xbf"), "is empty"),
    "a header and no row": (".csv", lambda p: p.write_bytes(b"zip,age\n"), "no rows"),
    "two columns of one name": (".csv", lambda p: p.write_bytes(b"zip,zip\n1,2\n"), "more than one column"),
    "a column without a name": (".csv", lambda p: p.write_bytes(b"zip,\n1,2\n3,4\n"), "of the header is empty"),
    "a row with too few fields": (".csv", lambda p: p.write_bytes(b"zip,age\n1,2\n3\n"), "line 3"),
    "a row with too many fields": (".csv", lambda p: p.write_bytes(b"zip,age\n1,2\n3,4,5\n"), "line 3"),
    "a quote that is never closed": (".csv", lambda p: p.write_bytes(b'zip,age\n"1,2\n3,4\n'), "not closed"),
    "zero bytes": (".csv", lambda p: p.write_bytes(b"zip,age\n\0,2\n"), ""),
    "bytes of no encoding": (".csv", lambda p: p.write_bytes(bytes(range(256)) * 9), "encoding"),
    "two encodings in one file": (
        ".csv", lambda p: p.write_bytes("zip,age\nÄ,3\n".encode() + "Ö,4\n".encode("latin1")), "not utf-8 text",
    ),
    "a compressed file under a name of text": (".csv", lambda p: p.write_bytes(gzip.compress(b"zip,age\n1,2\n")), ""),
    "a first line without end": (".csv", lambda p: p.write_bytes(b"zip," * 99_999 + b"age\n1\n"), "first line has more than"),
    "a first row that may be somebody's": (
        ".csv", lambda p: p.write_text("".join(f"Ann{i},Bern{i}\n" for i in range(30))), "header = true or header = false",
    ),
    "an unknown suffix": (".pdf", lambda p: p.write_bytes(b"%PDF"), "unknown suffix"),
    "a folder instead of a file": (".csv", lambda p: p.mkdir(), "is a folder without a file"),
    "no file at all": (".csv", Path.exists, "there is no file"),
    "a damaged Parquet file": (".parquet", lambda p: _parquet(p, SMALL, _noise), "Parquet file"),
    "a Parquet file cut short": (".parquet", lambda p: _parquet(p, SMALL, lambda b: b[:-9]), "Parquet file"),
    "lists within a Parquet column": (
        ".parquet", lambda p: _parquet(p, pa.table({"zip": [[1], [2]]})), "which Kohort cannot recode",
    ),
    "a Parquet file that tells more rows than memory holds": (
        ".parquet", lambda p: _parquet(p, pa.table({"zip": ["94138"] * MARKED}), _more_rows), "GB are left on this machine",
    ),
    "a Parquet file without rows": (".parquet", lambda p: _parquet(p, SMALL.slice(0, 0)), "no rows"),
    "a workbook of one kilobyte with seventeen billion cells": (
        ".xlsx", lambda p: workbook(p, text_cell("A1", "a") + text_cell("XFD1048576", "b")), "far more than its",
    ),
    "a workbook whose text expands without end": (
        ".xlsx", lambda p: workbook(p, f"<row>{text_cell('A1', '&b;')}</row>", LAUGHS), "workbook",
    ),
    "an empty workbook": (".xlsx", lambda p: workbook(p, ""), "the sheet is empty"),
    "a workbook that is none": (".xlsx", lambda p: p.write_bytes(b"PK\x03\x04" + bytes(99)), "workbook"),
    "an old workbook that is none": (".xls", lambda p: p.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2999)), "workbook"),
    "a protected workbook": (".xlsx", lambda p: p.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2999)), "password"),
    "an OpenDocument sheet that is none": (".ods", lambda p: p.write_bytes(b"PK\x03\x04" + bytes(99)), "workbook"),
    "an SPSS file that is none": (".sav", lambda p: p.write_bytes(b"$FL2" + bytes(500)), ".sav file"),
    "a Stata file that is none": (".dta", lambda p: p.write_bytes(b"<stata_dta>" + bytes(500)), ".dta file"),
    "a SAS file that is none": (".sas7bdat", lambda p: p.write_bytes(bytes(2000)), ".sas7bdat file"),
    "a database that is none": (".duckdb", lambda p: p.write_bytes(bytes(999)), "neither a DuckDB nor an SQLite"),
    "a damaged DuckDB database": (".duckdb", lambda p: p.write_bytes(bytes(8) + b"DUCK" + bytes(5000)), "cannot be read as"),
    "a damaged SQLite database": (".sqlite", lambda p: p.write_bytes(b"SQLite format 3\0" + bytes(5000)), "cannot be read as"),
    "a DuckDB database of views": (
        ".duckdb", lambda p: _duckdb(p, "CREATE VIEW people AS SELECT * FROM read_text('/etc/hostname')"), "holds no table",
    ),
    "a DuckDB table with a column that is generated at each reading": (
        ".duckdb",
        lambda p: _duckdb(
            p, "CREATE TABLE a (x BIGINT, y HUGEINT AS (list_sum(range(x))))", "INSERT INTO a VALUES (94138)"
        ),
        "generated whenever it is read",
    ),
    "a DuckDB database without tables": (".duckdb", lambda p: _duckdb(p), "holds no table"),
    "several tables and none named": (
        ".duckdb", lambda p: _duckdb(p, "CREATE TABLE a (x INT)", "CREATE TABLE b (x INT)"), "holds several tables",
    ),
    "an SQLite database of views": (".sqlite", lambda p: _sqlite(p, "CREATE VIEW people AS SELECT 1 AS x"), "holds no table"),
    "an SQLite database of virtual tables": (
        ".sqlite", lambda p: _sqlite(p, "CREATE VIRTUAL TABLE people USING fts5(x)"), "",
    ),
    "pictures in an SQLite column": (
        ".sqlite", lambda p: _sqlite(p, "CREATE TABLE a (x)", "INSERT INTO a VALUES (x'00ff')"), "binary cells",
    ),
}  # fmt: skip
