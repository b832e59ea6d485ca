"""The verifier's own definitions: one for every model, the same as the naive twins, and no release that they alone find broken."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.contract.test_models import CASES, column_of, usable, worlds
from tests.contract.test_people import TWINS
from tests.contract.test_people import worlds as worlds_of_people
from tests.reference import models as naive
from tests.reference import people as twin
from tests.reference.worlds import PATHS, Value, World

import kohort
from kohort.arrays import IntArray
from kohort.classes import Classes, classes_of_rows
from kohort.hierarchy.cover import Cover
from kohort.models import MODELS, AverageRisk, Demand, KAnonymity, KMap, Personalized, PrivacyModel
from kohort.models.k_map import people_matching
from kohort.table import Table
from kohort.verification.judges import judge_promises
from kohort.verification.judges.definitions import (
    DEFINITIONS,
    Counted,
    Finding,
    Population,
    counted_rows,
    definition_of,
)
from kohort.verification.judges.definitions.k_map import fitting
from kohort.verification.judges.promises import ITSELF
from kohort.verification.judges.second_opinion import whole_of


def test_every_model_has_a_definition_of_its_own() -> None:
    assert set(DEFINITIONS) == set(MODELS)
    assert all(definition_of(name) is not None for name in MODELS)
    assert definition_of("nobody's") is None


# --- the same as the naive twins -----------------------------------------------------------------------------


def counted(found: World, only: Sequence[int] | None = None, **beside: IntArray) -> Counted:
    """Return a world as the definitions count it, or some classes of it, with the codes of other columns beside it."""
    attributes = found.reference.attributes
    codes = {
        name: np.array([attribute.labels.index(value) for value in found.values[name]])
        for name, attribute in attributes.items()
    }
    class_of, people = np.array(found.class_of), np.array(found.people)
    kept = np.isin(class_of, found.class_of if only is None else only)
    told = {name: column[kept] for name, column in {**codes, **beside}.items()}
    return replace(
        counted_rows([class_of[kept]], told, people[kept]),
        wholes={name: whole_of(attribute) for name, attribute in attributes.items()},
    )


def found_by(model: PrivacyModel, classes: Counted) -> Finding:
    definition = definition_of(model.card.name)
    assert definition is not None
    return definition(model, classes)


@pytest.mark.parametrize("name", CASES)
def test_of_records_it_is_its_naive_twin(name: str) -> None:
    case, judged = CASES[name], [0, 0]
    for found in worlds(700 + sum(map(ord, name)), 30):
        if not usable(case, found):
            continue
        column = column_of(case.model)
        table, members = found.values[column], found.members(column)
        broken = [
            not case.holds(values, table) or (bool(case.model.reads) and len(values) < 2)
            for values in members
        ]
        for only in (range(len(members)), *([number] for number in range(len(members)))):
            said = found_by(case.model, counted(found, only))
            assert said.holds is not any(broken[i] for i in only), (members, table)
            if case.achieved is not None:
                best = case.best(case.achieved(members[i], table) for i in only)
                assert said.achieved == pytest.approx(best, rel=1e-12, abs=1e-12)
            judged[said.holds] += 1
    assert min(judged) > 1, judged


@pytest.mark.parametrize("name", TWINS)
def test_of_people_it_is_its_naive_twin(name: str) -> None:
    case, asked, judged = TWINS[name], CASES[name], [0, 0]
    for found in worlds_of_people(1000, 40):
        if not usable(asked, found):
            continue
        column = column_of(asked.model)
        table, members = found.table(column), found.rows(column)
        broken = [
            not case.holds(rows, table) or (bool(asked.model.reads) and len(twin.held(rows)) < 2)
            for rows in members
        ]
        for only in (range(len(members)), *([number] for number in range(len(members)))):
            said = found_by(asked.model, counted(found, only))
            assert said.holds is not any(broken[i] for i in only), (members, table)
            if case.achieved is not None:
                best = asked.best(case.achieved(members[i], table) for i in only)
                assert said.achieved == pytest.approx(best, rel=1e-12, abs=1e-12)
            judged[said.holds] += 1
    assert min(judged) > 1, judged


@pytest.mark.parametrize("several", [False, True])
def test_the_average_risk_is_that_of_its_naive_twin(several: bool) -> None:
    judged = set()
    for found in (worlds_of_people if several else worlds)(1300, 200):
        crowds: list[set[int]] = [set() for _ in range(len(found.classes))]
        for number, person in zip(found.class_of, found.people, strict=True):
            crowds[number].add(person)
        risk = twin.average_risk(crowds)
        for asked in (0.3, float(risk), 0.5):
            said = found_by(AverageRisk(asked), counted(found))
            assert said == (risk <= naive.written(asked), float(risk))
            judged.add(said.holds)
    assert judged == {True, False}


def test_people_of_a_population_are_counted_one_by_one() -> None:
    """Labels that lie apart, and labels of which one covers the other, which no map from people to labels can tell."""
    rng, overlapping = np.random.default_rng(17), set()
    for _ in range(100):
        people = np.column_stack([rng.integers(0, 4, 30), rng.integers(0, 3, 30)])
        covers = rng.random((5, 4)) < 0.4, rng.random((3, 3)) < 0.5
        tuples = np.column_stack([rng.integers(0, 5, 6), rng.integers(0, 3, 6)])
        if rng.random() < 0.5:  # every ground value under one label, some labels over several
            covers = np.eye(5, dtype=np.bool_)[:, rng.integers(0, 5, 4)], np.eye(3, dtype=np.bool_)
        distinct, many = np.unique(people, axis=0, return_counts=True)
        expected = [
            sum(covers[0][a, p] and covers[1][b, q] for p, q in people.tolist()) for a, b in tuples.tolist()
        ]
        assert fitting(tuples, Population(distinct, many, tuple(map(Cover.of, covers)))).tolist() == expected
        overlapping.add(any((cover.sum(axis=0) > 1).any() for cover in covers))
    assert overlapping == {True, False}


def test_people_of_a_population_who_have_several_tuples_count_once() -> None:
    """By both judges, under labels that lie apart and labels that overlap, against sets of people."""
    rng, seen = np.random.default_rng(18), set()
    for _ in range(150):
        rows = np.column_stack([rng.integers(0, 4, 30), rng.integers(0, 3, 30)])
        who = rng.integers(0, int(rng.integers(3, 25)), 30)
        covers = rng.random((5, 4)) < 0.4, rng.random((3, 3)) < 0.5
        if rng.random() < 0.5:
            covers = np.eye(5, dtype=np.bool_)[:, rng.integers(0, 5, 4)], np.eye(3, dtype=np.bool_)
        tuples = np.unique(np.column_stack([rng.integers(0, 5, 6), rng.integers(0, 3, 6)]), axis=0)
        expected = [
            len(
                {
                    p
                    for p, (x, y) in zip(who.tolist(), rows.tolist(), strict=True)
                    if covers[0][a, x] and covers[1][b, y]
                }
            )
            for a, b in tuples.tolist()
        ]
        population = classes_of_rows(rows, respondents=who)[0]
        named = population.respondents
        assert named is not None
        told = tuple(map(Cover.of, covers))
        asked = Population(population.codes, population.sizes, told, (named.owners, named.values))
        assert fitting(tuples, asked).tolist() == expected
        assert people_matching(population, told, classes_of_rows(tuples)[0]).tolist() == expected
        seen.add(any((cover.sum(axis=0) > 1).any() for cover in covers))
    assert seen == {True, False}


@pytest.mark.parametrize("several", [False, True])
def test_a_guarded_statement_is_as_likely_as_counting_says(several: bool) -> None:
    """Every guard against every draw of so many rows from its class, and against the people of the class."""
    judged = set()
    for number, found in enumerate((worlds_of_people if several else worlds)(1500, 150)):
        rng = np.random.default_rng(number)
        wishes = [
            None if rng.random() < 0.5 else PATHS["disease"][v][rng.integers(3)]
            for v in found.values["disease"]
        ]
        labels = tuple(dict.fromkeys(wishes))
        codes = np.array([labels.index(wish) for wish in wishes])
        told = counted(found, wish=codes)
        rows: dict[int, list[tuple[int, Value, Value]]] = {}
        for place, own in enumerate(found.class_of):
            rows.setdefault(own, []).append(
                (found.people[place], found.values["disease"][place], wishes[place])
            )
        worst = max((breach(members) for members in rows.values()), default=Fraction(0))
        alone = any(len({person for person, _, _ in members}) < 2 for members in rows.values())
        asked = Personalized(max(float(worst), 0.01), "disease", "wish")
        said = found_by(asked, replace(told, guards={"wish": labels}))
        assert said.achieved == pytest.approx(float(worst), rel=1e-12)
        assert said.holds is (worst <= naive.written(asked.breach) and not alone)
        judged.add(said.holds)
    assert judged == {True, False}


def breach(members: list[tuple[int, Value, Value]]) -> Fraction:
    """Return the greatest chance with which what somebody guards is true of a member, by trying every draw."""
    most = max(Counter(person for person, _, _ in members).values())
    worst = Fraction(0)
    for node in {wish for _, _, wish in members if wish is not None}:
        hits = [node in PATHS["disease"][value] for _, value, _ in members]
        n, b = len(hits), sum(hits)
        worst = max(worst, 1 - Fraction(comb(n - b, most), comb(n, most)))
        people = {person for person, _, _ in members}
        true = {person for (person, _, _), hit in zip(members, hits, strict=True) if hit}
        worst = max(worst, Fraction(len(true), len(people)))
    return worst


@pytest.mark.parametrize("name", MODELS)
def test_no_classes_keep_every_promise(name: str) -> None:
    asked = next((case.model for case in CASES.values() if case.model.card.name == name), BEYOND.get(name))
    assert asked is not None
    nothing = counted_rows([np.zeros(0, np.int64)], {"disease": np.zeros(0, np.int64)})
    said = found_by(asked, nothing)
    assert said == (True, math.inf if name in GREATER_IS_BETTER else -math.inf)


# --- what the models would let through -----------------------------------------------------------------------

GREATER_IS_BETTER = {"k-anonymity", "l-diversity", "p-sensitive", "extended-p-sensitive", "k-map"}
BEYOND: dict[str, PrivacyModel] = {
    "k-map": KMap(2),
    "average-risk": AverageRisk(0.5),
    "personalized": Personalized(0.5, "disease", "wish"),
}
ILLS = ["flu", "cold", "flu", "hiv", "flu", "cold", "ulcer", "flu"]
WARD = pa.table(
    {
        "age": [str(age) for age in (21, 22, 31, 32, 41, 42, 51, 52)],
        "disease": ILLS,
        "income": ["9", "10", "20", "100"] * 2,
        "wish": ["flu", "lung", None, "severe", None, None, None, None],
    }
)
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 50], "domain": [0, 99]}},
    "disease": {
        "role": "sensitive",
        "hierarchy": {
            "kind": "tree",
            "tree": {
                "mild": {"lung": ["flu", "cold"], "belly": ["ulcer"]},
                "severe": {"grave": ["hiv", "cancer"]},
            },
        },
    },
    "income": {"role": "sensitive"},
    "wish": {"role": "guard"},
}
# What the best algorithm would have to generalize for; as they are, all rows are alone.
ASKED: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 2},
    "l-diversity": {"l": 2, "column": "disease"},
    "t-closeness": {"t": 0.4, "column": "income", "distance": "ordered"},
    "p-sensitive": {"p": 2, "column": "disease", "k": 2},
    "extended-p-sensitive": {"p": 2, "column": "disease", "level": 2},
    "alpha-k": {"alpha": 0.7, "k": 2, "column": "disease"},
    "beta-likeness": {"beta": 1.5, "column": "disease"},
    "delta-disclosure": {"delta": 2.5, "column": "income", "absent": "ignore"},
    "k-map": {"k": 3},
    "average-risk": {"risk": 0.5},
    "personalized": {"breach": 0.8, "column": "disease", "guard": "wish"},
}


def plan_of(name: str, folder: Path, **changes: Any) -> kohort.Plan:
    columns = {column: told for column, told in COLUMNS.items() if column != "wish" or name == "personalized"}
    told: dict[str, Any] = {
        "columns": columns,
        "require": [{"model": name, **ASKED[name]}],
        "recode": {"algorithm": "optimal", "max_suppression": 0},
        "input": {},
        "base": folder,
    }
    if name == "k-map":
        pq.write_table(WARD.select(["age"]), folder / "everybody.parquet")
        told["input"] = {"population": "everybody.parquet"}
    return kohort.Plan(**told | changes)


def lie(monkeypatch: pytest.MonkeyPatch, kind: type, failing: bool, figure: float | None) -> None:
    """Make a model find nothing that fails, or tell another figure."""
    if failing:
        monkeypatch.setattr(kind, "demand", property(lambda _: Demand()))
        monkeypatch.setattr(kind, "failing", lambda _, classes: np.zeros(len(classes), np.bool_))
        monkeypatch.setattr(
            kind, "failing_for_good", lambda self, classes: (self.failing(classes), None), raising=False
        )
    if figure is not None:
        monkeypatch.setattr(kind, "achieved", lambda _, __: figure)


def test_every_model_is_tried() -> None:
    assert set(ASKED) == set(MODELS)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_lets_everything_pass_releases_nothing(
    name: str, engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The search, the model's verdict and its figure all say that the promise is kept; only the definition does not."""
    if engine == "duckdb" and name == "personalized":
        pytest.skip("guards are not kept on disk")
    plan = plan_of(name, tmp_path)
    pq.write_table(WARD, tmp_path / "ward.parquet")
    honest = kohort.anonymize(tmp_path / "ward.parquet", plan, engine=engine)
    assert all(verdict.holds for verdict in honest.verdicts)
    lie(monkeypatch, MODELS[name], True, float(next(iter(ASKED[name].values()))))
    with pytest.raises(kohort.VerificationError, match="the two judges of Kohort disagree"):
        kohort.anonymize(tmp_path / "ward.parquet", plan, engine=engine).save(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert {path.name for path in tmp_path.iterdir()} <= {"ward.parquet", "everybody.parquet"}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_tells_another_figure_releases_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = plan_of(name, tmp_path)
    lie(monkeypatch, MODELS[name], False, 77.0)
    with pytest.raises(kohort.VerificationError, match="the two judges of Kohort disagree"):
        kohort.anonymize(WARD, plan)


def test_groups_are_judged_by_the_definition_too(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {name: told for name, told in COLUMNS.items() if name in ("age", "disease")}
    require = [
        {"model": "l-diversity", "l": 2, "column": "disease"},
        {"model": "t-closeness", "t": 0.1, "column": "disease"},
    ]
    plan = kohort.Plan(columns=columns, require=require, recode={"algorithm": "anatomy"})
    lie(monkeypatch, MODELS["t-closeness"], True, 0.1)
    with pytest.raises(
        kohort.VerificationError, match=r"0.1-closeness .* in every group: the two judges of Kohort disagree"
    ):
        kohort.anonymize(WARD.select(["age", "disease"]), plan)


def test_people_are_judged_by_the_definition_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows each: whoever counts rows sees crowds where the definition sees one person."""
    frame = WARD.append_column("who", pa.array([str(i // 2) for i in range(8)]))
    columns = {name: told for name, told in COLUMNS.items() if name in ("age", "disease")}
    require = [{"model": "k-anonymity", "k": 2}]
    plan = kohort.Plan(
        columns=columns, require=require, input={"respondent": "who"}, recode={"max_suppression": 0}
    )
    assert all(verdict.holds for verdict in kohort.anonymize(frame, plan).verdicts)
    monkeypatch.setattr(MODELS["k-anonymity"], "failing", lambda self, classes: classes.rows < self.k)
    monkeypatch.setattr(MODELS["k-anonymity"], "achieved", lambda _, classes: float(classes.rows.min()))
    with pytest.raises(kohort.VerificationError, match="the two judges of Kohort disagree"):
        kohort.anonymize(frame, plan)


# --- models of other packages --------------------------------------------------------------------------------


class Pairs(KAnonymity):
    """A model of another package: whatever it says, nobody else knows better."""

    card = replace(KAnonymity.card, name="pairs")


class JudgedPairs(Pairs):
    """The same, with a judge of its own."""

    def judge(self, counted: Counted) -> Finding:
        least = int(counted.people.min())
        return Finding(least >= self.k, float(least))


class NamedAsOurs(Pairs):
    """A model of a script that calls itself what one of Kohort's own is called."""

    card = KAnonymity.card


class LyingPairs(JudgedPairs):
    """A model that finds nothing wrong, with a judge that does."""

    def failing(self, classes: Classes) -> Any:
        return np.zeros(len(classes), np.bool_)


@pytest.mark.parametrize(
    ("kind", "holds", "note"),
    [
        (Pairs, True, ITSELF),
        (NamedAsOurs, True, ITSELF),
        (JudgedPairs, True, ""),
        (LyingPairs, True, ""),
        (LyingPairs, False, "the two judges"),
    ],
)
def test_a_model_of_another_package_brings_its_judge_or_is_said_to_judge_itself(
    kind: type[KAnonymity], holds: bool, note: str
) -> None:
    released = Table.from_arrow(pa.table({"age": ["2*", "2*", "3*", "3*" if holds else "4*"]}))
    [verdict] = judge_promises(released, ["age"], [kind(2)])
    assert verdict.holds is holds
    assert verdict.note.startswith(note) if note else not verdict.note
