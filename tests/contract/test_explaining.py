"""Why a record was left out, of every algorithm: which rows, how many share their class, what would have kept them."""

from __future__ import annotations

import json
import re
from collections import Counter
from html import unescape
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from msgspec import to_builtins
from tests.contract.test_algorithms import SMALL, SPECIAL
from tests.reference.few_steps import FEW_STEPS
from typer.testing import CliRunner

import kohort
from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.cli.main import app
from kohort.errors import InputError
from kohort.explaining.columns import column_costs
from kohort.explaining.reopened import FILE, Reopened
from kohort.facts.explanation import RowExplained
from kohort.pipeline import make_release
from kohort.plan import Plan
from kohort.recode.dealt import Dealing
from kohort.release.release import Release
from kohort.report.explanation import said_of_columns, said_of_row

N, K = 80, 3
WIDTHS = (10, 20, 40)
AGE = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": list(WIDTHS), "origin": 0}}
TOWN = {"role": "quasi", "hierarchy": {"kind": "suppress"}}
SHUFFLED = ("anatomy", "dp-mdav")  # they refuse to tell the order of rows
ONE_QUASI = ("univariate", "outliers")
PROMISED = {"factor-2": 2}
CANARY = "Quixote7311"


def people(folder: Path, coarse: bool = False, rows: int = N) -> Path:
    """Some who are alone, and a name that must stand nowhere."""
    rng = np.random.default_rng(5)
    ages = rng.integers(20, 60, N)
    ages = ages // 10 * 10 if coarse else ages
    ages[3], ages[7] = 97, 5
    path = folder / "people.csv"
    table = {
        "who": [f"{CANARY}-{i}" for i in range(N)],
        "age": ages,
        "town": rng.choice(["Aa", "Bb", "Cc"], N, p=[0.5, 0.3, 0.2]),
        "ill": rng.choice(["flu", "gout", "hiv"], N),
    }
    pyarrow.csv.write_csv(pa.table(table).slice(0, rows), path)
    return path


def plan_of(name: str, source: Path, people: bool = False, **recode: object) -> Plan:
    columns = {"who": "identifier", "age": AGE, "ill": "sensitive"}
    columns |= {} if name in ONE_QUASI else {"town": TOWN}
    diverse = {"model": "l-diversity", "l": 2, "column": "ill"}
    told = {
        "input": {"path": str(source)} | ({"respondent": "who"} if people else {}),
        "columns": columns,
        "require": [diverse if name == "anatomy" else {"model": "k-anonymity", "k": PROMISED.get(name, K)}],
        "recode": {"algorithm": name, "max_suppression": 0.1, "seed": 1} | SPECIAL.get(name, {}) | recode,
        "output": {"ledger": ""} | ({} if name in SHUFFLED else {"shuffle": False}),
    }
    told["recode"] |= {"options": FEW_STEPS[name]} if name in FEW_STEPS else {}
    if algorithm(name).card.covers_all:
        told |= {"columns": {"who": "identifier", "age": "quasi"}}
    return Plan.from_dict(told)


def made(name: str, folder: Path, **asked: object) -> Path:
    source = people(folder, coarse=name == "outliers", rows=SMALL.get(name, N))
    Release.written(make_release(source, plan_of(name, source, **asked), Silent()), folder / "out")
    return folder / "out"


def facts_of(out: Path) -> dict[str, object]:
    return json.loads((out.with_name("out.private") / "audit.json").read_text(encoding="utf-8"))["facts"]


def rows_of(folder: Path) -> list[tuple[int, str]]:
    table = pyarrow.csv.read_csv(folder / "people.csv")
    return list(zip(table["age"].to_pylist(), table["town"].to_pylist(), strict=True))


def told_at(row: tuple[int, str], levels: tuple[int, int]) -> tuple[object, object]:
    """A row by its levels, counted by hand: intervals of a width from 0, and a town or none."""
    age, town = row
    width = (1, *WIDTHS)[levels[0]] if levels[0] <= len(WIDTHS) else None
    return age // width if width else "*", "*" if levels[1] else town


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_of_every_algorithm_each_row_is_explained_as_a_count_by_hand_finds(name: str, tmp_path: Path) -> None:
    out = made(name, tmp_path)
    facts, reopened, rows = facts_of(out), Reopened.of(out), rows_of(tmp_path)
    one = "town" not in facts["asked"]["columns"]
    rows = [(age, "") for age, _ in rows] if one else rows
    explained = kohort.explain(out, 4), kohort.explain(out, 1)
    assert int(reopened.left_out.sum()) == facts["suppressed"]
    levels = facts["levels"] if reopened.card.levels else None
    node = (0, 0) if levels is None else (levels["age"], levels.get("town", 0))
    sizes = Counter(told_at(row, node) for row in rows)
    for told in (explained[0][0], explained[1][0]):
        row, gone = rows[told.row - 1], bool(reopened.left_out[told.row - 1])
        assert told.fate == ("left out" if gone else "released")
        assert told.by_levels == (levels is not None)
        assert told.people == told.rows == sizes[told_at(row, node)]
        if told.by_levels and name != "anatomy":
            assert gone == (told.people < K), "whole classes of levels are left out"
        assert_steps(told, row, rows, node)
        assert CANARY not in "".join(said_of_row(told, reopened.facts))
    assert bool(explained[0][0].coarser) == bool(reopened.left_out[3])


def assert_steps(
    told: RowExplained, row: tuple[int, str], rows: list[tuple[int, str]], node: tuple[int, int]
) -> None:
    """What would have kept a row is enough, and nothing less of the same column is."""
    for step in told.coarser:
        place = ("age", "town").index(step.column)
        for steps in range(1, step.steps + 1):
            levels = tuple(level + steps * (i == place) for i, level in enumerate(node))
            found = sum(told_at(other, levels) == told_at(row, levels) for other in rows)
            assert (found >= K) == (step.kept and steps == step.steps), (step, levels)
        assert found == step.people


def test_the_private_folder_lists_the_rows_that_were_left_out_and_why(tmp_path: Path) -> None:
    out = made("optimal", tmp_path)
    told = pyarrow.parquet.read_table(out.with_name("out.private") / FILE).to_pylist()
    facts, rows = facts_of(out), rows_of(tmp_path)
    node = (facts["levels"]["age"], facts["levels"]["town"])
    sizes = Counter(told_at(row, node) for row in rows)
    alone = {i + 1: sizes[told_at(row, node)] for i, row in enumerate(rows) if sizes[told_at(row, node)] < K}
    assert {line["row"]: line["people"] for line in told} == alone
    assert {line["broken"] for line in told} == {"3-anonymity"}
    why = facts["why"]
    assert why["broken"] == [{"promises": ["3-anonymity"], "rows": len(alone)}]
    for finer in why["finer"]:
        place = ("age", "town").index(finer["column"])
        lower = tuple(level - (i == place) for i, level in enumerate(node))
        counts = Counter(told_at(row, lower) for row in rows)
        lost = sum(counts[told_at(row, lower)] < K for row in rows)
        assert (finer["left_out"], finer["allowed"]) == (lost, lost <= 0.1 * N)


def test_what_is_said_of_rows_left_out_is_what_was_counted(tmp_path: Path) -> None:
    out = made("optimal", tmp_path)
    facts, rows = facts_of(out), rows_of(tmp_path)
    page = unescape(
        re.sub(r"<[^>]+>", " ", (out.with_name("out.private") / "report.html").read_text(encoding="utf-8"))
    )
    page = " ".join(page.split())
    assert f"promises that their classes would break rows 3-anonymity {facts['suppressed']}" in page
    node = (facts["levels"]["age"], facts["levels"]["town"])
    sizes = Counter(told_at(row, node) for row in rows)
    lost = [row for row in rows if sizes[told_at(row, node)] < K]
    for told in facts["why"]["coarser"]:
        higher = tuple(
            level + (name == told["column"]) for level, name in zip(node, ("age", "town"), strict=True)
        )
        counts = Counter(told_at(row, higher) for row in rows)
        saved = sum(counts[told_at(row, higher)] >= K for row in lost)
        assert told["rows"] == saved
        assert f"{told['column']} {told['level']} {saved}" in page
    for told in facts["why"]["finer"]:
        allowed = "yes" if told["allowed"] else "no"
        assert f"{told['column']} {told['level']} {told['left_out']} {allowed}" in page
    said = " ".join(said_of_row(kohort.explain(out, 4)[0], Reopened.of(out).facts))
    assert "row 4 was left out its class at the released levels holds 1 record, itself included" in " ".join(
        said.split()
    )
    assert "3-anonymity: broken by that class (this class alone achieves 1)" in said


def public(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.parametrize("name", ["optimal", "mondrian", "k-member", "mdav"])
def test_the_public_bytes_do_not_depend_on_it(name: str, tmp_path: Path, monkeypatch) -> None:
    """Why rows were left out is private: a release made without asking is the same to the byte."""
    for folder in ("with", "without"):
        (tmp_path / folder).mkdir()
    # Which of equal rows is in which group is drawn anew for every release.
    monkeypatch.setattr(
        "kohort.algorithms.partition.grouped_search.dealing_of",
        lambda problem, **_: Dealing(np.arange(problem.n_rows)),
    )
    first = public(made(name, tmp_path / "with", suppressed_rows="drop"))
    monkeypatch.setattr("kohort.evidence.release.why_left_out", lambda *_: None)
    monkeypatch.setattr("kohort.tables.published_table.left_out_rows", lambda *_: None)
    assert public(made(name, tmp_path / "without", suppressed_rows="drop")) == first
    assert not any(b"kohort explain" in content for content in first.values())


def test_no_value_of_the_original_is_told(tmp_path: Path) -> None:
    out = made("optimal", tmp_path, people=True)
    private = out.with_name("out.private")
    assert all(CANARY.encode() not in path.read_bytes() for path in private.iterdir())
    runner = CliRunner()
    done = runner.invoke(app, ["explain", str(out), "--id", f"{CANARY}-3", "--columns"])
    assert done.exit_code == 0, done.output
    assert CANARY not in done.output
    refused = runner.invoke(app, ["explain", str(out), "--id", f"{CANARY}-no"])
    assert refused.exception is not None
    assert CANARY not in str(refused.exception)
    assert CANARY not in refused.output
    listed = runner.invoke(app, ["explain", str(out), "--row", "4", "--json"])
    assert json.loads(listed.stdout)["rows"] == json.loads(
        json.dumps(to_builtins(kohort.explain(out, id=f"{CANARY}-3")))
    )


def test_people_with_several_rows_are_counted_once_and_all_their_rows_explained(tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    rows = [("a", 21), ("a", 22), ("b", 23), ("b", 71), ("c", 45), ("c", 46), ("d", 47), ("d", 48), ("e", 49)]
    pyarrow.csv.write_csv(pa.table({"who": [w for w, _ in rows], "age": [a for _, a in rows]}), source)
    columns = {"who": "identifier", "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10], "origin": 0}, "max_level": 1}}  # fmt: skip
    plan = Plan.from_dict(
        {
            "input": {"path": str(source), "respondent": "who"},
            "columns": columns,
            "require": [{"model": "k-anonymity", "k": 3}],
            "recode": {"max_suppression": 0.5},
            "output": {"ledger": ""},
        }
    )
    Release.written(make_release(source, plan, Silent()), tmp_path / "out")
    told = kohort.explain(tmp_path / "out", id="B")
    assert [(one.row, one.fate, one.people, one.rows) for one in told] == [
        (3, "left out", 2, 3),
        (4, "left out", 1, 1),
    ]
    assert kohort.explain(tmp_path / "out", 5)[0].people == 3


def test_a_release_of_the_engine_on_disk_is_explained_by_levels_and_refused_otherwise(tmp_path: Path) -> None:
    source = people(tmp_path)
    for name in ("optimal", "mondrian"):
        plan = plan_of(name, source)
        draft = make_release(source, plan, Silent(), "duckdb")
        Release.written(draft, tmp_path / name)
        if name == "optimal":
            memory = tmp_path / "memory"
            Release.written(make_release(source, plan, Silent()), memory)
            assert [kohort.explain(tmp_path / name, n) for n in (1, 4, 8)] == [
                kohort.explain(memory, n) for n in (1, 4, 8)
            ]
        elif draft.facts.suppressed:
            with pytest.raises(InputError, match="memory engine"):
                kohort.explain(tmp_path / name, 1)


def test_another_or_a_changed_original_is_refused(tmp_path: Path) -> None:
    out = made("optimal", tmp_path)
    source = tmp_path / "people.csv"
    lines = source.read_text(encoding="utf-8").splitlines()
    lines[4] = lines[4].replace(",97,", ",33,")
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not the table that the release was made from"):
        kohort.explain(out, 1)
    source.unlink()
    with pytest.raises(InputError, match="or is not where it was; hand it over"):
        kohort.explain(out, 1)
    (out.with_name("out.private") / FILE).write_bytes(b"PAR1")
    with pytest.raises(InputError, match="was changed or is missing"):
        kohort.explain(out, 1)


def test_it_is_said_whether_the_original_is_the_same_to_the_byte(tmp_path: Path) -> None:
    out = made("optimal", tmp_path)
    source, audit = tmp_path / "people.csv", out.with_name("out.private") / "audit.json"
    explain = ["explain", str(out), "--row", "1"]

    def said() -> tuple[str, bool | None]:
        told = json.loads(CliRunner().invoke(app, [*explain, "--json"]).stdout)["same_original"]
        return " ".join(CliRunner().invoke(app, explain).output.split()), told

    told, same = said()
    assert ("made from, to the byte" in told, "is not the file" in told, same) == (True, False, True)
    source.write_text(source.read_text(encoding="utf-8").replace(f"{CANARY}-9", "else"), encoding="utf-8")
    told, same = said()
    assert ("is not the file that the release was made from" in told, same) == (True, False)
    document = json.loads(audit.read_text(encoding="utf-8"))
    assert len(document.pop("original_digest")) == 64
    audit.write_text(json.dumps(document), encoding="utf-8")
    told, same = said()
    assert ("no digest of the original was kept" in told, same) == (True, None)


@pytest.mark.parametrize("asked", [{}, {"row": 0}, {"row": N + 1}, {"row": 1, "id": "x"}, {"id": "x"}])
def test_what_names_no_row_is_refused(asked: dict[str, object], tmp_path: Path) -> None:
    out = made("optimal", tmp_path)
    with pytest.raises(InputError) as refused:
        kohort.explain(out, **asked)
    assert refused.value.code == "explain.which-row"


def test_what_a_column_costs_is_what_the_plan_loses_without_it(tmp_path: Path) -> None:
    out = made("optimal", tmp_path)
    reopened = Reopened.of(out)
    costs = column_costs(reopened)
    assert {cost.column for cost in costs} == {"age", "town"}
    for cost in costs:
        other = {"age": "town", "town": "age"}[cost.column]
        told = plan_of("optimal", tmp_path / "people.csv").to_dict()
        del told["columns"][cost.column]
        facts = make_release(tmp_path / "people.csv", Plan.from_dict(told), Silent()).facts
        loss = {c.name: c.generalized.loss for c in facts.columns if c.generalized}
        assert cost.without == loss[other]
        assert cost.left_out == facts.suppressed
    said = list(said_of_columns(costs, reopened.facts, 30))
    assert "the plan's own search (optimal) without it, at most 30 s each" in said[0]
    gains = [cost.without - cost.others for cost in costs]
    assert gains == sorted(gains)


def test_sets_are_refused_by_name(tmp_path: Path) -> None:
    source = tmp_path / "baskets.csv"
    source.write_text("who,bought\n" + "".join(f"p{i},tea|milk\n" for i in range(6)), encoding="utf-8")
    plan = Plan.from_dict(
        {
            "input": {"path": str(source), "shape": "sets"},
            "columns": {
                "who": "identifier",
                "bought": {
                    "role": "set",
                    "separator": "|",
                    "hierarchy": {"kind": "tree", "tree": {"drinks": ["tea", "milk"]}},
                },
            },
            "require": [{"model": "k-m", "k": 3, "m": 2}],
        }
    )
    Release.written(make_release(source, plan, Silent()), tmp_path / "out")
    with pytest.raises(
        InputError, match=r'explain: the plan says .input. shape = "sets", which it does not serve'
    ):
        kohort.explain(tmp_path / "out", 1)
