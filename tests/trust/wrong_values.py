"""Every key of a plan with every kind of wrong value: sections, columns, models, options, hierarchies."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

import msgspec
import pyarrow as pa
from tests.reference.few_steps import FEW_STEPS

from kohort.algorithms import ALGORITHMS, algorithm
from kohort.hierarchy.build import BUILDERS
from kohort.metrics import METRICS
from kohort.models import MODELS
from kohort.plan import ColumnPlan, ContextPlan, InputPlan, OutputPlan, RecodePlan

WRONG: tuple[Any, ...] = (
    "text", "", [], [1], ["a"], {}, {"a": 1}, {"a": {"a": []}}, True, None, 0, -1, 1, 3, 1 << 70, -(1 << 70), 1 << 4000,
    0.5, -0.5, 1e308, -1e308, 1e-320, float("nan"), float("inf"), float("-inf"), date(2020, 1, 1), [[]], [None],
    [float("nan")], [1e308], [[1, 2], [3]], "\x1b[2J[red]", "[/]", "\ud800", "a" * 70_000,
)  # fmt: skip

SPECS: dict[str, dict[str, Any]] = {
    "intervals": {"kind": "intervals", "widths": [10, 50]},
    "dates": {"kind": "dates", "levels": ["month", "year"]},
    "mask": {"kind": "mask"},
    "bands": {"kind": "bands", "ends": [[20, 22, 25], [22]]},
    "prefix": {"kind": "prefix", "lengths": [3, 1]},
    "icd10": {"kind": "icd10", "other": "other"},
    "ip": {"kind": "ip", "other": "other"},
    "tree": {"kind": "tree", "tree": {"any": ["m", "f"]}},
    "order": {"kind": "order", "values": ["low", "middle", "high"]},
    "suppress": {"kind": "suppress"},
}
HELD = {
    "intervals": "age",
    "bands": "age",
    "dates": "born",
    "mask": "zip",
    "tree": "sex",
    "order": "rank",
    "suppress": "sex",
}
MODEL_ARGUMENTS: dict[str, Any] = {
    "k": 2, "l": 2, "c": 2.0, "t": 0.9, "p": 2, "alpha": 0.9, "beta": 9.0, "delta": 9.0, "risk": 0.5,
}  # fmt: skip


def table() -> pa.Table:
    """Return forty made-up people."""
    n = 40
    return pa.table(
        {
            "id": [f"p{i}" for i in range(n)],
            "age": [20 + i % 8 for i in range(n)],
            "zip": [f"9413{i % 4}" for i in range(n)],
            "born": [f"198{i % 3}-0{1 + i % 2}-11" for i in range(n)],
            "sex": ["mf"[i % 2] for i in range(n)],
            "rank": [("low", "middle", "high")[i % 3] for i in range(n)],
            "ill": [("flu", "cold", "asthma")[i % 3] for i in range(n)],
            "note": [("a", "b")[i % 2] for i in range(n)],
        }
    )


def cells_in(text: str) -> list[str]:
    """Return the cells of the table that stand in a text; those that the plans themselves name do not count."""
    return sorted(set(_cells().findall(text)))


@cache
def _cells() -> re.Pattern[str]:
    cells = {str(cell) for name in ("id", "zip", "born", "ill") for cell in table()[name].to_pylist()}
    cells -= {"cold"}  # an option of annealing
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(cells)))})(?!\w)")


def plan(**recode: Any) -> dict[str, Any]:
    """Return a plan that works."""
    return {
        "columns": {
            "age": {"role": "quasi", "hierarchy": dict(SPECS["intervals"])},
            "zip": {"role": "quasi", "hierarchy": dict(SPECS["mask"])},
            "ill": {"role": "sensitive"},
        },
        "require": [{"model": "k-anonymity", "k": 2}],
        "recode": recode,
    }


def wrong_plans() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield plans with one wrong value each, and where it stands."""
    yield from _sections()
    yield from _columns()
    yield from _models()
    yield from _hierarchies()
    yield from _options()


def _put(told: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    told = copy.deepcopy(told)
    place = told
    for part in path[:-1]:
        place = place[part] if isinstance(place, list) else place.setdefault(part, {})
    place[path[-1]] = value
    return told


def _each(told: dict[str, Any], *path: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for i, value in enumerate(WRONG):
        yield f"{'.'.join(map(str, path))} = WRONG[{i}]", _put(told, path, value)


def _sections() -> Iterator[tuple[str, dict[str, Any]]]:
    for section in ("input", "columns", "require", "recode", "output", "context", "nonsense"):
        yield from _each(plan(), section)
    for section, kind in (
        ("input", InputPlan),
        ("recode", RecodePlan),
        ("output", OutputPlan),
        ("context", ContextPlan),
    ):
        for field in msgspec.structs.fields(kind):
            yield from _each(plan(), section, field.name)
    for metric in METRICS:
        yield f"objective {metric}", plan(objective=metric)
        yield f"objective {metric} of ill", plan(objective=metric, target="ill")


def _columns() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("age", "ill"):
        yield from _each(plan(), "columns", name)
        for field in msgspec.structs.fields(ColumnPlan):
            yield from _each(plan(), "columns", name, field.name)


def _models() -> Iterator[tuple[str, dict[str, Any]]]:
    yield from _each(plan(), "require", 0)
    yield from _each(plan(), "require", 0, "model")
    for name, model in MODELS.items():
        fields = [f.name for f in dataclasses.fields(model) if f.init]  # type: ignore[arg-type]
        right: dict[str, Any] = {"model": name} | {k: v for k, v in MODEL_ARGUMENTS.items() if k in fields}
        right |= {"column": "ill"} if "column" in fields else {}
        yield f"{name} as it should be", _put(plan(), ("require", 0), right)
        for field in fields:
            yield from _each(_put(plan(), ("require", 0), right), "require", 0, field)


def _hierarchies() -> Iterator[tuple[str, dict[str, Any]]]:
    for kind, builder in BUILDERS.items():
        column = HELD.get(kind, "zip")
        for place, role in ((column, "quasi"), ("ill", "sensitive")):
            right = _put(
                plan(), ("columns", place), {"role": role, "hierarchy": SPECS.get(kind, {"kind": kind})}
            )
            yield f"{kind} of {place}", right
            for field in dataclasses.fields(builder):  # type: ignore[arg-type]
                yield from _each(right, "columns", place, "hierarchy", field.name)


def _options() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ALGORITHMS:
        fields = [f.name for f in dataclasses.fields(algorithm(name)) if f.init]  # type: ignore[arg-type]
        limit = (
            {"time_limit": 0.02} if name in FEW_STEPS else {}
        )  # as long as they are given steps: some have no end
        yield f"{name}, an option it does not have", plan(algorithm=name, options={"nonsense": 1})
        for field in fields:
            for i, value in enumerate(WRONG):
                yield f"{name}.{field} = WRONG[{i}]", plan(algorithm=name, options={field: value}, **limit)
