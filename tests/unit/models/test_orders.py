"""In which order the ordered distance puts values, who declared it, and what is said of that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kohort.classes import classes_of_rows
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, KAnonymity, LDiversity, Reference, TCloseness
from kohort.models.earth_mover import by_spelling, demand_order, domain_order, told_order
from kohort.models.model import scale_of, spelled_orders

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
