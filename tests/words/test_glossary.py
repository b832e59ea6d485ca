"""One vocabulary: the page is current, every report ends with it, and words are used as it says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from tests.words.releases import KINDS, made

from kohort.metrics import METRICS
from kohort.report.glossary import TERMS

ROOT = Path(__file__).parents[2]


def test_the_glossary_is_current() -> None:
    spec = importlib.util.spec_from_file_location("glossary", ROOT / "docs" / "glossary.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.TARGET.read_text(encoding="utf-8") == module.text(), "run `make docs`"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", ["public", "private"])
def test_every_report_ends_with_its_words(kind: str, side: str) -> None:
    rows = getattr(made(kind), side).table("word", "meaning")
    assert [word for word, _ in rows] == list(TERMS)


@pytest.mark.parametrize("document", ["how-to.md", "tutorial.md", "sets.md", "threat-model.md"])
def test_documents_lead_to_the_glossary(document: str) -> None:
    assert "glossary.md" in (ROOT / "docs" / document).read_text(encoding="utf-8")


def test_precision_says_which_way_it_goes() -> None:
    """The paper's Prec is 1 where nothing is lost; what a plan calls `precision` is 0 there."""
    assert METRICS["precision"].card.summary.startswith("1 − Prec")
    assert "1 − Prec" in made("levels").private.text


@pytest.mark.parametrize("kind", KINDS)
def test_signs_are_explained_where_they_stand(kind: str) -> None:
    for side in (made(kind).public, made(kind).private):
        if any("entropy l" in rows[0] for rows in side.tables):
            for clause in (
                "entropy l, as how many equally frequent values",
                "β: by which multiple",
                "δ: the greatest",
            ):
                assert clause in side.text


@pytest.mark.parametrize("kind", KINDS)
def test_no_conclusion_is_drawn(kind: str) -> None:
    release = made(kind)
    for text in (release.public.text, release.private.text, release.terminal):
        said = text.replace("whether the release is anonymous in the sense of a law", "")
        assert not re.search(r"\banonymous\b|can be shared|compliant|complies|very small risk|safe to", said)
