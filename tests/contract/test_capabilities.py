"""Every algorithm × model × bound × respondent: the plan is honoured, or refused by the name of what is not."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, card_of
from kohort.errors import InputError
from kohort.models import MODELS

# What an algorithm needs beyond the common plan; everything else is the same for all.
SPECIAL: dict[str, dict[str, Any]] = {
    "k-optimize": {"objective": "discernibility"},
    "hill-climbing": {"objective": "discernibility", "options": {"rounds": 2}},
    "genetic": {"objective": "discernibility", "options": {"children": 4, "population": 3}},
    "annealing": {"objective": "discernibility", "options": {"coolings": 1, "steps": 4}},
    "mu-argus": {"options": {"full": True}},
    "dp-mdav": {"options": {"bounds": {"age": [0, 99]}, "decimals": 0}, "seed": None},
    "anatomy": {"options": {"column": "ill", "l": 2}},
}
NUMBERS_ONLY = {"univariate", "dp-mdav"}
ROWS = {"cells-exact": 10, "factor-2": 16, "factor-3": 18}
K = {"factor-2": 2}
TREE = {"lung": ["flu", "cold"], "joints": ["arthritis", "gout"]}
BOUNDS = {"free": {}, "min_level": {"min_level": 1}, "max_level": {"max_level": 3}}
PEOPLE = {"nobody": 1, "one": 1, "several": 2}  # rows of a person
PARAMETERS: dict[str, dict[str, Any]] = {
    "k-anonymity": {},
    "l-diversity": {"l": 2, "column": "ill"},
    "t-closeness": {"t": 0.9, "column": "ill"},
    "p-sensitive": {"p": 2, "column": "ill"},
    "extended-p-sensitive": {"p": 2, "column": "ill", "level": 1},
    "alpha-k": {"alpha": 0.9, "column": "ill"},
    "beta-likeness": {"beta": 20.0, "column": "ill"},
    "delta-disclosure": {"delta": 20.0, "column": "ill", "absent": "ignore"},
    "k-map": {},
    "average-risk": {"risk": 0.5},
    "personalized": {"breach": 0.99, "column": "ill", "guard": "wish"},
}


@cache
def table_of(rows: int, several: int) -> pa.Table:
    rng = np.random.default_rng(5)
    ill = [("flu", "cold", "arthritis", "gout")[i % 4] for i in range(rows)]
    return pa.table(
        {
            "age": rng.choice([20, 25, 31, 44], rows),
            "zip": rng.choice(["94138", "94139", "94141"], rows).tolist(),
            "ill": ill,
            "wish": [None if i % 3 else ("lung" if i % 4 < 2 else "joints") for i in range(rows)],
            "who": [f"p{i // several}" for i in range(rows)],
        }
    )


def plan_for(name: str, model: str, bound: str, people: str, *, alone: bool, population: Path) -> kohort.Plan:
    card, k = card_of(name), K.get(name, 3)
    age: dict[str, Any] = {
        "role": "quasi",
        "hierarchy": {"kind": "intervals", "widths": [5, 10, 20], "domain": [0, 99]},
    }
    columns: dict[str, Any] = {
        "age": ({"role": "quasi"} if card.covers_all else age) | BOUNDS[bound],
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
        "ill": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": TREE}},
    }
    if name in NUMBERS_ONLY:
        del columns["zip"]
    if card.covers_all:
        del columns["ill"]
    if model == "personalized":
        columns["wish"] = "guard"
    sized = {"k": k} if "k" in MODELS[model].__dataclass_fields__ else {}
    require = [{"model": model} | PARAMETERS[model] | sized]
    if not alone and model != "k-anonymity" and card.layout == "one-table":
        require.insert(0, {"model": "k-anonymity", "k": k})
    given: dict[str, Any] = {} if people == "nobody" else {"respondent": "who"}
    if model == "k-map":
        given["population"] = str(population)
    recode = {"algorithm": name, "seed": 3, "max_suppression": 1.0} | SPECIAL.get(name, {})
    return kohort.Plan(columns=columns, require=require, recode=recode, input=given, output={"ledger": ""})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def population(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("population") / "people.parquet"
    table = table_of(60, 1)
    pyarrow.parquet.write_table(pa.concat_tables([table, table, table]), path)
    return path


def cases(name: str, every: int) -> list[tuple[str, str, str, bool]]:
    """Return one in so many of the product, others for the next algorithm, and with each all models by themselves."""
    product_ = list(product(MODELS, BOUNDS, PEOPLE, (False, True)))
    turn = list(ALGORITHMS).index(name)
    return [
        case
        for i, case in enumerate(product_)
        if i % every == turn % every or case[1:] == ("free", "nobody", True)
    ]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_plan_is_honoured_or_refused_by_name(name: str, population: Path) -> None:
    """Every bound and every kind of respondent with each algorithm; every combination with one algorithm or two."""
    honoured_or_refused(name, cases(name, 17), population)


@pytest.mark.long
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_pair_in_a_plan_is_honoured_or_refused_by_name(name: str, population: Path) -> None:
    """Every pair of model, bound and respondent with each algorithm."""
    honoured_or_refused(name, cases(name, 5), population)


def honoured_or_refused(name: str, asked: list[tuple[str, str, str, bool]], population: Path) -> None:
    honoured, refused = 0, []
    for model, bound, people, alone in asked:
        told = (name, model, bound, people, alone)
        table = table_of(ROWS.get(name, 60), PEOPLE[people])
        try:
            release = kohort.anonymize(
                table, plan_for(name, model, bound, people, alone=alone, population=population)
            )
        except InputError as refusal:
            refused.append((told, str(refusal)))
            continue
        assert release.verdicts, told
        assert all(verdict.holds for verdict in release.verdicts), told
        assert card_of(name).respondents != "nobody" or people == "nobody", told
        assert bound == "free" or bound in card_of(name).bounds, told
        assert card_of(name).levels or not MODELS[model].card.levels, told
        honoured += 1
    assert honoured
    for told, why in refused:
        assert any(said in why for said in (*told[:3], "respondent")), (told, why)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_a_card_says_is_kept_is_not_refused(name: str, population: Path) -> None:
    card = card_of(name)
    model = "l-diversity" if card.layout != "one-table" else "k-anonymity"
    table = table_of(ROWS.get(name, 60), 1)
    for bound in card.bounds:
        plan = plan_for(name, model, bound, "nobody", alone=True, population=population)
        assert kohort.anonymize(table, plan).verdicts
    if card.respondents != "nobody":
        plan = plan_for(name, model, "free", "one", alone=True, population=population)
        assert kohort.anonymize(table, plan).verdicts
    if card.levels:
        plan = plan_for(name, "k-map", "free", "nobody", alone=True, population=population)
        assert kohort.anonymize(table, plan).verdicts


def test_every_model_has_parameters() -> None:
    assert set(PARAMETERS) == set(MODELS)
