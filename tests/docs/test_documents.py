"""What the documents show runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("document", ["README.md", "docs/tutorial.md", "docs/how-to.md", "docs/sets.md"])
def test_the_python_in_a_document_runs(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = blocks(ROOT / document, "python")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in found:
        exec(compile(block, document, "exec"), names)
    assert found or document == "docs/tutorial.md"


@pytest.mark.parametrize("document", ["README.md", "docs/tutorial.md", "docs/how-to.md", "docs/sets.md"])
def test_the_plans_in_a_document_are_plans(document: str) -> None:
    import tomllib

    from kohort.plan import Plan

    for block in blocks(ROOT / document, "toml"):
        told = tomllib.loads(block)
        if "columns" in told and "require" in told:
            Plan.from_dict(told)
