"""Kohort's own items pass the battery that it offers to others, and items that break a rule of it do not."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from tests.contract.test_models import CASES

from kohort.algorithms import ALGORITHMS, Progress, algorithm
from kohort.algorithms.lattice.datafly import Datafly
from kohort.arrays import BoolArray
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.hierarchy import BUILDERS
from kohort.hierarchy.order import Order
from kohort.metrics import METRICS, Discernibility, Form, Outcome
from kohort.metrics.form import Adds
from kohort.models import MODELS, AverageRisk, KAnonymity, Monotone
from kohort.models.demand import Demand
from kohort.recode import Problem, Solution
from kohort.testing import ContractError, check_algorithm, check_hierarchy, check_metric, check_model
from kohort.verification.judges.definitions import Counted, Finding

BEYOND = {"k-map", "personalized"}  # they read a population or a guard
SPECIAL: dict[str, dict[str, Any]] = {
    "k-optimize": {"objective": "discernibility"},
    "hill-climbing": {"objective": "discernibility", "options": {"rounds": 2}},
    "genetic": {"objective": "discernibility", "options": {"children": 4, "population": 3}},
    "annealing": {"objective": "discernibility", "options": {"coolings": 1, "steps": 4}},
    "univariate": {"quasi": ("age",)},
    "cells-exact": {"rows": 10},
    "factor-2": {"rows": 24, "k": 2},
    "factor-3": {"rows": 24},
}
OPTIONS: dict[str, tuple[list[str], list[str], dict[str, Any]]] = {  # values, strange ones, options
    "intervals": (["21", "34", "38", "55"], ["200", "qaxle"], {"widths": [5, 10], "domain": [0, 99]}),
    "dates": (["2024-05-17", "2023-01-02"], ["qaxle"], {"levels": ["month", "year"]}),
    "mask": (["94138", "94141"], ["9413800"], {"length": 5}),
    "bands": (["3", "34", "38", "5500"], ["qaxle"], {"ends": [[10, 20, 50, 1000], [20, 50]]}),
    "prefix": (["94138", "94141-2201", "10001"], ["qaxle", "123"], {"standard": "us-zip+4"}),
    "icd10": (["I25.11", "I21", "J45", "C7A.1"], ["qaxle", "X9Q9Q9Q9"], {}),
    "ip": (["192.0.2.77", "192.0.3.1", "2001:db8::7"], ["192.0.2.777", "qaxle"], {}),
    "tree": (["cook", "nurse"], ["qaxle"], {"tree": {"trade": ["cook", "baker"], "care": ["nurse"]}}),
    "order": (["cook", "nurse", "clown"], [], {"values": ["nurse", "cook", "clown"], "keep": [1]}),
    "suppress": (["f", "m"], [], {}),
}
NAMING = {"extended-protected", "alpha-k-value"}  # they name values that the battery's worlds do not have
MODEL_CASES = {name: case.model for name, case in CASES.items() if name not in NAMING} | {
    "average-risk": AverageRisk(0.4)
}


@pytest.mark.parametrize("name", MODEL_CASES)
def test_models_pass(name: str) -> None:
    check_model(MODEL_CASES[name], worlds=60)


def test_every_model_is_there() -> None:
    assert {model.card.name for model in MODEL_CASES.values()} | BEYOND == set(MODELS)


def beyond(name: str) -> bool:
    """Whether something else than one table of classes is released, or everything published is covered."""
    card = algorithm(name).card
    return card.covers_all or card.layout != "one-table"


@pytest.mark.parametrize("name", METRICS)
def test_metrics_pass(name: str) -> None:
    check_metric(METRICS[name]("ill") if name == "classification" else METRICS[name](), tables=2)


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if not beyond(n)])
def test_algorithms_pass(name: str) -> None:
    check_algorithm(algorithm(name), tables=1, **SPECIAL.get(name, {}))


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if beyond(n)])
def test_algorithms_beyond_tables_of_classes_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"does not serve {name}"):
        check_algorithm(algorithm(name))


@pytest.mark.parametrize("name", [name for name in BUILDERS if name != "file"])  # whose options name a file
def test_hierarchies_pass(name: str) -> None:
    values, strange, options = OPTIONS[name]
    check_hierarchy(BUILDERS[name], values, strange, **options)


# --- what breaks a rule ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crowd(KAnonymity):
    __doc__ = KAnonymity.__doc__
    __module__ = KAnonymity.__module__
    card: ClassVar = replace(KAnonymity.card, name="crowd")

    def judge(self, counted: Counted) -> Finding:
        least = min(counted.people.tolist(), default=math.inf)
        return Finding(least >= self.k, float(least))


def broken(**parts: Any) -> Any:
    return dataclass(frozen=True)(
        type("Broken", (Crowd,), {"__doc__": Crowd.__doc__, "__module__": Crowd.__module__, **parts})
    )(3)


def at_most_six(self: KAnonymity, classes: Classes) -> BoolArray:
    return (classes.sizes < self.k) | (classes.sizes > 6)


def of_rows(self: KAnonymity, counted: Counted) -> Finding:
    least = min(counted.records.tolist(), default=math.inf)
    return Finding(least >= self.k, float(least))


UNSAID = replace(Crowd.card, counts=None)  # what it counts
MODEL_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "no card": ({"card": None}, "card must be"),
    "a shouting name": ({"card": replace(KAnonymity.card, name="K")}, "lower case"),
    "no guarantee": ({"card": replace(KAnonymity.card, guarantee="")}, "guarantee"),
    "not sizes alone": ({"failing": at_most_six}, "a class of 3 or more fails"),
    "false monotone flags": (
        {"failing": at_most_six, "card": UNSAID},
        "merging",
    ),
    "a false demand": ({"demand": Demand(crowd=4), "card": UNSAID}, "fewer people than its demand"),
    "holds whatever fails": ({"holds": lambda *_: True}, "contradict"),
    "no mask": ({"failing": lambda _, classes: classes.sizes}, "mask"),
    "depends on the order": (
        {
            "failing": lambda _, classes: np.arange(len(classes)) == 0,
            "monotone": Monotone.NOTHING,
            "demand": Demand(),
        },
        "order of classes|no classes",
    ),
    "judged by others": (
        {
            "failing": lambda _, classes: classes.sizes < classes.sizes.max(initial=0),
            "card": UNSAID,
            "monotone": Monotone.NOTHING,
            "demand": Demand(),
        },
        "classwise",
    ),
    "never fails": (
        {"failing": lambda _, classes: np.zeros(len(classes), np.bool_), "demand": Demand()},
        "always held",
    ),
    "nothing achieved": ({"achieved": lambda *_: 1.0}, "infinite"),
    "no judge": ({"judge": None}, "it has no judge"),
    "a judge of rows": ({"judge": of_rows}, "the model and its judge contradict each other"),
    "a milder judge": (
        {"judge": lambda self, counted: Crowd(self.k - 1).judge(counted)},
        r"broken \(2\) and kept \(2\)",
    ),
    "a judge of other figures": (
        {"judge": lambda self, counted: Crowd(self.k).judge(counted)._replace(achieved=self.k)},
        "contradict",
    ),
}


@pytest.mark.parametrize("name", MODEL_FAULTS)
def test_a_broken_model_is_found(name: str) -> None:
    parts, why = MODEL_FAULTS[name]
    with pytest.raises(ContractError, match=why):
        check_model(broken(**parts), worlds=60)


def test_the_toy_itself_is_whole() -> None:
    check_model(broken(), worlds=60)


@dataclass(frozen=True)
class Squares(Discernibility):
    __doc__ = Discernibility.__doc__
    __module__ = Discernibility.__module__

    def score(self, outcome: Outcome) -> float:
        return -super().score(outcome)


@dataclass(frozen=True)
class WrongForm(Discernibility):
    __doc__ = Discernibility.__doc__
    __module__ = Discernibility.__module__
    form: ClassVar = Form(Adds.SUPPRESSED)


@pytest.mark.parametrize(
    ("kind", "why"), [(Squares, "lower must mean better"), (WrongForm, "form is not true")]
)
def test_a_broken_metric_is_found(kind: Any, why: str) -> None:
    with pytest.raises(ContractError, match=why):
        check_metric(kind(), tables=2)


def search(**parts: Any) -> Any:
    card = replace(Datafly.card, name="toy", **parts.pop("said", {}))
    made = type(
        "Toy",
        (Datafly,),
        {"__doc__": Datafly.__doc__, "__module__": Datafly.__module__, "card": card, **parts},
    )
    return dataclass(frozen=True)(made)


def lying(self: Datafly, problem: Problem, progress: Progress) -> Solution:
    return replace(Datafly().solve(problem, progress), score=0.0)


def spoiling(self: Datafly, problem: Problem, progress: Progress) -> Solution:
    found = Datafly().solve(problem, progress)
    problem.base.codes[:] = 0
    return found


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"solve": lying}, "score that its rows do not have"),
        ({"solve": spoiling}, "changed the problem|does not pass verification"),
        ({"said": {"guarantee": ""}}, "guarantee"),
    ],
)
def test_a_broken_algorithm_is_found(parts: dict[str, Any], why: str) -> None:
    with pytest.raises(ContractError, match=why):
        check_algorithm(search(**parts), tables=1)


def test_an_algorithm_that_suppresses_without_limit_is_not_released() -> None:
    def greedy(self: Datafly, problem: Problem, progress: Progress) -> Solution:
        return Datafly().solve(replace(problem, max_suppressed=problem.n_rows), progress)

    with pytest.raises(ContractError, match="left out"):
        check_algorithm(search(solve=greedy), tables=2)


def test_a_hierarchy_that_counts_is_found() -> None:
    with pytest.raises(ContractError, match="how often they occur"):
        check_hierarchy(Order, ["a", "b", "c", "d"], values=[], keep=[2, 1], by_count=True)
