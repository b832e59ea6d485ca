"""A loose table that a perturbative plan asks for: with the original, what cannot come from it fails, and averages are not said to be true.

Honest tables of all such algorithms never fail, whatever their columns, roundings, missing values and people.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.engines.at_hand import AT_HAND

import kohort
from kohort import InfeasibleError
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.verification.judges.as_they_are import PROMISE as AS_THEY_ARE
from kohort.verification.judges.perturbed import PERTURBATIONS
from kohort.verification.judges.perturbed import PROMISE as PERTURBED
from kohort.verification.judges.suppression import SUPPRESSION
from kohort.verification.judges.truth import PROMISE as TRUE

Rows = list[list[str]]
AVERAGED = ("mdav", "v-mdav", "univariate")
DRAWS, MANY = 14, 200
NAMES = ["id", "q0", "q1", "q2", "ill", "note"]


def written(rows: Sequence[Sequence[str]], names: Sequence[str], path: Path) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *rows])
    return path


def test_every_perturbative_algorithm_says_how_it_perturbs() -> None:
    ways = {name: algorithm(name).card.perturbs for name in ALGORITHMS if not algorithm(name).card.truthful}
    assert ways == dict.fromkeys(AVERAGED, "averages") | {"dp-mdav": "noise"}
    assert set(ways.values()) <= set(PERTURBATIONS)


def numbers(rng: random.Random, n: int) -> tuple[list[str], dict[str, Any]]:
    """A column of numbers whose means are rounded in one of all ways."""
    kind = rng.choice(["decimals", "pitch", "ends", "domain", "bands", "negative"])
    if kind == "decimals":
        unit = rng.choice([1, 10, 100])
        return [f"{rng.randint(-500, 500) / unit:g}" for _ in range(n)], {"kind": "suppress"}
    values = [str(rng.randint(-30, 60) if kind == "negative" else rng.randint(0, 60)) for _ in range(n)]
    spec: dict[str, Any] = {
        "pitch": {"widths": [5, 10], "low": 10, "high": 43},
        "ends": {"widths": [7, 14], "origin": 3},
        "domain": {"widths": [5, 20], "domain": [0, 60]},
        "bands": {"ends": [[0, 10, 20, 40], [0, 20]]},
        "negative": {"widths": [10]},
    }[kind]
    return values, {"kind": "bands" if kind == "bands" else "intervals", **spec}


def others(rng: random.Random, n: int) -> tuple[list[str], dict[str, Any]]:
    """A column that is told by labels: dates, words, codes."""
    kind = rng.choice(["date", "word", "code"])
    if kind == "date":
        days = [date(2020, 1, 1) + timedelta(rng.randint(0, 900)) for _ in range(n)]
        return [day.isoformat() for day in days], {"kind": "dates", "levels": ["month", "year"]}
    if kind == "word":
        tree = {"north": ["oslo", "bergen"], "south": ["rome", "bari", "true"]}
        return [rng.choice(["oslo", "bergen", "rome", "bari"]) for _ in range(n)], {
            "kind": "tree",
            "tree": tree,
        }
    return [f"{rng.randint(0, 30):03}" for _ in range(n)], {"kind": "mask", "length": 3}


def drawn(seed: int, name: str) -> tuple[Rows, list[str], dict[str, Any]]:
    """A table, its columns and a plan for it."""
    rng = random.Random(seed)
    n = rng.choice([16, 30, 60])
    people = rng.random() < 0.4
    quasi = [numbers(rng, n)]
    if name != "univariate":
        quasi += [rng.choice([numbers, others])(rng, n) for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.4:
        share = rng.choice([0.05, 0.5])
        quasi = [(["" if rng.random() < share else text for text in texts], spec) for texts, spec in quasi]
    options: dict[str, Any] = {"decimals": rng.choice([0, 2])} if "suppress" in str(quasi) else {}
    if not options and rng.random() < 0.3:
        options = {"decimals": rng.choice([0, 3])}
    if rng.random() < 0.2 and quasi[0][1]["kind"] != "suppress":
        options["ordinal"] = ["q0"]
    if rng.random() < 0.2:
        options["release"] = "interval"
    who = [str(rng.randint(0, n // 2) if people else i) for i in range(n)]
    ill = [rng.choice(["flu", "hiv", "7.50", ""]) for _ in range(n)]
    note = [rng.choice(["true", "false", "1.0", "2"]) for _ in range(n)]
    columns = {f"q{j}": {"role": "quasi", "hierarchy": spec} for j, (_, spec) in enumerate(quasi)}
    columns |= {"ill": {"role": "sensitive"}, "note": {"role": "insensitive", "allow_unique": True}}
    columns |= {"id": {"role": "identifier"}}
    plan: dict[str, Any] = {
        "columns": columns,
        "require": [{"model": "k-anonymity", "k": rng.choice([2, 3])}],
        "recode": {"algorithm": name, "options": options, "max_suppression": 0.5},
        "output": {"ledger": ""},
    }
    if people:
        plan["input"] = {"respondent": "id"}
    names = ["id", *(f"q{j}" for j in range(len(quasi))), "ill", "note"]
    rows = [list(row) for row in zip(who, *(texts for texts, _ in quasi), ill, note, strict=True)]
    return rows, names, plan


@pytest.mark.parametrize("name", AVERAGED)
def test_honest_tables_never_fail_and_are_not_said_to_be_true(name: str, tmp_path: Path) -> None:
    assert _judged_well(name, tmp_path, range(DRAWS)) > DRAWS // 2


@pytest.mark.long
@pytest.mark.parametrize("name", AVERAGED)
def test_many_honest_tables_never_fail(name: str, tmp_path: Path) -> None:
    assert _judged_well(name, tmp_path, range(DRAWS, MANY)) > MANY // 2


def _judged_well(name: str, tmp_path: Path, seeds: range) -> int:
    """Judge a release for each seed; return for how many there was one."""
    made = 0
    for seed in seeds:
        rows, names, plan = drawn(seed, name)
        original = written(rows, names, tmp_path / "original.csv")
        try:
            release = kohort.anonymize(str(original), plan)
        except (InfeasibleError, kohort.InputError):
            continue
        made += 1
        folder = tmp_path / f"released-{seed}"
        release.save(str(folder))
        assert {v.holds for v in kohort.verify(folder)} == {True}, seed
        told = kohort.verify(folder / "table.csv", plan, original)
        assert [v for v in told if v.holds is False] == [], seed
        found = {v.promise: v.holds for v in told}
        if "release" in plan["recode"]["options"]:
            assert found[TRUE] is True
        else:
            assert found[PERTURBED] is None, seed
            assert found[AS_THEY_ARE] is True, seed
    return made


AGES = [*range(20, 60)]
PEOPLE = [
    [str(age), ["oslo", "rome"][age % 2], ["flu", "hiv", "cold"][i % 3], f"note {i % 7}"]
    for i, age in enumerate(random.Random(3).sample(AGES, 40))
]
COLUMNS = ["age", "town", "ill", "note"]


def plan_of(name: str, **options: Any) -> dict[str, Any]:
    told = {"decimals": 0} | options
    town = {"role": "insensitive", "allow_unique": True} if name == "univariate" else {"role": "quasi"}
    return {
        "columns": {
            "age": {"role": "quasi"},
            "town": town,
            "ill": "sensitive",
            "note": {"role": "insensitive", "allow_unique": True},
        },
        "require": [{"model": "k-anonymity", "k": 4}],
        "recode": {"algorithm": name, "options": told, "max_suppression": 0.5},
        "output": {"ledger": ""},
    }


def changed(column: int, change: Callable[[int, str], str]) -> Callable[[Rows], Rows]:
    return lambda rows: [
        [change(i, cell) if j == column else cell for j, cell in enumerate(row)] for i, row in enumerate(rows)
    ]


def exchanged(rows: Rows) -> Rows:
    """Exchange the values of one column between two rows that are alike in no other: a combination that nobody has."""
    ill = sorted(row[2] for row in rows)
    return [[*row[:2], own, row[3]] for row, own in zip(rows, ill, strict=True)]


FORGED: dict[str, tuple[str, Callable[[Rows], Rows]]] = {
    "one illness for all": (AS_THEY_ARE, changed(2, lambda _, __: "hiv")),
    "one value exchanged for another": (AS_THEY_ARE, changed(2, lambda i, v: "hiv" if v == "flu" and i < 20 else v)),
    "illnesses shuffled": (AS_THEY_ARE, exchanged),
    "names for notes": (AS_THEY_ARE, changed(3, lambda i, _: f"Ann Smith, {i}")),
    "a note in other letters": (AS_THEY_ARE, changed(3, lambda i, v: v.upper() if i == 5 else v)),
    "ages of nobody": (PERTURBED, changed(0, lambda _, v: str(int(v) + 50))),
    "everybody one year older": (PERTURBED, changed(0, lambda _, v: str(int(v) + 1))),
    "one age for all": (PERTURBED, changed(0, lambda _, __: "45")),
    "a mark in decimals": (PERTURBED, changed(0, lambda _, v: f"{v}.000011")),
    "zeros by class": (PERTURBED, changed(0, lambda _, v: v + "." + "0" * (1 + int(v) % 3))),
    "no age": (PERTURBED, changed(0, lambda _, __: "")),
    "words for ages": (PERTURBED, changed(0, lambda _, __: "old")),
    "rows left out": (SUPPRESSION, lambda rows: [row for row in rows if row[0] != rows[0][0]]),
    "rows twice": (AS_THEY_ARE, lambda rows: [*rows, *rows]),
}  # fmt: skip


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Rows]]:
    """Return the original and the released rows of an algorithm."""
    made: dict[str, tuple[Path, Rows]] = {}

    def release(name: str) -> tuple[Path, Rows]:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            original = written(PEOPLE, COLUMNS, folder / "original.csv")
            kohort.anonymize(str(original), plan_of(name)).save(str(folder / "out"))
            with (folder / "out" / "table.csv").open(encoding="utf-8", newline="") as file:
                made[name] = original, list(csv.reader(file))[1:]
        return made[name]

    return release


def verdicts(table: Path, plan: dict[str, Any], original: Path, **told: Any) -> dict[str, bool | None]:
    return {v.promise: v.holds for v in kohort.verify(table, plan, original, **told)}


@pytest.mark.parametrize("forgery", FORGED)
@pytest.mark.parametrize("name", AVERAGED)
def test_what_cannot_come_from_the_original_fails(
    name: str, forgery: str, honest: Callable[[str], tuple[Path, Rows]], tmp_path: Path
) -> None:
    original, rows = honest(name)
    promise, forge = FORGED[forgery]
    table = written(forge(rows), COLUMNS, tmp_path / "table.csv")
    assert verdicts(table, plan_of(name), original)[promise] is False


@pytest.mark.parametrize("engine", AT_HAND)
def test_engines_judge_such_tables_alike(
    engine: str, honest: Callable[[str], tuple[Path, Rows]], tmp_path: Path
) -> None:
    original, rows = honest("mdav")
    for forgery in ("one illness for all", "ages of nobody", "rows left out", "a note in other letters"):
        promise, forge = FORGED[forgery]
        table = written(forge(rows), COLUMNS, tmp_path / "table.csv")
        assert verdicts(table, plan_of("mdav"), original, engine=engine)[promise] is False
    table = written(rows, COLUMNS, tmp_path / "table.csv")
    found = verdicts(table, plan_of("mdav"), original, engine=engine)
    assert (found[AS_THEY_ARE], found[PERTURBED]) == (True, None)


@pytest.mark.parametrize("label", ["paris", "[1, 2]", "7"])
def test_labels_are_those_of_the_hierarchy(
    label: str, honest: Callable[[str], tuple[Path, Rows]], tmp_path: Path
) -> None:
    original, rows = honest("mdav")
    table = written([[row[0], label, *row[2:]] for row in rows], COLUMNS, tmp_path / "table.csv")
    found = kohort.verify(table, plan_of("mdav"), original)
    assert False in {v.holds for v in found}


def test_a_label_that_too_few_have_fails(tmp_path: Path, honest: Callable[[str], tuple[Path, Rows]]) -> None:
    original, rows = honest("mdav")
    table = written([[row[0], "oslo", *row[2:]] for row in rows], COLUMNS, tmp_path / "table.csv")
    assert verdicts(table, plan_of("mdav"), original)[PERTURBED] is False


def test_noise_is_on_its_declared_grid(tmp_path: Path) -> None:
    original = written([[row[0]] for row in PEOPLE], ["age"], tmp_path / "original.csv")
    options = {"bounds": {"age": [0, 99]}, "decimals": 1, "epsilon": 1.0}
    plan = {
        "columns": {"age": "quasi"},
        "require": [{"model": "k-anonymity", "k": 4}],
        "recode": {"algorithm": "dp-mdav", "options": options},
        "output": {"ledger": ""},
    }
    kohort.anonymize(str(original), plan).save(str(tmp_path / "out"))
    assert {v.holds for v in kohort.verify(tmp_path / "out")} == {True}
    assert verdicts(tmp_path / "out" / "table.csv", plan, original)[PERTURBED] is None
    for wrong in (["99.1"] * 40, ["12.34"] * 40, ["12"] * 20 + ["12.0"] * 20, ["old"] * 40):
        table = written([[cell] for cell in wrong], ["age"], tmp_path / "table.csv")
        assert False in verdicts(table, plan, original).values()
    table = written([["50.0"]] * 36, ["age"], tmp_path / "table.csv")
    assert verdicts(table, plan, original)[SUPPRESSION] is False


@pytest.mark.parametrize("pay", ["", "7"])
def test_noise_may_stand_where_all_values_are_missing(pay: str, tmp_path: Path) -> None:
    """Noise is added to the middle of the bounds there; averages and labels are none of nothing."""
    people = [["", pay or str(i)] for i in range(12)]
    original = written(people, ["age", "pay"], tmp_path / "original.csv")
    options = {"bounds": {"age": [0, 60], "pay": [0, 60]}, "decimals": 1, "epsilon": 5}
    plan: dict[str, Any] = {
        "columns": {"age": "quasi", "pay": "quasi"},
        "require": [{"model": "k-anonymity", "k": 2}],
        "recode": {"algorithm": "dp-mdav", "options": options},
        "output": {"ledger": ""},
    }
    kohort.anonymize(str(original), plan).save(str(tmp_path / "out"))
    assert False not in verdicts(tmp_path / "out" / "table.csv", plan, original).values()
    table = written([["7.0", pay] for _, pay in people], ["age", "pay"], tmp_path / "table.csv")
    for name in ("mdav", "v-mdav", "mondrian"):
        other = plan | {"recode": {"algorithm": name}}
        assert False in verdicts(table, other, original).values()
