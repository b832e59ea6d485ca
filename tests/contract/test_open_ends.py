"""With a declared `high` or `low` nothing beyond it is told: by no algorithm, engine or format, however many share it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.thinned import dealt

import kohort
from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table.formats import WRITERS
from kohort.table.reading import read_table

LOW, HIGH = 18, 90
AGES = [97] * 6 + [3] * 6 + [103, 5, 90, 17, 18, 89] + [40] * 6 + [41, 42, 43, 44, 52, 58]
SPECIAL: dict[str, dict[str, Any]] = {
    **{
        name: {"objective": "discernibility"}
        for name in ("k-optimize", "hill-climbing", "genetic", "annealing")
    },
    "mu-argus": {"options": {"full": True}},
}
# dp-mdav takes no hierarchy at all; cells-exact is for a dozen rows.
NAMES = [name for name in ALGORITHMS if name != "dp-mdav"]
ROWS = {"cells-exact": 13}


def people(name: str, shift: float = 0) -> pa.Table:
    ages = AGES[: ROWS.get(name, len(AGES))]
    table = pa.table(
        {
            "age": [age + shift for age in ages],
            "sex": ["f", "m"] * (len(ages) // 2) + ["f"] * (len(ages) % 2),
            "ill": [("flu", "cold", "gout")[i % 3] for i in range(len(ages))],
        }
    )
    return table.select(["age", "ill"]) if name == "univariate" else table


def plan_of(name: str, table: pa.Table, **spec: Any) -> kohort.Plan:
    hierarchy = {"kind": "intervals", "widths": [5, 20], "low": LOW, "high": HIGH} | spec
    columns = {"age": {"role": "quasi", "hierarchy": hierarchy}, "sex": "quasi", "ill": "sensitive"}
    recode = {"algorithm": name, "max_suppression": 0.5, "seed": 1} | SPECIAL.get(name, {})
    require: list[Any] = [{"model": "k-anonymity", "k": 3 if name == "factor-3" else 2}]
    if name == "anatomy":
        require = [{"model": "l-diversity", "column": "ill", "l": 2}]
    told = {column: columns[column] for column in table.column_names}
    return kohort.Plan.from_dict({"columns": told, "require": require, "recode": recode})


def beyond(label: Any) -> bool:
    """Whether a cell tells a number beyond the ends; written apart from the verifier."""
    if label is None or label in ("*", f"<{LOW}", f">={HIGH}"):
        return False
    text = str(label).removesuffix(" or missing").strip("[]()<>=")
    parts = text.split(", ") if ", " in text else text.split("-")
    return any(not LOW <= float(part) <= HIGH for part in parts)


@pytest.mark.parametrize(
    ("name", "shift", "spec"), dealt(NAMES, [0, 0.5], [{}, {"domain": [0, 120]}], every=2)
)
def test_no_cell_tells_what_lies_beyond_an_open_end(name: str, shift: float, spec: dict[str, Any]) -> None:
    table = people(name, shift)
    release = kohort.anonymize(table, plan_of(name, table, **spec))
    told = release.tables["table"]["age"].texts
    assert not [label for label in told if beyond(label)], told
    assert [v for v in release.verdicts if v.promise == "age not told below 18 or from 90 on" and v.holds]


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if algorithm(name).card.decides == "class"])
def test_no_cell_tells_it_where_rows_are_on_disk(name: str, tmp_path: Path) -> None:
    table = people(name)
    pyarrow.parquet.write_table(table, tmp_path / "people.parquet")
    draft = make_release(tmp_path / "people.parquet", plan_of(name, table), Silent(), engine="duckdb")
    Release.written(draft, tmp_path / "out")
    told = read_table(tmp_path / "out" / "table.csv")["age"].texts
    assert told
    assert not [label for label in told if beyond(label)], told


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_no_format_tells_it(suffix: str, tmp_path: Path) -> None:
    """At level 0, where numbers would be numbers: 97 is shared by six people and stands in no file."""
    table = people("optimal")
    plan = plan_of("optimal", table).with_settings(
        {"columns.age.max_level": 0, "output.format": suffix.removeprefix(".")}
    )
    kohort.anonymize(table, plan).save(tmp_path / "out")
    told = read_table(tmp_path / "out" / f"table{suffix}")["age"].texts
    assert {"<18", ">=90", "40"} <= set(told)
    assert not [label for label in told if beyond(label)], told


@pytest.mark.parametrize(
    ("label", "holds"),
    [
        (">=90", True), ("<18", True), ("*", True), (None, True), ("18-19", True), ("85-89", True), ("[80, 90)", True),
        (">=85", True), ("<20", True), ("[20, 90) or missing", True), ("20", True), ("89", True), ("18", True),
        ("97", False), ("90", False), ("3", False), ("90-94", False), ("[80, 90]", False), (">=95", False), (">90", False),
        ("<17", False), ("<=17", False), ("[10, 20)", False), ("[80, 100)", False), ("old", False), ("{97}", False),
        ("<97", False), (">3", False),
    ],
)  # fmt: skip
def test_the_verifier_finds_what_tells_more_from_the_plan_alone(label: str | None, holds: bool) -> None:
    released = pa.table({"age": pa.array([label] * 4, pa.string()), "sex": ["f"] * 4, "ill": ["a", "b"] * 2})
    verdicts = kohort.verify(released, plan_of("optimal", released))
    assert {v.promise: v.holds for v in verdicts}["age not told below 18 or from 90 on"] is holds


def test_means_count_what_lies_beyond_as_the_end() -> None:
    table = pa.table({"age": [97, 103, 99, 40, 41, 42], "ill": list("ababab")})
    release = kohort.anonymize(
        table, plan_of("mdav", table, domain=[0, 120]).with_settings({"require.0.k": 3})
    )
    assert sorted(set(release.tables["table"]["age"].texts)) == ["41", "90"]


def test_every_algorithm_is_tried() -> None:
    assert {name for name in ALGORITHMS if not algorithm(name).card.covers_all} == set(NAMES)
