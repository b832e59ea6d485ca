"""Trees of items: nodes, their parents, and labels that can be written."""

from __future__ import annotations

import pytest
from tests.reference.set_worlds import hierarchy_of

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.sets.item_tree import ItemTree
from kohort.sets.released_sets import check_labels


def test_nodes_stand_in_the_order_of_their_labels_and_know_what_they_cover():
    tree = ItemTree.of(hierarchy_of(("*", [("heart", ["I48", "I50"]), ("lung", ["J45"]), "Z00"])))
    assert tree.labels == ("*", "I48", "I50", "J45", "Z00", "heart")  # `lung` covers J45 alone: one node
    above = {label: tree.labels[tree.parent[node]] for node, label in enumerate(tree.labels)}
    assert above == {"*": "*", "I48": "heart", "I50": "heart", "J45": "*", "Z00": "*", "heart": "*"}
    assert {label: int(tree.leaves[node]) for node, label in enumerate(tree.labels)} == {
        "*": 4, "I48": 1, "I50": 1, "J45": 1, "Z00": 1, "heart": 2,
    }  # fmt: skip
    assert [tree.labels[node] for node in tree.path(tree.labels.index("I50"))] == ["I50", "heart", "*"]


def test_a_single_item_is_its_own_root():
    tree = ItemTree.of(Hierarchy.from_rows("basket", [("tea", "*")]))
    assert tree.labels == ("tea",)
    assert tree.root == 0


def test_a_label_of_two_meanings_is_refused_unnamed():
    rows = [("a", "other", "x", "*"), ("b", "y", "other", "*"), ("c", "z", "other", "*")]
    with pytest.raises(InputError, match="1 label of its hierarchy stands for different items") as caught:
        ItemTree.of(Hierarchy.from_rows("basket", rows))
    assert "other" not in str(caught.value)


@pytest.mark.parametrize(
    ("label", "separator", "fits"),
    [
        ("tea", ";", True),
        ("green tea", ";", True),
        ("green tea", " ", False),
        ("a;b", ";", False),
        ("a;", ";;", False),
        (";a", ";;", True),
        (" a", ";", False),
        ("{a}", ";", False),
        ("{}", ";", False),
        ("{a", ";", True),
    ],
)
def test_labels_must_be_told_apart_in_a_cell(label, separator, fits):
    tree = ItemTree.of(Hierarchy.from_rows("basket", [(label, "*"), ("other", "*")]))
    if fits:
        check_labels(tree, separator)
        return
    with pytest.raises(InputError, match="1 of the 3 items and labels") as caught:
        check_labels(tree, separator)
    assert label.strip("{ }") == "" or f"'{label}'" not in str(caught.value)
