"""`kohort demo` writes over nothing: what has one of its names and is not its own, to the byte, is refused and stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.trust.kills import snapshot

from kohort.demo import files, make_patients, write
from kohort.errors import InputError

NAMES = (files.TABLE, files.LEVELS, files.PLAN)
MINE = "mine, of ten years"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    few = make_patients(50)
    monkeypatch.setattr(files, "make_patients", lambda: few)


def other_bytes(place: Path) -> None:
    place.write_text(MINE)


def one_byte_changed(place: Path) -> None:
    content = place.read_bytes()
    place.write_bytes(content[:-2] + b"?" + content[-1:])


def cut(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:-1])


def emptied(place: Path) -> None:
    place.write_bytes(b"")


def folder(place: Path) -> None:
    place.unlink()
    place.mkdir()


def link_to_mine(place: Path) -> None:
    place.unlink()
    (place.parent / "mine.txt").write_text(MINE)
    place.symlink_to("mine.txt")


def link_to_nothing(place: Path) -> None:
    place.unlink()
    place.symlink_to("mine.txt")


WAYS = (other_bytes, one_byte_changed, cut, emptied, folder, link_to_mine, link_to_nothing)


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_the_demos_is_refused_by_name_and_nothing_is_written(
    name: str, way: Callable[[Path], None], alone: bool, tmp_path: Path
) -> None:
    write(tmp_path)
    for other in NAMES:
        if alone and other != name:
            (tmp_path / other).unlink()
    way(tmp_path / name)
    before = snapshot(tmp_path)
    with pytest.raises(InputError, match="not what this version of Kohort writes") as refused:
        write(tmp_path)
    assert str(tmp_path / name) in str(refused.value)
    assert MINE not in str(refused.value)
    assert snapshot(tmp_path) == before


def test_a_file_where_its_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hierarchies").write_text(MINE)
    with pytest.raises(InputError, match="hierarchies exists"):
        write(tmp_path)
    assert snapshot(tmp_path) == {"hierarchies": MINE.encode()}


def test_its_own_files_are_left_as_they_are_and_those_that_are_missing_written(tmp_path: Path) -> None:
    write(tmp_path)
    made, when = snapshot(tmp_path), (tmp_path / files.TABLE).stat().st_mtime_ns
    (tmp_path / "notes.txt").write_text(MINE)
    (tmp_path / files.PLAN).unlink()
    write(tmp_path)
    assert snapshot(tmp_path) == made | {"notes.txt": MINE.encode()}
    assert (tmp_path / files.TABLE).stat().st_mtime_ns == when


def test_the_demo_is_the_same_bytes_each_time() -> None:
    assert make_patients(200).equals(make_patients(200))
