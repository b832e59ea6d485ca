"""Whatever is called .csv and is no text is said to be none; whatever is text is read, in every encoding that is tried."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.table import Table
from kohort.table.formats import WRITERS
from kohort.table.formats.delimited_stream import stream_csv
from kohort.table.formats.no_text import TRIED
from kohort.table.formats.options import ReadingOptions
from kohort.table.reading import read_table
from kohort.table.writing import write_table

TEXT = "zip;ill\n94138;flu\n94139;gout\n94141;cold\n"
CELLS = {"zip": ["94138", "94139", "94141"], "ill": ["flu", "gout", "cold"]}
BINARY = [suffix for suffix in WRITERS if suffix not in (".csv", ".tsv")]


def drawn(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


MADE: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(TEXT.encode()),
    "bzip2": lambda: bz2.compress(TEXT.encode() * 99),
    "xz": lambda: lzma.compress(TEXT.encode()),
    "picture": lambda: b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 640, 480, 8, 2, 0, 0, 0) + drawn(1, 99),
    "whole numbers": lambda: struct.pack("<400i", *range(400)),
    "whole numbers, the other way round": lambda: struct.pack(">400i", *range(400)),
    "short ones": lambda: struct.pack("<400h", *range(400)),
    "short ones, the other way round": lambda: struct.pack(">400h", *range(400)),
    "decimals": lambda: struct.pack("<200d", *(i / 7 for i in range(200))),
    "zeros": lambda: bytes(500),
    "a mark, then anything": lambda: b"\xff\xfe" + drawn(2, 5000),
    "the other mark, then anything": lambda: b"\xfe\xff" + drawn(3, 5000),
    "a text with a zero": lambda: TEXT.encode().replace(b"gout", b"go\0t"),
    **{f"anything {seed}": lambda seed=seed: drawn(seed, 5000) for seed in range(10, 30)},
}  # fmt: skip


def refused(path: Path) -> str:
    """Return what both readers say, which is the same."""
    with pytest.raises(InputError) as read:
        read_table(path)
    with pytest.raises(InputError) as streamed:
        list(stream_csv(path, ReadingOptions()))
    assert str(read.value) == str(streamed.value)
    assert read.value.code == "table.encoding"
    return str(read.value)


@pytest.mark.parametrize("kind", [*MADE, *BINARY])
def test_what_is_no_text_is_said_to_be_none(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    if kind in MADE:
        path.write_bytes(MADE[kind]())
    else:
        write_table(Table.from_arrow(pa.table(CELLS)), tmp_path / f"table{kind}")
        (tmp_path / f"table{kind}").rename(path)
    said = refused(path)
    assert "is not a text file" in said
    assert all(encoding in said for encoding in TRIED)
    assert "state its encoding" in said
    assert "utf-16-" not in said


@pytest.mark.parametrize(("kind", "told"), [(".xlsx", "workbook"), (".parquet", "Parquet"), (".sqlite", "SQLite"), ("gzip", "gzip")])  # fmt: skip
def test_what_it_begins_like_is_said(kind: str, told: str, tmp_path: Path) -> None:
    test_what_is_no_text_is_said_to_be_none(kind, tmp_path)
    assert f"it begins like a{'n' if told == 'SQLite' else ''} " in refused(tmp_path / "people.csv")
    assert told in refused(tmp_path / "people.csv")


SPOKEN = {
    "english": ("flu", "gout", "cold"),
    "german": ("Schnupfen", "Gürtelrose", "Übelkeit"),
    "greek": ("γρίπη", "ουρική", "κρυολόγημα"),
    "japanese": ("風邪", "痛風", "喘息"),
    "signs": ("🤧", "🦶", "a\u0301"),
}
WIDE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")


@pytest.mark.parametrize("encoding", [*WIDE, "cp1252"])
@pytest.mark.parametrize("language", SPOKEN)
def test_text_is_read_in_every_encoding_that_is_tried(language: str, encoding: str, tmp_path: Path) -> None:
    if encoding == "cp1252" and language not in ("english", "german"):
        return  # which it cannot write
    path, words = tmp_path / "people.csv", SPOKEN[language]
    text = "zip;ill\n" + "".join(f"{94138 + i};{words[i % 3]}\n" for i in range(60))
    path.write_bytes(text.encode(encoding))
    assert read_table(path)["ill"].texts[:3] == list(words) or set(read_table(path)["ill"].texts) == set(
        words
    )
