"""A least level means what the plan says: nobody who is left out makes it tell more of those who are released."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.errors import InputError
from kohort.hierarchy.build import BUILDERS

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
