"""The page about extending Kohort is run literally: its files are written, its other blocks executed one by one."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kohort.third_parties import GROUPS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"\n## (.*?)\n(.*?)(?=\n## |\Z)", PAGE, re.DOTALL))
ITEMS = ["A privacy model", "A metric", "An algorithm", "A hierarchy", "An engine", "A shape"]


def blocks(section: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", SECTIONS[section], re.DOTALL)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "mine"]:
        del sys.modules[name]


@pytest.mark.parametrize("section", ITEMS)
def test_what_a_section_shows_runs(section: str, package: Path) -> None:
    written, used = 0, 0
    for block in blocks(section):
        name = re.match(r"# (mine/\w+\.py)\n", block)
        if name:
            (package / name[1]).write_text(block, encoding="utf-8")
            written += 1
        else:
            exec(compile(block, f"docs/extending.md: {section}", "exec"), {})
            used += 1
    assert written == used == 1


def test_the_page_tells_of_every_group_and_its_entry_points_are_files_of_it() -> None:
    assert all(f"`{group}`" in PAGE for group in GROUPS)
    told = tomllib.loads(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0])
    for group, points in told["project"]["entry-points"].items():
        assert group in GROUPS
        for name, place in points.items():
            module, kind = place.split(":")
            block = next(
                text
                for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
                if f"# {module.replace('.', '/')}.py" in text
            )
            assert f"class {kind}" in block
            assert f'"{name}"' in block
