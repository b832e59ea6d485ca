"""Hierarchies by code, uneven ends and hours: whatever the search, labels are true, ends hold and nobody's own value is told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.contract.test_ends import OTHERWISE, SMALL, SPECIAL, K

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.engines import ENGINES
from kohort.errors import InputError
from kohort.hierarchy.build import build_hierarchy

ENDS = [[10, 20, 50, 100, 500], [20, 100]]
SPECS: dict[str, dict[str, Any]] = {
    "paid": {"kind": "bands", "ends": ENDS},
    "at": {"kind": "dates", "levels": ["hour", "day", "month"]},
    "home": {"kind": "prefix", "standard": "uk-postcode", "other": "other"},
    "ill": {"kind": "icd10"},
    "seen": {"kind": "ip"},
}
NAMES = [
    name
    for name in ALGORITHMS
    if algorithm(name).card.truthful and algorithm(name).card.layout == "one-table" and name not in OTHERWISE
]
COLUMNS = {"univariate": ["paid"], "outliers": ["ill", "home"]}


def people(rows: int) -> pa.Table:
    """Return people of whom nobody else has the amount or the minute."""
    rng = np.random.default_rng(8)
    paid = rng.choice(100 * 20, rows, replace=False) / 100 + np.round(rng.lognormal(3, 1.4, rows))
    minutes = rng.choice(60 * 24 * 40, rows, replace=False)
    at = [np.datetime64("2024-05-01T00:00") + np.timedelta64(int(minute), "m") for minute in minutes]
    return pa.table(
        {
            "paid": [f"{amount:.2f}" for amount in paid],
            "at": [str(moment).replace("T", " ") for moment in at],
            "home": rng.choice(["SW1A 1AA", "SW1A 2AA", "SW1P 3BU", "M1 1AE", "m1 2wd", "?"], rows).tolist(),
            "ill": rng.choice(["I21.0", "I25.1", "I48", "J45.0", "C7A.1"], rows).tolist(),
            "seen": rng.choice(["192.0.2.1", "192.0.2.9", "192.0.3.4", "2001:db8::7"], rows).tolist(),
        }
    )


def plan_for(name: str, columns: list[str]) -> kohort.Plan:
    told: dict[str, Any] = {column: {"role": "quasi", "hierarchy": SPECS[column]} for column in columns}
    recode = {"algorithm": name, "seed": 3, "max_suppression": 0.5} | SPECIAL.get(name, {})
    return kohort.Plan(columns=told, require=[kohort.KAnonymity(K.get(name, 3))], recode=recode)  # type: ignore[arg-type]


def chosen(i: int, name: str) -> list[str]:
    """Two columns of everybody's own value, or of codes, in turn for every algorithm."""
    return COLUMNS.get(name) or [["paid", "home"], ["at", "ill"], ["paid", "seen"], ["at", "home"]][i % 4]


def judged(frame: pa.Table, release: kohort.Release, plan: kohort.Plan) -> None:
    assert all(verdict.holds is not False for verdict in kohort.verify(release.table, plan, original=frame))
    for column in set(frame.column_names) & {"paid", "at"}:
        own = {text for text, count in Counter(frame[column].to_pylist()).items() if count == 1}
        assert not own & set(release.table[column].to_pylist())
    if "paid" in frame.column_names:
        assert {end for label in release.table["paid"].to_pylist() for end in numbers(label)} <= set(ENDS[0])


def numbers(label: str | None) -> list[float]:
    return [float(part) for part in (label or "").strip("*[]()<>=").split(", ") if part]


@pytest.mark.parametrize(("i", "name"), list(enumerate(NAMES)))
def test_every_search_keeps_them(i: int, name: str) -> None:
    columns = chosen(i, name)
    frame, plan = people(SMALL.get(name, 40)).select(columns), plan_for(name, columns)
    judged(frame, kohort.anonymize(frame, plan), plan)


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "spark"])  # which needs Java
def test_every_engine_tells_the_same(engine: str, tmp_path: Path) -> None:
    source, plan = tmp_path / "people.csv", plan_for("optimal", list(SPECS))
    pyarrow.csv.write_csv(people(60), source)
    told = []
    for used in ("memory", engine):
        release = kohort.anonymize(source, plan, engine=used)
        place = release.save(tmp_path / used / engine)
        assert all(verdict.holds for verdict in kohort.verify(place, original=source))
        told.append((release.levels, sorted((place / "table.csv").read_text().splitlines())))
    assert told[0] == told[1]


LEFT_OUT: dict[str, tuple[list[str], list[str]]] = {  # values of those who stay, and of the one who does not
    "paid": (["12", "13", "14"], ["444.43", "7", "9000"]),
    "home": (["SW1A 1AA", "SW1A 2AA", "SW1P 3BU"], ["M1 1AE", "?"]),
    "ill": (["I21.0", "I25.1", "I48"], ["C7A.1", "Z99.9"]),
    "seen": (["192.0.2.1", "192.0.2.9"], ["2001:db8::7", "10.0.0.1"]),
    "at": (["2024-05-01 10:10", "2024-05-01 10:20"], ["1999-01-01 23:59"]),
}


@pytest.mark.parametrize("name", ["optimal", "top-down", "mondrian"])
@pytest.mark.parametrize("column", LEFT_OUT)
def test_whoever_is_left_out_shows_in_no_label(column: str, name: str) -> None:
    stay, odd = LEFT_OUT[column]
    told = {"role": "quasi", "hierarchy": SPECS[column]}
    plan = kohort.Plan(
        columns={column: told, "sex": {"role": "quasi", "max_level": 0}},
        require=[kohort.KAnonymity(3)],
        recode={"algorithm": name, "max_suppression": 0.1},  # type: ignore[arg-type]
    )
    seen = set()
    for value in odd:
        frame = pa.table({column: stay * 12 + [value], "sex": ["f", "m"] * (6 * len(stay)) + ["x"]})
        release = kohort.anonymize(frame, plan)
        assert release.suppressed == 1
        seen.add(tuple(sorted(map(str, release.table.to_pylist()))))
    assert len(seen) == 1


@pytest.mark.parametrize("other", ["94138", "941*", "10.0.0.0/8", "chapter IX", "I20-I25", " "])
@pytest.mark.parametrize(
    "spec",
    [{"kind": "prefix", "standard": "us-zip"}, {"kind": "icd10"}, {"kind": "ip"}],
    ids=lambda spec: spec["kind"],
)
def test_what_is_no_code_is_never_told_as_one(spec: dict[str, Any], other: str) -> None:
    with pytest.raises(InputError, match="must not read as one"):
        build_hierarchy("code", spec | {"other": other}, ["unknown"], [1])
