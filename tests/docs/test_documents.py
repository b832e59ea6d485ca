"""What the documents show runs, and the generated page is current."""

from __future__ import annotations

import importlib.util
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


def test_every_link_in_a_document_leads_somewhere() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_reference_is_current() -> None:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "docs" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.TARGET.read_text(encoding="utf-8") == module.text(), "run `make docs`"
