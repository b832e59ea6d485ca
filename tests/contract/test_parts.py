"""A table in parts stands in a release part by part: nothing can be added, taken away, renamed or changed unseen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.at_hand import AT_HAND
from tests.engines.conftest import people, plan_of

import kohort
from kohort import InputError, Plan
from kohort.algorithms import Silent
from kohort.folders.parts import part_name, parts_of
from kohort.pipeline import make_release
from kohort.release import saving
from kohort.table import Table
from kohort.table.reading import read_table
from kohort.table.writing import write_table

FOLDER, SAME = "nothing else in the folder", "the files are those that were released"


def in_parts(table: Table | pa.Table, path: Path) -> None:
    """Write a table as those do who write with many hands."""
    if path.parent.name == "private":
        return write_table(table, path)
    rows = table.to_arrow() if isinstance(table, Table) else table
    path.mkdir()
    for number, start in enumerate(range(0, len(rows), 100)):
        pa.parquet.write_table(rows.slice(start, 100), path / part_name(number, ".parquet"))
    return None


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Plan, Path, Path]:
    """Return a plan, a source, and a release of it in parts."""
    source, plan = tmp_path / "source.parquet", plan_of(output__format="parquet")
    pa.parquet.write_table(people(9), source)
    with monkeypatch.context() as patched:
        patched.setattr(saving, "write_table", in_parts)
        kohort.anonymize(source, plan).save(tmp_path / "out")
    return plan, source, tmp_path / "out"


def test_every_part_is_listed(made: tuple[Plan, Path, Path]) -> None:
    _, _, out = made
    listed = json.loads((out / "manifest.json").read_text())["files"]
    assert list(listed) == [f"table.parquet/part-0000{i}.parquet" for i in range(4)]
    modes = {path.stat().st_mode & 0o777 for path in (out / "table.parquet").iterdir()}
    assert modes == {(out / "manifest.json").stat().st_mode & 0o777}
    assert (out / "table.parquet").stat().st_mode == out.stat().st_mode


@pytest.mark.parametrize("engine", AT_HAND)
def test_a_release_in_parts_is_judged_as_one(made: tuple[Plan, Path, Path], engine: str) -> None:
    plan, source, out = made
    assert {v.holds for v in kohort.verify(out, engine=engine)} == {True}
    assert {v.holds for v in kohort.verify(out, plan, source, engine=engine)} == {True}
    without = out.with_name("without")
    out.rename(without)  # from its audit
    told = {v.promise: v for v in kohort.verify(without, engine=engine)}
    assert not [v for v in told.values() if v.holds is False]
    assert told["the manifest lists these tables by digest"].holds is True
    assert told["the files hold nothing beside their tables"].holds is None  # parts are not written here


LIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "added": (lambda parts: (parts / part_name(4, ".parquet")).write_bytes((parts / part_name(0, ".parquet")).read_bytes()), FOLDER),
    "taken away": (lambda parts: (parts / part_name(2, ".parquet")).unlink(), FOLDER),
    "renamed": (lambda parts: (parts / part_name(2, ".parquet")).rename(parts / "part-2.parquet"), FOLDER),
    "something else": (lambda parts: (parts / ".notes").write_text("who"), FOLDER),
    "a folder": (lambda parts: (parts / "more").mkdir(), FOLDER),
    "a link": (lambda parts: [(parts / part_name(2, ".parquet")).rename(parts.parent.parent / "x"),
                              (parts / part_name(2, ".parquet")).symlink_to(parts.parent.parent / "x")], FOLDER),
    "changed": (lambda parts: (parts / part_name(1, ".parquet")).write_bytes((parts / part_name(0, ".parquet")).read_bytes()), SAME),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_what_is_done_to_parts_is_found(made: tuple[Plan, Path, Path], lie: str) -> None:
    plan, source, out = made
    change, promise = LIES[lie]
    change(out / "table.parquet")
    assert {v.promise: v.holds for v in kohort.verify(out)}[promise] is False
    if lie != "taken away":  # nothing is there that could be lost
        with pytest.raises(InputError, match="not an earlier release as Kohort wrote it"):
            kohort.anonymize(source, plan).save(out)
    (out.parent / "out.private").rename(out.parent / "elsewhere")
    assert [v.promise for v in kohort.verify(out) if v.holds is False]


def test_parts_make_way_for_a_file_and_a_file_for_parts(
    made: tuple[Plan, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, source, out = made
    release = kohort.anonymize(source, plan)
    release.save(out)
    assert (out / "table.parquet").is_file()
    monkeypatch.setattr(saving, "write_table", in_parts)
    release.save(out)
    assert len(parts_of(out / "table.parquet")) == 4
    assert {v.holds for v in kohort.verify(out)} == {True}


def test_a_folder_of_parquet_is_a_source(tmp_path: Path) -> None:
    folder, plan = tmp_path / "source.parquet", plan_of()
    in_parts(people(9), folder)
    assert read_table(folder).to_arrow().to_pylist() == Table.from_arrow(people(9)).to_arrow().to_pylist()
    levels = [kohort.anonymize(folder, plan, engine=engine).levels for engine in AT_HAND]
    assert all(one == levels[0] for one in levels)
    pa.parquet.write_table(pa.table({"other": ["columns"]}), folder / "part-9.parquet")
    with pytest.raises(InputError, match="do not have the same columns"):
        read_table(folder)
    for part in folder.iterdir():
        part.unlink()
    with pytest.raises(InputError, match="a folder without a file"):
        read_table(folder)


UNLIKE: dict[str, pa.Array | None] = {
    "missing": None,
    "other type": pa.array(["1"] * 4),
    "narrower": pa.array([1] * 4, pa.int32()),
    "none": pa.nulls(4),
    "fractions": pa.array([1.5] * 4),
}


@pytest.mark.parametrize("case", UNLIKE)
@pytest.mark.parametrize("name", list(AT_HAND))
def test_parts_of_other_types_are_refused_alike(tmp_path: Path, name: str, case: str) -> None:
    """What one part holds as numbers and another as texts is one table to nobody."""
    folder = tmp_path / "table.parquet"
    folder.mkdir()
    sex, other = ["f", "m"] * 2, UNLIKE[case]
    pyarrow.parquet.write_table(pa.table({"sex": sex, "n": [1, 2, 3, 4]}), folder / "part-0.parquet")
    second = pa.table({"sex": sex} | ({} if other is None else {"n": other}))
    pyarrow.parquet.write_table(second, folder / "part-1.parquet")
    plan = Plan(
        columns={"sex": "quasi", "n": "insensitive"},
        require=[{"model": "k-anonymity", "k": 2}],
        base=tmp_path,
    )
    with pytest.raises(InputError, match="its parts do not have the same columns") as refused:
        make_release(folder, plan, Silent(), name)
    assert refused.value.code == "table.several-parts"
