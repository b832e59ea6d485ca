"""Projects of ARX that say a thing twice, too much of it, or what cannot be: answered by name, and nothing stays behind."""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path

import pytest
from tests.unit.arx.test_projects import definition, project

from kohort.arx.archive import Archive
from kohort.arx.project import read_project
from kohort.arx.writing import import_project
from kohort.cli.ending import run_and_end
from kohort.errors import InputError

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
