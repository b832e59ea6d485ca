"""A least level means what the plan says: nobody who is left out makes it tell more of those who are released."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy.build import BUILDERS

AGES = {"kind": "intervals", "widths": [5, 10], "domain": [0, 99]}

# of every kind of hierarchy: values in two crowds, the plan's words, and values of one more person
KINDS: dict[str, tuple[list[str], dict[str, Any], list[str | None]]] = {
    "mask": (["12345", "54321"], {"length": 12}, ["999999999999", "9", "77777", None]),
    "prefix": (["12345", "54321"], {"lengths": [4, 2]}, ["999999999999", "9", "77777", None]),
    "suppress": (["a", "b"], {}, ["a much longer word", "", None]),
    "order": (["a", "b"], {"values": ["a", "b"]}, ["c", "a much longer word", None]),
    "intervals": (["20", "31"], {"widths": [10, 20]}, ["77.5", "1000000", "-3", None]),
    "bands": (["20", "31"], {"ends": [[25, 50], [50]]}, ["77", "1000000", "0", None]),
    "dates": (["2001-01-02", "1980-05-06"], {"levels": ["month", "year"]}, ["1900-01-01", "2020-12-31", None]),
    "ip": (["192.0.2.1", "198.51.100.7"], {}, ["203.0.113.9", "2001:db8::1", None]),
    "icd10": (["J45.0", "E11.9"], {}, ["A00.0", "I25.11", None]),
    "tree": (["cook", "nurse"], {"tree": {"food": ["cook", "baker"], "care": ["nurse", "vet"]}}, ["vet", None]),
}  # fmt: skip


def plan_of(kind: str, least: int, **more: Any) -> dict[str, Any]:
    column = {"role": "quasi", "min_level": least, "max_level": least, "hierarchy": {"kind": kind} | more}
    return {
        "columns": {"it": column, "ill": "insensitive"},
        "require": [{"model": "k-anonymity", "k": 3}],
        "recode": {"max_suppression": 0.5},
    }


def released(its: list[str | None], plan: dict[str, Any]) -> set[object]:
    table = pa.table({"it": pa.array(its, pa.string()), "ill": ["x"] * len(its)})
    return set(kohort.anonymize(table, plan).tables["table"].to_arrow()["it"].to_pylist())


@pytest.mark.parametrize("least", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_a_least_level_tells_the_same_whoever_is_left_out(kind: str, least: int) -> None:
    values, told, others = KINDS[kind]
    people = [value for value in values for _ in range(4)]
    plan = plan_of(kind, least, **told)
    alone = released([*people], plan)
    for other in others:
        assert released([*people, other], plan) <= alone | {"*"}, other


def test_every_kind_of_hierarchy_is_tried() -> None:
    assert set(KINDS) == set(BUILDERS) - {"file"}  # whose levels stand in the file


@pytest.mark.parametrize("kind", [name for name, builder in BUILDERS.items() if builder.card.height_by])
@pytest.mark.parametrize("name", [n for n in ALGORITHMS if "min_level" in algorithm(n).card.bounds])
def test_a_level_that_is_counted_from_the_longest_value_is_refused_by_the_plan(name: str, kind: str) -> None:
    by = BUILDERS[kind].card.height_by
    for least in (1, 7):
        plan = plan_of(kind, least)
        plan["recode"]["algorithm"] = name
        with pytest.raises(InputError, match=f"hierarchy.{by}") as refused:
            kohort.Plan.from_dict(plan)
        assert refused.value.code == "plan.level"
    bounded = plan_of(kind, 0)  # that no more than so many are hidden holds whatever the longest is
    assert kohort.Plan.from_dict(bounded).level_bounds == {"it": (0, 0)}


def by_order(least: int, **recode: Any) -> dict[str, Any]:
    order = {"kind": "order", "values": [*"abcdef"], "keep": [3, 1]}
    return {
        "columns": {
            "it": {"role": "quasi", "min_level": least, "hierarchy": order},
            "age": {"role": "quasi", "hierarchy": AGES},
            "ill": "insensitive",
        },
        "require": [{"model": "k-anonymity", "k": 3}],
        "recode": {"max_suppression": 0.5, **recode},
    }


def ordered(its: list[str]) -> pa.Table:
    return pa.table({"it": its, "age": [20 + i % 9 for i in range(len(its))], "ill": ["x"] * len(its)})


@pytest.mark.parametrize("name", [n for n in ALGORITHMS if "min_level" in algorithm(n).card.bounds])
def test_no_set_stands_for_other_of_an_order_above_the_ground(name: str) -> None:
    """That somebody's value is one of those listed is more than `other` tells; here all are, but the plan does not say so."""
    try:
        told = (
            kohort.anonymize(ordered([*"abcdef" * 6]), by_order(1, algorithm=name)).tables["table"].to_arrow()
        )
    except (InputError, InfeasibleError):
        return
    assert set(told["it"].to_pylist()) <= {"a", "b", "c", "other", "*"}


@pytest.mark.parametrize(
    ("label", "kept"), [("{a, b}", True), ("{b, c, d, e, f}", False), ("{d, e, f}", False)]
)
def test_a_set_of_an_order_is_judged_by_whether_it_cuts_other_short(label: str, kept: bool) -> None:
    original = ordered([*"abcdef" * 6])
    for least in (0, 1):
        verdicts = kohort.verify(
            original.set_column(0, "it", pa.array([label] * 36)), by_order(least), original
        )
        held = [v.holds for v in verdicts if v.promise.startswith("it at level")]
        assert held == [kept] * least
