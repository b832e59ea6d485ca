"""A least level is judged by what labels may stand for, never by what happens to occur: every kind of hierarchy, at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.table import Table
from kohort.verification.judges import judge_level_bounds

KINDS: dict[str, tuple[dict[str, Any], Any]] = {
    "intervals": ({"kind": "intervals", "widths": [10, 50]}, lambda rng: f"{rng.uniform(0, 200):.2f}"),
    "domain": (
        {"kind": "intervals", "widths": [10, 50], "domain": [0, 199]},
        lambda rng: str(rng.randrange(200)),
    ),
    "bands": ({"kind": "intervals", "widths": [10], "high": 90}, lambda rng: str(rng.randrange(120))),
    "dates": (
        {"kind": "dates", "levels": ["month", "year"]},
        lambda rng: f"{rng.randrange(1950, 1960)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
    ),
    "mask": ({"kind": "mask", "length": 5}, lambda rng: f"{rng.randrange(10000, 99999)}"),
    "ip": ({"kind": "ip"}, lambda rng: ".".join(str(rng.randrange(256)) for _ in range(4))),
}


def built(kind: str, rng: random.Random) -> Hierarchy:
    told, draw = KINDS[kind]
    values = sorted({draw(rng) for _ in range(rng.randrange(2, 9))})
    return build_hierarchy("x", told, values, [1] * len(values))


def holds(hierarchy: Hierarchy, label: str, low: int) -> bool | None:
    table = Table.from_arrow(pa.table({"x": [label, label], "y": ["a", "a"]}))
    other = Hierarchy.from_rows("y", [("a", "*")])
    tuples = np.column_stack([table[name].codes for name in ("x", "y")])
    (verdict,) = judge_level_bounds(table, ("x", "y"), tuples, {"x": (low, None)}, (hierarchy, other))
    return verdict.holds


def finer(hierarchy: Hierarchy, rng: random.Random) -> Iterator[str]:
    """Yield labels that tell ground values: as ends, as members of a set, or with ends of no label."""
    values = [str(value) for value in hierarchy.ground if str(value)[0] not in "<>"]
    yield from (f"{{{value}}}" for value in values)
    yield "{" + ", ".join(values if not hierarchy.declared else values[1:]) + "}"
    if hierarchy.numbers is None and hierarchy.days is None:
        return
    for _ in range(6):
        low, high = sorted(rng.choices(range(len(values)), k=2))
        yield f"[{values[low]}, {values[high]}]"
    if hierarchy.days is None:
        yield f"[{float(values[0]) - 0.123457}, {float(values[-1]) + 0.987654}]"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(12))
def test_what_tells_values_is_at_no_level_above_them(kind: str, seed: int) -> None:
    rng = random.Random(f"{kind} {seed}")
    hierarchy = built(kind, rng)
    for low in range(1, hierarchy.height):
        ends = {
            end
            for level in hierarchy.levels[low:]
            for own in level.bounds or ()
            if own
            for end in (own.low, own.high)
        }
        for label in finer(hierarchy, rng):
            inner = label.strip("[]{}").split(", ")
            if label[0] == "[" and set(inner) <= ends:
                continue
            assert holds(hierarchy, label, low) is False, (label, low)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(12))
def test_every_label_of_a_level_is_at_that_level_and_at_those_below(kind: str, seed: int) -> None:
    hierarchy = built(kind, random.Random(f"{kind} {seed}"))
    for height in range(1, hierarchy.height + 1):
        for label in hierarchy.levels[height].labels:
            assert all(holds(hierarchy, str(label), low) for low in range(1, height + 1)), label
