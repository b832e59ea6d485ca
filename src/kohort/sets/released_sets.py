"""The sets that are released: one row per person, labels in the order of their text, rows in an order of nobody's."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import IntArray
from kohort.chance import permutation
from kohort.errors import InputError
from kohort.sets.baskets import Baskets
from kohort.sets.item_tree import ItemTree
from kohort.table import Column, Table

EMPTY = "{}"  # how a set without items is written: blank cells get lost in some formats
PIECE = 1 << 18  # people whose sets are spelled at a time: one Arrow array holds at most 2 GiB of text


def check_labels(tree: ItemTree, separator: str) -> None:
    """Refuse labels that could not be told apart in a cell; they may be items, so none is named."""
    unfit = sum(not _fits(label, separator) for label in tree.labels)
    if unfit:
        raise InputError(
            f"column {tree.name!r}: {unfit:,} of the {len(tree.labels):,} items and labels of its hierarchy cannot be written "
            f"into a set: they hold the separator {separator!r}, are blank, begin or end with a blank, or stand in braces; "
            "choose another separator, or rename them",
            code="hierarchy.unwritable-labels",
            column=tree.name,
            found=unfit,
            value=separator,
        )


def _fits(label: str, separator: str) -> bool:
    plain = label == label.strip() != "" and not (label.startswith("{") and label.endswith("}"))
    return plain and (label + separator).split(separator) == [label, ""]


def released_sets(baskets: Baskets, tree: ItemTree, node_of_item: IntArray, separator: str) -> Table:
    """Return the released table: of each person the labels of the items held, each once."""
    nodes, codes = np.unique(node_of_item, return_inverse=True)
    told = baskets.recoded(codes)  # nodes are numbered in the order of their labels
    labels = pa.array([tree.labels[node] for node in nodes], pa.string())
    pieces = range(0, max(told.n_people, 1), PIECE)
    cells = pa.chunked_array([_cells(told, labels, start, separator) for start in pieces], pa.string())
    # Shuffled before they are coded: the order of distinct values would tell that of the original rows.
    shuffled = cells.take(pa.array(permutation(told.n_people)))
    return Table.of([Column.from_arrow(tree.name, shuffled)], told.n_people)


def _cells(told: Baskets, labels: pa.Array, start: int, separator: str) -> pa.Array:
    """Return some rows, each as its labels with separators between them."""
    starts = told.starts[start : start + PIECE + 1]
    held = pa.array(told.items[starts[0] : starts[-1]])
    lists = pa.ListArray.from_arrays(pa.array(starts - starts[0], pa.int32()), labels.take(held))
    return pc.if_else(pa.array(np.diff(starts) == 0), EMPTY, pc.binary_join(lists, separator))
