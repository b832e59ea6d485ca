"""Canaries in every place of an input, through every algorithm and format; every public byte is searched for them.

`planted` writes a table in which each role, the names of files, sheets and columns, the metadata and the bytes under nulls hold
something that can be recognised. `marks_in` finds them in a released folder, however they are packed there: as text of several encodings, as
binary numbers, and in files that are unpacked, decompressed and dumped first.
"""

from __future__ import annotations

import sqlite3
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pyreadstat
import xlsxwriter

PLACE = "Ockham"  # in names of files, folders, sheets and tables, and in metadata
PERSON = "Xanthippe"  # identifiers
ASIDE = "Wolpertinger"  # a column that the plan does not speak of: its name and its cells
SEED = 987_654_321
ALONE_CODE, ALONE_PAY, ALONE_BORN, ALONE_CLUB = "Qz777", 19_937, date(1913, 7, 23), "Kaffeekranz"
ALONE_ILL = "Scrofula"  # of the one person who has all of these
TOLD = ("Podagra", "Quinsy", "Dropsy")  # sensitive values of many: in the table alone
ALONE: Mapping[str, Any] = {"code": ALONE_CODE, "pay": ALONE_PAY, "born": ALONE_BORN, "club": ALONE_CLUB}


def people(rows: int = 40) -> pd.DataFrame:
    """Return the table: most people are like others, the last one is like nobody in any column."""
    chance = np.random.default_rng(11)
    frame = pd.DataFrame(
        {
            "name": [f"{PERSON} {i}" for i in range(rows)],
            "code": chance.choice(["Zq941", "Zq942", "Zq951"], rows),
            "pay": chance.choice([12_000, 12_500, 16_000], rows),
            "born": chance.choice([date(1960, 1, 1), date(1960, 6, 1), date(1971, 1, 1)], rows),
            "club": chance.choice(["Skat", "Chor"], rows),
            "ill": [TOLD[i % 3] for i in range(rows)],
            f"{ASIDE} column": [f"{ASIDE} {i}" for i in range(rows)],
        }
    )
    for column, value in {**ALONE, "ill": ALONE_ILL}.items():
        frame.loc[rows - 1, column] = value
    return frame


# --- planting, format by format ------------------------------------------------------------------------------


def _delimited(separator: str) -> Callable[[pd.DataFrame, Path], None]:
    return lambda frame, path: frame.to_csv(path, index=False, sep=separator)


def _parquet(frame: pd.DataFrame, path: Path) -> None:
    """Metadata of file and columns, a dictionary with an unused entry, and bytes under a null."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    clubs = pa.array(frame["club"].tolist()).dictionary_encode()
    entries = pa.concat_arrays([clubs.dictionary, pa.array([f"{PLACE} West"])])
    coded = pa.DictionaryArray.from_arrays(clubs.indices, entries)
    table = table.set_column(table.schema.get_field_index("club"), "club", coded)
    notes = f"{ASIDE} column"
    table = table.set_column(table.schema.get_field_index(notes), notes, _masking(len(frame)))
    fields = [field.with_metadata({PLACE: PLACE}) for field in table.schema]
    pyarrow.parquet.write_table(table.cast(pa.schema(fields, metadata={PLACE: PLACE})), path)


def _masking(rows: int) -> pa.Array:
    """Return texts that are all missing but the first, with a canary's bytes under every null."""
    letters = ASIDE.encode() * rows
    offsets = pa.py_buffer((np.arange(rows + 1) * len(ASIDE)).astype(np.int32))
    valid = pa.py_buffer(np.packbits(np.arange(rows) == 0, bitorder="little"))
    return pa.Array.from_buffers(pa.string(), rows, [valid, offsets, pa.py_buffer(letters)])


def _duckdb(frame: pd.DataFrame, path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.register("given", frame)
        connection.execute(f'CREATE TABLE "{PLACE}" AS SELECT * FROM given')
        connection.execute(f"COMMENT ON TABLE \"{PLACE}\" IS '{PLACE}'")


def _sqlite(frame: pd.DataFrame, path: Path) -> None:
    """Rows that were deleted, whose bytes stay in the file."""
    with closing(sqlite3.connect(path)) as connection:
        frame.to_sql(PLACE, connection, index=False)
        connection.execute(f'CREATE TABLE gone AS SELECT * FROM "{PLACE}"')
        connection.execute("DROP TABLE gone")
        connection.commit()


def _xlsx(frame: pd.DataFrame, path: Path) -> None:
    book = xlsxwriter.Workbook(path)
    book.set_properties({"title": PLACE, "author": PLACE, "comments": PLACE})
    sheet = book.add_worksheet(PLACE)
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.write_row(0, 0, list(frame.columns))
    for row, cells in enumerate(frame.itertuples(index=False), start=1):
        for column, cell in enumerate(cells):
            if isinstance(cell, date):
                sheet.write_datetime(row, column, pd.Timestamp(cell), day)
            else:
                sheet.write(row, column, cell)
    sheet.write_comment(1, 1, PLACE)
    book.add_worksheet(f"{PLACE} 2").hide()
    book.close()


def _sav(frame: pd.DataFrame, path: Path) -> None:
    pyreadstat.write_sav(
        _named(frame), path, file_label=PLACE, note=PLACE, column_labels={"club": PLACE, "name": PLACE}
    )


def _dta(frame: pd.DataFrame, path: Path) -> None:
    frame = _named(frame)
    frame["born"] = pd.to_datetime(frame["born"])
    labels = {"club": PLACE, "name": PLACE}
    frame.to_stata(
        path,
        write_index=False,
        data_label=PLACE,
        variable_labels=labels,
        version=118,
        convert_dates={"born": "td"},
    )


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Return it under names that statistics programs take."""
    return frame.rename(columns={f"{ASIDE} column": f"{ASIDE}_column"})


PLANTERS: Mapping[str, Callable[[pd.DataFrame, Path], None]] = {
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "parquet": _parquet,
    "duckdb": _duckdb,
    "sqlite": _sqlite,
    "xlsx": _xlsx,
    "sav": _sav,
    "dta": _dta,
}
SHEETS = {"xlsx": PLACE}  # where several are there, the plan must say which


def planted(folder: Path, format: str, rows: int = 40) -> Path:
    """Write the table with all its canaries, and return where."""
    place = folder / f"{PLACE} folder"
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{PLACE}.{format}"
    PLANTERS[format](people(rows), path)
    return path


# --- searching -----------------------------------------------------------------------------------------------


def spellings(value: Any) -> set[bytes]:
    """Return how a value may look in a file: as text, and as the numbers that binary formats hold."""
    texts = {str(value)}
    found: set[bytes] = set()
    if isinstance(value, date):
        texts |= {value.strftime(form) for form in ("%Y%m%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d%b%Y")}
        texts |= {f"{value.year}, {value.month}, {value.day}", f"<v>{(value - date(1899, 12, 30)).days}</v>"}
        for origin in (date(1970, 1, 1), date(1960, 1, 1)):
            days = (value - origin).days
            found |= {struct.pack("<i", days), struct.pack("<d", days)}
        found.add(struct.pack("<d", (value - date(1582, 10, 14)).days * 86_400))  # as SPSS counts
    elif isinstance(value, int):
        texts |= {f"{value:,}", f"{value:_}", f"{value:.1f}", f"{value:e}"}
        found |= {
            struct.pack(form, value)
            for form in (("<q", ">q", "<d", ">d", "<i") if value < 2**31 else ("<q",))
        }
    return found | {text.encode(code) for text in texts for code in ("utf-8", "utf-16-le")}


HIDDEN: Mapping[str, set[bytes]] = {
    name: spellings(value)
    for name, value in {
        "place": PLACE, "person": PERSON, "undeclared": ASIDE, "seed": SEED,
    }.items()
}  # fmt: skip
ALONES: Mapping[str, set[bytes]] = {name: spellings(value) for name, value in ALONE.items()}
HELD: Mapping[str, set[bytes]] = {value: spellings(value) for value in TOLD}


def laid_bare(path: Path) -> Iterator[bytes]:
    """Yield everything that a curious reader finds in a file, and its name."""
    yield path.name.encode()
    yield path.read_bytes()
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                yield repr(entry).encode() + entry.comment + entry.extra
                yield archive.read(entry)
    if path.suffix == ".parquet":
        yield from _pages(path)
    if path.suffix in (".sqlite", ".db"):
        with closing(sqlite3.connect(path)) as connection:
            yield "\n".join(connection.iterdump()).encode()
    if path.suffix == ".duckdb":
        yield from _dumped(path)
    if path.suffix in (".sav", ".dta"):
        reader = pyreadstat.read_sav if path.suffix == ".sav" else pyreadstat.read_dta
        told, about = reader(path)
        yield repr((told.to_dict(), vars(about))).encode()


def _pages(path: Path) -> Iterator[bytes]:
    file = pyarrow.parquet.ParquetFile(path)
    yield repr((file.metadata.to_dict(), file.metadata.metadata, file.schema_arrow)).encode()
    names = file.schema_arrow.names
    for table in (file.read(), pyarrow.parquet.read_table(path, read_dictionary=names)):
        yield repr(table.to_pydict()).encode()
        yield from buffers(table)


def buffers(table: pa.Table) -> Iterator[bytes]:
    """Yield the memory behind a table's columns and their dictionaries."""
    for column in table.columns:
        for chunk in column.chunks:
            arrays = [chunk, chunk.dictionary] if isinstance(chunk, pa.DictionaryArray) else [chunk]
            for array in arrays:
                yield from (buffer.to_pybytes() for buffer in array.buffers() if buffer is not None)


def _dumped(path: Path) -> Iterator[bytes]:
    with duckdb.connect(str(path), read_only=True) as connection:
        for source in ("duckdb_tables()", "duckdb_columns()", "duckdb_views()", "duckdb_schemas()"):
            yield repr(
                connection.execute(f"SELECT * EXCLUDE (database_name) FROM {source}").fetchall()
            ).encode()
        for (name,) in connection.execute("SELECT table_name FROM information_schema.tables").fetchall():
            yield repr(connection.execute(f'SELECT * FROM "{name}"').fetchall()).encode()
            stored = f"SELECT * FROM pragma_storage_info('{name}')"
            yield repr(connection.execute(stored).fetchall()).encode()


def marks_in(pieces: list[bytes], marks: Mapping[str, set[bytes]]) -> list[str]:
    """Return which marks are found, by name."""
    return [name for name, forms in marks.items() if any(form in piece for piece in pieces for form in forms)]
