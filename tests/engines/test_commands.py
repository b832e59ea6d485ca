"""audit, frontier, attack and anonymize tell the same on every engine, in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.at_hand import AT_HAND
from tests.engines.conftest import Written, people, plan_of
from typer.testing import CliRunner

import kohort
from kohort import InputError, Plan
from kohort.algorithms import Silent
from kohort.attacks import ATTACKS, Outside, run_attacks
from kohort.attacks.attacked_release import target_of_directory
from kohort.attacks.groups import Groups
from kohort.cli.main import app
from kohort.engines import ENGINES, Need, engine
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table import Table
from kohort.table.writing import write_table

OTHERS = [name for name in AT_HAND if name != "memory"]
EACH = pytest.mark.parametrize("name", OTHERS)
BOUNDED = [name for name in AT_HAND if engine(name).bounded]


def starred(table: pa.Table) -> pa.Table:
    """Return the table with some rows suppressed in place, as a release with blank rows has them."""
    for name in ("age", "zip", "sex"):
        cells = ["*"] * 7 + table[name].to_pylist()[7:]
        table = table.set_column(table.column_names.index(name), name, pa.array(cells))
    return table


def somebody_twice(table: pa.Table) -> pa.Table:
    """Return the table with one respondent missing and one person both among the blank rows and elsewhere."""
    names = table["person"].to_pylist()
    return table.set_column(0, "person", pa.array([names[20], None, *names[2:]]))


def rounded(facts: Any) -> Any:
    """Return facts without the last digits, which follow the order in which classes are added up."""
    if isinstance(facts, dict):
        return {key: rounded(value) for key, value in facts.items()}
    if isinstance(facts, list):
        return [rounded(value) for value in facts]
    return round(facts, 9) if isinstance(facts, float) else facts


@EACH
@pytest.mark.parametrize("respondent", [None, "person"])
@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_audits_are_the_same(
    written: Written, tmp_path: Path, name: str, respondent: str | None, blank: bool, suffix: str
) -> None:
    table = somebody_twice(starred(people(2, 90)) if blank else people(2, 90))
    source = written(table, suffix)
    population = tmp_path / "population.csv"
    write_table(pa.concat_tables([people(9, 300), table]), population, escape_formulas=False)
    asked: list[dict[str, Any]] = [
        {},
        {"sampling_fraction": 0.1},
        {"population": population},
        {"plan": plan_of(columns__illness={"role": "sensitive", "hierarchy": {"kind": "suppress"}})},
    ]
    for more in asked:
        arguments = (source, ["age", "zip", "sex"], ["illness", "ward"], respondent)
        if "plan" in more:
            arguments = (source, None, None, respondent)
        one, other = (kohort.audit(*arguments, **more, engine=each) for each in ("memory", name))
        assert rounded(one) == rounded(other)


@EACH
def test_audits_are_refused_alike(written: Written, name: str) -> None:
    source = written(people(1, 30), ".csv")
    for arguments in (
        (source,),
        (source, []),
        (source, ["age", "age"]),
        (source, ["age"], ["age"]),
        (source, ["abacus"]),
    ):
        told = []
        for each in ("memory", name):
            with pytest.raises(InputError) as caught:
                kohort.audit(*arguments, engine=each)
            told.append(str(caught.value))
        assert told[0] == told[1]
    with pytest.raises(InputError, match="reads files"):
        kohort.audit(people(1, 30), ["age"], engine=name)


@EACH
@pytest.mark.parametrize(
    ("parameter", "values"),
    [("require.0.k", [2, 5, 900]), ("columns.age.max_level", [1, 2]), ("columns.zip.min_level", [0, 1]),
     ("recode.algorithm", ["optimal", "mondrian"])],
)  # fmt: skip
def test_frontiers_are_the_same(written: Written, name: str, parameter: str, values: list[object]) -> None:
    source, plan = (
        written(people(4, 120), ".csv"),
        plan_of(recode__max_suppression=0.4, input__respondent="person", columns__zip__hierarchy__length=5),
    )
    points = [kohort.frontier(source, plan, parameter, values, engine=each) for each in ("memory", name)]
    for point in (point for told in points for point in told):
        point.pop("seconds", None)
    assert points[0] == points[1]


@EACH
def test_a_frontier_refuses_what_is_not_served_before_it_reads(tmp_path: Path, name: str) -> None:
    assert Need.ROWS in engine(name).lacks
    with pytest.raises(InputError, match=f"forest looks at single rows.*{name} engine"):
        kohort.frontier(tmp_path / "nowhere.csv", plan_of(), "recode.algorithm", ["forest"], engine=name)


@EACH
def test_a_release_in_python_is_verified(written: Written, name: str) -> None:
    source, plan = written(people(5), ".csv"), plan_of(output__format="parquet")
    release = kohort.anonymize(source, plan, engine=name, memory="800MB" if name in BOUNDED else None)
    assert release.verdicts
    assert all(verdict.holds for verdict in release.verdicts)
    assert release.levels == kohort.anonymize(source, plan).levels


@EACH
def test_attacks_are_the_same(tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng(1)
    table = people(6, 300).append_column("dose", pa.array([str(d) for d in rng.integers(0, 40, 300)]))
    source = tmp_path / "source.csv"
    write_table(table, source, escape_formulas=False)
    plan = Plan.from_dict(
        plan_of().to_dict() | {"columns": plan_of().to_dict()["columns"] | {"dose": "sensitive"}}, Path.cwd()
    )
    Release.written(make_release(source, plan, Silent()), tmp_path / "out")
    outside = Outside(
        Table.from_arrow(people(6, 80).select(["person", "age", "sex"])), ("age", "sex"), "person"
    )
    one = target_of_directory(tmp_path / "out", outside).target
    other = target_of_directory(tmp_path / "out", outside, engine=name).target
    served = [attack for attack, kind in ATTACKS.items() if kind.card.decides == "class"]
    assert {"linking", "homogeneity", "skewness", "similarity"} <= set(served)
    expected, found = (run_attacks(target, served)[0] for target in (one, other))
    assert [f.attack for f in expected] == [f.attack for f in found]
    assert {f.attack for f in found} == set(served)
    for before, after in zip(expected, found, strict=True):
        assert after.success == pytest.approx(before.success)
        assert after.baseline == pytest.approx(before.baseline)
        assert after.n == before.n
        assert after.control == pytest.approx(before.control, abs=0.4)  # other draws of the same chance
        assert (after.bound, after.measure) == (before.bound, before.measure)
    lacking = run_attacks(other).lacking
    assert {attack for attack, why in lacking.items() if "memory engine" in why} == set(ATTACKS) - set(served)


@EACH
@pytest.mark.parametrize("told", [True, False])
def test_attacks_know_the_people_of_the_original(tmp_path: Path, name: str, told: bool) -> None:
    """Named as such, or found where the private audit says it was read: distinct tuples stand for their rows."""
    source = tmp_path / "source.csv"
    write_table(people(6, 300), source, escape_formulas=False)
    Release.written(make_release(source, plan_of(), Silent()), tmp_path / "out")
    original = source if told else None
    expected, found = (
        kohort.attack(tmp_path / "out", original=original, engine=where) for where in ("memory", name)
    )
    by_class = [attack for attack, kind in ATTACKS.items() if kind.card.decides == "class"]
    assert {"linking", "association-cover"} <= {one["attack"] for one in found["attacks"]}
    assert not [one for one in by_class if one in found["not_run"] and one not in expected["not_run"]]
    before = {one["attack"]: one for one in expected["attacks"]}
    for after in (one for one in found["attacks"] if one["attack"] in ("linking", "association-cover")):
        same = before[after["attack"]]
        assert after["n"] == same["n"]
        assert after["success"] == pytest.approx(same["success"])
        assert after["sentence"] == same["sentence"]
        assert after["interval"] == pytest.approx(same["interval"], abs=0.02)
        told_apart = {"control"}
        assert {k: v for k, v in after["details"].items() if k not in told_apart} == {
            k: v for k, v in same["details"].items() if k not in told_apart
        }


@EACH
def test_an_original_that_the_engine_does_not_read_is_refused_by_name(tmp_path: Path, name: str) -> None:
    source = tmp_path / "source.csv"
    write_table(people(6, 100), source, escape_formulas=False)
    Release.written(make_release(source, plan_of(), Silent()), tmp_path / "out")
    with pytest.raises(InputError, match=f"{name} engine does not read files with the suffix '.xlsx'"):
        kohort.attack(tmp_path / "out", original=tmp_path / "nobody.xlsx", engine=name)


def test_attacks_in_python_are_those_of_the_command(tmp_path: Path) -> None:
    source = tmp_path / "source.csv"
    write_table(people(6, 100), source, escape_formulas=False)
    Release.written(make_release(source, plan_of(), Silent()), tmp_path / "out")
    told = run("attack", tmp_path / "out", "--all")
    found = json.loads(json.dumps(kohort.attack(tmp_path / "out")))
    assert found["attacks"] == told["attacks"]
    assert found["not_run"] == told["not_run"]
    voters = people(6, 40).select(["person", "age", "sex"])
    named = kohort.attack(tmp_path / "out", voters, ["age", "sex"], "person", attacks=["linking"])
    assert [one["n"] for one in named["attacks"]] == [40]
    with pytest.raises(InputError, match="hand it over as with_"):
        kohort.attack(tmp_path / "out", on=["age"])


def test_values_are_dealt_by_numbers_as_they_are_record_by_record() -> None:
    rng = np.random.default_rng(2)
    owners, values = rng.integers(0, 6, 400), rng.integers(0, 3, 400).astype(np.int32)
    records = Groups(owners, values, 6, ("a", "b", "c"))
    cells = records.histogram
    counted = Groups(cells.owners, cells.values, 6, ("a", "b", "c"), counts=cells.counts)
    assert counted.n_records == 400
    dealt = [
        np.mean([groups.shuffled(rng).histogram.dense() for _ in range(300)], axis=0)
        for groups in (records, counted)
    ]
    one = counted.shuffled(rng)
    assert one.sizes.tolist() == records.sizes.tolist()
    assert one.priors.tolist() == records.priors.tolist()
    assert np.abs(dealt[0] - dealt[1]).max() < 1.5


@EACH
def test_several_releases_are_refused_by_name(written: Written, tmp_path: Path, name: str) -> None:
    Release.written(make_release(written(people(6), ".csv"), plan_of(), Silent()), tmp_path / "out")
    with pytest.raises(InputError, match=f"{name} engine does not hold them"):
        target_of_directory(tmp_path / "out", others=[tmp_path / "out"], engine=name)


def run(*words: object) -> Any:
    done = CliRunner().invoke(app, [*map(str, words), "--json"], catch_exceptions=False)
    return json.loads(done.stdout.splitlines()[-1])


def test_every_command_takes_every_engine(tmp_path: Path) -> None:
    write_table(people(3, 150), tmp_path / "people.csv", escape_formulas=False)
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[input]\npath = "people.csv"\n[columns]\nage = "quasi"\nsex = "quasi"\nillness = "sensitive"\n'
        '[[require]]\nmodel = "k-anonymity"\nk = 3\n'
    )
    for name in AT_HAND:
        options = ["--engine", name, *(["--memory", "800MB"] if name in BOUNDED else [])]
        out = tmp_path / name
        assert run("anonymize", plan, "-o", out, *options)["released"]
        assert run("verify", out, *options)["holds"] is True
        assert run("audit", tmp_path / "people.csv", "--quasi", "age,sex", *options)["rows"] == 150
        assert run("frontier", plan, "--k", "2,4", *options)["points"]
        assert run("compare", plan, "--k", "2", "--time-limit", "1", *options)["trials"]
        assert run("attack", out, *options)["attacks"]


@pytest.mark.parametrize(
    "words", [("anonymize", "p.toml"), ("verify", "out"), ("audit", "t.csv"), ("frontier", "p.toml"), ("compare", "p.toml"),
              ("attack", "out")]
)  # fmt: skip
def test_every_command_refuses_what_there_is_not(words: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=f"the engines are: {', '.join(ENGINES)}"):
        run(*words, "--engine", "abacus")
    with pytest.raises(InputError, match=f"--memory bounds the {BOUNDED[0]}"):
        run(*words, "--memory", "1GB")


def test_a_bound_that_is_not_kept_is_refused_in_python(written: Written) -> None:
    source = written(people(1, 30), ".csv")
    for call in (
        lambda: kohort.anonymize(source, plan_of(), memory="1GB"),
        lambda: kohort.audit(source, ["age"], memory="1GB"),
        lambda: kohort.verify(source, plan_of(), memory="1GB"),
        lambda: kohort.frontier(source, plan_of(), "require.0.k", [2], memory="1GB"),
        lambda: kohort.compare(source, plan_of(), k=[2], memory="1GB"),
    ):
        with pytest.raises(InputError, match="memory engine keeps no bound"):
            call()
