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
