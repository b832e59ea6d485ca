"""`kohort schema plan` and loading agree: what the one accepts the other does, over changes to plans of every shape."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from tests.contract.test_documents import PROMISES
from tests.reference.json_schema import faults
from tests.unit.hierarchy.test_builders import SPECS

import kohort
from kohort.errors import InputError
from kohort.models import MODELS
from kohort.plan.rules import SHAPES

Told = dict[str, Any]
SCHEMA = kohort.schema("plan")

TREE = {"kind": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1"]}}
TABLE: Told = {
    "input": {"path": "people.csv", "missing": ["", "NA"], "respondent": "who", "header": True},
    "columns": {
        "name": "identifier",
        **{
            f"q{i}": {"role": "quasi", "hierarchy": dict(spec), "weight": 2.0, "max_level": 1}
            for i, spec in enumerate(SPECS)
        },
        "ill": {"role": "sensitive", "hierarchy": TREE},
        "wish": {"role": "guard"},
        "note": {"role": "insensitive", "allow_unique": True},
    },
    "require": [{"model": name, **PROMISES[name]} for name in MODELS],
    "recode": {
        "algorithm": "optimal",
        "max_suppression": 0.1,
        "seed": 3,
        "time_limit": 2.5,
        "options": {"memory": 1},
    },
    "output": {
        "format": "parquet",
        "shuffle": True,
        "ledger": "ledger.duckdb",
        "together": "demand",
        "task": "ill",
    },
    "context": {"recipient": "a registry", "date": "2026-11-15", "public": ["recipient"]},
}
SETS: Told = {
    "input": {"shape": "sets", "path": "baskets.csv", "delimiter": ","},
    "columns": {
        "who": "identifier",
        "age": {"role": "identifier"},
        "basket": {"role": "set", "separator": ";", "hierarchy": TREE},
    },
    "require": [{"model": "k-m", "k": 3, "m": 2}],
    "recode": {"algorithm": "apriori", "max_suppression": 0.05, "objective": "loss", "seed": 1},
    "output": {"format": "csv", "shuffle": True, "ledger": ""},
}
PLANS = {"table": TABLE, "sets": SETS}

# What a schema cannot say, because it is about several keys at once. Loading refuses it, by these codes:
RELATIONS = {
    "plan.no-quasi": None,  # at least one column of that role
    "plan.not-sensitive": None,  # a promise names a column of another role
    "plan.wrong-role": None,  # a guard or a set where it must be, and nowhere else
    "plan.no-effect": None,  # a key that its column's role makes idle
    "plan.conflict": None,
    "plan.level": {"level"},  # of a promise, over a hierarchy whose height the plan does not tell
    "plan.not-served": {"hierarchy", "separator"},  # of an identifier beside sets
    "plan.missing-key": {"hierarchy", "separator"},  # that sets need, and identifiers do not
    "plan.wrong-value": {"weight", "public"},  # all of them 0; a key of [context] that says nothing
    "model.no-column": None,  # either column or columns
    "model.parameter": {"l", "c", "protected", "guard"},  # what these may be follows from other parameters
}
# What loading takes beyond the schema: a level file whose path is not told, as in public plans.
LOOSER = {"path"}

POOL: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, -0.5, 0.0, 0.5, 1.5, 2.0, "", "x", "quasi", "set", "{", "2", [], ["x"], [1], [-1.5], {},
    {"x": 1}, {"role": "quasi"}, {"role": "identifier"}, {"kind": "mask"}, {"kind": "mask", "x": 1},
    {"model": "k-anonymity", "k": 2}, {"model": "k-m", "k": 2, "m": 1},
)  # fmt: skip


def places(told: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a plan, by its keys from the top."""
    yield above
    inside = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, value in inside:
        yield from places(value, (*above, key))


def changes(plan: Told, place: tuple[Any, ...]) -> Iterator[tuple[str, Told]]:
    """The plan without what stands there, with something else there, and with one key more there."""
    for value in POOL if place else ():
        changed, holder = entered(plan, place)
        holder[place[-1]] = value
        yield repr(value), changed
    if place:
        changed, holder = entered(plan, place)
        del holder[place[-1]]
        yield "nothing", changed
    changed, holder = entered(plan, (*place, None))
    if isinstance(holder, dict):
        holder["nonsense"] = 1
        yield "one key more", changed


def entered(plan: Told, place: tuple[Any, ...]) -> tuple[Told, Any]:
    """A copy of the plan, and what holds the last key of the place in it."""
    changed = copy.deepcopy(plan)
    holder: Any = changed
    for key in place[:-1]:
        holder = holder[key]
    return changed, holder


def refusal(plan: Told) -> InputError | None:
    try:
        kohort.Plan.from_dict(plan)
    except InputError as refused:
        return refused
    return None


def agree(plan: Told, refused: InputError | None) -> bool:
    """Whether schema and loading say the same of a plan, but for what is listed above."""
    found = next(faults(SCHEMA, plan), None)
    if found and refused is None:
        return not list(faults(SCHEMA, with_paths(plan)))
    if not found and refused is not None:
        options = RELATIONS.get(refused.code, set())
        return refused.code in RELATIONS and (options is None or refused.fields.get("option") in options)
    return True


def with_paths(plan: Told) -> Told:
    """The plan with a path for every level file that has none."""
    told = copy.deepcopy(plan)
    for column in told["columns"].values():
        spec = column.get("hierarchy") if isinstance(column, dict) else None
        if spec is not None and spec["kind"] == "file":
            spec.update({key: spec.get(key, "x") for key in LOOSER})
    return told


def test_every_shape_is_drawn() -> None:
    assert set(PLANS) == set(SHAPES)
    for plan in PLANS.values():
        assert not list(faults(SCHEMA, plan))
        assert refusal(plan) is None


def judged(shape: str, part: int, parts: int) -> int:
    """Judge every n-th change to a plan of a shape; return how many are refused."""
    plan, refused = PLANS[shape], 0
    told = (change for place in places(plan) for change in changes(plan, place))
    for what, changed in islice(told, part, None, parts):
        found = refusal(changed)
        assert agree(changed, found), (what, list(faults(SCHEMA, changed)), found)
        refused += found is not None
    return refused


@pytest.mark.parametrize("shape", PLANS)
def test_one_change_is_judged_alike(shape: str) -> None:
    assert judged(shape, 0, 5) > 50  # a fifth of them, which is no divisor of those at any place


@pytest.mark.long
@pytest.mark.parametrize("shape", PLANS)
def test_any_change_is_judged_alike(shape: str) -> None:
    assert judged(shape, 0, 1) > 300


@pytest.mark.long
@pytest.mark.parametrize("shape", PLANS)
def test_several_changes_are_judged_alike(shape: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(5000):
        plan = PLANS[shape]
        for _ in range(int(rng.integers(2, 5))):
            told = list(places(plan))
            options = list(changes(plan, told[int(rng.integers(len(told)))]))
            plan = options[int(rng.integers(len(options)))][1] if options else plan
        assert agree(plan, refusal(plan)), plan


def test_a_shape_that_there_is_not_is_refused_by_both() -> None:
    for shape in ("graph", "", 3, None):
        told = TABLE | {"input": TABLE["input"] | {"shape": shape}}
        assert list(faults(SCHEMA, told))
        assert refusal(told) is not None
