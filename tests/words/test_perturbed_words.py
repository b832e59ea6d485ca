"""What is said of perturbed values is true of them: how far groups were spread, and no word of steps never taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.words.releases import KINDS, made

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.report import html
from kohort.report.columns import generalized
from kohort.tables.outcome import outcome

CARDS = {name: algorithm(name).card for name in ALGORITHMS}
AVERAGING = [name for name, card in CARDS.items() if not card.truthful and not card.covers_all]


def release(name: str, **age: Any) -> tuple[pd.DataFrame, kohort.Release]:
    """Return a table of numbers and its release in groups of three, in which each row is known by its number."""
    draw = np.random.default_rng(5)
    table = pd.DataFrame({"age": draw.choice(np.arange(20, 80), 45, replace=False), "number": range(45)})
    plan = {
        "columns": {"age": {"role": "quasi"} | age, "number": {"role": "insensitive", "allow_unique": True}},
        "require": [{"model": "k-anonymity", "k": 3}],
        "recode": {"algorithm": name, "options": {"decimals": 6}},
    }
    return table, kohort.anonymize(table, kohort.Plan.from_dict(plan))


@pytest.mark.parametrize("name", AVERAGING)
@pytest.mark.parametrize(
    "domain", [None, {"hierarchy": {"kind": "intervals", "widths": [10], "domain": [0, 99]}}]
)
def test_detail_lost_is_how_far_the_numbers_of_a_group_were_spread(name: str, domain: Any) -> None:
    table, made_of = release(name, **(domain or {}))
    shown = made_of.table.astype({"number": int})
    ages = table.set_index("number")["age"].loc[shown["number"]].to_numpy()
    groups = pd.Series(ages).groupby(shown["age"].to_numpy())
    spread = (groups.transform("max") - groups.transform("min")).mean()
    whole = 99 if domain else table["age"].max() - table["age"].min()
    assert generalized(made_of.facts)["age"].loss == pytest.approx(spread / whole)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "mdav" in kind])
def test_no_metric_of_generalization_is_told_of_perturbed_values(kind: str) -> None:
    facts = made(kind, 0).facts
    assert "generalization steps" not in html(facts)
    assert "ground tuples" not in html(facts)
    assert not any(str(line).startswith(f"{facts.objective} ") for line in outcome(facts))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "mdav" in kind])
def test_no_divergence_is_told_of_perturbed_values(kind: str) -> None:
    """It spreads a label over the values under it, and a mean stands for none. Nor does the audit hold what nobody tells."""
    facts = made(kind, 0).facts
    assert (facts.divergence.columns, facts.divergence.pairs, facts.quality.accuracy) == ({}, (), None)
    assert set(facts.losses) == {
        "discernibility",
        "average-class-size",
        "max-distribution",
        "min-suppression",
    }
    told = html(facts)
    assert "is not told either" in told
    assert "bits per record" not in told
    assert "Divergence of pairs" not in told


def test_one_label_for_all_is_no_share_as_before() -> None:
    """All of a region: that its share is 100 % before and after tells nothing."""
    table = pd.DataFrame({"zip": [f"1{i % 7}{i % 3}" for i in range(30)]})
    columns = {"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}}
    plan = {"columns": columns, "require": [{"model": "k-anonymity", "k": 20}]}
    told = html(kohort.anonymize(table, kohort.Plan.from_dict(plan)).facts)
    assert "zip: one label holds all rows" in told
    assert "shares as before" not in told
