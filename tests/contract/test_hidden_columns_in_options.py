"""Options name no column that is not released: by the plan alone such a plan is refused, and the public plan never holds the name.

All algorithms and all of their options are walked. What is no name but a word stays as it is, whatever columns are called.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, get_args, get_type_hints

import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, Progress, algorithm
from kohort.card import Card
from kohort.evidence import public_plan
from kohort.preparation import check_algorithm
from kohort.preparation.named_columns import refuse_hidden
from kohort.recode import Problem, Solution
from kohort.third_parties import offered
from kohort.typed import Named

HIDDEN = {
    "a guard": "SECRETWISH",
    "an identifier": "SECRETNAME",
    "the respondent": "SECRETWHO",
    "no column of the plan": "SECRETOTHER",
}


def options_of(name: str) -> dict[str, Any]:
    """Return the options of an algorithm with the types that they declare."""
    kind: Any = algorithm(name)
    hints = get_type_hints(kind, include_extras=True)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind) if f.init}


def values(hint: Any, hidden: str) -> Iterator[Any]:
    """Yield what an option may hold that names a hidden column."""
    if hint == Named:
        yield hidden
    origin, inner = getattr(hint, "__origin__", None), get_args(hint)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        yield from ({hidden: 1} for _ in values(inner[0], hidden))
    elif origin is tuple:
        yield from ([hidden] for _ in values(inner[0], hidden))
    else:
        for one in inner:
            yield from values(one, hidden)


NAMING = [
    (name, option, value)
    for name in ALGORITHMS
    for option, hint in options_of(name).items()
    for value in values(hint, "?")
]


def asked(algorithm: str | None, options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "input": {"respondent": "SECRETWHO"} if algorithm not in ("dp-mdav", "anatomy") else {},
        "columns": {
            "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10], "domain": [0, 99]}},
            "ill": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": {"lungs": ["flu", "cold"]}}},
            "SECRETWISH": "guard",
            "SECRETNAME": "identifier",
        },
        "require": [
            {"model": "k-anonymity", "k": 2},
            {"model": "personalized", "column": "ill", "guard": "SECRETWISH", "breach": 0.9},
        ],
        "recode": {"options": options} | ({"algorithm": algorithm} if algorithm else {}),
        **more,
    }


def test_what_is_walked() -> None:
    found = {(name, option) for name, option, _ in NAMING}
    assert {
        ("top-down", "target"),
        ("k-optimize", "order"),
        ("mu-argus", "levels"),
        ("anatomy", "column"),
    } <= found
    assert {("dp-mdav", "bounds"), ("enhanced-pk", "sensitive_weights"), ("v-mdav", "nominal")} <= found
    assert len(found) >= 18


@pytest.mark.parametrize("name", ALGORITHMS)
def test_whatever_text_an_option_takes_is_said_to_be_a_name_or_a_word(name: str) -> None:
    """An option of a new algorithm that takes texts of no declared kind could name a column unseen."""
    words = {"release", "split", "suppress", "epsilon", "sensitive_weights"}
    naming = {option for other, option, _ in NAMING if other == name}
    assert [o for o, hint in options_of(name).items() if "str" in str(hint) and o not in naming | words] == []


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
@pytest.mark.parametrize(("name", "option", "value"), NAMING)
def test_a_plan_whose_options_name_a_hidden_column_is_refused_before_anything_is_read(
    name: str, option: str, value: Any, hidden: str
) -> None:
    plan = kohort.Plan.from_dict(asked(name, {option: json.loads(json.dumps(value).replace("?", hidden))}))
    with pytest.raises(kohort.InputError, match="which is not released") as refused:
        refuse_hidden(plan, algorithm(name))
    assert refused.value.code == "algorithm.unknown-column"
    with pytest.raises(kohort.InputError):
        check_algorithm(plan)
    assert "SECRET" not in json.dumps(public_plan(plan))


@pytest.mark.parametrize("name", ["top-down", "bottom-up"])
def test_a_released_column_may_be_named(name: str) -> None:
    plan = kohort.Plan.from_dict(asked(name, {"target": "ill"}))
    check_algorithm(plan)
    assert public_plan(plan)["recode"]["options"] == {"target": "ill"}


def test_a_guard_is_no_target_whoever_asks_the_search() -> None:
    people = pa.table(
        {
            "age": [21, 22, 31, 32],
            "ill": ["flu", "cold"] * 2,
            "SECRETWISH": ["", "flu"] * 2,
            "SECRETWHO": list("abcd"),
            "SECRETNAME": list("abcd"),
        }
    )
    for told in (asked("top-down", {"target": "SECRETWISH"}), asked("top-down", {"target": "SECRETNAME"})):
        with pytest.raises(kohort.InputError, match=r"target names 'SECRET\w+', which is not released"):
            kohort.anonymize(people, told)


def test_keys_of_sections_name_no_hidden_column_either() -> None:
    recode = {"objective": "classification", "target": "SECRETWISH"}
    plan = kohort.Plan.from_dict(asked(None, {}, output={"task": "SECRETNAME"}) | {"recode": recode})
    assert "SECRET" not in json.dumps(public_plan(plan))
    again = kohort.Plan.from_dict(public_plan(plan))
    assert public_plan(again) == public_plan(plan)


@pytest.mark.parametrize("word", ["equal", "inverse", "centroid", "tuple", "flu", "1.5"])
def test_words_are_not_taken_for_columns(word: str) -> None:
    """A hidden column may be called like anything that a plan says."""
    cases = {
        "enhanced-pk": {"sensitive_weights": "inverse"},
        "mdav": {"release": "centroid", "ordinal": ["age"]},
        "k-optimize": {"order": {"age": ["flu", "equal", "inverse"]}},
        "dp-mdav": {"epsilon": "1.5", "bounds": {"age": [0, 99]}, "decimals": 0, "missing": {"age": 1}},
    }
    for name, options in cases.items():
        told = asked(name, options)
        told["columns"][word] = "identifier"
        public = public_plan(kohort.Plan.from_dict(told))
        assert public["recode"]["options"] == options
        assert word not in public["columns"]


# --- of other packages ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Undeclared:
    """An algorithm that does not say which of its options name columns."""

    by: str = "age"
    also: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)

    card: ClassVar = Card("undeclared", "does nothing", taxonomy="AG_TS", guarantee="none", decides="class")

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Do nothing."""
        raise NotImplementedError


@dataclass(frozen=True)
class Declared(Undeclared):
    """An algorithm that does."""

    by: Named = "age"

    card: ClassVar = Card("declared", "does nothing", taxonomy="AG_TS", guarantee="none", decides="class")


@pytest.mark.parametrize("hidden", list(HIDDEN.values())[:3])
def test_a_package_that_declares_nothing_names_no_hidden_column_in_public(hidden: str) -> None:
    options = {"by": hidden, "also": ["age", hidden], "weights": {hidden: 2.0, "age": 1.0}}
    with offered("kohort.algorithms", Undeclared):
        plan = kohort.Plan.from_dict(asked("undeclared", options))
        check_algorithm(plan)
        public = public_plan(plan)
        assert public["recode"]["options"] == {"also": ["age"], "weights": {"age": 1.0}}
        assert public_plan(kohort.Plan.from_dict(public)) == public


def test_a_package_that_declares_names_is_held_to_them() -> None:
    with offered("kohort.algorithms", Declared):
        plan = kohort.Plan.from_dict(asked("declared", {"by": "SECRETNAME"}))
        with pytest.raises(kohort.InputError, match="which is not released"):
            check_algorithm(plan)
        assert "options" not in public_plan(plan)["recode"]
        words = kohort.Plan.from_dict(asked("declared", {"by": "age", "also": ["SECRETNAME"]}))
        assert public_plan(words)["recode"]["options"] == {"by": "age", "also": ["SECRETNAME"]}


def test_what_is_not_installed_is_taken_to_declare_nothing() -> None:
    plan = kohort.Plan.from_dict(asked("nobody's", {"by": "SECRETNAME", "how": "fast"}))
    assert public_plan(plan)["recode"]["options"] == {"how": "fast"}
