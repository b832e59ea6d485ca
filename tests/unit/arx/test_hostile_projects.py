"""Projects of ARX that say a thing twice, too much of it, or what cannot be: answered by name, and nothing stays behind."""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path

import pytest
from tests.unit.arx.test_projects import definition, project

from kohort.arx.writing import import_project
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
