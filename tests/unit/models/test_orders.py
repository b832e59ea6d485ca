"""In which order the ordered distance puts values, who declared it, and what is said of that."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kohort
from kohort.classes import classes_of_rows
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, KAnonymity, LDiversity, Reference, TCloseness
from kohort.models.earth_mover import by_spelling, demand_order, domain_order, told_order
from kohort.models.model import scale_of, spelled_orders
from kohort.verification.judges.definitions.order import ranks
from kohort.verification.judges.definitions.whole import Whole

TEXTS, NUMBERS, DATES = (f"{what}, missing values last" for what in ("texts", "numbers", "dates"))
DECLARED, HIERARCHY = "declared hierarchy", "hierarchy"
LEVELS, ALPHABET = (
    replace(Hierarchy.from_rows("s", [(text, "*") for text in texts]), declared=False)
    for texts in (("low", "mid", "high"), ("a", "b", "c"))
)


def attribute(*labels: str | None, hierarchy: Hierarchy | None = None, unordered: bool = False) -> Attribute:
    ground = None if hierarchy is None else hierarchy.encode(labels)
    return Attribute("s", labels, np.ones(len(labels), np.int64), hierarchy, ground, unordered=unordered)


CASES = {
    "words": (attribute("b", "a", None), True, TEXTS),
    "numbers": (attribute("10", None, "9"), False, NUMBERS),
    "dates": (attribute("2020-01-02", None, "2019-12-31"), False, TEXTS),
    "times": (attribute("2020-01-02 10:00", "2019-12-31T07:00"), False, TEXTS),
    "a date and a word": (attribute("2020-01-02", "soon"), True, TEXTS),
    "a date and more": (attribute("2020-01-02x"), True, TEXTS),
    "a number and a word": (attribute("10", "9", "many"), True, TEXTS),
    "a number of too long a power": (attribute("1", "1e-9999999999999999999999"), True, TEXTS),
    "numbers without end": (attribute("1", "inf"), True, TEXTS),
    "a hierarchy in an order of its own": (attribute("mid", "low", "high", hierarchy=LEVELS), False, HIERARCHY),
    "a hierarchy in the alphabet's": (attribute("b", "c", "a", hierarchy=ALPHABET), True, TEXTS),
    "a declared one in the alphabet's": (
        attribute("b", "c", "a", hierarchy=replace(ALPHABET, declared=True)), False, DECLARED
    ),
    "a hierarchy of numbers": (
        attribute("b", "c", "a", hierarchy=replace(ALPHABET, numbers=np.arange(3.0))), False, NUMBERS
    ),
    "a hierarchy of dates": (attribute("b", "c", "a", hierarchy=replace(ALPHABET, days=np.arange(3))), False, DATES),
    "a hierarchy without codes": (
        replace(attribute("low", "mid", "high", hierarchy=LEVELS), ground=None), True, TEXTS
    ),
    "a hierarchy that is not at hand": (attribute("b", "a", unordered=True), False, TEXTS),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_whether_only_the_spelling_orders_values(case: str) -> None:
    values, spelled, order = CASES[case]
    assert by_spelling(values) is spelled
    assert told_order(values) == f"in the order of its {order}"


def test_a_hierarchy_says_the_order() -> None:
    values = CASES["a hierarchy in an order of its own"][0]
    assert [values.labels[code] for code in domain_order(values)] == ["low", "mid", "high"]


def test_an_order_that_is_not_at_hand_is_refused_by_name() -> None:
    demand_order([attribute("a", "b")])
    hidden = Reference(2, {"s": attribute("a", "b", unordered=True)})
    with pytest.raises(InputError, match="column 's' are in the order of a hierarchy that is not at hand"):
        TCloseness(0.2, "s", "ordered").bind(hidden)
    assert TCloseness(0.2, "s").bind(hidden).scale == ""


def test_models_say_by_what_they_measure() -> None:
    table = Reference(3, {"s": attribute("1", "2", "3"), "w": replace(attribute("a", "b"), name="w")})
    both = TCloseness(0.2, distance="ordered", columns=("s", "w")).bind(table)
    assert scale_of(both) == (
        "s in the order of its numbers, missing values last, w in the order of its texts, missing values last"
    )
    deep = Reference(3, {"s": attribute("a", "b", "c", hierarchy=ALPHABET)})
    assert scale_of(TCloseness(0.2, "s", "hierarchical").bind(deep)) == "s by its declared hierarchy"
    assert scale_of(KAnonymity(2)) == ""


def test_the_holder_is_told_where_only_the_spelling_orders_three_values_or_more() -> None:
    def told(model: TCloseness | LDiversity, values: Attribute) -> int:
        return len(spelled_orders([model], Reference(3, {"s": values})))

    ordered = TCloseness(0.2, "s", "ordered")
    assert told(ordered, attribute("a", "b", "c")) == 1
    assert told(ordered, attribute("a", "b")) == 0, "two values are as far apart in any order"
    assert told(ordered, attribute("1", "2", "3")) == 0
    assert told(TCloseness(0.2, "s"), attribute("a", "b", "c")) == 0
    assert told(TCloseness(0.2, "other", "ordered"), attribute("a", "b", "c")) == 0
    assert told(LDiversity(2, "s"), attribute("a", "b", "c")) == 0
    [said] = spelled_orders([ordered], Reference(3, {"s": attribute("a", "b", "c")}))
    assert "nothing declares the order of 's'" in said


def test_figures_are_told_by_the_distances_that_a_column_allows() -> None:
    codes = np.array([0, 1, 2, 0], np.int32)
    classes, _ = classes_of_rows(np.array([[0], [0], [1], [1]], np.int32), {"s": (codes, 3)})
    for values, known in (
        (attribute("a", "b", "c"), ["equal"]),
        (attribute("1", "2", "3"), ["equal", "ordered"]),
        (attribute("a", "b", "c", unordered=True), ["equal"]),
        (attribute("low", "mid", "high", hierarchy=LEVELS), ["equal", "ordered", "hierarchical"]),
        (attribute("a", "b", "c", hierarchy=ALPHABET), ["equal", "hierarchical"]),
    ):
        assert list(TCloseness.figures(classes, "s", Reference(4, {"s": values}))["t"]) == known


NEAR = st.one_of(
    st.integers(-(2**63), -(2**63) + 9).map(str),
    st.integers(2**53 - 4, 2**53 + 9).map(str),
    st.integers(0, 9).map(lambda digit: f"0.1000000000000000000{digit}"),
    st.sampled_from(["1", "1.0", "1e0", "-0.0", "0", "-0"]),
)


@given(st.lists(st.one_of(st.none(), NEAR), min_size=1, max_size=12, unique=True), st.randoms())
def test_numbers_that_floats_take_for_one_have_their_order_whatever_comes_first(
    labels: list[str | None], chance: random.Random
) -> None:
    """By the model and by the judge alike, and the same for every order of the rows."""
    wanted = sorted((x for x in labels if x is not None), key=lambda text: (Fraction(text), text))
    chance.shuffle(labels)
    values = attribute(*labels)
    assert [labels[code] for code in domain_order(values) if labels[code] is not None] == wanted
    judged = ranks(Whole(tuple(labels), np.ones(len(labels), np.int64)))
    assert np.array_equal(np.argsort(judged), domain_order(values))


def test_long_numbers_are_released_by_their_order_wherever_they_stand(tmp_path: Path) -> None:
    """The values of two classes in turns, which floats take for one: the classes lie apart by 0.3 of the order."""
    long = [-(2**63) + i for i in (0, 3, 1, 4, 2, 5)]
    plan = kohort.Plan(
        columns={"q": "quasi", "s": "sensitive"},
        require=[KAnonymity(2), TCloseness(column="s", t=0.2, distance="ordered")],
        recode={"max_suppression": 0},
    )
    for values in (long, sorted(long), [0, 3, 1, 4, 2, 5]):
        table = pa.table({"q": ["AB"[i in (1, 3, 5)] for i in range(6)] * 10, "s": values * 10})
        if values == sorted(long):
            table = table.set_column(0, "q", pa.array(list("AAABBB") * 10))
        pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
        for engine in ("memory", "duckdb"):
            release = kohort.anonymize(tmp_path / "t.parquet", plan, engine=engine)
            assert release.levels == {"q": 1}
        assert kohort.audit(table, quasi=["q"], sensitive=["s"])["sensitive"]["s"]["t"]["ordered"] == 0.3
