from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from kohort.algorithms import Silent, algorithm
from kohort.classes import classes_of_rows
from kohort.demo import make_patients, plan_text, write
from kohort.demo.diagnoses import DIAGNOSES
from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.models import KAnonymity
from kohort.recode import Problem
from kohort.table import Table


@pytest.fixture(scope="module")
def patients() -> pa.Table:
    return make_patients()


def test_the_same_seed_makes_the_same_table_and_another_seed_another(patients: pa.Table) -> None:
    assert make_patients().equals(patients)
    assert not make_patients(seed=8).equals(patients)


def test_ten_thousand_patients_of_whom_some_come_again(patients: pa.Table) -> None:
    stays = pc.value_counts(patients["patient_id"]).field("counts").to_numpy(zero_copy_only=False)
    assert len(stays) == 10_000
    assert patients.num_rows == stays.sum() > 11_000
    assert 0.1 < (stays > 1).mean() < 0.15


def test_what_is_said_of_a_patient_is_the_same_in_every_stay(patients: pa.Table) -> None:
    constant = [
        "patient_id",
        "first_name",
        "last_name",
        "birth_date",
        "sex",
        "zip",
        "town",
        "occupation",
        "education",
    ]
    assert patients.select(constant).group_by(constant).aggregate([]).num_rows == 10_000


def test_zeros_unicode_missing_values_and_outliers_are_there(patients: pa.Table) -> None:
    zips = patients["zip"].to_pylist()
    assert any(z and z.startswith("0") for z in zips)
    assert all(z is None or len(z) == 5 for z in zips)
    assert not all(name.isascii() for name in patients["last_name"].to_pylist())
    for name in ("birth_date", "zip", "occupation", "diagnosis", "cost"):
        assert 0 < patients[name].null_count < 0.06 * patients.num_rows
    assert pc.max(patients["cost"]).as_py() > 100_000
    assert pc.min(patients["birth_date"]).as_py().year < 1925


def test_nobody_is_admitted_before_birth_and_diagnoses_follow_age_and_sex(patients: pa.Table) -> None:
    rows = patients.filter(pc.is_valid(patients["birth_date"])).to_pylist()
    assert all(row["birth_date"] < row["admission_date"] for row in rows)
    age = {d.code: [] for d in DIAGNOSES}
    for row in rows:
        if row["diagnosis"]:
            age[row["diagnosis"]].append((row["admission_date"] - row["birth_date"]).days / 365.25)
    assert all(age.values())
    assert np.mean(age["F03"]) > 70 > 30 > np.mean(age["J35"])
    assert {row["sex"] for row in rows if row["diagnosis"] == "O80"} == {"f"}
    assert {row["sex"] for row in rows if row["diagnosis"] == "C61"} == {"m"}


def test_a_small_hospital_can_be_made_too() -> None:
    assert len(pc.unique(make_patients(25)["patient_id"])) == 25
    assert make_patients(1).num_rows >= 1


def test_the_plan_covers_the_table_and_has_a_useful_answer(patients: pa.Table, tmp_path: Path) -> None:
    plan = tomllib.loads(write(tmp_path).read_text(encoding="utf-8"))
    assert plan == tomllib.loads(plan_text())
    assert (tmp_path / "patients.csv").stat().st_size > 500_000
    table = Table.from_arrow(patients)
    assert set(plan["columns"]) <= set(table.names)

    def built(name: str) -> Hierarchy:
        column = table[name]
        spec = plan["columns"][name]["hierarchy"]
        return build_hierarchy(name, spec, column.texts, column.counts().tolist(), tmp_path)

    assert built("diagnosis").height == 3
    quasi = [name for name, column in plan["columns"].items() if column["role"] == "quasi"]
    hierarchies = tuple(map(built, quasi))
    codes = np.column_stack(
        [h.encode(table[name].texts)[table[name].codes] for name, h in zip(quasi, hierarchies, strict=True)]
    )
    people = table[plan["input"]["respondent"]].codes
    base, class_of = classes_of_rows(codes, respondents=people)
    problem = Problem(
        names=tuple(quasi),
        hierarchies=hierarchies,
        base=base,
        class_of=class_of,
        models=(KAnonymity(plan["require"][0]["k"]),),
        max_suppressed=int(plan["recode"]["max_suppression"] * table.n_rows),
        respondents=people,
    )
    solution = algorithm("optimal")().solve(problem, Silent())
    assert solution.score < 0.3
    levels = dict(solution.decision.facts(problem)["levels"])
    heights = {name: h.height for name, h in zip(quasi, hierarchies, strict=True)}
    assert all(levels[name] < heights[name] for name in quasi)  # every column tells something
