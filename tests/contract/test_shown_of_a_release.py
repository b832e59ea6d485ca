"""`repr` of a release follows from its tables and the public plan: what else the original holds changes no word of it.

It stands in notebooks, which are shared. Two originals with the same released tables show the same: they differ in rows that are
left out, in who the respondents are, and in columns that are not released.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pytest
from tests.contract.test_public_side import FEW

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.algorithms import AVAILABLE_ALGORITHMS as KNOWN

ROWS = (
    ("94138", 31, "flu"),
    ("94139", 34, "flu"),
    ("94141", 38, "flu"),
    ("94142", 52, "asthma"),
    ("94138", 55, "cold"),
    ("94139", 57, "flu"),
)
ILL = {"lungs": ["flu", "cold", "asthma"], "joints": ["gout"]}
ZIPS: dict[str, dict[str, Any]] = {
    "mask": {"kind": "mask", "length": 5},
    "tree": {
        "kind": "tree",
        "tree": {"west": ["94138", "94139", "94141", "94142", "94199"], "east": ["10115"]},
    },
    "suppress": {"kind": "suppress"},
    "order": {"kind": "order", "values": ["10115", "94138", "94139", "94141", "94142", "94199"]},
}
AGES = {"kind": "intervals", "widths": [20, 40], "domain": [0, 99]}
PROMISES: dict[str, list[dict[str, Any]]] = {
    "k": [],
    "l": [{"model": "l-diversity", "column": "ill", "l": 1.1, "variant": "entropy"}],
    "t": [{"model": "t-closeness", "column": "ill", "t": 0.95}],
    "beta": [{"model": "beta-likeness", "column": "ill", "beta": 9}],
}


def table(rows: tuple[tuple[str, int, str], ...], who: str, wish: str) -> pa.Table:
    zips, ages, ills = zip(*rows, strict=True)
    columns = {"zip": zips, "age": ages, "ill": ills, "who": who[: len(rows)], "wish": [wish] * len(rows)}
    return pa.table({name: list(values) for name, values in columns.items()})


def originals() -> Iterator[pa.Table]:
    """Yield tables that differ in a row that may be left out, in whose rows are whose, and in a column that is not released."""
    for left_out in ((), (("10115", 99, "flu"),), (("94199", 99, "flu"),), (("94199", 99, "gout"),)):
        yield table((*ROWS, *left_out), "abcdefg", "")
    yield table(ROWS, "abcdee", "")
    yield table(ROWS, "aabdde", "")
    yield table(ROWS, "abcdef", "gout")


def shown(original: pa.Table, asked: Mapping[str, Any]) -> tuple[Any, str] | None:
    try:
        release = kohort.anonymize(original, asked)
    except (kohort.InfeasibleError, kohort.InputError):
        return None
    told = {
        stem: sorted(map(repr, content.to_arrow().to_pylist())) for stem, content in release.tables.items()
    }
    return repr(sorted(told.items())), repr(release)


def assert_one_line_for_each_release(asked: Mapping[str, Any]) -> int:
    """Return how many originals led to the same tables as another one."""
    lines = defaultdict(list)
    for original in originals():
        made = shown(original, asked)
        if made is not None:
            lines[made[0]].append(made[1])
    for alike in lines.values():
        assert len(set(alike)) == 1, set(alike)
    return max(map(len, lines.values()), default=0)


def plan(zip: str, promises: str = "k", respondent: bool = False, **recode: Any) -> dict[str, Any]:
    return {
        "input": {"respondent": "who"} if respondent else {},
        "columns": {
            "who": "identifier",
            "zip": {"role": "quasi", "hierarchy": ZIPS[zip]},
            "age": {"role": "quasi", "hierarchy": AGES},
            "ill": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": ILL}},
        },
        "require": [{"model": "k-anonymity", "k": 2}, *PROMISES[promises]],
        "recode": {"max_suppression": 1, **recode},
        "output": {"ledger": ""},
    }


@pytest.mark.parametrize("respondent", [False, True])
@pytest.mark.parametrize("zip", ZIPS)
@pytest.mark.parametrize("promises", PROMISES)
def test_hierarchies_and_models(zip: str, promises: str, respondent: bool) -> None:
    assert assert_one_line_for_each_release(plan(zip, promises, respondent)) > 1


def test_a_column_of_which_one_label_is_left_is_told_alike_whoever_was_left_out() -> None:
    """`941**` is all that is left of `zip` where nobody else was in the original, and less than all where somebody was."""
    asked = plan("mask")
    asked["columns"]["zip"] |= {"min_level": 2, "max_level": 2}
    asked["columns"]["age"] |= {"min_level": 1, "max_level": 1}
    assert assert_one_line_for_each_release(asked) > 3


@pytest.mark.parametrize("name", ALGORITHMS)
def test_algorithms(name: str) -> None:
    """Where an algorithm refuses such a plan, or draws its groups, there is nothing to compare."""
    for respondent in (False, True):
        limit = {} if KNOWN[name].card.leaves_out else {"max_suppression": 0}
        asked = plan("mask", "k", respondent, algorithm=name, options=FEW.get(name, {}), **limit)
        assert_one_line_for_each_release(asked)


def test_the_holder_is_told_of_people_and_losses() -> None:
    asked = plan("mask", respondent=True)
    asked["columns"]["zip"] |= {"min_level": 2, "max_level": 2}
    asked["columns"]["age"] |= {"min_level": 1, "max_level": 1}
    release = kohort.anonymize(table(ROWS, "aabdef", ""), asked)
    assert "nothing is left of zip" in release.cautions
    assert [said for said in release.cautions if "people" in said and "share their ill" in said]
    assert "zip" not in repr(release)
    assert "people" not in repr(release)


def test_a_column_of_stars_is_said_to_be_gone() -> None:
    asked = plan("suppress")
    asked["columns"]["zip"]["min_level"] = 1
    assert "nothing is left of zip" in repr(kohort.anonymize(table(ROWS, "abcdef", ""), asked))


def test_a_hidden_column_of_a_promise_is_not_named() -> None:
    asked = plan("mask")
    asked["columns"]["wish"] = "guard"
    asked["require"].append({"model": "personalized", "column": "ill", "guard": "wish", "breach": 0.9})
    line = repr(kohort.anonymize(table(ROWS, "abcdef", ""), asked))
    assert "wish" not in line
