"""A plan written as TOML is read as the same plan again, whatever it says; and it shows itself."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.test_schema_and_loading import PLANS, changes, places

import kohort
from kohort.errors import InputError
from kohort.models import MODELS

SIGNS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
HOSTILE = "<script>alert(1)</script>\"'&\n#]]"


def again(plan: kohort.Plan) -> kohort.Plan:
    return kohort.Plan.from_dict(tomllib.loads(plan.to_toml()), base=plan.base)


def assert_spelled(plan: kohort.Plan) -> None:
    assert again(plan) == plan


def has_none(told: Any) -> bool:
    inside = told.values() if isinstance(told, dict) else told if isinstance(told, list | tuple) else ()
    return told is None or any(map(has_none, inside))


def spelled(shape: str, part: int, parts: int) -> int:
    """Write and read every n-th change to a plan of a shape that is a plan still; return how many there are."""
    plan, kept = PLANS[shape], 0
    told = (change for place in places(plan) for _, change in changes(plan, place))
    for changed in islice(told, part, None, parts):
        try:
            loaded = kohort.Plan.from_dict(changed)
        except InputError:
            continue
        if not has_none(loaded.to_dict()):
            assert again(loaded) == loaded
            kept += 1
    return kept


@pytest.mark.parametrize("shape", PLANS)
def test_a_plan_of_any_shape_is_read_as_it_was_written(shape: str) -> None:
    assert_spelled(kohort.Plan.from_dict(PLANS[shape], base=Path("elsewhere")))


def test_a_changed_plan_is_read_as_it_was_written() -> None:
    assert sum(spelled(shape, i, 97) for i, shape in enumerate(PLANS)) > 10


@pytest.mark.long
@pytest.mark.parametrize("shape", PLANS)
def test_any_change_to_a_plan_is_read_as_it_was_written(shape: str) -> None:
    assert spelled(shape, 0, 1) > 10


@given(st.dictionaries(SIGNS, SIGNS, min_size=1, max_size=3), SIGNS, st.floats(0, 1), st.integers(0, 2**40))
def test_names_texts_and_numbers_are_read_as_they_were_written(
    tree: dict[str, str], name: str, share: float, seed: int
) -> None:
    columns: dict[str, Any] = {name: {"role": "quasi", "hierarchy": {"kind": "tree", "tree": tree}}}
    assert_spelled(
        kohort.Plan(
            columns=columns,
            require=[kohort.KAnonymity(2)],
            recode={"max_suppression": share, "seed": seed, "time_limit": share + 1e-9},
            context={"purpose": f"x{name}"},
            notes={name: f"because\n[{name}"},
        )
    )


def test_what_python_says_in_other_types_is_settled_as_a_file_would_say_it() -> None:
    hierarchies: dict[str, Any] = {
        "a": {"kind": "intervals", "widths": (5, np.int64(10)), "origin": Decimal("0.5")},
        "b": {"kind": "intervals", "widths": np.array([2.5, 5.0])},
        "c": {"kind": "tree", "tree": {"x": {1: [date(2020, 1, 1)], 2: ("y",)}}},
    }
    plan = kohort.Plan(
        columns={name: {"role": "quasi", "hierarchy": spec} for name, spec in hierarchies.items()}
        | {"ill": "sensitive"},
        require=[kohort.KAnonymity(2), kohort.LDiversity(l=2, columns=("ill",))],
        context={"date": date(2026, 11, 15)},
        recode={"algorithm": "mdav", "options": {"nominal": ("c",)}},
    )
    assert_spelled(plan)
    assert plan.columns["a"].hierarchy == {"kind": "intervals", "widths": [5, 10], "origin": 0.5}


@pytest.mark.parametrize("columns", [("ill",), ("ill", "pay")])
def test_no_promise_names_a_column_twice(columns: tuple[str, ...]) -> None:
    asked = {"l": 2, "t": 0.5, "beta": 2.0, "delta": 2.0, "p": 2, "alpha": 0.5, "k": 2, "level": 1}
    tried = 0
    for name, model in MODELS.items():
        options = {field.name for field in fields(model)}
        if not {"column", "columns"} <= options:
            continue
        told = {"model": name, "column": "ill", "columns": columns} | {
            n: v for n, v in asked.items() if n in options
        }
        plan = kohort.Plan(columns={"q": "quasi", "ill": "sensitive", "pay": "sensitive"}, require=[told])
        text = plan.to_toml()
        assert re.findall(r"^column = (.*)$|^columns = (.*)$", text, re.MULTILINE) == [
            ('"ill"', ""), *([("", '["pay"]')] if "pay" in columns else [])
        ]  # fmt: skip
        assert kohort.Plan.from_dict(tomllib.loads(text)) == plan
        tried += 1
    assert tried


def test_what_toml_has_no_word_for_is_refused_by_name() -> None:
    plan = kohort.Plan(
        columns={"q": "quasi", "ill": "sensitive"},
        require=[kohort.KAnonymity(2), kohort.AlphaK(alpha=0.5, k=2, column="ill", values=("flu", None))],
    )
    with pytest.raises(InputError, match=r"require\.1\.values\.1: None cannot be written as TOML"):
        plan.to_toml()


def test_a_dict_is_taken_where_a_plan_is_and_nothing_else() -> None:
    plan = kohort.Plan.from_dict(PLANS["table"])
    assert kohort.Plan.of(plan) is plan
    assert kohort.Plan.of(PLANS["table"]) == plan
    with pytest.raises(InputError, match=r"not str; Plan\.load\(path\) reads a plan file"):
        kohort.Plan.of("plan.toml")  # type: ignore[arg-type]


def test_notes_ask_for_nothing_and_stay_with_their_columns() -> None:
    plan = kohort.Plan(
        columns={"q": "quasi"}, require=[kohort.KAnonymity(2)], notes={"q": "its name\nsays so"}
    )
    assert plan == kohort.Plan(columns={"q": "quasi"}, require=[kohort.KAnonymity(2)])
    assert "# its name says so\nq = " in plan.to_toml()
    assert plan.with_settings({"require.0.k": 3}).notes == plan.notes
    with pytest.raises(InputError, match=r"unknown section \[notes\]"):
        kohort.Plan.from_dict({**PLANS["table"], "notes": {"q": "x"}})


class Seen(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("shape", PLANS)
def test_a_plan_shows_its_promises_and_columns(shape: str) -> None:
    plan = kohort.Plan.from_dict(PLANS[shape])
    seen = Seen(plan._repr_html_())
    assert all(model.label in seen.text for model in plan.require)
    assert all(name in seen.text and str(column.role) in seen.text for name, column in plan.columns.items())


def test_a_plan_shows_hostile_names_as_text() -> None:
    tree = {"kind": "tree", "tree": {HOSTILE: [HOSTILE]}}
    plan = kohort.Plan(
        columns={HOSTILE: {"role": "quasi", "hierarchy": tree}, f"{HOSTILE}2": "sensitive"},
        require=[kohort.KAnonymity(2), kohort.LDiversity(l=2, column=f"{HOSTILE}2")],
        input={"path": HOSTILE},
        notes={HOSTILE: HOSTILE},
    )
    seen = Seen(plan._repr_html_())
    assert "script" not in seen.tags
    assert "<script>alert(1)</script>" in seen.text
    assert_spelled(plan)
