"""Rows that stand alone: every figure and sentence recomputed from the cells of the released file."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.contract.test_algorithms import frame_for, plan_for
from tests.reference import risk as naive
from tests.reference.release import read_release
from tests.unit.report.test_release_page import Page
from tests.words.releases import Text

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.classes.alone import PAIRED, standing_alone
from kohort.facts.table_audit import table_audit
from kohort.report.audit_text import audit_lines
from kohort.report.words import percent

QUICK = ["optimal", "mondrian-relaxed", "cells-exact", "forest", "k-member", "mdav", "anatomy", "dp-mdav"]


def alone(frame: pd.DataFrame, columns: list[str]) -> int:
    return naive.alone([tuple(row) for row in frame[columns].itertuples(index=False)])


def expected(frame: pd.DataFrame, quasi: tuple[str, ...]) -> dict[str, Any]:
    """The rows alone with one column more, two, all, by trying every set; hidden: the number of a group."""
    others = sorted(name for name in frame.columns if name not in quasi and name != "group")
    counted = {
        size: [(alone(frame, [*quasi, *columns]), columns) for columns in combinations(others, size)]
        for size in (1, 2)
    }
    return {
        "quasi": alone(frame, list(quasi)),
        "one": max((n for n, _ in counted[1]), default=None),
        "two": max((n for n, _ in counted[2]), default=None),
        "everything": alone(frame, [*quasi, *others]) if others else None,
        "of": {columns: n for told in counted.values() for n, columns in told},
    }


def with_more(name: str) -> tuple[pa.Table, kohort.Plan]:
    """A table with three insensitive columns more, where the algorithm lets them be."""
    frame, plan = frame_for(name), plan_for(name).to_dict()
    if not algorithm(name).card.covers_all:
        rng = np.random.default_rng(4)
        for column, values in {"pay": 30, "ward": 4, "day": 12}.items():
            frame = frame.append_column(column, pa.array(rng.integers(0, values, frame.num_rows).tolist()))
            plan["columns"][column] = {"role": "insensitive", "allow_unique": True}
    return frame, kohort.Plan.from_dict(plan)


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if n in QUICK])
def test_every_count_is_that_of_the_released_file(name: str, tmp_path: Path) -> None:
    frame, plan = with_more(name)
    place = kohort.anonymize(frame, plan).save(tmp_path / "out")
    shown = read_release(place / "table.csv")
    manifest = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
    audit = json.loads((tmp_path / "out.private" / "audit.json").read_text(encoding="utf-8"))
    found = expected(shown, plan.quasi)
    for told in (manifest["singling_out"], audit["facts"]["singling_out"]):
        for part in ("quasi", "one", "two", "everything"):
            if found[part] is None:
                assert told[part] is None
                continue
            assert told[part]["rows"] == found[part], part
            assert told[part]["share"] == pytest.approx(found[part] / len(shown), rel=1e-5)
        for part in ("one", "two"):
            if told[part] is not None:
                assert found["of"][tuple(told[part]["columns"])] == found[part]


@pytest.mark.parametrize("name", ["optimal", "anatomy"])
def test_the_sentences_say_these_shares_to_everybody(name: str, tmp_path: Path) -> None:
    frame, plan = with_more(name)
    place = kohort.anonymize(frame, plan).save(tmp_path / "out")
    shown = read_release(place / "table.csv")
    found, n = expected(shown, plan.quasi), len(shown)
    for report in (place / "report.html", tmp_path / "out.private" / "report.html"):
        text = Page(report.read_text(encoding="utf-8")).text
        said = re.search(
            r"rows that no other released row equals: (.*?)(?:; singling out|$| Linkability)", text
        )
        assert said
        assert re.findall(r"[\d.]+ %", said[1]) == [
            percent(found[part] / n) for part in ("quasi", "one", "two", "everything")
        ]
        for part in ("quasi", "one", "two", "everything"):
            assert f"{found[part]:,} {percent(found[part] / n)}" in text
        torn = name == "anatomy"  # the column that stands apart is in no row, and so in no count
        assert ("with every released column" in text) is not torn
        assert (f"{plan.sensitive[0]} stands apart from the rows and is not counted" in text) is torn
        assert (f"{plan.sensitive[0]}, which stands apart, is not counted" in said[1]) is torn


def test_both_pages_name_the_same_value_where_most_are_missing(tmp_path: Path) -> None:
    frame = pa.table({"race": [None] * 6 + ["b"] * 3 + ["a"] * 3})
    plan = kohort.Plan(
        columns={"race": {"role": "quasi", "hierarchy": {"kind": "suppress"}}},
        require=[kohort.KAnonymity(3)],
    )
    release = kohort.anonymize(frame, plan)
    place = release.save(tmp_path / "out")
    [told] = [column.generalized for column in release.facts.columns]
    assert told.example == "a"
    assert "missing values apart" in Page((place / "report.html").read_text(encoding="utf-8")).text
    head = ("column", "role", "released", "values that occur", "the most frequent")
    [row] = Text((place / "report.html").read_text(encoding="utf-8")).table(*head)
    assert row[3:] == ["3", "a"]


def test_on_disk_the_same_rows_stand_alone(tmp_path: Path) -> None:
    frame, plan = with_more("optimal")
    pa.csv.write_csv(frame, tmp_path / "people.csv")
    sides = []
    for engine in ("memory", "duckdb"):
        place = kohort.anonymize(tmp_path / "people.csv", plan, engine=engine).save(tmp_path / engine)
        sides.append(json.loads((place / "manifest.json").read_text(encoding="utf-8"))["singling_out"])
    assert sides[0] == sides[1]
    assert sides[0]["two"]["rows"] > sides[0]["one"]["rows"] > sides[0]["quasi"]["rows"]


def test_a_small_k_hides_nobody_from_those_who_know_more() -> None:
    """A hundred people in classes of fifty, each with an income of their own."""
    frame = pa.table({"sex": ["f", "m"] * 50, "income": [str(i) for i in range(100)]})
    plan = kohort.Plan(
        columns={"sex": "quasi", "income": {"role": "insensitive", "allow_unique": True}},
        require=[kohort.KAnonymity(5)],
    )
    facts = kohort.anonymize(frame, plan).facts
    assert (facts.singling_out.quasi.rows, facts.singling_out.one.rows) == (0, 100)
    assert facts.singling_out.two is None


@pytest.mark.parametrize("columns", [0, 1, 2, 3, PAIRED, PAIRED + 3])
def test_pairs_are_looked_at_within_limits_and_that_is_said(columns: int) -> None:
    asked: list[tuple[str, ...]] = []

    def count(names: tuple[str, ...]) -> int:
        asked.append(names)
        return sum(map(int, names))

    found = standing_alone([str(i) for i in range(columns)], count)
    assert len(asked) == len(set(asked)), "nothing is counted twice"
    assert found.pairs == columns * (columns - 1) // 2
    assert found.pairs_looked_at == min(columns, PAIRED) * (min(columns, PAIRED) - 1) // 2
    if columns:
        assert found.one is not None
        assert found.one.columns == (str(columns - 1),)
    if columns > 1:
        assert found.two is not None
        assert found.two.alone == 2 * columns - 3, "the two that do most alone are among the pairs"


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_an_audit_counts_people_who_are_unique_with_sensitive_values(seed: int, several: bool) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    cells = {name: [str(v) for v in rng.integers(0, 4, n)] for name in ("age", "zip", "ill", "drug", "cost")}
    who = rng.integers(0, max(n // 2, 1), n).tolist() if several else list(range(n))
    facts = kohort.audit(
        pa.table({**cells, "who": who}), ["age", "zip"], ["ill", "drug", "cost"], "who" if several else None
    )
    rows = list(zip(*cells.values(), strict=True))

    def unique(*more: int) -> int:
        return len(naive.unique_people(rows, who, (0, 1, *more)))

    told = facts["beside"]
    assert told["one"]["unique"] == max(map(unique, (2, 3, 4)))
    assert told["two"]["unique"] == max(unique(2, 3), unique(2, 4), unique(3, 4))
    assert told["everything"]["unique"] == unique(2, 3, 4)
    assert told["one"]["share"] == told["one"]["unique"] / len(set(who))
    text = " ".join("\n".join(audit_lines(table_audit(facts), 100)).split())
    assert f"with all sensitive columns {unique(2, 3, 4)} {percent(unique(2, 3, 4) / len(set(who)))}" in text
