"""What a plan says has an effect, or is refused, or is told to have none: over all keys, shapes and algorithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.contract.test_algorithms import people
from tests.contract.test_capabilities import NUMBERS_ONLY, ROWS, SPECIAL, K

import kohort
from kohort.algorithms import ALGORITHMS, Silent, card_of
from kohort.engines import DEFAULT, Wanted, opened
from kohort.engines.preparing import prepare
from kohort.errors import InputError, KohortError
from kohort.metrics import METRICS
from kohort.plan import ContextPlan
from kohort.plan.documents import plan_documents
from kohort.preparation import chosen_algorithm
from kohort.preparation.effects import idle
from kohort.recode import Problem
from kohort.table import Table
from kohort.table.formats import HEEDED, READERS

AGE = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 20], "domain": [0, 99]}}
TREE = {"kind": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}
TABLE: dict[str, Any] = {
    "input": {"path": "people.csv"},
    "columns": {
        "age": AGE,
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
        "sex": {"role": "quasi"},
        "ill": "sensitive",
    },
    "require": [{"model": "k-anonymity", "k": 3}],
}
SETS: dict[str, Any] = {
    "input": {"path": "baskets.csv", "shape": "sets"},
    "columns": {"basket": {"role": "set", "separator": ";", "hierarchy": TREE}, "who": "identifier"},
    "require": [{"model": "k-m", "k": 2, "m": 2}],
}
BASES = {"table": TABLE, "sets": SETS}
# a column that points at people: it is refused, unless somebody insists
POINTING = {"columns.row.role": "insensitive"}
PAY, DAY = {"columns.pay.role": "insensitive"}, {"columns.day.role": "insensitive"}
NAMED = {"input.respondent": "who"}
WEIGHTY = {"recode.max_suppression": 0.3}

# key -> what the plan says before, and with the key; to be told otherwise must come to something else
CASES: dict[str, dict[str, tuple[dict[str, Any], Any]]] = {
    "table": {
        "input.path": ({}, "nobody.csv"),
        "input.table": ({}, "people"),
        "input.respondent": ({}, "who"),
        "input.delimiter": ({}, ";"),
        "input.encoding": ({}, "utf-16"),
        "input.header": ({}, False),
        "input.skip": ({}, 1),
        "input.footer": ({}, 1),
        "input.missing": ({}, ["", "f"]),
        "input.missing_in": ({}, {"sex": ["f"]}),
        "input.decimal": ({"input.path": "commas.csv"}, ","),
        "input.trim": ({"input.path": "written.csv"}, True),
        "input.fold": ({"input.path": "written.csv"}, ["sex"]),
        "input.population": ({}, "people.csv"),
        "input.shape": ({}, "sets"),
        "columns.zip.role": ({}, "identifier"),
        "columns.age.hierarchy": ({}, {"kind": "intervals", "widths": [5], "domain": [0, 9]}),
        "columns.zip.weight": ({}, 40),
        "columns.zip.suppression_cost": (WEIGHTY, 0.01),
        "columns.age.min_level": ({}, 2),
        "columns.age.max_level": ({}, 0),
        "columns.row.allow_unique": (POINTING, True),
        "columns.pay.round": (PAY, 1000),
        "columns.pay.bottom": (PAY, 1100),
        "columns.pay.top": (PAY, 1400),
        "columns.day.unit": (DAY, "month"),
        "columns.day.format": (DAY | {"columns.day.unit": "month"}, "%d.%m.%Y"),
        "columns.day.last_year": (DAY | {"columns.day.unit": "month"}, 2026),
        "columns.sex.decided": ({}, False),
        "recode.generalize": ({}, "cell"),
        "recode.suppress": ({}, "attribute"),
        "recode.max_suppression": ({}, 0.5),
        "recode.suppressed_rows": ({"recode.max_suppression": 0.3, "columns.age.max_level": 1, "columns.sex.max_level": 0}, "blank"),
        "recode.algorithm": ({}, "mondrian"),
        "recode.objective": ({}, "discernibility"),
        "recode.target": ({}, "ill"),
        "recode.seed": ({}, 3),
        "recode.options": ({}, {"nonsense": 1}),
        "output.format": ({}, "parquet"),
        "output.shuffle": ({"recode.max_suppression": 0.0}, False),
        "output.ledger": (NAMED, ""),
        "output.together": ({}, "demand"),
        "output.task": ({}, "ill"),
    },
    "sets": {
        "input.path": ({}, "nobody.csv"),
        "input.table": ({}, "baskets"),
        "input.respondent": ({}, "person"),
        "input.delimiter": ({}, "|"),
        "input.encoding": ({}, "utf-16"),
        "input.header": ({}, False),
        "input.skip": ({}, 1),
        "input.footer": ({}, 1),
        "input.missing": ({}, ["a1;b1"]),
        "input.missing_in": ({}, {"basket": ["a1;b1"]}),
        "input.decimal": ({}, ","),
        "input.trim": ({"input.path": "padded.csv"}, True),
        "input.fold": ({}, ["basket"]),
        "input.population": ({}, "baskets.csv"),
        "input.shape": ({}, "table"),
        "columns.who.role": ({}, "set"),
        "columns.basket.hierarchy": ({}, {"kind": "suppress"}),
        "columns.basket.separator": ({}, "b"),
        "columns.basket.weight": ({}, 2),
        "columns.basket.suppression_cost": ({}, 2),
        "columns.basket.min_level": ({}, 1),
        "columns.basket.max_level": ({}, 1),
        "columns.basket.allow_unique": ({}, True),
        "columns.basket.round": ({}, 10),
        "columns.basket.bottom": ({}, 10),
        "columns.basket.top": ({}, 10),
        "columns.basket.unit": ({}, "month"),
        "columns.basket.format": ({}, "%d.%m.%Y"),
        "columns.basket.last_year": ({}, 2026),
        "columns.basket.decided": ({}, False),
        "recode.generalize": ({}, "cell"),
        "recode.suppress": ({}, "tuple"),
        "recode.max_suppression": ({}, 0.5),
        "recode.suppressed_rows": ({}, "blank"),
        "recode.algorithm": ({}, "optimal"),
        "recode.objective": ({}, "discernibility"),
        "recode.target": ({}, "who"),
        "recode.seed": ({}, 3),
        "recode.options": ({}, {"nonsense": 1}),
        "output.format": ({}, "parquet"),
        "output.shuffle": ({}, False),
        "output.ledger": ({}, "ledger.duckdb"),
        "output.together": ({}, "demand"),
        "output.task": ({}, "basket"),
    },
}  # fmt: skip
# What may come to nothing, and why that is right.
DOCUMENTED = {
    "recode.time_limit": "a limit: a search that ends before it is not touched by it",
    "output.table": "a table of Spark's catalog: tests/engines/in_spark/test_catalog_targets.py",
} | {
    f"context.{key}": "what the holder states: told in the reports, and nobody goes by it"
    for key in ContextPlan.__struct_fields__
}


def keys_of(shape: str) -> set[str]:
    """Every key of the sections of a plan, by section."""
    document = next(told for told in plan_documents() if told.shape == shape)
    names = {
        "ColumnPlan": "columns",
        "InputPlan": "input",
        "RecodePlan": "recode",
        "OutputPlan": "output",
        "ContextPlan": "context",
    }
    return {
        f"{next(section for end, section in names.items() if name.endswith(end))}.{key}"
        for name, struct in document.sections.items()
        for key in struct.__struct_fields__
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp_path = tmp_path_factory.mktemp("effects")
    table = people(80)
    table = table.append_column("who", pa.array([f"P{i % 70}" for i in range(80)]))
    table = table.append_column("row", pa.array([f"r{i}" for i in range(80)]))
    table = table.append_column("pay", pa.array([1000 + 100 * (i % 9) for i in range(80)]))
    table = table.append_column("day", pa.array([f"2020-{i % 6 + 1:02}-{i % 3 + 1:02}" for i in range(80)]))
    pa.csv.write_csv(table, tmp_path / "people.csv")
    baskets = ["a1;b1;b2", "a2;b1", "a2;b1;b2", "a1;a2;b2", "a1;b1", "a1;b1"]
    rows = [f'"{basket}",p{i},q{i % 3}' for i, basket in enumerate(baskets)]
    (tmp_path / "baskets.csv").write_text("\n".join(["basket,who,person", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "padded.csv").write_text("\n".join(["basket ,who,person", *rows]) + "\n", encoding="utf-8")
    shouted = [f"{sex} ".upper() if sex and i % 2 else sex for i, sex in enumerate(table["sex"].to_pylist())]
    commas = [f"{age},0" for age in table["age"].to_pylist()]
    for name, column, cells in (("written", "sex", shouted), ("commas", "age", commas)):
        written = table.set_column(table.column_names.index(column), column, [cells])
        pa.csv.write_csv(written, tmp_path / f"{name}.csv")
    return tmp_path


def told(shape: str, settings: dict[str, Any]) -> dict[str, Any]:
    """A plan's dict with settings; a column that is told by its role alone becomes a table of keys."""
    columns = {
        name: {"role": column} if isinstance(column, str) else dict(column)
        for name, column in BASES[shape]["columns"].items()
    }
    plan: dict[str, Any] = {**BASES[shape], "columns": columns, "input": dict(BASES[shape]["input"])}
    for key, value in settings.items():
        *path, last = key.split(".")
        place = plan
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return plan


def comes_to(plan: dict[str, Any], folder: Path, name: str) -> Any:
    """What a plan comes to: the code of its refusal, or what is released, where, with which verdicts and warnings."""
    try:
        asked = kohort.Plan.from_dict(plan, base=folder)
        release = kohort.anonymize(folder / str(asked.input.path), asked)
        out = release.save(folder / name / "out")
    except KohortError as refused:
        return refused.code
    rows = [tuple(map(str, row.values())) for row in release.tables["table"].to_arrow().to_pylist()]
    original = pa.csv.read_csv(folder / "people.csv")["ill"].to_pylist()
    in_order = [row[-1] for row in rows] == original
    facts = release.facts
    files = sorted(str(file.relative_to(folder / name)) for file in out.parent.rglob("*") if file.is_file())
    verdicts = [(verdict.promise, verdict.holds, verdict.achieved) for verdict in release.verdicts]
    beside = (getattr(facts, "task", None), getattr(facts, "score", None), facts.losses, facts.warnings)
    return sorted(rows), in_order, files, verdicts, beside


@pytest.fixture(scope="module")
def without(folder: Path) -> Callable[..., Any]:
    """Return what tells what a plan comes to without a key; once of each plan, which most keys share."""

    @cache
    def found(shape: str, *before: tuple[str, Any]) -> Any:
        come = comes_to(told(shape, dict(before)), folder, f"without {len(list(folder.iterdir()))}")
        assert str(folder) not in repr(come), "or any two would differ"
        return come

    return found


@pytest.mark.parametrize("shape", CASES)
def test_every_key_is_tried_or_documented(shape: str) -> None:
    tried = {f"{key.partition('.')[0]}.{key.rpartition('.')[2]}" for key in CASES[shape]}
    assert tried | set(DOCUMENTED) == keys_of(shape)


@pytest.mark.parametrize(("shape", "key"), [(shape, key) for shape in CASES for key in CASES[shape]])
def test_a_key_comes_to_something_or_is_refused(
    shape: str, key: str, folder: Path, without: Callable[..., Any]
) -> None:
    before, value = CASES[shape][key]
    found = comes_to(told(shape, before | {key: value}), folder, f"with {shape} {key}")
    assert found != without(shape, *before.items())


def test_a_guard_that_nothing_reads_is_refused(folder: Path) -> None:
    plan = kohort.Plan.from_dict(told("table", {"columns.who.role": "guard"}), base=folder)
    with pytest.raises(InputError, match="who: no promise reads this guard") as refused:
        kohort.anonymize(folder / "people.csv", plan)
    assert refused.value.code == "plan.no-effect"


@pytest.mark.parametrize("shape", BASES)
def test_what_is_said_of_no_file_is_refused_of_a_frame(shape: str, folder: Path) -> None:
    for option, value in {"table": "t", "delimiter": "|", "encoding": "utf-8", "header": True}.items():
        asked = told(shape, {f"input.{option}": value})
        frame = pa.csv.read_csv(folder / asked["input"].pop("path"))
        with pytest.raises(InputError, match=rf"\[input\] {option}: a data frame has none") as refused:
            kohort.anonymize(frame, kohort.Plan.from_dict(asked, base=folder))
        assert refused.value.code == "plan.no-effect"


@pytest.mark.parametrize("suffix", READERS)
def test_what_a_format_has_not_is_refused_before_the_file_is_looked_for(suffix: str, folder: Path) -> None:
    said = {"table": "t", "delimiter": "|", "encoding": "utf-8", "header": True, "skip": 1, "footer": 1}
    for option, value in said.items():
        plan = kohort.Plan.from_dict(told("table", {f"input.{option}": value}), base=folder)
        with pytest.raises(InputError) as refused:
            kohort.anonymize(folder / f"nobody{suffix}", plan)
        heeded = option in HEEDED[READERS[suffix]]
        assert refused.value.code == ("table.no-file" if heeded else "plan.no-effect")


# The cards' word on what a search goes by, against what it does.


def frame_of(rows: int, draw: int) -> pa.Table:
    """Few values of each column, unevenly shared."""
    rng = np.random.default_rng(draw)
    return pa.table(
        {
            "age": rng.choice([20, 23, 31, 44, 46], rows),
            "zip": rng.choice(["94138", "94139", "94141"], rows, p=[0.6, 0.3, 0.1]).tolist(),
            "sex": rng.choice(["f", "m"], rows, p=[0.8, 0.2]).tolist(),
            "ill": [("flu", "cold", "gout")[i % 3] for i in range(rows)],
        }
    )


def problem_for(name: str, draw: int) -> tuple[Problem, kohort.Plan]:
    card = card_of(name)
    columns: dict[str, Any] = {
        "age": {"role": "quasi"} if card.covers_all else AGE,
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
        "sex": {"role": "quasi"},
        "ill": "identifier" if card.covers_all else "sensitive",
    }
    columns = {n: c for n, c in columns.items() if name not in NUMBERS_ONLY or n in ("age", "ill")}
    promise = kohort.LDiversity(column="ill", l=2) if name == "anatomy" else kohort.KAnonymity(K.get(name, 3))
    asked = {
        "algorithm": name,
        "seed": 1,
        "max_suppression": 0.9 if name == "outliers" else 0.1,
    } | SPECIAL.get(name, {})
    plan = kohort.Plan(columns=columns, require=[promise], recode=asked)  # type: ignore[arg-type]
    frame = frame_of(ROWS.get(name, 40), draw)
    return prepare(opened(DEFAULT, Table.from_arrow(frame), Wanted.by(plan)), plan), plan


def decided(problem: Problem, plan: kohort.Plan) -> Any:
    """What is released of every row."""
    solution = chosen_algorithm(plan, problem).solve(problem, Silent())
    recoded = solution.decision.apply(problem).by_row()
    told = [tuple(column.labels[code] for code in column.codes[recoded.kept]) for column in recoded.columns]
    return recoded.kept.tolist(), told


def changed(problem: Problem, key: str) -> list[Problem]:
    """The problem with other values of a key, all that the search takes."""
    many = len(problem.names)
    if key == "seed":
        return [replace(problem, seed=seed) for seed in (2, 3)]
    if key == "weight":
        return [
            replace(problem, weights=(1.0, 30.0, 0.1)[:many]),
            replace(problem, weights=(0.1, 1.0, 9.0)[:many]),
        ]
    if key == "suppression_cost":
        return [replace(problem, suppression_costs=(cost,) * many) for cost in (0.01, 30.0)]
    if key == "max_suppression":
        return [replace(problem, max_suppressed=rows) for rows in (0, problem.n_rows // 2)]
    kinds = [
        kind for name, kind in METRICS.items() if name not in ("classification", problem.objective.card.name)
    ]
    return [replace(problem, objective=kind()) for kind in kinds]


def heeded(problem: Problem, name: str) -> set[str]:
    own = set(card_of(name).heeds) | ({"max_suppression"} if card_of(name).leaves_out else set())
    return own | (set(problem.objective.card.heeds) if "objective" in own else set())


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if not card_of(n).covers_all])
def test_what_a_card_does_not_name_changes_no_decision(name: str) -> None:
    problem, plan = problem_for(name, 5)
    first = decided(problem, plan)
    if decided(problem, plan) != first:  # it draws from the system, and no seed can help
        assert "seed" not in card_of(name).heeds
        return
    for key in {"seed", "weight", "suppression_cost", "objective", "max_suppression"} - heeded(problem, name):
        for other in changed(problem, key):
            assert decided(other, plan) == first, key


@pytest.mark.parametrize("name", ALGORITHMS)
def test_rows_are_left_out_by_those_that_say_so_and_by_nobody_else(name: str) -> None:
    """Where levels may not rise, if the algorithm keeps that: then somebody stands alone in some table."""
    problem, plan = problem_for(name, 5)
    if card_of(name).leaves_out:
        lowest = (0,) * len(problem.names)
        problem = replace(problem, max_levels=lowest, max_suppressed=problem.n_rows - 1)
    assert all(decided(problem, plan)[0]) != card_of(name).leaves_out


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_a_card_names_changes_decisions(name: str) -> None:
    """Of tables drawn one after another, one is recoded otherwise."""
    for key in {"weight", "objective"} & set(card_of(name).heeds):
        assert any(differs(name, draw, key) for draw in range(12)), key


def differs(name: str, draw: int, key: str) -> bool:
    problem, plan = problem_for(name, draw)
    first = decided(problem, plan)
    for other in changed(problem, key):
        try:
            if decided(other, plan) != first:
                return True
        except InputError:  # an objective that it does not take
            continue
    return False


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if not card_of(n).covers_all])
def test_what_is_not_heeded_is_told(name: str) -> None:
    problem, plan = problem_for(name, 5)
    plan = plan.with_settings({"columns.age.weight": 3.0, "columns.age.suppression_cost": 2.0})
    told = " ".join(idle(plan, card_of(name), problem.objective))
    for key in ("seed", "weight", "suppression_cost"):
        assert (f"{key}:" in told or f"{key} changes" in told) == (key not in heeded(problem, name))
    assert ("[recode] max_suppression" in told) == ("max_suppression" not in heeded(problem, name))
    blank = plan.with_settings({"recode.suppressed_rows": "blank"})
    assert ("[recode] suppressed_rows" in " ".join(idle(blank, card_of(name)))) != card_of(name).leaves_out
    never = " ".join(idle(blank.with_settings({"recode.suppress": "none"}), card_of(name)))
    assert "[recode] max_suppression" in never
    assert "[recode] suppressed_rows" in never
    metric = METRICS["discernibility"]()
    plan = plan.with_settings({"recode.objective": "discernibility"})
    goes_by = "objective" in card_of(name).heeds
    assert ("[recode] objective" in " ".join(idle(plan, card_of(name), metric))) != goes_by


def test_the_notice_stands_in_the_private_report_and_nowhere_in_public(folder: Path) -> None:
    plan = kohort.Plan.from_dict(told("table", {"recode.seed": 3}), base=folder)
    release = kohort.anonymize(folder / "people.csv", plan)
    out = release.save(folder / "out")
    said = "leaves nothing to chance"
    assert said in " ".join(release.facts.warnings)
    assert said in (folder / "out.private" / "report.html").read_text(encoding="utf-8")
    assert all(said.encode() not in file.read_bytes() for file in out.rglob("*") if file.is_file())
