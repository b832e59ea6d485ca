"""Every example in a docstring comes out as it is shown."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import kohort

SOURCE = Path(kohort.__file__).parent


def modules() -> list[str]:
    """Return the modules that show something."""
    shown = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]
    parts = [path.relative_to(SOURCE.parent).with_suffix("").parts for path in shown]
    return [".".join(part for part in names if part != "__init__") for names in parts]


@pytest.mark.parametrize("name", modules())
def test_examples_come_out_as_shown(name: str) -> None:
    found = [test for test in doctest.DocTestFinder().find(import_module(name), name) if test.examples]
    assert found, f"{name} shows something where nobody looks: not in a docstring"
    heard: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    assert not any(runner.run(test, out=heard.append).failed for test in found), "".join(heard)


def test_there_are_examples_and_wrong_ones_fail() -> None:
    assert len(modules()) > 80
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(wrong, out=lambda _: None).failed
