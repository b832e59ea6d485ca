"""No release claims of its search what a stopped one does not have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.contract.test_algorithms import frame_for
from tests.contract.test_nothing_found import asking

import kohort
from kohort.algorithms import ALGORITHMS, card_of, guarantee_of
from kohort.plan.rules import SHAPES
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
    if guarantee and not guarantee.startswith("none"):
        assert told == f"{guarantee}, where the search ran to its end"
        page = (out / "report.html").read_text(encoding="utf-8")
        assert page.count("where the search ran to its end") >= 1
