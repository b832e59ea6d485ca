"""What cells say of sets: separators, braces, blanks, repeats, respondents."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.sets.held_items import HeldItems, read_items
from kohort.table import Table


def held_of(cells, separator=";", who=None) -> list[set[str]]:
    columns = {"basket": cells} | ({} if who is None else {"who": who})
    found = read_items(
        Table.from_arrow(pa.table(columns)), "basket", separator, None if who is None else "who"
    )
    return sets_of(found)


def sets_of(found: HeldItems) -> list[set[str]]:
    starts = found.baskets.starts
    return [{found.items[code] for code in found.baskets.items[start:end]} for start, end in pairwise(starts)]


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("tea;milk", {"tea", "milk"}),
        (" tea ; milk ", {"tea", "milk"}),
        ("{tea;milk}", {"tea", "milk"}),
        (" { tea ;milk } ", {"tea", "milk"}),
        ("tea;tea;milk;tea", {"tea", "milk"}),
        ("tea;;milk;", {"tea", "milk"}),
        ("Tea;tea", {"Tea", "tea"}),
        ("green tea", {"green tea"}),
        ("{a", {"{a"}),
        ("{", {"{"}),
        ("", set()),
        ("  ", set()),
        (";", set()),
        ("{}", set()),
        (None, set()),
    ],
)
def test_a_cell_is_a_set(cell, items):
    assert held_of(pa.array([cell, "tea"], pa.string())) == [items, {"tea"}]


def test_separators_may_be_blanks_or_several_signs():
    assert held_of(["tea  milk"], " ") == [{"tea", "milk"}]
    assert held_of(["tea, milk,x"], ", ") == [{"tea", "milk,x"}]


def test_rows_of_one_person_are_one_set():
    held = held_of(["tea;milk", "milk;jam", None, "tea"], who=["ann", "bob", "cy", "ann"])
    assert held == [{"tea", "milk"}, {"milk", "jam"}, set()]


def test_rows_of_one_item_each():
    assert held_of([7, 8, 7, 7], None, ["a", "a", "b", "b"]) == [{"7", "8"}, {"7"}]
    assert held_of(["a;b", None, " c "], None, ["x", "y", "x"]) == [{"a;b", "c"}, set()]


def test_equal_sets_in_many_rows_stay_apart():
    assert held_of(["a;b", "b;a", "a;b"]) == [{"a", "b"}] * 3


def test_a_row_of_nobody_is_refused_without_its_items():
    with pytest.raises(InputError, match="'who': 2 rows name nobody") as caught:
        held_of(["secret", "tea", "milk"], who=[None, "a", None])
    assert "secret" not in str(caught.value)


def test_items_stand_in_the_order_of_their_texts_and_count_people():
    table = Table.from_arrow(pa.table({"basket": ["z;a", "z", "z;z"], "who": ["1", "2", "2"]}))
    found = read_items(table, "basket", ";", "who")
    assert found.items == ("a", "z")
    assert found.counts() == [1, 2]
