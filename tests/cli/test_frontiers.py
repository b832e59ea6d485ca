"""A frontier asks what a release would: the same models, the same population, and the same words for what it did not find."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from msgspec import convert
from tests.cli.conftest import Result
from tests.contract.test_algorithms import frame_for, plan_for
from tests.contract.test_documents import PROMISES, TREE
from tests.contract.test_nothing_found import SHARE, asking, lopsided

from kohort import Plan, anonymize, frontier
from kohort.algorithms import ALGORITHMS, Silent
from kohort.facts.release import Point
from kohort.frontiers import points_of
from kohort.models import MODELS
from kohort.plan.text import plan_toml
from kohort.report.frontier import frontier as frontier_blocks
from kohort.report.frontier import scored_by


@pytest.mark.parametrize("name", MODELS)
def test_a_point_of_every_model_is_its_release(name: str, tmp_path: Path) -> None:
    table = frame_for("optimal")
    wishes = ["joints" if ill == "gout" else "lungs" for ill in table["ill"].to_pylist()]
    table = table.append_column("wish", pa.array(wishes))
    pa.csv.write_csv(pa.concat_tables([table, table]), tmp_path / "population.csv")
    columns: dict[str, Any] = {**plan_for("optimal").columns, "ill": {"role": "sensitive", "hierarchy": TREE}}
    plan = Plan(
        columns=columns | ({"wish": {"role": "guard"}} if name == "personalized" else {}),
        require=[{"model": name, **PROMISES[name]}],  # type: ignore[list-item]
        input={"population": "population.csv"} if name == "k-map" else {},  # type: ignore[arg-type]
        recode={"max_suppression": 0.5},  # type: ignore[arg-type]
        base=tmp_path,
    )
    for shared, value in (("recode.max_suppression", 0.4), ("recode.algorithm", "datafly")):
        (point,) = frontier(table, plan, shared, [value]).to_pylist()
        release = anonymize(table, plan.with_settings({shared: value}))
        assert (point["feasible"], point["score"]) == (True, release.facts.score), shared


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_stopped_point_is_not_called_infeasible(name: str) -> None:
    points = frontier(frame_for(name), asking(name), "recode.time_limit", [1e-9]).to_pylist()
    assert points[0]["feasible"] is not False


def test_unfinished_not_found_and_impossible_are_told_apart(
    tmp_path: Path, kohort: Callable[..., Result]
) -> None:
    table = lopsided(100)
    pa.csv.write_csv(table, tmp_path / "people.csv")
    cases = {
        ("datafly", 0.6, 1e-9): (None, "search.unfinished", "stopped before any was found"),
        ("top-down", 0.6, 9.0): (None, "infeasible.not-found", "none found"),
        ("optimal", 0.0, 9.0): (False, "infeasible.no-recoding", "no solution"),
    }
    for (name, share, seconds), (feasible, code, words) in cases.items():
        plan = asking(name, SHARE, max_suppression=share, time_limit=seconds)
        (point,) = frontier(table, plan, "require.0.k", [3]).to_pylist()
        assert (point["feasible"], point["code"]) == (feasible, code)
        path = tmp_path / "plan.toml"
        path.write_text(
            plan_toml(plan.with_settings({"input.path": "people.csv"}).to_dict()), encoding="utf-8"
        )
        told = kohort("frontier", path, "--k", "3", "--json")
        assert json.loads(told.out)["points"][0]["code"] == code
        assert words in " ".join(kohort("frontier", path, "--k", "3").out.split())


@pytest.mark.parametrize("name", [name for name, kind in MODELS.items() if "k" in kind.__dataclass_fields__])
def test_k_is_varied_of_every_model_that_has_one(
    name: str, tmp_path: Path, kohort: Callable[..., Result]
) -> None:
    table = frame_for("optimal")
    for file in ("people.csv", "population.csv"):
        pa.csv.write_csv(table, tmp_path / file)
    columns: dict[str, Any] = {**plan_for("optimal").columns, "ill": {"role": "sensitive", "hierarchy": TREE}}
    told = {"path": "people.csv"} | ({"population": "population.csv"} if name == "k-map" else {})
    plan = Plan(columns=columns, require=[{"model": name, **PROMISES[name]}], input=told)  # type: ignore[list-item,arg-type]
    path = tmp_path / "plan.toml"
    path.write_text(plan_toml(plan.to_dict()), encoding="utf-8")
    points = json.loads(kohort("frontier", path, "--k", "3,4", "--json").out)["points"]
    assert [(point["value"], point["feasible"]) for point in points] == [(3, True), (4, True)]


@pytest.mark.parametrize("several", [False, True])
def test_every_figure_has_its_whole_and_whose_it_is(
    several: bool, tmp_path: Path, kohort: Callable[..., Result]
) -> None:
    """On the terminal and on the page: rows of how many, the prosecutor's risks, of records or of people."""
    ages, rows = ["20", "21"] * 4 + ["70"], 9
    whose = [f"p{i // 2}" for i in range(rows)] if several else [f"p{i}" for i in range(rows)]
    frame = pa.table({"who": whose, "age": ages})
    pa.csv.write_csv(frame, tmp_path / "people.csv")
    plan = Plan(
        columns={"who": "identifier", "age": {"role": "quasi", "hierarchy": {"kind": "suppress"}}},  # type: ignore[dict-item]
        require=[{"model": "k-anonymity", "k": 2}],  # type: ignore[list-item]
        recode={"algorithm": "outliers", "max_suppression": 0.5},  # type: ignore[arg-type]
        input={"path": "people.csv"} | ({"respondent": "who"} if several else {}),  # type: ignore[arg-type]
    )
    (tmp_path / "plan.toml").write_text(plan_toml(plan.to_dict()), encoding="utf-8")
    (point,) = points_of(frame, plan, "require.0.k", [2], Silent())
    assert (point["suppressed"], point["rows"]) == (1, rows)
    due = [
        "Suppressed are rows, of the 9 of the original.",
        "known to be in the table by quasi-identifiers (prosecutor)",
        f"the highest of any {'person' if several else 'record'}",
        f"average over all {'people' if several else 'records'} in the release",
        "1 (11 %)",
        "25 %",  # four people, or four rows, share each age
    ]
    page = "".join(str(block) for block in frontier_blocks(convert([point], list[Point])))
    terminal = " ".join(kohort("frontier", tmp_path / "plan.toml", "--k", "2").out.split())
    for text in (page, terminal):
        assert [said for said in due if said not in text] == []
        assert ("a row or a person being picked" in text) is several


def test_scores_of_several_objectives_are_not_told_under_the_name_of_one() -> None:
    points = convert(
        points_of(
            frame_for("optimal"), plan_for("optimal"), "recode.objective", ["loss", "entropy"], Silent()
        ),
        list[Point],
    )
    assert scored_by(points[:1]) == "loss"
    assert scored_by(points) == "score, each by its own objective"


def test_sets_are_refused_by_their_shape_first(tmp_path: Path, kohort: Callable[..., Result]) -> None:
    (tmp_path / "sets.toml").write_text(
        '[input]\npath = "b.csv"\nshape = "sets"\n[columns]\nbasket = { role = "set", separator = ";", hierarchy = { kind = "tree", tree = { A = ["a"] } } }\n'
        '[[require]]\nmodel = "k-m"\nk = 2\nm = 2\n',
        encoding="utf-8",
    )
    told = kohort("frontier", tmp_path / "sets.toml", "--k", "2,3")
    assert (told.code, "does not serve" in told.err) == (2, True), told.err
