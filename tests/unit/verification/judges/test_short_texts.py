"""Long texts are told by the same digest in SQL and in Python, and stay apart."""

from __future__ import annotations

import pyarrow as pa

from kohort.table.scratch import Scratch
from kohort.verification.judges.short_texts import LONG, new_block, shortened, shortened_in_sql

TEXTS = [
    "",
    "a",
    "x" * LONG,
    "x" * (LONG + 1),
    "x" * LONG + "y",
    "é" * LONG,
    "é" * (LONG // 2),
    None,
    "0\0" * 99,
]


def test_sql_and_python_tell_texts_alike() -> None:
    block = new_block()
    with Scratch() as scratch:
        scratch.keep("texts", pa.table({"i": range(len(TEXTS)), "text": pa.array(TEXTS, pa.string())}))
        query = f"SELECT {shortened_in_sql('text', block)} AS told FROM texts ORDER BY i"
        assert (
            scratch.table(query).column("told").to_pylist() == shortened(pa.array(TEXTS), block).to_pylist()
        )


def test_texts_that_differ_are_told_apart_and_short_ones_as_they_are() -> None:
    told = shortened(pa.array(TEXTS), new_block()).to_pylist()
    assert len(set(told)) == len(TEXTS)
    assert [
        new for old, new in zip(TEXTS, told, strict=True) if old is None or len(old.encode()) <= LONG
    ] == [text for text in TEXTS if text is None or len(text.encode()) <= LONG]
    assert shortened(pa.array(TEXTS), new_block()).to_pylist()[3] != told[3]


def test_texts_none_of_which_is_long_stay_as_they_are() -> None:
    texts = pa.array(["a", None, "x" * LONG])
    assert shortened(texts, new_block()).equals(texts)
