"""The attack by known items: crowds counted one by one, and none smaller than k where k^m holds."""

from __future__ import annotations

import pyarrow as pa
from tests.reference import sets as naive
from tests.reference.set_worlds import baskets_of, hierarchy_of, problem_of, random_world

from kohort.algorithms import Silent
from kohort.attacks.known_items import known_items, link_by_items
from kohort.plan import Plan
from kohort.sets.apriori import Apriori
from kohort.sets.held_items import HeldItems
from kohort.sets.judges import told_sets
from kohort.sets.k_m import KM
from kohort.sets.released_sets import released_sets
from kohort.table import Table


def test_nobody_is_found_in_a_crowd_smaller_than_k():
    tried = 0
    for seed in range(60):
        tree, held, k, m = random_world(seed)
        problem = problem_of(tree, held, KM(k, m))
        cut = Apriori().solve(problem, Silent()).node_of_item
        table = released_sets(problem.baskets, problem.tree, cut, ";")
        hierarchy = hierarchy_of(tree)
        items = HeldItems(tuple(map(str, hierarchy.ground)), problem.baskets)
        for known in range(1, m + 1):
            found = link_by_items(told_sets(table, "basket", ";"), items, hierarchy, known)
            assert found.details["smallest_crowd"] >= k
            assert found.details["unique"] == 0
            assert found.success <= 1 / k
            tried += found.n
    assert tried > 500


def test_crowds_are_those_counted_one_by_one():
    tree = ("*", [("A", ["a1", "a2"]), ("B", ["b1", "b2"])])
    held = [{"a1", "b1", "b2"}, {"a2", "b1"}, {"a2", "b1", "b2"}, {"a1", "a2", "b2"}]
    hierarchy = hierarchy_of(tree)
    items = HeldItems(tuple(map(str, hierarchy.ground)), baskets_of(hierarchy, held))
    table = Table.from_arrow(pa.table({"basket": [";".join(sorted(one)) for one in held]}))
    found = link_by_items(told_sets(table, "basket", ";"), items, hierarchy, 2)
    covers = {item: {item} for item in items.items}
    # the two rarest items of each: a1 is held by 2, the others by 3, first by name among equals
    known = [{"a1", "b1"}, {"a2", "b1"}, {"a2", "b1"}, {"a1", "a2"}]
    crowds = [naive.crowd(one, held, covers) for one in known]
    assert crowds == [1, 2, 2, 1]
    assert found.success == sum(1 / c for c in crowds) / 4
    assert found.details["unique"] == 2
    assert "50.0%" in found.sentence


def test_a_label_over_another_hides_in_both():
    tree = ("*", [("A", ["a1", "a2"]), "b"])
    hierarchy = hierarchy_of(tree)
    items = HeldItems(tuple(map(str, hierarchy.ground)), baskets_of(hierarchy, [{"a1"}, {"a2"}]))
    table = Table.from_arrow(pa.table({"basket": ["A", "a2"]}))
    found = link_by_items(told_sets(table, "basket", ";"), items, hierarchy, 1)
    assert found.success == (1 + 1 / 2) / 2  # a1 fits A alone, a2 fits both


def test_nobody_to_look_up():
    hierarchy = hierarchy_of(("*", ["a", "b"]))
    items = HeldItems(("a", "b"), baskets_of(hierarchy, [set(), set()]))
    table = Table.from_arrow(pa.table({"basket": ["{}", "{}"]}))
    found = link_by_items(told_sets(table, "basket", ";"), items, hierarchy, 2)
    assert (found.success, found.n, found.interval) == (0.0, 0, None)


def test_a_release_is_attacked_once_for_the_m_of_every_promise():
    columns = {
        "basket": {"role": "set", "separator": ";", "hierarchy": {"kind": "tree", "tree": {"A": ["a", "b"]}}}
    }
    require = [
        {"model": "k-m", "k": 2, "m": 1},
        {"model": "k-m", "k": 2, "m": 2},
        {"model": "k-m", "k": 3, "m": 1},
    ]
    plan = Plan.from_dict({"input": {"shape": "sets"}, "columns": columns, "require": require})
    original = pa.table({"basket": ["a", "b", "a;b", "b"]})
    found = known_items(pa.table({"basket": ["A", "A", "A", "A"]}), original, plan)
    assert [(one.details["m"], one.details["smallest_crowd"]) for one in found] == [(1, 4), (2, 4)]
    raw = known_items(original, original, plan)
    assert [one.details["unique"] for one in raw] == [0, 1]
