"""`check_hierarchy`: what every kind of hierarchy must keep."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.errors import InputError
from kohort.hierarchy import Builder, Hierarchy, Label, build_hierarchy, builder_of, meaning
from kohort.pipeline import anonymize
from kohort.plan import Plan
from kohort.testing.contract import demand, demand_card
from kohort.testing.documented import check_documented
from kohort.third_parties import offered


def check_hierarchy(
    kind: type[Builder], values: Sequence[str], strange: Sequence[str] = (), /, **options: Any
) -> None:
    """Demand of a kind of hierarchy, with these options, what recodings and judges trust.

    Built over some of `values`, missing ones among them, the levels are nested, a label means the ground values under it,
    and neither the order of the values nor how often they occur changes a level. A value of `strange`, which the options
    do not allow, is refused without being quoted. A release of such a column is verified.
    """
    demand_card(kind)
    check_documented(kind)
    spec = {"kind": kind.card.name} | options
    rng = np.random.default_rng(0)
    with offered("kohort.hierarchies", kind):
        for missing in (False, True):
            _check_levels(spec, [*values, *([None] if missing else [])], rng)
        _check_options(spec)
        for value in strange:
            _check_strange(spec, values, value)
        _check_release(spec, values, rng)


def _check_levels(spec: Mapping[str, Any], values: Sequence[Label], rng: np.random.Generator) -> None:
    kind, counts = spec["kind"], [1] * len(values)
    built = build_hierarchy("column", spec, values, counts)
    demand(built.height >= 1, f"{kind}: a hierarchy has at least a ground and a root")
    demand(len(built.levels[-1].labels) == 1, f"{kind}: the last level is one label, the root")
    for low, high in zip(built.levels[:-1], built.levels[1:], strict=True):
        pairs = set(zip(low.of_ground.tolist(), high.of_ground.tolist(), strict=True))
        demand(
            len(pairs) == len(low.labels), f"{kind}: a label of one level lies under two labels of the next"
        )
    _check_meaning(kind, built)
    order = rng.permutation(len(values))
    turned = build_hierarchy(
        "column", spec, [values[i] for i in order], [int(c) for c in rng.integers(1, 9, len(values))]
    )
    demand(
        _paths(built, values) == _paths(turned, values),
        f"{kind}: the order of the values, or how often they occur, changes what is told of them",
    )


def _check_meaning(kind: str, built: Hierarchy) -> None:
    seen: dict[Label, list[bool]] = {}
    for level in built.levels:
        for code, label in enumerate(level.labels):
            seen.setdefault(label, (level.of_ground == code).tolist())
    for label, under in seen.items():
        mask = meaning(built, label)
        demand(
            mask is not None and bool(mask[np.array(under)].all()),
            f"{kind}: what a label is read as does not cover the values that it is told of",
        )


def _check_options(spec: Mapping[str, Any]) -> None:
    try:
        builder_of("column", {**spec, "no_such_option": 1})
    except InputError as refusal:
        demand("no_such_option" in str(refusal), f"{spec['kind']}: the refusal does not name the option")
    built: Any = builder_of("column", spec)
    demand(dataclasses.is_dataclass(built), f"{spec['kind']}: a builder is a dataclass")


def _check_strange(spec: Mapping[str, Any], values: Sequence[str], strange: str) -> None:
    try:
        build_hierarchy("column", spec, [*values, strange], [1] * (len(values) + 1))
    except InputError as refusal:
        demand(strange not in str(refusal), f"{spec['kind']}: the refusal of a value quotes it")
        return
    demand(False, f"{spec['kind']}: a value that its options do not allow is not refused")


def _check_release(spec: Mapping[str, Any], values: Sequence[str], rng: np.random.Generator) -> None:
    table = pa.table({"column": rng.choice(values, 60).tolist()})
    told = {
        "columns": {"column": {"role": "quasi", "hierarchy": dict(spec)}},
        "require": [{"model": "k-anonymity", "k": 5}],
        "recode": {"max_suppression": 1.0},
    }
    plan = Plan.from_dict(told)
    release = anonymize(table, plan)
    demand(all(verdict.holds for verdict in release.verdicts), f"{spec['kind']}: a release is not verified")


def _paths(built: Hierarchy, values: Sequence[Label]) -> list[tuple[Label, ...]]:
    codes = built.codes_of(values)
    return [tuple(level.labels[level.of_ground[code]] for level in built.levels) for code in codes]
