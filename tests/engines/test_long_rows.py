"""A row of text longer than what is read at once is called that, and not a quote that is not closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kohort import InputError
from kohort.table.formats.delimited_stream import stream_csv
from kohort.table.formats.options import ReadingOptions


def _written(folder: Path, cell: str) -> Path:
    path = folder / "table.csv"
    lines = ["age,note", *(f"{i},{'w' * 8}" for i in range(100)), f"100,{cell}", "101,w"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("mark", ["", '"'])
def test_a_long_row_is_called_a_long_row(tmp_path: Path, mark: str) -> None:
    path = _written(tmp_path, f"{mark}{'v' * 5_000_000}{mark}")
    with pytest.raises(InputError, match="line 102: a row of 5,000,") as refused:
        list(stream_csv(path, ReadingOptions()))
    assert refused.value.code == "table.long-row"


def test_a_quote_that_is_not_closed_is_still_called_that(tmp_path: Path) -> None:
    path = _written(tmp_path, '"' + "v" * 5_000_000)
    with pytest.raises(InputError, match="line 102: a quoted cell") as refused:
        list(stream_csv(path, ReadingOptions()))
    assert refused.value.code == "table.unclosed-quote"
