"""What may be said of a file, whoever reads it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kohort.table.formats.options import HowToRead, ReadingOptions
from kohort.table.reading import read_table
from kohort.table.streaming import open_stream


def test_all_that_may_be_said_reaches_the_readers() -> None:
    assert set(HowToRead.__annotations__) == {field.name for field in dataclasses.fields(ReadingOptions)}


@pytest.mark.parametrize("read", [read_table, open_stream])
def test_a_word_that_means_nothing_is_refused(read, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,sex\n41,f\n", encoding="utf-8")
    with pytest.raises(TypeError, match="unexpected: mising"):
        read(path, mising=["41"])
