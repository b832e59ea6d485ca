"""The threat model names tests that exist, and every attacker has some."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)`")


def test_every_test_that_is_named_exists() -> None:
    named = set(NAMED.findall(PAGE))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []


def test_every_attacker_meets_a_promise_a_limit_and_a_test() -> None:
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    assert len(sections) >= 9
    for section in sections:
        title = section.splitlines()[0]
        assert "**Promised" in section, title
        assert "**Not promised" in section, title
        assert NAMED.search(section), title


def test_every_trust_test_is_named() -> None:
    files = {f"tests/trust/{path.name}" for path in (ROOT / "tests" / "trust").glob("test_*.py")}
    assert files <= set(NAMED.findall(PAGE)), "a test of trust that answers no attacker"
