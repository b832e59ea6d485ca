"""Sets from end to end: in every format, whatever items look like, nothing but what is promised comes out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from kohort.algorithms import Silent
from kohort.hierarchy import build_hierarchy
from kohort.sets.apriori import Apriori
from kohort.sets.item_tree import ItemTree
from kohort.sets.judge import OriginalSets, judge_sets, told_sets
from kohort.sets.k_m import KM
from kohort.sets.problem import SetProblem
from kohort.sets.publishing import check_labels, released_sets
from kohort.sets.reading import read_items
from kohort.table import Column, Table
from kohort.table.formats import WRITERS
from kohort.table.reading import read_released
from kohort.table.writing import write_table

ODD = [
    "=1+1",
    "-5",
    "@x",
    "+y",
    "'q",
    '"',
    ",",
    "a b",
    "ü",
    "0012",
    "1e5",
    "NA",
    "null",
    "true",
    "2020-01-01",
    "A|B",
]
TREE = {"signs": ODD[:8], "words": {"first": ODD[8:12], "last": ODD[12:]}}


def odd_table(draw: np.random.Generator, n: int = 60) -> Table:
    cells = [";".join(draw.permutation([item for item in ODD if draw.random() < 0.2])) for _ in range(n)]
    return Table.of([Column.from_arrow("basket", pa.array([cell or None for cell in cells], pa.string()))], n)


@pytest.mark.parametrize("suffix", sorted(WRITERS))
def test_odd_items_come_back_from_every_format_and_are_judged_true(suffix, tmp_path):
    draw = np.random.default_rng(5)
    for m in (1, 2):
        table = odd_table(draw)
        held = read_items(table, "basket", ";", None)
        hierarchy = build_hierarchy("basket", {"kind": "tree", "tree": TREE}, held.items, held.counts())
        tree = ItemTree.of(hierarchy)
        check_labels(tree, ";")
        baskets = held.baskets.recoded(hierarchy.encode(held.items))
        solution = Apriori().solve(SetProblem(baskets, tree, [KM(3, m)]), Silent())
        released = released_sets(baskets, tree, solution.node_of_item, ";")
        path = tmp_path / f"table{suffix}"
        write_table(released, path)
        written = read_released(path)
        judged = judge_sets(written, "basket", ";", [KM(3, m)], OriginalSets(held, hierarchy))
        assert [verdict.holds for verdict in judged] == [True] * 5
        assert Counter(told_sets(written, "basket", ";").sets.sizes.tolist()) == Counter(
            told_sets(released, "basket", ";").sets.sizes.tolist()
        )
