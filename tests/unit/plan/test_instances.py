"""A promise told as an instance is that of its name in the plan's shape, so that what is searched can be saved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import kohort
from kohort.demo.ward import WARD, ward_plan
from kohort.models import MODELS
from kohort.plan.rules import SHAPES, rules_of
from kohort.third_parties import offered

COLUMNS: dict[str, dict[str, Any]] = {
    "table": {"age": "quasi", "ill": "sensitive"},
    "sets": {"basket": {"role": "set", "separator": ";", "hierarchy": {"kind": "suppress"}}},
}


@dataclass(frozen=True)
class Mine(MODELS["k-anonymity"]):  # type: ignore[misc]
    """Another package's."""

    card = kohort.card.Card("mine", "k of mine", guarantee="as k-anonymity", counts="people")


@pytest.mark.parametrize(
    ("shape", "other", "name"),
    [(s, o, name) for s in SHAPES for o in SHAPES if s != o for name in rules_of(o).promises],
)
def test_a_promise_of_another_shape_is_refused_with_that_shape(shape: str, other: str, name: str) -> None:
    kind: Any = rules_of(other).promises[name]
    sample = {"k": 2, "m": 2, "l": 2, "t": 0.2, "p": 2, "alpha": 0.5, "beta": 1.0, "delta": 1.0, "risk": 0.5,
              "breach": 0.5, "column": "ill", "columns": ["ill"], "guard": "wish", "level": 1}  # fmt: skip
    needed = [f for f in kind.__dataclass_fields__.values() if f.init and f.name in sample]
    instance = kind(**{f.name: sample[f.name] for f in needed})
    for told in (instance, {"model": name}):
        with pytest.raises(kohort.InputError, match=f'say \\[input\\] shape = "{other}"') as refused:
            kohort.Plan(columns=COLUMNS[shape], require=[told], input={"shape": shape})  # type: ignore[arg-type]
        assert refused.value.code == "model.unknown"


def test_a_role_of_another_shape_is_refused_with_that_shape() -> None:
    for shape in SHAPES:
        for other in SHAPES:
            for role in set(rules_of(other).roles) - set(rules_of(shape).roles):
                with pytest.raises(kohort.InputError, match=f'say \\[input\\] shape = "{other}"'):
                    kohort.Plan(columns={"x": str(role)}, require=[], input={"shape": shape})  # type: ignore[dict-item,arg-type]


def test_an_instance_that_nobody_offers_is_refused_before_the_search(tmp_path: Path) -> None:
    told = {**ward_plan("optimal"), "require": [Mine(2)]}
    with pytest.raises(kohort.InputError, match=r"offered\(\"kohort.models\", Mine\)") as refused:
        kohort.Plan(**told)
    assert refused.value.told()["section"] == "require"
    with offered("kohort.models", Mine):
        out = kohort.anonymize(WARD, kohort.Plan(**told)).save(tmp_path / "out")
        assert all(verdict.holds for verdict in kohort.verify(out))
