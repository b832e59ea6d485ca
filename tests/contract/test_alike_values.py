"""Sensitive values that a reader takes for the same count as written, and are told: by `verify` wherever by `anonymize`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.contract.test_capabilities import PARAMETERS

import kohort
from kohort.models import MODELS
from kohort.table.alike import alike_values

TWINS = [("7", "7.0"), ("1e3", "1000"), ("flu", "Flu "), ("\uff11", "1")]
APART = [("7", "8"), ("1e3", "1e4"), ("flu", "flux")]
OF_VALUES = [name for name, kind in MODELS.items() if kind.card.counts == "values" and name != "personalized"]


def plan_of(model: str, pair: tuple[str, str]) -> dict[str, Any]:
    tree = {"kind": "tree", "tree": {"one": [pair[0]], "other": [pair[1]]}}
    return {
        "columns": {
            "ward": {"role": "quasi", "hierarchy": {"kind": "suppress"}},
            "ill": {"role": "sensitive", "hierarchy": tree},
        },
        "require": [{"model": model, **PARAMETERS[model], **({"k": 2} if model == "alpha-k" else {})}],
    }


def written(folder: Path, pair: tuple[str, str]) -> Path:
    rows = "".join(f"{ward},{ill}\n" for ward in "aabb" for ill in pair)
    (folder / "t.csv").write_text(f"ward,ill\n{rows}", encoding="utf-8")
    return folder / "t.csv"


def notes(verdicts: list[kohort.Verdict], plan: dict[str, Any]) -> list[str]:
    """Return the notes of the promise that a plan makes."""
    promise = kohort.Plan(**plan).require[0].label
    return [verdict.note for verdict in verdicts if verdict.promise == promise]


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("model", OF_VALUES)
def test_every_promise_about_values_says_how_many_are_alike(tmp_path: Path, model: str, engine: str) -> None:
    for pair in (*TWINS, *APART):
        plan, table, due = plan_of(model, pair), written(tmp_path, pair), alike_values("ill", pa.array(pair))
        assert bool(due) is (pair in TWINS)
        for original in (None, table):
            (note,) = notes(kohort.verify(table, plan, original, engine=engine), plan)
            assert all(words in note for words in due)
            assert bool(due) is ("count as values of their own" in note)


@pytest.mark.parametrize("pair", TWINS)
def test_a_release_is_judged_with_the_words_it_was_made_with(tmp_path: Path, pair: tuple[str, str]) -> None:
    plan, (due,) = plan_of("l-diversity", pair), alike_values("ill", pa.array(pair))
    release = kohort.anonymize(written(tmp_path, pair), plan)
    assert due in release.facts.warnings
    release.save(tmp_path / "out")
    for audit in (True, False):
        if not audit:
            (tmp_path / "out.private").rename(tmp_path / "elsewhere")
        (note,) = notes(kohort.verify(tmp_path / "out"), plan)
        assert due in note
