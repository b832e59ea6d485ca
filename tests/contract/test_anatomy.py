"""Anatomy promises what groups tell of one column and nothing else: in every word and number that is published."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.reference import release as outsider

import kohort
from kohort.cli.main import main
from kohort.models import MODELS
from kohort.plan.text import plan_toml
from kohort.table.formats import WRITERS
from kohort.verification.verify import verify_directory

COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20], "domain": [0, 99]}},
    "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
    "ill": {
        "role": "sensitive",
        "hierarchy": {"kind": "tree", "tree": {"lung": ["flu", "cough"], "other": ["gout", "hiv", "ulcer"]}},
    },
}
DIVERSE = {"model": "l-diversity", "column": "ill", "l": 2}
# Every model of the registry with what it asks; tuples are spoken of by those that bound linking.
ASKED: dict[str, list[dict[str, Any]]] = {
    "k-anonymity": [{"k": 2}],
    "l-diversity": [
        {"column": "ill", "l": 2},
        {"column": "ill", "l": 2, "variant": "entropy"},
        {"column": "ill", "l": 2, "variant": "recursive", "c": 3.0},
    ],
    "t-closeness": [{"column": "ill", "t": 0.9}],
    "p-sensitive": [{"column": "ill", "p": 2}, {"column": "ill", "p": 2, "k": 2}],
    "extended-p-sensitive": [
        {"column": "ill", "p": 2, "level": 0},
        {"column": "ill", "p": 2, "level": 0, "k": 2},
    ],
    "alpha-k": [{"column": "ill", "alpha": 0.5, "k": 1}, {"column": "ill", "alpha": 0.5, "k": 2}],
    "beta-likeness": [{"column": "ill", "beta": 9.0}],
    "delta-disclosure": [{"column": "ill", "delta": 9.0, "absent": "ignore"}],
    "k-map": [{"k": 2}],
    "average-risk": [{"risk": 0.9}],
    "personalized": [{"column": "ill", "guard": "wish", "breach": 0.9}],
}
CASES = [(name, told) for name, cases in ASKED.items() for told in cases]
# Claims that would be about tuples, in whatever is printed or written.
CLAIMS = ("-anonymity", "finds no fewer than", "points at fewer than", "cannot tell them from", "at most 1")


def people(seed: int, n: int = 120) -> pa.Table:
    rng = np.random.default_rng(seed)
    ill = rng.permutation(np.resize(["flu", "cough", "gout", "hiv", "ulcer"], n))
    zips = rng.choice(["94138", "94139", "01234"], n)
    return pa.table({"age": rng.integers(20, 60, n), "zip": zips, "ill": ill})


def plan_of(*require: dict[str, Any], **changes: Any) -> kohort.Plan:
    told = {"columns": COLUMNS, "recode": {"algorithm": "anatomy"}} | changes
    return kohort.Plan(require=list(require), **told)


def tuples_are_spoken_of(name: str, told: dict[str, Any]) -> bool:
    return name in ("k-map", "average-risk", "personalized") or told.get("k", 1) > 1


def test_every_model_is_asked() -> None:
    assert set(ASKED) == set(MODELS)


@pytest.mark.parametrize(("name", "told"), CASES, ids=str)
def test_a_model_is_refused_by_name_or_judged_in_groups(
    name: str, told: dict[str, Any], tmp_path: Path
) -> None:
    frame, columns = people(1), COLUMNS
    if name == "personalized":
        frame = frame.append_column("wish", pa.array(["lung"] * 120))
        columns = COLUMNS | {"wish": "sensitive"}
    changes: dict[str, Any] = {"columns": columns}
    if name == "k-map":
        pa.csv.write_csv(frame, tmp_path / "everybody.csv")
        changes["input"] = {"population": str(tmp_path / "everybody.csv")}
    asked = {"model": name} | told
    if tuples_are_spoken_of(name, told):
        with pytest.raises(kohort.InputError, match=r"anatomy|guard"):
            kohort.anonymize(frame, plan_of(DIVERSE, asked, **changes))
        return
    release = kohort.anonymize(frame, plan_of(DIVERSE, asked, **changes))
    judged = [verdict for verdict in release.verdicts if verdict.promise.endswith(" in every group")]
    assert len(judged) == 2
    assert all(verdict.holds for verdict in release.verdicts)


@pytest.mark.parametrize("seed", range(6))
def test_the_risk_told_is_that_of_the_released_table(seed: int, tmp_path: Path) -> None:
    """Whoever audits the released table finds what the report says: nobody is hidden."""
    release = kohort.anonymize(
        people(seed), plan_of(DIVERSE, recode={"algorithm": "anatomy", "options": {"least": 6}})
    )
    found = kohort.audit(release.table, ["age", "zip"])
    assert release.facts.to_dict()["risk"] == found["risk"]
    assert release.facts.classes == found["classes"]
    assert release.facts.risk.prosecutor.highest == 1, "some age and zip is alone"
    both = release.table.to_pandas()
    assert release.facts.apart.groups == both["group"].nunique()
    assert sum(line.records for line in release.facts.apart.sizes) == 120
    assert min(line.least for line in release.facts.apart.sizes) == both.groupby("group").size().min() >= 6


@pytest.mark.parametrize("format", sorted(suffix[1:] for suffix in WRITERS))
def test_what_is_written_is_what_an_outsider_counts(format: str, tmp_path: Path) -> None:
    frame = people(2).append_column("row", pa.array([f"r{i}" for i in range(120)]))
    columns = COLUMNS | {"row": {"role": "insensitive", "allow_unique": True}}
    require = {"model": "l-diversity", "column": "ill", "l": 3}
    out = kohort.anonymize(frame, plan_of(require, columns=columns)).save(tmp_path / "out", format)
    assert all(verdict.holds for verdict in verify_directory(out))
    if format in ("csv", "parquet"):
        rows, values = (outsider.read_release(out / f"{stem}.{format}") for stem in ("table", "sensitive"))
        ill = dict(zip(frame["row"].to_pylist(), frame["ill"].to_pylist(), strict=True))
        told = rows.assign(ill=[ill[row] for row in rows["row"]])
        counted = told.groupby(["group", "ill"]).size().to_dict()
        lines = values.itertuples(index=False, name=None)
        assert {(group, value): int(count) for group, value, count in lines} == counted
        assert outsider.max_share(told, ["group"], "ill") <= 1 / 3 + 1e-9


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Run the command and return its exit code."""
    monkeypatch.setattr("sys.argv", ["kohort", *map(str, arguments)])
    with pytest.raises(SystemExit) as exited:
        main()
    return int(exited.value.code or 0)


def written_plan(place: Path, frame: pa.Table, **changes: Any) -> Path:
    pa.csv.write_csv(frame, place / "people.csv")
    require = changes.pop("require", [DIVERSE | {"l": 3}])
    told = {"input": {}} | changes
    plan = plan_of(*require, **told | {"input": told["input"] | {"path": "people.csv"}})
    (place / "plan.toml").write_text(plan_toml(plan.to_dict()), encoding="utf-8")
    return place / "plan.toml"


def test_no_sentence_claims_anything_about_tuples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = written_plan(tmp_path, people(3))
    assert run(monkeypatch, "anonymize", plan, "-o", tmp_path / "out") == 0
    assert run(monkeypatch, "verify", tmp_path / "out") == 0
    said = {"terminal": capsys.readouterr().out}
    for folder in ("out", "out.private"):
        for path in (tmp_path / folder).glob("*.*"):
            if path.suffix in (".json", ".html"):
                said[f"{folder}/{path.name}"] = path.read_text(encoding="utf-8")
    assert len(said) == 6
    for where, text in said.items():
        assert not [claim for claim in CLAIMS if claim in text], where
    assert "distinct 3-diversity of ill in every group" in said["terminal"]
    assert "nobody is hidden" in said["terminal"]
    assert "Nobody is hidden" in said["out.private/report.html"]
    assert json.loads(said["out.private/audit.json"])["facts"]["risk"]["prosecutor"]["highest"] == 1


REFUSED: dict[str, dict[str, Any]] = {
    "[[require]] k-anonymity: anatomy": {"require": [DIVERSE, {"model": "k-anonymity", "k": 5}]},
    "[output] shuffle is false": {"output": {"shuffle": False}},
    "[columns] wage: anatomy": {"columns": COLUMNS | {"wage": "sensitive"}},
    "respondents have more than one row": {"input": {"respondent": "who"}},
    "[output] task": {"output": {"task": "ill"}},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_kept_is_refused_and_nothing_is_written(
    message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = people(4).append_column("wage", pa.array([i % 7 for i in range(120)]))
    frame = frame.append_column("who", pa.array([f"p{i // 2}" for i in range(120)]))
    plan = written_plan(tmp_path, frame, **REFUSED[message])
    assert run(monkeypatch, "anonymize", plan, "-o", tmp_path / "out") == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out").exists()


def test_a_release_that_promises_tuples_is_found_out(tmp_path: Path) -> None:
    """A plan that asks for k-anonymity as well is refused by whoever judges, as by whoever releases."""
    out = kohort.anonymize(people(5), plan_of(DIVERSE)).save(tmp_path / "out")
    asked = plan_of(DIVERSE, {"model": "k-anonymity", "k": 2})
    with pytest.raises(kohort.InputError, match="2-anonymity is not kept"):
        verify_directory(out, plan=asked)


def test_people_with_one_row_each_are_released_and_counted(tmp_path: Path) -> None:
    frame = people(6).append_column("who", pa.array([f"p{i}" for i in range(120)]))
    plan = plan_of(DIVERSE, input={"respondent": "who"}, output={"ledger": ""})
    release = kohort.anonymize(frame, plan)
    assert {v.promise: v.holds for v in release.verdicts}["nobody has more than one row"] is True
    out = release.save(tmp_path / "out")
    assert {v.promise: v.holds for v in verify_directory(out)}["nobody has more than one row"] is True
    shutil.rmtree(tmp_path / "out.private")
    alone = {v.promise: v.holds for v in verify_directory(out)}
    assert alone["nobody has more than one row"] is None, "who is who is not published"
