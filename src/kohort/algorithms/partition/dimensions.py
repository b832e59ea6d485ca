"""`Dimensions`: the quasi-identifiers as Mondrian's kernels see them."""

from __future__ import annotations

from typing import NamedTuple

from kohort.arrays import BoolArray, FloatArray, IntArray


class Dimensions(NamedTuple):
    """All attributes side by side: the entry of ground code c of attribute j stands at offsets[j] + c."""

    offsets: IntArray  # int64 (n_qi + 1)
    positions: FloatArray  # where each ground value lies: its number, or its place in the order
    border: BoolArray  # whether a cut may follow each ground value
    cell_low: IntArray  # int64: first ground code of the finest cell that may be released
    cell_high: IntArray  # int64: last ground code of it
    spread: FloatArray  # (n_qi) distance between the extreme values in the table
    tree: BoolArray  # (n_qi) whether an attribute is divided node by node instead of being cut
    lowest: IntArray  # int64 (n_qi) least level that may be released
    trees: IntArray  # int64 (n_qi) where the levels of each attribute start in `above`
    above: IntArray  # int32: level by level, the label of each ground code
    leaves: IntArray  # int64: the ground values under that label
