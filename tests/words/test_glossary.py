"""One vocabulary: every report ends with it, and words are used as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest
from tests.words.releases import KINDS, Text, made
from tests.words.test_set_words import plan as sets_plan

import kohort
from kohort.facts.table_audit import table_audit
from kohort.metrics import METRICS
from kohort.report.audit import audit_html
from kohort.report.glossary import TERMS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", ["public", "private"])
def test_every_report_ends_with_its_words(kind: str, side: str) -> None:
    rows = getattr(made(kind), side).table("word", "meaning")
    assert [word for word, _ in rows] == list(TERMS)


def test_reports_about_sets_and_audits_end_with_the_words_too(tmp_path: Path) -> None:
    folder = kohort.anonymize(pa.table({"basket": ["tea", "tea", "jam", "jam"] * 2}), sets_plan()).save(
        tmp_path / "out"
    )
    audit = kohort.audit(pa.table({"age": ["1", "1"], "ill": ["a", "b"]}), ["age"], ["ill"])
    pages = [
        (place / "report.html").read_text(encoding="utf-8") for place in (folder, tmp_path / "out.private")
    ]
    for page in (*pages, audit_html(table_audit(audit))):
        assert [word for word, _ in Text(page).table("word", "meaning")] == list(TERMS)


def test_every_figure_of_an_audit_is_a_word() -> None:
    words = {word for term in TERMS for word in term.split(", ")}
    assert {"p", "t", "α", "β", "δ", "distinct l", "entropy l", "unique"} <= words


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
