"""One word for one thing: what people read uses the glossary's words, and none of those that others use for the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "kohort"
PAGES = [
    "how-to.md",
    "tutorial.md",
    "sets.md",
    "threat-model.md",
    "reference.md",
    "errors.md",
    "bad-input.md",
]
INSTEAD = {
    r"equivalence class(es)?|cohorts?": "class",
    r"clusters?|buckets?|partitions?": "group",
    r"attackers?|adversar(y|ies)|snoopers?|victims?": "intruder, person",
    r"data subjects?|individuals?": "people, respondent",
    r"data ?sets?": "table",
    r"dropped": "left out, not released",
}
ALLOWED = {
    "report/glossary.py": "explains them",
    "report/compliance.py": "the words of the regulators' templates",
    "proposals/words.py": "names of columns",
    "arx/criteria.py": "the words of ARX",
    "demo": "a plan's text",
}
PAPERS = {"reference.md": "group"}  # where algorithms are explained in the words of their papers
SINGLE = {"dropped"}  # words that are read as they stand; others are names of keys


def templates(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield what may be read: strings of several words that are no docstrings, f-strings whole."""
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            first = node.body[0]
            assert isinstance(first, ast.Expr)
            silent.add(id(first.value))
        if isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in node.values}
            yield node.lineno, "".join(str(p.value) for p in node.values if isinstance(p, ast.Constant))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.lineno, node.value


@cache
def said() -> tuple[tuple[str, str], ...]:
    return tuple(_said())


def _said() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        where = path.relative_to(SOURCE).as_posix()
        if not any(where.startswith(allowed) for allowed in ALLOWED):
            for line, text in templates(ast.parse(path.read_text(encoding="utf-8"))):
                if (" " in text.strip() or text in SINGLE) and not text.isupper() and "SELECT" not in text:
                    yield f"{where}:{line}", text
    yield "kohort --help", (SOURCE / "cli" / "main.py").read_text(encoding="utf-8")
    for name in PAGES:
        yield name, (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("others", "word"), INSTEAD.items())
def test_no_other_word_is_used_for_what_the_glossary_names(others: str, word: str) -> None:
    pattern = re.compile(rf"\b({others})\b", re.IGNORECASE)
    read = [(where, text) for where, text in said() if PAPERS.get(where) != word]
    found = [f"{where}: {match[0]!r}" for where, text in read for match in pattern.finditer(text)]
    assert not found, f"say {word}"
