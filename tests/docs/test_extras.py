"""Extras that are named exist, hold the package that was missed, and come with a command for a clone too."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kohort.errors import InputError
from kohort.table.formats.extras import extra

ROOT = Path(__file__).parents[2]
EXTRAS: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]["optional-dependencies"]
SOURCES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
CALLED = re.compile(r"\bextra\(\s*\"(\w+)\", \"(\w+)\"")
NAMED = re.compile(r"kohort\[([\w,]+)\]")
PACKAGES = {
    "sklearn": "scikit-learn",
    "python_calamine": "python-calamine",
}  # where these are not spelled alike


def missed() -> set[tuple[str, str]]:
    """Return every package that the code may miss, and the extra that it names."""
    return {found for text in SOURCES.values() for found in CALLED.findall(text)}


def test_every_extra_is_asked_for_somewhere() -> None:
    assert {name for _, name in missed()} == set(EXTRAS) - {"dev", "docs"}  # for those who work on Kohort


@pytest.mark.parametrize(("module", "name"), sorted(missed()))
def test_a_missing_package_is_told_with_its_extra(
    module: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PACKAGES.get(module, module) in {Requirement(told).name for told in EXTRAS[name]}
    monkeypatch.setitem(sys.modules, module, None)  # type: ignore[arg-type]
    with pytest.raises(InputError) as refused:
        extra(module, name, "reading such files")
    assert f"pip install 'kohort[{name}]'" in str(refused.value)
    assert f"in a clone: pip install -e '.[{name}]'" in str(refused.value)
    assert refused.value.fields["package"] == module


def test_no_other_words_are_used_for_a_missing_package() -> None:
    spelled = [path.name for path, text in SOURCES.items() if "pip install" in text]
    assert spelled == ["extras.py"]


def test_documents_name_extras_that_there_are() -> None:
    for document in DOCUMENTS:
        for told in NAMED.findall(document.read_text(encoding="utf-8")):
            assert set(told.split(",")) <= set(EXTRAS), f"{document.name}: {told}"
