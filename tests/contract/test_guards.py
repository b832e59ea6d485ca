"""Guards are read and never released: over all algorithms that can keep `personalized`, in everything that is public."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from msgspec.structs import replace

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.errors import InfeasibleError, InputError
from kohort.models import Personalized
from kohort.models.model import Attribute, Reference

TREE = {"infection": {"blood": ["hiv", "hepatitis"], "flu": "flu"}, "cancer": ["lung", "skin"]}
ABOVE: dict[str, list[str | None]] = {
    "hiv": [None, "hiv", "blood", "infection"],
    "hepatitis": [None, "blood"],
    "flu": [None, None, None],
    "lung": [None, "lung", "cancer"],
    "skin": [None],
}
NODES = {"blood": {"hiv", "hepatitis"}, "infection": {"hiv", "hepatitis", "flu"}, "cancer": {"lung", "skin"}}
SPECIAL: dict[str, dict[str, Any]] = {
    "mu-argus": {"options": {"full": True}},
    "dp-mdav": {"options": {"bounds": {"age": [0, 99]}}},
}
ROWS = {"cells-exact": 9}


def people(rows: int, seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    ill = rng.choice(list(ABOVE), rows)
    return pa.table(
        {
            "age": rng.integers(20, 60, rows),
            "sex": rng.choice(["f", "m"], rows).tolist(),
            "ill": ill.tolist(),
            "wish": [ABOVE[value][rng.integers(len(ABOVE[value]))] for value in ill],
        }
    )


def plan_for(name: str, breach: float = 0.6, **changes: Any) -> kohort.Plan:
    columns = {
        "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20], "domain": [0, 99]}},
        "sex": {"role": "quasi", "hierarchy": {"kind": "suppress"}},
        "ill": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": TREE}},
        "wish": {"role": "guard"},
    }
    if name in ("univariate", "dp-mdav"):
        del columns["sex"]
    recode = {"algorithm": name, "max_suppression": 1.0} | SPECIAL.get(name, {})
    require = [kohort.KAnonymity(2), Personalized(breach, "ill", "wish")]
    told: dict[str, Any] = {"columns": columns, "require": require, "recode": recode} | changes
    return kohort.Plan(**told)


def release_of(name: str, seed: int) -> tuple[kohort.Release, pa.Table] | None:
    frame = people(ROWS.get(name, 60), seed)
    try:
        return kohort.anonymize(frame, plan_for(name)), frame
    except InputError as refusal:  # by an algorithm that keeps fewer promises
        told = str(refusal)
    except InfeasibleError:
        told = "infeasible"
    assert told
    return None


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_guard_is_published(name: str, tmp_path: Path) -> None:
    made = release_of(name, 4)
    if made is None:
        return
    release, _ = made
    assert all("wish" not in table.names for table in release.tables.values())
    out = release.save(tmp_path / "out")
    manifest = json.loads((out / "manifest.json").read_text())
    verdict = next(v for v in manifest["verdicts"] if v["promise"].startswith("breach"))
    assert verdict["holds"] is True
    assert verdict["achieved"] is None, "it would tell what somebody guards"
    assert "wish" not in manifest["sensitive"]
    told = next((c for c in manifest.get("columns", []) if c["name"] == "wish"), None)
    assert told in (None, {"name": "wish", "role": "guard", "released": False})


def test_other_guards_make_the_same_public_side_where_the_same_classes_keep_them() -> None:
    """Nothing public depends on a guard but the choice of classes: guards that ask for nothing are not told apart."""
    frame = people(60, 5)
    wishes = frame["wish"].to_pylist()
    fewer = frame.set_column(
        3, "wish", pa.array([None if i % 2 else w for i, w in enumerate(wishes)], pa.string())
    )
    one, two = (kohort.anonymize(f, plan_for("optimal", 1.0)).facts for f in (frame, fewer))
    assert replace(one, seconds={}) == replace(two, seconds={})


def breach(rows: list[tuple[str, str | None, int]]) -> Fraction:
    """The greatest probability of a breach in a class of (value, guard, person), by counting draws of c rows."""
    c = max(Counter(person for _, _, person in rows).values())
    worst = Fraction(0)
    for _, guard, _ in rows:
        if guard is not None:
            below = sum(value in NODES.get(guard, {guard}) for value, _, _ in rows)
            worst = max(worst, 1 - Fraction(comb(len(rows) - below, c), comb(len(rows), c)))
    return worst


@pytest.mark.parametrize("respondent", [False, True])
@pytest.mark.parametrize(
    "name", ["optimal", "mondrian", "top-down", "bottom-up", "forest", "k-member", "datafly"]
)
def test_no_class_breaches_a_guard(name: str, respondent: bool) -> None:
    """Sensitive values and an unguessable number per row are released, so that rows can be paired with the original."""
    released = 0
    for seed in range(12):
        frame = people(40, seed)
        rng = np.random.default_rng(seed)
        who = rng.permutation(np.arange(40) // 2) if respondent else np.arange(40)
        frame = frame.append_column("number", pa.array(np.arange(40))).append_column("who", pa.array(who))
        plan = plan_for(name)
        columns = dict(plan.columns) | {"number": {"role": "insensitive", "allow_unique": True}}
        source = {"respondent": "who"} if respondent else {}
        asked = plan_for(name, 0.9 if respondent else 0.6, columns=columns, input=source)
        try:
            table = kohort.anonymize(frame, asked).tables["table"].to_arrow().to_pylist()
        except InfeasibleError:
            continue
        released += 1
        rows = frame.to_pylist()
        classes: dict[tuple[Any, ...], list[tuple[str, str | None, int]]] = {}
        for row in table:
            own = rows[int(row["number"])]
            classes.setdefault((row["age"], row["sex"]), []).append((own["ill"], own["wish"], own["who"]))
        most = Fraction(9, 10) if respondent else Fraction(3, 5)
        assert all(breach(members) <= most for members in classes.values())
    assert released > 1


def test_people_with_several_rows_are_found_more_easily() -> None:
    """Of hiv, flu | flu, flu one in four rows is hiv; somebody has two of them, and so has hiv with one half."""
    from kohort.classes import classes_of_rows
    from kohort.hierarchy import Hierarchy

    tree = Hierarchy.from_rows("ill", [("hiv", "*"), ("flu", "*")])
    ill = Attribute("ill", ("hiv", "flu"), np.array([1, 3]), tree, np.array([0, 1]))
    reference = Reference(4, {"ill": ill}, {"wish": Attribute("wish", ("hiv", None), np.array([1, 3]))})
    held = {"ill": (np.array([0, 1, 1, 1], np.int32), 2), "wish": (np.array([0, 1, 1, 1], np.int32), 2)}
    classes, _ = classes_of_rows(np.zeros((4, 1), np.int32), held, np.array([0, 0, 1, 1], np.int32))
    model = Personalized(0.49, "ill", "wish").bind(reference)
    assert model.achieved(classes) == 0.5
    assert model.failing(classes).tolist() == [True]
    assert Personalized(0.5, "ill", "wish").bind(reference).holds(classes)


@pytest.mark.parametrize("role", ["sensitive", "insensitive", "quasi", "identifier"])
def test_a_guard_of_another_role_is_refused_by_name(role: str) -> None:
    columns = dict(plan_for("optimal").columns) | {"wish": role}
    with pytest.raises(
        InputError, match=f"'wish' says what people want guarded, and has the role \"{role}\""
    ):
        plan_for("optimal", columns=columns)
    del columns["wish"]
    with pytest.raises(InputError, match="is no column of the plan"):
        plan_for("optimal", columns=columns)


def test_a_guard_beside_its_value_is_refused_and_counted() -> None:
    frame = pa.table(
        {"age": [1, 2, 3], "sex": ["f"] * 3, "ill": ["hiv", "flu", "lung"], "wish": ["cancer", None, "hiv"]}
    )
    with pytest.raises(InputError, match="in 2 of 3 rows the guard 'wish' is no label above") as caught:
        kohort.anonymize(frame, plan_for("optimal", 1.0))
    assert "cancer" not in str(caught.value)


def test_without_the_guards_it_is_not_judged() -> None:
    made = release_of("optimal", 4)
    assert made is not None
    release, frame = made
    for original in (None, frame):
        found = kohort.verify(release.table, plan_for("optimal"), original)
        assert [v.holds for v in found if v.promise.startswith("breach")] == [None]


def test_the_duckdb_engine_refuses_guards(tmp_path: Path) -> None:
    from kohort.algorithms import Silent
    from kohort.pipeline import make_release

    (tmp_path / "t.csv").write_text("age,sex,ill,wish\n1,f,flu,\n")
    with pytest.raises(InputError, match="use the memory engine"):
        make_release(tmp_path / "t.csv", plan_for("optimal"), Silent(), "duckdb")
