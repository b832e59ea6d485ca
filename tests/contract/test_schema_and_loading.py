"""`kohort schema plan` and loading agree: what the one accepts the other does, over all keys of plans of every shape."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from itertools import islice
from math import isfinite
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.contract.test_documents import PROMISES
from tests.reference.json_schema import faults
from tests.unit.hierarchy.test_builders import SPECS

import kohort
from kohort.errors import InputError
from kohort.hierarchy import BUILDERS
from kohort.models import MODELS
from kohort.plan.documents import ELSEWHERE
from kohort.plan.rules import SHAPES, rules_of
from kohort.typed import GREATEST

Told = dict[str, Any]
Place = tuple[Any, ...]
SCHEMA = kohort.schema("plan")

TREE = {"kind": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1"]}}
ASKED = {"age": "quasi", "ill": {"role": "sensitive", "hierarchy": TREE}, "wish": "guard"}  # what models read
CROWD = [{"model": "k-anonymity", "k": 2}]
SECTIONS: Told = {
    "input": {"path": "people.csv", "missing": ["", "NA"], "respondent": "who", "header": True},
    "columns": {
        "name": "identifier",
        "age": {"role": "quasi", "weight": 2.0, "max_level": 1},
        "ill": {"role": "sensitive", "hierarchy": TREE},
        "wish": {"role": "guard"},
        "note": {"role": "insensitive", "allow_unique": True},
        "pay": {"role": "sensitive", "round": 500, "bottom": 0, "top": 5000, "decided": True},
        "paid": {"role": "insensitive", "unit": "month", "format": "%d.%m.%Y"},
    },
    "require": CROWD,
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
VARIANTS = [
    ("l-diversity", {"l": 1.5, "column": "ill", "variant": "entropy"}),
    ("l-diversity", {"l": 3, "columns": ["ill"], "variant": "recursive", "c": 2.5}),
    ("extended-p-sensitive", {"p": 2, "column": "ill", "protected": ["A"]}),
]
PLANS: dict[str, Told] = {
    "table": SECTIONS,
    "sets": SETS,
    **{
        f"{name} {i}": {"columns": ASKED, "require": [{"model": name, **told}]}
        for i, (name, told) in enumerate([*((name, PROMISES[name]) for name in MODELS), *VARIANTS])
    },
    **{
        f"{spec['kind']} {i}": {
            "columns": {"age": {"role": "quasi", "hierarchy": dict(spec)}},
            "require": CROWD,
        }
        for i, spec in enumerate(SPECS)
    },
}

# What a schema cannot say, because it is about several keys at once. Loading refuses it, by these codes and options:
RELATIONS = {
    "plan.no-quasi": None,  # at least one column of that role
    "plan.not-sensitive": None,  # a promise names a column of another role
    "plan.wrong-role": None,  # a guard or a set where it must be, and nowhere else
    "plan.no-effect": None,  # a key that its column's role makes idle
    "plan.conflict": None,
    "plan.level": {"level", "min_level"},  # over a hierarchy whose height the plan does not tell
    "plan.not-served": {"hierarchy", "separator"},  # of an identifier beside sets
    "plan.missing-key": {"hierarchy", "separator"},  # that sets need, and identifiers do not
    "plan.wrong-value": {
        "weight",
        "public",
        "format",
    },  # all of them 0; a key of [context] that says nothing; no date's
    "model.no-column": None,  # either column or columns
    "model.parameter": {"l", "c", "protected", "guard"},  # what these may be follows from other parameters
}

POOL: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, -0.5, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 1e-300, 1e-13, 1e-12, 1e12, 1e13, 1e300, 1e308,
    10**12, 10**13, 2**63 - 1, 2**63, -(10**19), float("inf"), float("nan"), "", " ", "\t", "x", "*", "quasi", "set", "{", "2",
    "2026-11-15", "a" * 4097, "\ud800", [], [""], [" "], ["x"], [1], [2.0], [-1.5], [True], [[]], [10**19], {}, {"x": 1},
    {"": 1}, {"a" * 4097: 1}, {"role": "quasi"}, {"role": "identifier"}, {"kind": "mask"}, {"kind": "mask", "x": 1}, {"kind": "file"},
    {"model": "k-anonymity", "k": 2}, {"model": "k-m", "k": 2, "m": 1},
)  # fmt: skip


def places(plan: Told) -> Iterator[Place]:
    """Every place in a plan, by its keys from the top, and those that it might have besides."""
    yield from dict.fromkeys([*told_places(plan), *untold_places(plan)])


def told_places(told: Any, above: Place = ()) -> Iterator[Place]:
    yield above
    inside = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, value in inside:
        yield from told_places(value, (*above, key))


def untold_places(plan: Told) -> Iterator[Place]:
    """The keys of every section, promise, column and hierarchy that a plan has, said or not."""
    rules = rules_of(plan.get("input", {}).get("shape", "table"))
    sections = {"input": rules.input, "recode": kohort.plan.RecodePlan, "output": kohort.plan.OutputPlan}
    for section, struct in {**sections, "context": kohort.plan.ContextPlan}.items():
        if plan is SECTIONS or plan is SETS:
            yield from ((section, field.name) for field in msgspec.structs.fields(struct))
    for i, promise in enumerate(plan["require"]):
        yield from (("require", i, name) for name in parameters(rules.promises[promise["model"]]))
    for name, column in plan["columns"].items():
        told = column if isinstance(column, dict) else {}
        yield from (("columns", name, field.name) for field in msgspec.structs.fields(rules.column) if told)
        if "hierarchy" in told:
            yield from (
                ("columns", name, "hierarchy", key) for key in parameters(BUILDERS[told["hierarchy"]["kind"]])
            )


def parameters(kind: Any) -> list[str]:
    return [f.name for f in dataclasses.fields(kind) if f.init and f.name not in ELSEWHERE]


def changes(plan: Told, place: Place) -> Iterator[tuple[str, Told]]:
    """The plan without what stands there, with something else there, and with one key more there."""
    for value in POOL if place else ():
        changed, holder = entered(plan, place)
        holder[place[-1]] = value
        yield repr(value), changed
    changed, holder = entered(plan, place)
    if place and (isinstance(holder, list) or place[-1] in holder):
        del holder[place[-1]]
        yield "nothing", changed
    changed, holder = entered(plan, place)
    inside = holder[place[-1]] if place and (isinstance(holder, list) or place[-1] in holder) else changed
    if isinstance(inside, dict):
        inside["nonsense"] = 1
        yield "one key more", changed


def entered(plan: Told, place: Place) -> tuple[Told, Any]:
    """A copy of the plan, and what holds the last key of the place in it."""
    changed = copy.deepcopy(plan)
    holder: Any = changed
    for key in place[:-1]:
        holder = holder.setdefault(key, {}) if isinstance(holder, dict) else holder[key]
    return changed, holder


def refusal(plan: Told) -> InputError | None:
    try:
        kohort.Plan.from_dict(plan)
    except InputError as refused:
        return refused
    return None


def agree(plan: Told, refused: InputError | None) -> bool:
    """Whether schema and loading say the same of a plan, but for what is listed above and what JSON cannot spell."""
    found = next(faults(SCHEMA, plan), None)
    if found or refused is None:
        return bool(found) == (refused is not None)
    if not spelled_in_json(plan):
        return True
    if (respelled := as_json_means(plan)) != plan or repr(respelled) != repr(plan):
        return agree(respelled, refusal(respelled))
    options = RELATIONS.get(refused.code, set())
    return refused.code in RELATIONS and (options is None or refused.fields.get("option") in options)


def spelled_in_json(told: Any) -> bool:
    """Whether JSON can tell it at all: neither numbers without end nor half signs."""
    if isinstance(told, dict):
        return all(map(spelled_in_json, [*told, *told.values()]))
    if isinstance(told, list):
        return all(map(spelled_in_json, told))
    if isinstance(told, str):
        return not any("\ud800" <= sign <= "\udfff" for sign in told)
    return not isinstance(told, float) or isfinite(told)


def as_json_means(told: Any) -> Any:
    """What JSON does not tell from it: 2.0 is a whole number, and one beyond 64 bits is a number like any other."""
    if isinstance(told, dict):
        return {key: as_json_means(value) for key, value in told.items()}
    if isinstance(told, list):
        return [as_json_means(value) for value in told]
    if isinstance(told, bool) or not isinstance(told, int | float):
        return told
    if float(told).is_integer():
        return int(told) if abs(told) < GREATEST else float(told)
    return told


def test_every_shape_model_and_hierarchy_is_drawn() -> None:
    assert set(SHAPES) <= set(PLANS)
    assert {name.split()[0] for name in PLANS} == {*SHAPES, *MODELS, *BUILDERS}
    for plan in PLANS.values():
        assert not list(faults(SCHEMA, plan))
        assert refusal(plan) is None


def judged(name: str, parts: int) -> tuple[int, int]:
    """Judge every n-th change to a plan; return how many are refused and how many are not."""
    plan, refused, taken = PLANS[name], 0, 0
    told = ((place, *change) for place in places(plan) for change in changes(plan, place))
    for place, what, changed in islice(told, 0, None, parts):
        found = refusal(changed)
        assert agree(changed, found), (place, what[:99], list(faults(SCHEMA, changed)), found)
        refused, taken = refused + (found is not None), taken + (found is None)
    return refused, taken


@pytest.mark.parametrize("name", PLANS)
def test_one_change_is_judged_alike(name: str) -> None:
    refused, taken = judged(name, 7)  # which is no divisor of the changes at any place
    assert refused > 10
    assert taken > 1


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
def test_any_change_is_judged_alike(name: str) -> None:
    refused, taken = judged(name, 1)
    assert refused > 70
    assert taken > 10


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
def test_several_changes_are_judged_alike(name: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(1000):
        plan = PLANS[name]
        for _ in range(int(rng.integers(2, 5))):
            told = list(told_places(plan))
            options = list(changes(plan, told[int(rng.integers(len(told)))]))
            plan = options[int(rng.integers(len(options)))][1] if options else plan
        assert agree(plan, refusal(plan)), plan


def test_a_shape_that_there_is_not_is_refused_by_both() -> None:
    for shape in ("graph", "", 3, None):
        told = SECTIONS | {"input": SECTIONS["input"] | {"shape": shape}}
        assert list(faults(SCHEMA, told))
        assert refusal(told) is not None
