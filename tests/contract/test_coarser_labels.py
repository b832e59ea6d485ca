"""No label above `max_level` passes, whatever occurs under it: of every kind of hierarchy, at every bound, on every engine.

All values of a column may lie under one label of the greatest level. Then the labels above it mean the same values, and were
taken for it: whoever chose between them, class by class, wrote a bit into each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.hierarchy.bounds import Bounds, spelled
from kohort.table import Table
from kohort.table.writing import write_table
from kohort.verification.judges import judge_level_bounds

TREE = {"A": {"B": ["a1", "a2"], "C": ["c1"]}, "D": {"E": ["e1"]}}
BANDS = "".join(f"{age};{age // 10 * 10}-{age // 10 * 10 + 9};{age // 20 * 20}-{age // 20 * 20 + 19};*\n" for age in range(50, 60))  # fmt: skip
AGES = [str(age) for age in range(51, 60)]
HALVES = ["50.5", "51", "57.25"]
BORN = [f"1965-01-{day:02d}" for day in range(3, 13)]
COLUMNS: dict[str, tuple[dict[str, Any], list[str | None]]] = {
    "widths": ({"kind": "intervals", "widths": [10, 20, 40]}, AGES),
    "widths, one value": ({"kind": "intervals", "widths": [10, 20]}, ["51"]),
    "widths, some missing": ({"kind": "intervals", "widths": [10, 20]}, [*AGES, None]),
    "widths of fractions": ({"kind": "intervals", "widths": [10, 20], "decimals": 2}, HALVES),
    "widths, declared": ({"kind": "intervals", "widths": [10, 20], "domain": [0, 99]}, AGES),
    "widths, open ends": ({"kind": "intervals", "widths": [10, 20], "low": 18, "high": 90}, AGES),
    "bands": ({"kind": "bands", "ends": [[10, 50, 60, 90], [10, 90]]}, AGES),
    "dates": ({"kind": "dates", "levels": ["month", "year", "decade"]}, BORN),
    "dates, some missing": ({"kind": "dates", "levels": ["month", "year"]}, [*BORN, None]),
    "mask": ({"kind": "mask", "length": 5}, ["94138", "94139"]),
    "mask, of no length": ({"kind": "mask"}, ["94138", "9413"]),
    "prefix": ({"kind": "prefix", "lengths": [3, 1]}, ["94138", "94139"]),
    "ip": ({"kind": "ip"}, ["192.0.2.77", "192.0.2.78"]),
    "icd10": ({"kind": "icd10"}, ["I25.11", "I25.12"]),
    "tree": ({"kind": "tree", "tree": TREE}, ["a1", "a2"]),
    "file": ({"kind": "file", "path": "bands.csv"}, AGES),
    "order": ({"kind": "order", "values": ["a", "b", "c", "d"], "keep": [3, 1]}, ["a", "b"]),
    "order, not all listed": ({"kind": "order", "values": ["a", "b", "c"], "keep": [2, 1]}, ["a", "z"]),
    "suppress": ({"kind": "suppress"}, ["a", "b"]),
}


def bounded(hierarchy: Hierarchy, height: int) -> Iterator[tuple[str | None, Bounds | None]]:
    level = hierarchy.levels[height]
    yield from zip(level.labels, level.bounds or [None] * len(level.labels), strict=True)


def holds(hierarchy: Hierarchy, labels: list[str | None], high: int) -> bool | None:
    table = Table.from_arrow(pa.table({hierarchy.name: pa.array(labels, pa.string())}))
    tuples = np.reshape(table[hierarchy.name].codes, (-1, 1))
    bounds = {hierarchy.name: (0, high)}
    (verdict,) = judge_level_bounds(table, [hierarchy.name], tuples, bounds, [hierarchy])
    return verdict.holds


def allowed(hierarchy: Hierarchy, high: int) -> set[str | None]:
    """Labels of the allowed levels, and intervals that end where theirs do."""
    found = [told for height in range(high + 1) for told in bounded(hierarchy, height)]
    return {label for label, _ in found} | {spelled(own, own) for _, own in found if own is not None}


def coarser(hierarchy: Hierarchy, high: int) -> set[str]:
    """What is told by labels above only, by intervals that mean them, and by ones that reach beyond the greatest label."""
    found = [told for height in range(high + 1, hierarchy.height + 1) for told in bounded(hierarchy, height)]
    texts = {label for label, _ in found} | {"*"}
    within = [own for _, own in bounded(hierarchy, high) if own is not None]
    if hierarchy.declared:
        few = hierarchy.levels[
            high
        ].leaves.max()  # of values that the plan names, these are what a span means
        wide = [own for height in range(high + 1, hierarchy.height + 1) if hierarchy.levels[height].leaves.min() > few
                for _, own in bounded(hierarchy, height) if own is not None]  # fmt: skip
    else:
        wide = [own for _, own in found if own is not None]
        wide += [Bounds(own.low, None) for own in within if own.low is not None]
        wide += [Bounds(None, own.high, high_in=own.high_in) for own in within if own.high is not None]
    texts |= {spelled(own, own) for own in wide if own not in within}
    texts |= {f"{spelled(own, own)} or missing" for own in within if own.low is not None}
    return {text for text in texts if text is not None} - allowed(hierarchy, high)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bands.csv").write_text(BANDS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COLUMNS)
def test_labels_of_forbidden_levels_are_coarser_whatever_occurs_under_them(name: str, folder: Path) -> None:
    spec, values = COLUMNS[name]
    hierarchy = build_hierarchy(name, spec, values, [1] * len(values))
    tried = 0
    for high in range(hierarchy.height):
        honest = sorted(allowed(hierarchy, high) - {None, "*"}, key=str)
        assert holds(hierarchy, honest, high) is True, (high, honest)
        for text in sorted(coarser(hierarchy, high)):
            assert holds(hierarchy, [text], high) is False, (high, text)
            assert holds(hierarchy, [*honest, text], high) is False, (high, text)
            tried += 1
    assert tried >= hierarchy.height


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("name", [name for name in COLUMNS if "one value" not in name])
def test_a_class_told_by_a_forbidden_label_fails_the_table(name: str, engine: str, folder: Path) -> None:
    """Half of the rows are told by what all of them are called at level 1, the others by what they are called above."""
    spec, values = COLUMNS[name]
    values = [value for value in values if value is not None]
    rows = (values * 8)[: 4 * len(values)]
    hierarchy = build_hierarchy("x", spec, values, [1] * len(values))
    ill = ["ab"[i % 2] for i in range(len(rows))]
    original = folder / "original.csv"
    write_table(pa.table({"x": rows, "ill": ill}), original)
    columns: dict[str, Any] = {"x": {"role": "quasi", "hierarchy": spec, "max_level": min(1, hierarchy.height - 1)}, "ill": "sensitive"}  # fmt: skip
    plan = kohort.Plan(columns=columns, require=[kohort.KAnonymity(2)])

    def judged(height: int) -> bool | None:
        levels = (hierarchy.levels[plan.columns["x"].max_level or 0], hierarchy.levels[height])
        codes = hierarchy.codes_of(rows)
        told = [levels[i % 4 > 1].labels[levels[i % 4 > 1].of_ground[code]] for i, code in enumerate(codes)]
        write_table(pa.table({"x": told, "ill": ill}), folder / "released.csv")
        verdicts = kohort.verify(folder / "released.csv", plan, original, engine=engine)
        return {v.promise: v.holds for v in verdicts}[f"x at level {plan.columns['x'].max_level} or below"]

    top = plan.columns["x"].max_level or 0
    assert judged(top) is True
    for height in range(top + 1, hierarchy.height + 1):
        if hierarchy.levels[height].labels[0] not in allowed(hierarchy, top):
            assert judged(height) is False, height
