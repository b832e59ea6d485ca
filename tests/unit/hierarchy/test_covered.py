"""What a label covers, read from its structure or its spelling: the same as looking at every ground value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kohort.hierarchy import Hierarchy, build_hierarchy, covered, meaning, span_label
from kohort.hierarchy.bounds import read_interval
from kohort.hierarchy.grid import day_of

NUMBERS = ["-7", "0", "3", "18", "19", "42", "90", "97", "1000", None]
DAYS = ["1980-01-03", "1980-01-30", "1981-05-01", "1999-12-31", "2020-01-01", None]
HIERARCHIES: list[tuple[dict[str, Any], list[str | None]]] = [
    ({"kind": "intervals", "widths": [5, 10, 40]}, NUMBERS),
    ({"kind": "intervals", "widths": [5, 10, 40], "low": 18, "high": 90}, NUMBERS),
    ({"kind": "intervals", "widths": [10], "domain": [-10, 1000]}, NUMBERS[:-1]),
    ({"kind": "dates", "levels": ["month", "year"]}, DAYS),
    ({"kind": "mask"}, ["94138", "94139", "94141", "5", None]),
    ({"kind": "bands", "ends": [[5, 18, 20, 90], [18, 90]]}, NUMBERS),
    (
        {"kind": "dates", "levels": ["hour", "day", "month"]},
        ["1980-01-03 10:15", "1980-01-03 10:45", "1980-01-03 11:00", None],
    ),
    ({"kind": "prefix", "standard": "uk-postcode"}, ["SW1A 1AA", "sw1a2aa", "M1 1AE", "M1", None]),
    ({"kind": "icd10", "other": "none"}, ["I25.1", "I25", "C7A.1", "?", None]),
    ({"kind": "ip"}, ["192.0.2.1", "192.0.3.1", "2001:db8::7", None]),
    ({"kind": "tree", "tree": {"A": {"B": ["x", "y"]}, "C": ["z", "u, v"]}}, ["x", "z", None]),
    ({"kind": "suppress"}, NUMBERS),
]


def naive(hierarchy: Hierarchy, label: str | None) -> list[int] | None:
    """Every ground value is looked at: has it the label at some level, or does it lie between the ends?"""
    if label == "*":
        return list(range(hierarchy.size))
    codes = [
        code
        for code in range(hierarchy.size)
        if any(level.labels[level.of_ground[code]] == label for level in hierarchy.levels)
    ]
    if codes or label is None:
        return codes or None
    missing = label.endswith(" or missing")
    bounds = read_interval(label.removesuffix(" or missing"))
    if bounds is None:
        return None
    position = float if hierarchy.days is None else day_of
    scale = hierarchy.numbers if hierarchy.days is None else hierarchy.days
    assert scale is not None
    for code, text in enumerate(hierarchy.ground):
        if text is None:
            codes += [code] if missing else []
            continue
        at = scale[code]
        above = (
            bounds.low is None or at > position(bounds.low) or (bounds.low_in and at == position(bounds.low))
        )
        below = (
            bounds.high is None
            or at < position(bounds.high)
            or (bounds.high_in and at == position(bounds.high))
        )
        codes += [code] if above and below else []
    return codes


def labels(hierarchy: Hierarchy) -> set[str | None]:
    """Every label, and how every run of ground values is spelled."""
    told = {label for level in hierarchy.levels for label in level.labels}
    runs = [np.arange(a, b + 1) for a in range(hierarchy.size) for b in range(a, hierarchy.size)]
    return told | {span_label(hierarchy, run) for run in (runs if len(runs) < 200 else runs[::977])}


@pytest.mark.parametrize(("spec", "texts"), HIERARCHIES, ids=lambda told: str(told)[:40])
def test_it_is_what_a_look_at_every_value_finds(spec: dict[str, Any], texts: list[str | None]) -> None:
    hierarchy = build_hierarchy("q", spec, texts, [1] * len(texts))
    judged = 0
    for label in labels(hierarchy):
        codes = covered(hierarchy, label)
        assert codes is not None
        assert (np.diff(codes) > 0).all()
        mask = meaning(hierarchy, label)
        assert mask is not None
        assert np.flatnonzero(mask).tolist() == codes.tolist()
        if str(label).startswith("{") or (hierarchy.open_ended and read_interval(str(label)) is not None):
            continue  # sets and open ends have tests of their own
        assert codes.tolist() == naive(hierarchy, label), label
        judged += 1
    assert judged > 3


@pytest.mark.parametrize("label", ["nonsense", "{a, b}", "[x, y]", "", "[2020-13-01, 2020-13-02]"])
def test_what_means_nothing_covers_nothing(label: str) -> None:
    for spec, texts in HIERARCHIES:
        assert covered(build_hierarchy("q", spec, texts, [1] * len(texts)), label) is None
