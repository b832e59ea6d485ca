"""What is said to follow from a promise does follow: recomputed on random classes, and no more is said where it does not."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.contract.test_models import worlds
from tests.contract.test_people import worlds as worlds_of_people
from tests.reference import models as naive
from tests.reference import people as twin
from tests.reference.worlds import ORDER, Value, World
from tests.words.releases import KINDS, made

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.demo.ward import crowds
from kohort.models import (
    MODELS,
    BetaLikeness,
    DeltaDisclosure,
    LDiversity,
    PrivacyModel,
    TCloseness,
    guarantee_of,
)

HIDING = re.compile(
    r"hid(e|es|den|ing) among|among at least|no fewer than k|at least k (people|respondents|records)\b(?! of the population)"
)


# --- belief --------------------------------------------------------------------------------------------------


def beliefs(values: list[Value], table: list[Value]) -> Fraction:
    """Return how far the belief in some statement about the value moves: the greatest over all sets of values."""
    known = sorted(set(table), key=str)
    sets = chain.from_iterable(combinations(known, size) for size in range(1, len(known) + 1))
    return max(abs(sum(naive.share(values, v) - naive.share(table, v) for v in some)) for some in sets)


def bound(model: PrivacyModel, found: World) -> tuple[PrivacyModel, float]:
    model = model.bind(found.reference)
    return model, model.achieved(found.classes)


def test_by_the_equal_distance_a_belief_moves_by_at_most_t() -> None:
    assert "moves the belief in a sensitive value by at most t" in guarantee_of(TCloseness(0.2, "disease"))
    for found in worlds(8100, 150):
        _, t = bound(TCloseness(1, "disease"), found)
        table = found.values["disease"]
        assert max(beliefs(values, table) for values in found.members("disease")) <= t + 1e-12
    for found in worlds_of_people(8200, 150):
        _, t = bound(TCloseness(1, "disease"), found)
        table = found.table("disease")
        for rows in found.rows("disease"):
            for value in set(found.values["disease"]):
                assert abs(twin.share(rows, value) - twin.share(table, value)) <= t + 1e-12


def test_by_the_ordered_distance_it_may_move_much_further_and_the_words_say_so() -> None:
    """t = 0.2 lets 10 % become 85 %, as long as the values beside it give way."""
    ages = [str(value) for value in range(10) for _ in range(100)]
    skewed = ["4"] * 85 + [str(value) for value in range(10) if value != 4 for _ in range(2)][:15]
    classes, table = crowds(skewed, list(naive_rest(ages, skewed)))
    model = TCloseness(0.25, "ill", "ordered").bind(table)
    distance = model.distances(classes)[0]
    whole = [value for members in (skewed, naive_rest(ages, skewed)) for value in members]
    assert distance == pytest.approx(float(naive.ordered_distance(skewed, whole, sorted(set(whole)))))
    assert distance <= 0.25
    assert naive.share(skewed, "4") - naive.share(whole, "4") >= Fraction(3, 4)
    for other in ("ordered", "hierarchical"):
        said = guarantee_of(TCloseness(0.2, "ill", other))
        assert "the belief in a single value may move much further" in said
        assert "moves the belief in a sensitive value by at most t" not in said


def naive_rest(table: list[str], taken: list[str]) -> list[str]:
    """Return the table without what was taken from it."""
    left = list(table)
    for value in taken:
        left.remove(value)
    return left


def test_by_the_ordered_distance_the_mean_place_moves_by_at_most_t_of_the_order() -> None:
    assert "mean place in its order by at most t of the whole order" in guarantee_of(
        TCloseness(0.2, "income", "ordered")
    )
    for found in worlds(8300, 150):
        _, t = bound(TCloseness(1, "income", "ordered"), found)
        table = found.values["income"]
        order = [value for value in ORDER["income"] if value in table]
        for values in found.members("income"):
            moved = mean_place(values, order) - mean_place(table, order)
            assert abs(moved) / max(len(order) - 1, 1) <= t + 1e-12


def mean_place(values: list[Value], order: list[Value]) -> Fraction:
    return Fraction(sum(map(order.index, values)), len(values))


def test_distinct_diversity_bounds_no_likelihood_and_the_others_do() -> None:
    classes, table = crowds(["flu"] * 99 + ["cold"])
    assert LDiversity(2, "ill").bind(table).holds(classes)
    assert "how likely each of them is, is not bounded" in guarantee_of(LDiversity(2, "ill"))
    for variant, more in (("entropy", {}), ("recursive", {"c": 2})):
        model = LDiversity(2, "ill", variant, **more)
        assert not model.bind(table).holds(classes)
        assert "not bounded" not in guarantee_of(model)


@pytest.mark.parametrize("people", [False, True])
def test_likelihoods_change_by_no_more_than_is_said(people: bool) -> None:
    for found in (worlds_of_people if people else worlds)(8400, 100):
        gain = bound(BetaLikeness(1, "disease"), found)[1]
        factor = bound(DeltaDisclosure(1, "disease", absent="ignore"), found)[1]
        table = found.table("disease")
        for rows in found.rows("disease"):
            for value in {value for _, value in rows}:
                q, p = twin.share(rows, value), twin.share(table, value)
                assert float(q / p) <= (1 + gain) * (1 + 1e-9)
                assert np.exp(-factor) * (1 - 1e-9) <= float(q / p) <= np.exp(factor) * (1 + 1e-9)
    assert "lacks a value altogether is not bounded" in guarantee_of(
        DeltaDisclosure(1, "disease", absent="ignore")
    )
    assert "not bounded" not in guarantee_of(DeltaDisclosure(1, "disease"))


# --- crowds --------------------------------------------------------------------------------------------------

WARD = pa.table(
    {
        "age": [str(20 + i) for i in range(12)],
        "pay": [str(value) for value in (9, 10, 100, 20, 9, 10, 100, 20, 9, 10, 20, 100)],
        "ill": ["flu", "cold", "gout", "flu", "cold", "gout"] * 2,
    }
)
AGE = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [2, 6], "domain": [20, 31]}}


def public_words(folder: Path) -> str:
    """Return all that a release says in public, without markup."""
    page = re.sub(
        r"<style.*?</style>|<[^>]+>", " ", (folder / "report.html").read_text(encoding="utf-8"), flags=re.S
    )
    return f"{page} {(folder / 'manifest.json').read_text(encoding='utf-8')}"


@pytest.mark.parametrize("name", ["k-map", "average-risk", "anatomy"])
def test_where_people_may_stand_alone_nobody_is_said_to_hide(name: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"require": [{"model": "average-risk", "risk": 0.8}], "recode": {}}
    if name == "k-map":
        pa.csv.write_csv(pa.table({"age": WARD["age"].to_pylist() * 3}), tmp_path / "everybody.csv")
        asked = {"require": [{"model": "k-map", "k": 3}], "input": {"population": "everybody.csv"}}
    if name == "anatomy":
        asked = {
            "require": [{"model": "l-diversity", "l": 2, "column": "ill"}],
            "recode": {"algorithm": "anatomy"},
        }
    plan = kohort.Plan(columns={"age": AGE, "ill": {"role": "sensitive"}}, base=tmp_path, **asked)
    folder = kohort.anonymize(WARD.select(["age", "ill"]), plan).save(tmp_path / "out")
    words = public_words(folder)
    if name != "anatomy":
        assert "may stand alone" in words
    assert not HIDING.search(words), HIDING.search(words)


# --- factors and proofs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_factor_or_a_size_is_told_with_what_it_is_proved_for(name: str) -> None:
    said = algorithm(name).card.guarantee
    if re.search(r"\bwithin [\dOm]|2k|least sum|most clusters", said):
        assert re.search(r"alone|under k-anonymity|for other promises", said), said


@pytest.mark.parametrize("name", ALGORITHMS)
def test_nothing_is_called_optimal_or_minimal_that_an_early_end_would_make_untrue(name: str) -> None:
    """Whether a search ended early is private: what is said in public must be true of both."""
    said = algorithm(name).card.guarantee
    if re.search(r"optimal|minimal|fewest|further", said) and "none:" not in said:
        assert re.search(r"ends by itself|there is one such table|none once merged", said), said


# --- the order that a distance used --------------------------------------------------------------------------

ORDERS: dict[str, tuple[Any, list[str]]] = {
    "numbers": (None, ["9", "10", "20", "100"]),
    "texts": (None, ["a9", "b10", "c2", "d1"]),
    "declared hierarchy": (
        {"kind": "tree", "tree": {"low": ["z", "y"], "high": ["x", "w"]}},
        ["z", "y", "x", "w"],
    ),
}


@pytest.mark.parametrize("order", ORDERS)
def test_whoever_reads_a_release_can_compute_an_ordered_distance_again(order: str, tmp_path: Path) -> None:
    hierarchy, known = ORDERS[order]
    folder = ordered_release(hierarchy, known, tmp_path)
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    [verdict] = [found for found in told["verdicts"] if "closeness" in found["promise"]]
    assert f"pay in the order of its {order}" in verdict["note"]
    rows = pa.csv.read_csv(
        folder / "table.csv", convert_options=pa.csv.ConvertOptions(column_types={"pay": pa.string()})
    )
    table = rows["pay"].to_pylist()
    classes: dict[str, list[Value]] = {}
    for age, pay in zip(rows["age"].to_pylist(), table, strict=True):
        classes.setdefault(age, []).append(pay)
    worst = max(naive.ordered_distance(values, table, known) for values in classes.values())
    assert verdict["in_itself"] == pytest.approx(float(worst), rel=1e-5)


def test_by_an_order_that_is_not_public_nothing_is_measured_in_public(tmp_path: Path) -> None:
    levels = tmp_path / "pay.csv"
    levels.write_text("z;low;*\ny;low;*\nx;high;*\nw;high;*\n", encoding="utf-8")
    folder = ordered_release({"kind": "file", "path": "pay.csv"}, ["z", "y", "x", "w"], tmp_path)
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    [verdict] = [found for found in told["verdicts"] if "closeness" in found["promise"]]
    assert verdict["achieved"] is None
    assert verdict["note"] == "checked by the holder against the original"
    assert "ordered" not in told["sensitive"]["pay"]["t"]


def ordered_release(hierarchy: dict[str, Any] | None, known: list[str], folder: Path) -> Path:
    pay = dict(zip(["9", "10", "20", "100"], known, strict=True))
    frame = WARD.select(["age"]).append_column(
        "pay", pa.array([pay[value] for value in WARD["pay"].to_pylist()])
    )
    column = {"role": "sensitive"} | ({} if hierarchy is None else {"hierarchy": hierarchy})
    plan = kohort.Plan(
        columns={"age": AGE, "pay": column},
        require=[{"model": "t-closeness", "t": 0.5, "column": "pay", "distance": "ordered"}],
        base=folder,
    )
    return kohort.anonymize(frame, plan).save(folder / "out")


def test_every_model_says_what_follows_from_it() -> None:
    assert all(kind.card.guarantee for kind in MODELS.values())


@pytest.mark.parametrize("kind", KINDS)
def test_an_objective_that_the_search_does_not_go_by_is_said_to_score_only(kind: str) -> None:
    release = made(kind)
    goes_by = "objective" in algorithm(release.facts.algorithm.name).card.heeds
    for page in (release.public, release.private):
        [told] = page.row("objective")
        assert told.startswith(release.facts.objective)
        assert ("the search goes by a measure of its own" in told) is not goes_by
