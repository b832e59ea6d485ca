"""Executors, which work in other folders, open the files that somebody named here, and tell them by that name."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.errors import InputError
from kohort.table.cluster.far_files import start_of_names
from kohort.table.cluster.pieces import OfParquet, OfStreams, Origin
from kohort.table.formats.options import ReadingOptions
from kohort.table.streaming import open_stream

NAMES = {"t.csv": "a,b\n1,x\n2,y\n", "t.parquet": pa.table({"a": ["1", "2"], "b": ["x", "y"]})}


def origin_of(name: str) -> Origin:
    if name == "t.csv":
        return OfStreams([[open_stream(name)]])
    return OfParquet([[(Path(name), 0, 1)]], ReadingOptions())


def rows(origin: Origin) -> list[dict[str, object]]:
    batch = pa.record_batch({"id": [0]})
    return [row for piece, _ in origin.pieces(["b"], iter([batch])) for row in piece.to_arrow().to_pylist()]


@pytest.fixture(params=list(NAMES))
def named(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a file as it is called in its folder, in which this process works."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    held = NAMES[request.param]
    if isinstance(held, str):
        Path(request.param).write_text(held)
    else:
        pyarrow.parquet.write_table(held, request.param)
    return str(request.param)


def test_a_relative_path_is_found_from_another_folder(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = origin_of(named)
    monkeypatch.chdir("../there")
    assert rows(origin) == [{"b": "x"}, {"b": "y"}]


def test_what_executors_do_not_see_is_told_as_it_was_named(named: str, tmp_path: Path) -> None:
    """That it is not there is not that it is damaged, or that Kohort is not."""
    origin = origin_of(named)
    Path(named).unlink()
    with pytest.raises(InputError, match=f"executors of Spark cannot open {named} ") as refused:
        rows(origin)
    assert str(tmp_path) not in str(refused.value.told())


def test_what_is_damaged_is_told_as_it_was_named(named: str, tmp_path: Path) -> None:
    origin = origin_of(named)
    Path(named).write_text("a,b\n1,x\n2,y,z\n")
    with pytest.raises(InputError, match=rf"^{named}(, line 3| is not a readable Parquet)") as refused:
        rows(origin)
    assert refused.value.told()["path"] == named
    assert str(tmp_path) not in str(refused.value.told())


def test_a_folder_that_is_gone_is_no_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert start_of_names() == Path()
