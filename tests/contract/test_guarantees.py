"""No release claims of its search what a stopped one does not have."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.contract.test_algorithms import frame_for
from tests.contract.test_nothing_found import asking

import kohort
from kohort.algorithms import ALGORITHMS, card_of, guarantee_of
from kohort.card import BY_ITSELF, Card
from kohort.evidence import promises
from kohort.evidence.promises import method_facts
from kohort.facts.release import of_table
from kohort.plan.rules import SHAPES
from kohort.report.method import search
from kohort.sets.searches import SEARCHES, search_named

TREE = {"kind": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}
BASKETS = pa.table({"basket": ["a1;b1;b2", "a2;b1", "a2;b1;b2", "a1;a2;b2"]})


def sets_plan(name: str) -> kohort.Plan:
    told: dict[str, Any] = {
        "input": {"shape": "sets"},
        "columns": {"basket": {"role": "set", "separator": ";", "hierarchy": TREE}},
        "require": [{"model": "k-m", "k": 2, "m": 2}],
        "recode": {"algorithm": name, "time_limit": 1e-9},
    }
    return kohort.Plan.from_dict(told)


TRUE_OF_BOTH = {"k-member", "greedy-pk"}  # what they guarantee is kept by every release, stopped or not
CASES = [
    *[("table", name, "" if card_of(name).covers_all else card_of(name).guarantee) for name in ALGORITHMS],
    *[("sets", name, search_named(name).card.guarantee) for name in SEARCHES],
]


def test_every_shape_has_its_cases() -> None:
    assert {shape for shape, _, _ in CASES} == set(SHAPES)


@pytest.mark.parametrize(("shape", "name", "guarantee"), CASES)
def test_a_stopped_release_claims_no_more_than_it_has(
    shape: str, name: str, guarantee: str, tmp_path: Path
) -> None:
    if shape == "sets":
        table, plan = BASKETS, sets_plan(name)
    else:
        table, plan = frame_for(name), asking(name, time_limit=1e-9)
        guarantee = guarantee and guarantee_of(name, plan.recode.options)
    try:
        out = kohort.anonymize(table, plan).save(tmp_path / "out")
    except kohort.UnfinishedError:
        return
    told = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["algorithm"]["guarantee"]
    assert told.count(BY_ITSELF) <= 1
    audit = json.loads((out.with_name("out.private") / "audit.json").read_text(encoding="utf-8"))
    if guarantee and not guarantee.startswith("none"):
        assert told == guarantee
        facts = audit["facts"]
        stopped = facts["stopped"] if shape == "sets" else facts["search"]["stopped"]
        assert stopped is None or BY_ITSELF in told or name in TRUE_OF_BOTH
        page = (out / "report.html").read_text(encoding="utf-8")
        assert page.count(BY_ITSELF) == told.count(BY_ITSELF)


class Quick:
    """An algorithm of another package, whose words say nothing of an early end."""

    card = Card("quick", "one", guarantee="optimal")


def test_of_another_packages_search_it_is_said_that_it_must_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promises, "algorithm", lambda _: Quick)
    monkeypatch.setattr(promises, "method_guarantee", lambda *_: Quick.card.guarantee)
    assert method_facts(Quick.card, {}).guarantee.startswith(
        "optimal, where it ends by itself (as the package "
    )


@pytest.mark.parametrize("name", ALGORITHMS)
def test_recodings_in_all_are_as_many_as_there_are_and_not_those_visited(name: str) -> None:
    facts = of_table(kohort.anonymize(frame_for(name), asking(name)).facts)
    levels = [len(column.generalized.levels) for column in facts.columns if column.generalized]
    there_are = {"outliers": 1, "columns": 2 ** len(levels)}.get(name, prod(levels))
    assert facts.search.nodes in (None, there_are)
    assert ("recodings in all" in str(search(facts.search))) is (facts.search.nodes is not None)
    if name == "k-optimize":
        assert "nodes visited" in str(search(facts.search))
