"""min_level and max_level where nothing but them tells `*` from a label: all values lie under one label of the greatest level.

Labels are read here by the plan alone, over values that may or may not occur in the table: what `*` covers is all of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.contract.test_level_bounds import ROWS, SPECIAL, VARIANTS, K

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.errors import InfeasibleError, InputError

Value = str | None
JOBS = {
    "trade": {"food": ["cook", "baker"], "wood": ["joiner", "carver"]},
    "care": {"ward": ["nurse", "vet"]},
}
PATHS = [
    (job, group, area, "*") for area, groups in JOBS.items() for group, jobs in groups.items() for job in jobs
]
NAMED = [(job, group, area, "anybody") for job, group, area, _ in PATHS]
STARRED = [(job, group, "*", "*") for job, group, _, _ in PATHS]
ORDERED = [(v, v if i < 3 else "other", v if i < 1 else "other", "*") for i, v in enumerate("abcdef")]


@dataclass(frozen=True)
class Kind:
    """A hierarchy as a plan asks for it, and what it means: labels of values, and values of labels."""

    spec: dict[str, Any]
    values: list[str]  # of which some occur
    level: Callable[[str, int], object]  # what a value is called at a level; `*` from the top on
    reads: Callable[[str, str], bool]  # whether a label stands for a value
    top: int  # the level of the root

    def named(self, value: Value, level: int) -> object:
        return "*" if level >= self.top else None if value is None else self.level(value, level)

    def covers(self, label: Value, value: Value) -> bool:
        if label is None or value is None:
            return label == value or (value is None and str(label).endswith(" or missing")) or label == "*"
        return label == "*" or self.reads(label.removesuffix(" or missing"), value)

    def keeps(self, label: Value, low: int, high: int | None, column: list[Value]) -> bool:
        """Say whether a label covers whole labels of the least level, and nothing beyond one of the greatest.

        Of an order whose values are all listed, `other` stands for the listed ones.
        """
        heights = range(low, self.top + 1 if high is None else high + 1)
        if any(self.named(value, height) == label for value in self.values for height in heights):
            return True  # a label of an allowed level, whatever it stands for at others
        listed = self.spec.get("values", [])
        all_listed = {value for value in column if value is not None} <= set(listed)
        there = [*(listed if all_listed and listed else self.values), *([None] if None in column else [])]
        covered = {value for value in there if self.covers(label, value)}
        whole = {self.named(value, low) for value in covered}
        within = {self.named(value, self.top if high is None else high) for value in covered}
        return len(within) == 1 and all(v in covered for v in there if self.named(v, low) in whole)


def of_paths(spec: dict[str, Any], paths: list[tuple[str, ...]]) -> Kind:
    path = {own[0]: own for own in paths}

    def reads(label: str, value: str) -> bool:
        listed = label[1:-1].split(", ") if label.startswith("{") else [label]
        return value in listed or label in path[value]

    return Kind(spec, list(path), lambda value, level: path[value][level], reads, 3)


def of_numbers(spec: dict[str, Any], values: list[float], ends: list[list[float]]) -> Kind:
    """`ends` are where the labels of each level begin."""
    bands = spec["kind"] == "bands"

    def level(value: str, height: int) -> object:
        number = float(value)
        if height > len(ends):
            return "*"
        if height == 0 and not (bands and not ends[0][0] <= number < ends[0][-1]):
            return number
        return ("band", bisect_right(ends[max(height - 1, 0)], number))

    return Kind(
        spec, [f"{v:g}" for v in values], level, lambda label, v: in_interval(label, float(v)), len(ends) + 1
    )


def in_interval(label: str, number: float) -> bool:
    """Read an interval; one that includes its greatest number is spelled in whole ones, and goes on to the next."""
    if found := re.fullmatch(r"([\[(])(.*), (.*)([\])])", label):
        low, high = float(found[2]), float(found[3]) + (found[4] == "]")
        return low <= number < high and (found[1] == "[" or number > low)
    if found := re.fullmatch(r"([<>])(=?)(.*)", label):
        end = float(found[3])
        if found[1] == ">":
            return number > end or (found[2] == "=" and number == end)
        return number < end + (found[2] == "=")
    if found := re.fullmatch(r"(-?[\d.]+)(?: to |-)(-?[\d.]+)", label):
        return float(found[1]) <= number < float(found[2]) + 1
    return float(label) == number


def of_dates(*periods: str) -> Kind:
    lengths = {"day": 10, "month": 7, "year": 4, "decade": 3}
    months = [f"{year}-{month:02d}" for year in (1938, 1940, 1941, 1980, 1981) for month in (1, 2, 7, 11)]
    days = [f"{month}-{day}" for month in months for day in ("02", "14", "16", "26")]
    times = [f"{day}T{hour}:00" for day in days[:24] for hour in ("10", "11")] if "day" in periods else days

    def level(value: str, height: int) -> object:
        cuts = [len(value), *(lengths[period] for period in periods), 0]
        return value[: cuts[min(height, len(periods) + 1)]]

    def reads(label: str, value: str) -> bool:
        if found := re.fullmatch(r"\[(.*), (.*)\]", label):
            return found[1] <= value[:10] <= found[2]
        if found := re.fullmatch(r"(\d{4})-(\d{4})", label):
            return found[1] <= value[:4] <= found[2]
        return value.startswith(label)

    return Kind({"kind": "dates", "levels": [*periods]}, times, level, reads, len(periods) + 1)


def starts(width: int) -> list[float]:
    return [float(x) for x in range(-4000, 8000, width)]


HALVES = [-1250.5, -3.5, *(float(x) / 2 for x in range(200)), 120.5, 950.5, 1000.0, 1001.5, 1200.0, 6000.0]
ENDS = [[0.0, 10.0, 100.0, 1000.0], [0.0, 100.0]]
CODES = [f"537{a}{b}" for a in (0, 1) for b in range(4)] + ["53999", "60601", "60602", "01234"]
KINDS: dict[str, Kind] = {
    "pay": of_numbers({"kind": "intervals", "widths": [100, 1000]}, HALVES, [starts(100), starts(1000)]),
    "ten": of_numbers(
        {"kind": "intervals", "widths": [10]}, [float(x) for x in range(-30, 60)], [starts(10)]
    ),
    "fine": of_numbers(
        {"kind": "intervals", "widths": [1, 100], "decimals": 1}, HALVES[2:120], [starts(1), starts(100)]
    ),
    "age": of_numbers(
        {"kind": "intervals", "widths": [5, 40], "domain": [0, 99]},
        [float(x) for x in range(100)],
        [starts(5), starts(40)],
    ),
    "band": of_numbers({"kind": "bands", "ends": ENDS}, HALVES, ENDS),
    "born": of_dates("month", "year", "decade"),
    "year": of_dates("year", "decade"),
    "day": of_dates("day", "year"),
    "zip": Kind(
        {"kind": "mask", "length": 5},
        CODES,
        lambda value, level: value[: 5 - level],
        lambda label, value: value.startswith(label.rstrip("*")),
        5,
    ),
    "job": of_paths({"kind": "tree", "tree": JOBS}, PATHS),
    "order": of_paths({"kind": "order", "values": ["a", "b", "c"], "keep": [3, 1]}, ORDERED),
    "file": of_paths({"kind": "file", "path": "paths.csv"}, PATHS),
    "named": of_paths({"kind": "file", "path": "named.csv"}, NAMED),
    "starred": of_paths({"kind": "file", "path": "starred.csv"}, STARRED),
}


def drawn(
    rng: np.random.Generator, name: str, bounded: tuple[str, ...]
) -> tuple[Kind, dict[str, Any], list[Value]]:
    """Return a kind, its bounds and a column: mostly under one label of the greatest level, some values missing."""
    kind = KINDS[str(rng.choice(list(KINDS)))]
    low = int(rng.integers(0, kind.top)) if "min_level" in bounded and rng.random() < 0.6 else 0
    high = int(rng.integers(low, kind.top)) if "max_level" in bounded and rng.random() < 0.8 else None
    one = kind.named(str(rng.choice(kind.values)), kind.top if high is None else high)
    near = [value for value in kind.values if kind.named(value, kind.top if high is None else high) == one]
    near = near[int(rng.integers(0, len(near))) :][: int(rng.choice([2, 3, 8]))]
    far = [kind.values[0], kind.values[-1], str(rng.choice(kind.values))]
    apart, absent = float(rng.choice([0, 0, 0.1, 0.5])), float(rng.choice([0, 0, 0.2]))
    rows = int(rng.integers(5, ROWS.get(name, 14)))
    column = [str(rng.choice(far if rng.random() < apart else near)) for _ in range(rows)]
    bounds = {"min_level": low} | ({} if high is None else {"max_level": high})
    return kind, bounds, [None if rng.random() < absent else value for value in column]


def plan_of(
    rng: np.random.Generator, name: str, kind: Kind, bounds: dict[str, Any], folder: Path
) -> kohort.Plan:
    spec = kind.spec | ({"path": str(folder / kind.spec["path"])} if "path" in kind.spec else {})
    special = SPECIAL.get(name, {})
    recode = {"algorithm": name, "seed": 1, "max_suppression": float(rng.choice([0.0, 0.5, 1.0]))} | special
    variants = VARIANTS.get(name, [{}])
    recode["options"] = special.get("options", {}) | variants[int(rng.integers(len(variants)))]
    recode["suppressed_rows"] = "blank" if rng.random() < 0.2 else "drop"
    k = K.get(name, 2 if name == "factor-2" else int(rng.integers(2, 5)))
    require = [kohort.LDiversity(column="ill", l=2)] if name == "anatomy" else [kohort.KAnonymity(k)]
    columns: dict[str, Any] = {"ill": "sensitive", "x": {"role": "quasi", "hierarchy": spec} | bounds}
    return kohort.Plan(columns=columns, require=require, recode=recode)  # type: ignore[arg-type]


def check(name: str, seed: int, count: int, folder: Path) -> int:
    """Release drawn tables, read what is told of each, and return how many there were."""
    rng = np.random.default_rng(seed)
    released = 0
    for _ in range(count):
        kind, bounds, column = drawn(rng, name, algorithm(name).card.bounds)
        plan = plan_of(rng, name, kind, bounds, folder)
        ill = rng.choice(["flu", "cold", "asthma"], len(column)).tolist()
        frame = pa.table({"x": pa.array(column, pa.string()), "ill": ill})
        try:
            release = kohort.anonymize(frame, plan)
        except (InputError, InfeasibleError):
            continue
        released += 1
        told = [None if x is None else str(x) for x in release.tables["table"].to_arrow()["x"].to_pylist()]
        low, high = bounds["min_level"], bounds.get("max_level")
        blank = told.count("*") if plan.leaves_blank else 0
        wrong = {
            label
            for label in told
            if not (blank and label == "*") and not kind.keeps(label, low, high, column)
        }
        assert not wrong, (name, kind.spec, bounds, column, plan.recode, wrong)
        if not kind.keeps("*", low, high, column):
            assert blank <= plan.recode.max_suppression * len(column), (name, kind.spec, bounds, column, told)
    return released


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("levels")
    for name, paths in (("paths", PATHS), ("named", NAMED), ("starred", STARRED)):
        (home / f"{name}.csv").write_text("".join(";".join(path) + "\n" for path in paths))
    return home


HONOURING = [name for name in ALGORITHMS if algorithm(name).card.bounds]


@pytest.mark.parametrize("name", HONOURING)
def test_what_is_told_keeps_its_levels_whatever_occurs(name: str, folder: Path) -> None:
    assert check(name, 11, 25, folder) > 3


PAY = ["0.5", "12.5", "12.5", "70.25", "33.5"]
IN_1980 = ["1980-01-01", "1980-02-01", "1980-03-05", "1980-03-07"]
IN_NOVEMBER = ["1941-11-16", "1941-11-12", "1941-11-23", "1941-11-14"]
ELSEWHERE = ["1941-07-23", "1980-07-07", "1941-02-12", "1980-12-20"]
DAYS = ["1940-02-26", "1941-12-09", "1941-07-15", "1941-10-06", "1941-07-15"]
PARTING = ["optimal", "k-optimize", "hill-climbing", "genetic", "annealing"]
PARTING += ["top-down", "bottom-up", "mondrian", "mondrian-relaxed"]


@pytest.mark.parametrize("name", PARTING)
@pytest.mark.parametrize(
    ("kind", "bounds", "column", "k", "limit", "told"),
    [
        ("pay", {"min_level": 1, "max_level": 1}, PAY, 2, 0.0, {"[0, 100)"}),
        ("year", {"min_level": 1, "max_level": 1}, IN_1980, 2, 0.0, {"1980"}),
        ("year", {"min_level": 2, "max_level": 2}, IN_1980, 2, 0.0, {"1980-1989"}),
        ("ten", {"max_level": 1}, ["3", "7", "8"], 2, 0.0, {"0-9"}),
        ("zip", {"max_level": 1}, ["53711", "53712"], 2, 0.0, {"5371*"}),
        ("starred", {"max_level": 2, "min_level": 2}, ["cook", "vet"], 2, 0.0, {"*"}),
        ("band", {"min_level": 1}, ["0.0", "-3.25", None, "1e3", "-0.0", "12.5"], 3, 0.0, {"*", "<10", ">=10 or missing"}),
        ("born", {"max_level": 1}, IN_NOVEMBER + ELSEWHERE, 4, 1.0, {"1941-11", "[1941-11-01, 1941-11-30]"}),
        ("day", {"max_level": 1}, DAYS, 4, 0.5, set()),
    ],
    ids=["pay", "year", "decade", "root", "zip", "starred", "open-end", "outermost", "below-the-grid"],
)  # fmt: skip
def test_what_an_attack_from_outside_found(
    name: str,
    kind: str,
    bounds: dict[str, Any],
    column: list[Value],
    k: int,
    limit: float,
    told: set[str],
    folder: Path,
) -> None:
    plan = plan_of(np.random.default_rng(0), name, KINDS[kind], bounds, folder)
    recode = SPECIAL.get(name, {}) | {"algorithm": name, "max_suppression": limit, "seed": 1}
    columns = {"x": plan.columns["x"]}
    asked = kohort.Plan(columns=columns, require=[kohort.KAnonymity(k)], recode=recode)  # type: ignore[arg-type]
    frame = pa.table({"x": pa.array(column, pa.string())})
    try:
        release = kohort.anonymize(frame, asked)
    except InfeasibleError:
        assert not told or name == "top-down", (
            "which parts as far as people may be left out, and that is all of them"
        )
    else:
        assert {*release.tables["table"].to_arrow()["x"].to_pylist()} <= told


@pytest.mark.long
@pytest.mark.parametrize("name", HONOURING)
def test_what_is_told_keeps_its_levels_in_many_tables(name: str, folder: Path) -> None:
    assert check(name, 12, 1500, folder) > 300
