"""What a release tells of itself, and what of that outsiders see."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.evidence.grain import grain
from kohort.evidence.why import is_affordable
from kohort.facts.columns import Generalized

SIXTY = {
    "id": [f"CANARY-{i}" for i in range(60)],
    "age": [str(20 + i % 30) for i in range(60)],
    "town": [f"Canarytown{i % 20:02d}" for i in range(60)],
    "pay": [str(1000 + 37 * i) for i in range(60)],
    "ill": ["flu", "cold", "asthma"] * 20,
}
AGE = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10]}}
TOWN = {"role": "quasi", "hierarchy": {"kind": "suppress"}}


def plan(**recode: Any) -> kohort.Plan:
    output = recode.pop("output", {})
    return kohort.Plan(
        columns={"id": "identifier", "age": AGE, "town": TOWN, "pay": "insensitive", "ill": "sensitive"}
        | recode.pop("columns", {"pay": {"role": "insensitive", "allow_unique": True}}),
        require=recode.pop("require", [{"model": "k-anonymity", "k": 3}]),
        recode={"seed": 1} | recode,
        output=output,
    )


def release(**recode: Any) -> kohort.Release:
    return kohort.anonymize(pa.table(SIXTY), plan(**recode))


def quasi(release: kohort.Release) -> dict[str, Generalized]:
    return {c.name: c.generalized for c in release.facts.columns if c.generalized is not None}


def test_accuracy_and_completeness_are_those_of_the_levels() -> None:
    found = release()
    climbed = sum((found.levels or {}).values())
    heights = sum(column.height for column in quasi(found).values())
    assert found.facts.quality.accuracy == pytest.approx(1 - climbed / heights)
    assert found.facts.quality.completeness == found.facts.released / found.facts.rows


def test_divergence_of_a_column_is_that_of_its_values_spread_evenly() -> None:
    found = release(max_suppression=0.0)
    column = quasi(found)["age"]
    assert column.level is not None
    age = np.array([int(a) for a in SIXTY["age"]])
    width = {"5 wide": 5, "10 wide": 10, "any value": 1000}[column.levels[column.level].name]
    bits = 0.0
    for value in np.unique(age):
        p = (age == value).mean()
        inside = age // width == value // width
        q = inside.mean() / len(np.unique(age[inside]))
        bits += p * math.log2(p / q)
    told = found.facts.divergence
    assert told.columns["age"] == pytest.approx(max(bits, 0.0), abs=1e-12)
    assert [pair.columns for pair in told.pairs or ()] == [("age", "town")]


def test_numbers_are_told_before_and_after() -> None:
    told = {column.name: column for column in release(max_suppression=0.0).facts.numbers}
    assert told["age"].mean[0] == pytest.approx(np.mean([int(a) for a in SIXTY["age"]]))
    assert told["pay"].median == (1000 + 37 * 29.5,) * 2
    assert told["age"].mean[1] == pytest.approx(told["age"].mean[0])  # midpoints of whole intervals


def test_correlations_are_those_of_the_rows() -> None:
    (line,) = release(max_suppression=0.0).facts.correlations
    age, pay = ([float(v) for v in SIXTY[name]] for name in ("age", "pay"))
    assert line.columns == ("age", "pay")
    assert line.before == pytest.approx(np.corrcoef(age, pay)[0, 1])


def test_means_of_groups_are_numbers_of_their_own() -> None:
    told = release(
        algorithm="mdav",
        columns={"town": "identifier", "pay": AGE | {"hierarchy": {"kind": "intervals", "widths": [100]}}},
    )
    numbers = {column.name: column for column in told.facts.numbers}
    assert numbers["pay"].mean[1] == pytest.approx(numbers["pay"].mean[0], rel=0.01)
    assert told.facts.divergence.columns.keys() <= {"age", "pay"}
    assert [column.level for column in quasi(told).values()] == [None, None]
    assert all(column.told_by for column in quasi(told).values())


def test_numbers_are_measured_where_the_kind_of_hierarchy_says_so() -> None:
    """Under a tree or a star they may be codes, of which nobody takes the mean."""
    coded = release(
        columns={"age": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "pay": "identifier"}
    )
    assert "age" not in [column.name for column in coded.facts.numbers]


def test_levels_are_named_and_only_the_released_one_has_an_example() -> None:
    columns = quasi(release())
    assert [step.name for step in columns["age"].levels] == ["exact", "5 wide", "10 wide", "any value"]
    assert [step.name for step in columns["town"].levels] == ["exact", "any value"]
    for column in columns.values():
        assert all(step.example is None for step in column.levels[: column.level])


def test_an_example_is_the_value_of_at_least_k_records() -> None:
    told = release(algorithm="anatomy", require=[{"model": "l-diversity", "column": "ill", "l": 2}])
    assert quasi(told)["town"].example is None  # every town stands in three rows, and five are small


@pytest.mark.parametrize("format", ["csv", "parquet"])
@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "mdav", "k-member"])
def test_no_raw_value_is_in_manifest_or_report(tmp_path: Path, format: str, algorithm: str) -> None:
    found = release(algorithm=algorithm)
    out = found.save(tmp_path / "out", format)
    shown = " ".join(str(v) for name in ("age", "town") for v in found.table[name].to_pylist())
    hidden = [town for town in set(SIXTY["town"]) if town not in shown]
    for name in ("manifest.json", "report.html"):
        written = (out / name).read_text(encoding="utf-8")
        assert not [town for town in hidden if town in written]
        assert not [pay for pay in SIXTY["pay"] if f'"{pay}"' in written or f">{pay}<" in written]
        assert "CANARY-" not in written
    json.loads((out / "manifest.json").read_text(encoding="utf-8"), parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


@pytest.mark.parametrize("n", [6, 30, 99, 100, 1000, 30162])
@pytest.mark.parametrize("k", [2, 5, 25])
def test_a_step_of_a_share_is_at_least_k_records_or_the_coarsest(k: int, n: int) -> None:
    step = grain(k, n)
    assert step * n >= k or step == 0.5


def test_the_task_is_trained_only_where_it_is_asked_for() -> None:
    assert release().facts.task is None
    told = release(output={"task": "ill"}).facts.task
    assert told is not None
    assert told.target == "ill"
    assert 0 <= told.release <= 1
    assert told.features == ("age", "town")


def test_perturbed_values_serve_a_task_too() -> None:
    assert release(algorithm="mdav", output={"task": "ill"}).facts.task.tested_on == 18


@pytest.mark.parametrize("target", ["age", "id", "nobody"])
def test_a_task_must_be_a_column_that_is_released_as_it_is(target: str) -> None:
    with pytest.raises(kohort.InputError, match=r"task is .* pay, ill"):
        release(output={"task": target})


def test_anatomy_has_no_task() -> None:
    with pytest.raises(kohort.InputError, match="anatomy tells sensitive values apart"):
        release(algorithm="anatomy", output={"task": "ill"})


def test_a_task_without_scikit_learn_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(kohort.InputError, match=r"kohort\[learn\]"):
        release(output={"task": "ill"})


def test_levels_are_tried_by_how_many_cells_are_looked_at_in_all():
    """Each column is tried beside all others: of many columns that is too much, however few classes there are."""
    assert is_affordable(19_502, 9)
    assert is_affordable(1_000, 100)
    assert not is_affordable(50_000, 9)
    assert not is_affordable(100, 2_000)
