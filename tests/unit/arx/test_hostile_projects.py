"""Projects of ARX that say a thing twice, too much of it, or what cannot be: answered by name, and nothing stays behind."""

from __future__ import annotations

import tomllib
import warnings
import zipfile
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random

import pytest
from tests.unit.arx.test_projects import DATA, config, definition, project

from kohort.arx.archive import Archive
from kohort.arx.project import read_project
from kohort.arx.writing import import_project
from kohort.cli.ending import run_and_end
from kohort.errors import InputError
from kohort.folders import own_files
from kohort.plan import Plan

ROLES = ("IDENTIFYING", "QUASI_IDENTIFYING", "SENSITIVE", "INSENSITIVE")


def refused(folder: Path, place: Path, code: str = "import.damaged") -> str:
    """Return the words that refuse a project, of which nothing may be written."""
    with pytest.raises(InputError) as refusal:
        import_project(place, folder / "new" / "plan.toml")
    assert refusal.value.code == code
    assert not (folder / "new").exists()
    return str(refusal.value)


@pytest.mark.parametrize("column", ["name", "age", "ill"])
@pytest.mark.parametrize("role", ROLES)
def test_a_column_defined_twice_is_refused_whatever_its_roles(tmp_path: Path, column: str, role: str) -> None:
    again = f"<assigment><name> {column} </name><type>{role}_ATTRIBUTE</type></assigment></definition>"
    told = definition().replace("</definition>", again)
    words = refused(tmp_path, project(tmp_path, **{"input/definition.xml": told}))
    assert f"it defines the attribute '{column}' more than once" in words


@pytest.mark.parametrize("part", ["name", "type", "ref", "min", "max"])
def test_a_part_of_a_column_told_twice_is_refused(tmp_path: Path, part: str) -> None:
    told = definition().replace(f"<{part}>", f"<{part}>x</{part}><{part}>")
    words = refused(tmp_path, project(tmp_path, **{"input/definition.xml": told}))
    assert "an attribute has two names, types, hierarchies or bounds" in words


def test_two_entries_of_one_name_are_refused(tmp_path: Path) -> None:
    place = project(tmp_path)
    with warnings.catch_warnings(), zipfile.ZipFile(place, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("input/definition.xml", definition(age="INSENSITIVE"))
    assert "two entries have one name" in refused(tmp_path, place)


def sharing(columns: int) -> str:
    """Return a definition in which so many columns name one level file."""
    told = "".join(
        f"<assigment><name>q{i}</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><ref>hierarchies/big.csv</ref></assigment>"
        for i in range(columns)
    )
    return definition().replace("</definition>", f"{told}</definition>")


@pytest.mark.parametrize(
    ("columns", "content"),
    [
        (5, "a\n" * 1_000_000),  # rows
        (5, (";" * 9_999 + "\n") * 100),  # cells
        (70, ("a" * 100_000 + "\n") * 10),  # bytes
        (10_000, "a"),  # columns
    ],
    ids=["rows", "cells", "bytes", "columns"],
)
def test_hierarchies_that_are_too_long_together_are_refused(
    tmp_path: Path, columns: int, content: str
) -> None:
    with zipfile.ZipFile(project(tmp_path, **{"input/definition.xml": sharing(columns)}), "a") as archive:
        archive.writestr("input/hierarchies/big.csv", content)  # not packed: no bomb by its rate
    words = refused(tmp_path, tmp_path / "ward.deid")
    assert "more than 10,000 attributes" in words or "its hierarchies are longer than 64 MiB or" in words


def test_a_level_file_that_columns_share_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    as_it_is = Archive.read
    monkeypatch.setattr(
        Archive, "read", lambda self, name, most: read.append(name) or as_it_is(self, name, most)
    )
    place = project(
        tmp_path, **{"input/definition.xml": sharing(3), "input/hierarchies/big.csv": "a;*\nb;*\n"}
    )
    attributes = {attribute.name: attribute for attribute in read_project(place).attributes}
    assert read.count("input/hierarchies/big.csv") == 1
    assert all(attributes[f"q{i}"].hierarchy == (("a", "*"), ("b", "*")) for i in range(3))


def test_a_document_of_too_many_elements_is_refused(tmp_path: Path) -> None:
    place = project(tmp_path, **{"metadata.xml": None})
    with zipfile.ZipFile(place, "a") as archive:
        archive.writestr("metadata.xml", "<m>" + "<a/>" * 200_000 + "</m>")
    assert "metadata.xml is not XML as ARX writes it" in refused(tmp_path, place)


def test_what_does_not_fit_in_memory_is_not_said_to_be_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    def commands() -> None:
        raise MemoryError

    with pytest.raises(SystemExit) as end:
        run_and_end(commands)
    told = capsys.readouterr().err
    assert end.value.code == 1
    assert "does not fit in memory" in told
    assert "--engine" not in told


@pytest.mark.parametrize(
    "packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=str
)
def test_a_damaged_archive_is_answered_whatever_packed_it(tmp_path: Path, packed: int) -> None:
    """Every damage of one byte is refused by name or does no harm; what Java does not pack is not unpacked."""
    with zipfile.ZipFile(project(tmp_path)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    place, random = tmp_path / "ward.deid", Random(packed)
    with zipfile.ZipFile(place, "w", packed) as archive:
        for name, entry in entries.items():
            archive.writestr(name, entry)
    sound = place.read_bytes()
    answers = set()
    for _ in range(300):
        content = bytearray(sound)
        content[random.randrange(len(sound))] ^= random.randrange(1, 256)
        place.write_bytes(content[: random.choice([len(sound), random.randrange(len(sound))])])
        try:
            read_project(place)
        except InputError as refusal:
            answers.add(refusal.code)
    assert answers == {"import.damaged"}
    place.write_bytes(sound)
    if packed in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        assert len(read_project(place).attributes) == 4
    else:
        assert "packed in another way than ARX packs" in refused(tmp_path, place)


@pytest.mark.parametrize(
    "criterion",
    [
        "{}-anonymity",
        "distinct-{}-diversity for attribute 'ill'",
        "recursive-(2,{})-diversity for attribute 'ill'",
        "0.{}-closeness with equal distance for attribute 'ill'",
        "({})-avg-reidentification-risk",
    ],
)
def test_numbers_of_thousands_of_digits_are_told_and_fail_closed(tmp_path: Path, criterion: str) -> None:
    told = config("5-anonymity", criterion.format("9" * 5_000))
    made = import_project(project(tmp_path, **{"input/config.xml": told}), tmp_path / "new" / "plan.toml")
    assert any("there is no such model, or not of such a number" in remark for remark in made.unmapped)
    assert all(len(remark) < 400 for remark in made.unmapped)
    columns = tomllib.loads(made.plan.read_text())["columns"]
    assert [columns[name].get("decided") for name in ("age", "zip")] == [False, False]


@pytest.mark.parametrize("level", ["9" * 5_000, "3", "99", "-1", "1.5", "٣", "²", "x"])
def test_bounds_that_are_no_level_are_told_and_the_least_one_fails_closed(tmp_path: Path, level: str) -> None:
    told = definition().replace("<min>1</min><max>All</max>", f"<min>{level}</min><max>{level}</max>")
    made = import_project(project(tmp_path, **{"input/definition.xml": told}), tmp_path / "new" / "plan.toml")
    for which in ("least", "greatest"):
        assert any(f"column 'age': its {which} level is none of 0 to 2" in remark for remark in made.unmapped)
    age = tomllib.loads(made.plan.read_text())["columns"]["age"]
    assert (age["decided"], age.get("min_level"), age.get("max_level")) == (False, None, None)


@pytest.mark.parametrize("share", ["5", "1.01", "-0.1", "inf", "-inf", "nan", "1e400", "many", ""])
def test_a_share_of_suppressed_rows_that_is_none_is_told_and_taken_as_none(
    tmp_path: Path, share: str
) -> None:
    told = config("5-anonymity").replace("0.04", share)
    made = import_project(project(tmp_path, **{"input/config.xml": told}), tmp_path / "new" / "plan.toml")
    assert any(
        "relativeMaxOutliers" in remark and "max_suppression is 0" in remark for remark in made.unmapped
    )
    assert Plan.load(made.plan).recode.max_suppression == 0


@pytest.mark.parametrize(("share", "kept"), [("0", 0.0), ("0.25", 0.25), ("1.0", 1.0)])
def test_a_share_of_suppressed_rows_is_kept(tmp_path: Path, share: str, kept: float) -> None:
    told = config("5-anonymity").replace("0.04", share)
    made = import_project(project(tmp_path, **{"input/config.xml": told}), tmp_path / "new" / "plan.toml")
    assert not any("relativeMaxOutliers" in remark for remark in made.unmapped)
    assert Plan.load(made.plan).recode.max_suppression == kept


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    assert "there is no file" in refused(tmp_path, tmp_path / "ward.deid", "table.no-file")
    assert "is a directory" in refused(tmp_path, tmp_path, "table.no-file")


def test_a_file_that_may_not_be_read_is_not_said_to_be_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(_: Path) -> zipfile.ZipFile:
        raise PermissionError(13, "Permission denied")

    place = project(tmp_path)
    monkeypatch.setattr(zipfile, "ZipFile", forbidden)
    assert "check its permissions" in refused(tmp_path, place, "table.unreadable")


def test_names_too_long_leave_nothing_behind(tmp_path: Path) -> None:
    """The plan's own name fits, that of its data does not."""
    place = project(tmp_path)
    with pytest.raises(InputError) as refusal:
        import_project(place, tmp_path / "new" / f"{'p' * 248}.toml")
    assert refusal.value.code == "file.unwritable"
    assert list(tmp_path.iterdir()) == [place]


def test_a_column_of_a_long_name_in_many_bytes_has_a_level_file(tmp_path: Path) -> None:
    name = "𝒜" * 80
    told = definition().replace("<name>age</name>", f"<name>{name}</name>")
    held = {"input/definition.xml": told, "data/input.csv": DATA.replace("age", name)}
    made = import_project(project(tmp_path, **held), tmp_path / "new" / "plan.toml")
    assert {place.name for place in made.level_files} == {f"{'𝒜' * 50}.csv", "zip.csv"}


@pytest.mark.parametrize("failing", range(1, 5))  # the data, two level files, the plan
@pytest.mark.parametrize(
    "problem", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()]
)
def test_what_fails_half_way_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int, problem: BaseException
) -> None:
    """What was there before stays, and an import into the same place succeeds afterwards."""
    place, kept = project(tmp_path), tmp_path / "new" / "kept.txt"
    kept.parent.mkdir()
    kept.write_text("kept")
    opened = own_files.os.fdopen
    writes = count(1)

    class Failing(BytesIO):
        def write(self, _: object) -> int:
            raise problem

    def fails(handle: int, mode: str) -> object:
        file = opened(handle, mode)
        if next(writes) == failing:
            file.close()
            return Failing()
        return file

    with monkeypatch.context() as patched:
        patched.setattr(own_files.os, "fdopen", fails)
        with pytest.raises((InputError, KeyboardInterrupt, MemoryError)):
            import_project(place, tmp_path / "new" / "deep" / "er" / "plan.toml")
    assert next(writes) == failing + 1
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == [kept, place]
    assert not (tmp_path / "new" / "deep").exists()
    import_project(place, tmp_path / "new" / "deep" / "er" / "plan.toml")
