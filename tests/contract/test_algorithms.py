"""One battery for every algorithm of the registry: what goes through the pipeline is verified, whoever made it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.algorithms.algorithm import Silent
from kohort.engines import DEFAULT, Wanted, opened
from kohort.engines.preparing import prepare
from kohort.preparation import chosen_algorithm
from kohort.table import Table

# What an algorithm needs beyond the common plan; everything else is the same for all.
SPECIAL: dict[str, dict[str, Any]] = {
    "k-optimize": {"objective": "discernibility"},
    "hill-climbing": {"objective": "discernibility"},
    "genetic": {"objective": "discernibility"},
    "annealing": {"objective": "discernibility"},
    "mu-argus": {"options": {"full": True}},
    "dp-mdav": {"options": {"bounds": {"age": [0, 99]}, "decimals": 0}, "seed": None},
}
NUMBERS_ONLY = {"univariate", "dp-mdav"}  # algorithms for numeric columns
SMALL = {"cells-exact": 10, "factor-2": 24, "factor-3": 24}  # rows that the exponential ones are given
K = {"factor-2": 2}


def people(rows: int, seed: int = 5, numeric: bool = False) -> pa.Table:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["f", "m", None], rows, p=[0.5, 0.45, 0.05])
    zips = rng.choice(["94138", "94139", "94141", "01234"], rows, p=[0.4, 0.3, 0.2, 0.1])
    columns: dict[str, Any] = {"age": rng.integers(20, 60, rows)}
    if not numeric:
        columns |= {"zip": zips.tolist(), "sex": sex.tolist()}
    return pa.table(columns | {"ill": rng.choice(["flu", "cold", "asthma", "gout"], rows).tolist()})


def plan_for(name: str, seed: int = 3) -> kohort.Plan:
    columns: dict[str, Any] = {
        "age": {
            "role": "quasi",
            "hierarchy": {"kind": "intervals", "widths": [5, 10, 20], "domain": [0, 99]},
        },
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
        "sex": {"role": "quasi", "hierarchy": {"kind": "suppress"}},
        "ill": "sensitive",
    }
    if name in NUMBERS_ONLY:
        columns = {"age": columns["age"], "ill": "sensitive"}
    if algorithm(name).card.covers_all:
        columns = {"age": "quasi", "ill": "identifier"}
    require: list[Any] = [kohort.KAnonymity(K.get(name, 3))]
    if name == "anatomy":
        require = [kohort.LDiversity(column="ill", l=2)]
    recode = {"algorithm": name, "seed": seed, "max_suppression": 1.0} | SPECIAL.get(name, {})
    return kohort.Plan(columns=columns, require=require, recode=recode)  # type: ignore[arg-type]


def frame_for(name: str, seed: int = 5) -> pa.Table:
    return people(SMALL.get(name, 120), seed, numeric=name in NUMBERS_ONLY)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_release_passes_verification(name: str) -> None:
    release = kohort.anonymize(frame_for(name), plan_for(name))
    assert release.verdicts
    assert all(verdict.holds for verdict in release.verdicts)
    promised = {verdict.promise for verdict in release.verdicts}
    assert ("truthful" in promised) == algorithm(name).card.truthful


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_score_is_what_the_metric_says_of_the_released_rows(name: str) -> None:
    plan = plan_for(name)
    problem = prepare(opened(DEFAULT, Table.from_arrow(frame_for(name)), Wanted.by(plan)), plan)
    solution = chosen_algorithm(plan, problem).solve(problem, Silent())
    outcome = solution.decision.apply(problem).outcome(problem)
    assert solution.score == pytest.approx(problem.objective.score(outcome), rel=1e-9)


@pytest.mark.parametrize(
    "name", [n for n in ALGORITHMS if n.startswith(("optimal", "mingen", "samarati", "incognito"))]
)
def test_row_order_does_not_matter(name: str) -> None:
    frame = frame_for(name)
    order = np.random.default_rng(8).permutation(frame.num_rows)
    first, second = (kohort.anonymize(f, plan_for(name)) for f in (frame, frame.take(order)))
    assert first.levels == second.levels
    assert first.suppressed == second.suppressed


@pytest.mark.parametrize("name", ALGORITHMS)
def test_cards_tell_what_users_need_to_choose(name: str) -> None:
    card = algorithm(name).card
    assert card.name == name
    assert card.summary
    assert card.paper
    codes = {"AG_TS", "AG_", "AG_CS", "CG_", "_TS", "_AS", "_CS", ""}
    assert set(card.taxonomy.replace(",", " ").split() or [""]) <= codes
