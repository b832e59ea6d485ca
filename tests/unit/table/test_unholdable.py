"""Odd texts in every format: they come back as they were, blank ones as missing, or are refused by the format and the column."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.table.blanks import is_blank
from kohort.table.formats import WRITERS
from kohort.table.reading import read_released
from kohort.table.writing import write_table

ODD = [
    "", " ", "a ", " a", "a\t", "a\0b", "\0", "a\nb", "a\r\nb", "\x01", "\x1b[0m", "_x0041_", "'=1", "=1", '"', "\ufeff", "\ufffe", "\u2028",
    "\u200b", "😀", "NA", "nan", "é ", "a\xa0", "NULL", "\\N", "\x7f", "a" * 300,
]  # fmt: skip


@pytest.mark.parametrize("suffix", WRITERS)
def test_odd_texts_come_back_or_are_refused(suffix: str, tmp_path: Path) -> None:
    path, held, told = tmp_path / f"odd{suffix}", [], []
    for text in ODD:
        try:
            write_table(pa.table({"odd": [text, "x"], "row": ["1", "2"]}), path)
        except InputError as refused:
            told.append((refused.code, "'odd'" in str(refused)))
        else:
            held.append(text)
    assert set(told) <= {("table.beyond-format", True)}
    rows = [str(i) for i in range(len(held))]
    write_table(pa.table({"odd": held, "row": rows}), path)
    back = read_released(path)["odd"]
    assert [back.texts[code] for code in back.codes] == [None if is_blank(text) else text for text in held]
    assert len(held) > len(ODD) / 2
