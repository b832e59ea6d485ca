"""`Alphabet`: where one attribute's ordered domain may be cut (Bayardo & Agrawal, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, Label
from kohort.plurals import many

_ROUND = (0.5, 1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True, eq=False)
class Alphabet:
    """The cuts of one attribute: cut i parts the occurring values 0..i from the rest.

    Values that do not occur need no cut of their own. Between two occurring neighbours the cut stands where
    the hierarchy's coarsest boundary is, and of equal ones at the roundest number, so that intervals end at round
    places rather than at the data, of which some may be left out later. Numbers and dates are cut between the cells of
    their grid only, unless their exact values are asked for; all of a cell counts as one value.
    """

    order: IntArray  # ground codes in domain order
    code_of: IntArray  # ground code -> code among the occurring values, -1 where it does not occur
    positions: IntArray  # of each cut: the place in `order` where its right side begins
    levels: IntArray  # of each cut: the highest level of the hierarchy that tells its two sides apart

    @property
    def size(self) -> int:
        """The number of cuts."""
        return len(self.positions)

    def blocks(self, included: NDArray[np.uint8]) -> IntArray:
        """Return the block of every ground code when the cuts `included` are made."""
        starts = np.zeros(len(self.order), np.int32)
        starts[self.positions[np.asarray(included, np.bool_)]] = 1
        blocks = np.empty(len(self.order), np.int32)
        blocks[self.order] = np.cumsum(starts, dtype=np.int32)
        return blocks


def hierarchy_blocks(hierarchy: Hierarchy, alphabet: Alphabet, included: NDArray[np.uint8]) -> IntArray:
    """Return the blocks as whole labels: a label with a cut below it is parted into all its children.

    Values that do not occur follow their labels, so each block holds exactly the values below one label.
    """
    parted: set[tuple[int, int]] = set()
    for i in np.flatnonzero(np.asarray(included)):
        ground = alphabet.order[alphabet.positions[i]]
        for depth in range(int(alphabet.levels[i]) + 1, hierarchy.height + 1):
            parted.add((depth, int(hierarchy.levels[depth].of_ground[ground])))
    boundary = _boundary_levels(hierarchy, alphabet.order)
    starts = np.zeros(hierarchy.size, np.int32)
    for place in range(1, hierarchy.size):
        depth = int(boundary[place]) + 1
        label = int(hierarchy.levels[depth].of_ground[alphabet.order[place]])
        starts[place] = (depth, label) in parted
    blocks = np.empty(hierarchy.size, np.int32)
    blocks[alphabet.order] = np.cumsum(starts, dtype=np.int32)
    return blocks


def alphabet_of(
    hierarchy: Hierarchy,
    occurring: IntArray,
    order: Sequence[Label] | None = None,
    exact: bool = False,
    by_label: bool = False,
) -> Alphabet:
    """Return the cuts of a domain of which the ground codes `occurring` occur; where `exact`, within cells too.

    An order must name every value of a level file or a tree. Elsewhere it names what it likes: values that it does not
    name follow, names of values that are not there are passed over. Had it to name just what occurs, the public plan
    would tell what somebody left out has. With `by_label` the values below every label stand side by side: labels in
    the order of their first values.
    """
    ranks = _order(hierarchy, order, by_label)
    present = np.flatnonzero(np.isin(ranks, occurring))
    boundary = _boundary_levels(hierarchy, ranks)
    code_of = np.full(hierarchy.size, -1, np.int32)
    if hierarchy.grid is None or exact:
        code_of[ranks[present]] = np.arange(len(present), dtype=np.int32)
    else:
        cells = hierarchy.grid.cell_of  # numbers and dates stand in domain order
        _, first, numbers = np.unique(cells[present], return_index=True, return_inverse=True)
        code_of[present] = numbers.astype(np.int32)
        present = present[first]
        boundary[1:][cells[1:] == cells[:-1]] = -1
    positions, levels = [], []
    rounder = boundary * (len(_ROUND) + 1) + _roundness(hierarchy, ranks)
    for left, right in pairwise(present):
        between = boundary[left + 1 : right + 1]
        best = int(rounder[left + 1 : right + 1].argmax())
        positions.append(left + 1 + best)
        levels.append(between[best])
    return Alphabet(ranks, code_of, np.array(positions, np.int64), np.array(levels, np.int64))


def _order(hierarchy: Hierarchy, order: Sequence[Label] | None, by_label: bool) -> IntArray:
    if order is None:
        return np.arange(hierarchy.size)
    _check_order(hierarchy, order)
    code_of = hierarchy.levels[0].code_of
    places = np.arange(len(order), len(order) + hierarchy.size)
    for place, label in enumerate(order):
        if label in code_of:
            places[code_of[label]] = place
    ranks = np.argsort(places, kind="stable")
    if not by_label:
        return ranks
    if hierarchy.closed:
        _check_contiguous(hierarchy, ranks)
        return ranks
    return np.lexsort([_first_places(level.of_ground, places) for level in hierarchy.levels])


def _first_places(of_ground: IntArray, places: IntArray) -> IntArray:
    """Return the first place that any value below the same label has, of every ground value."""
    first = np.full(len(places), places.max(initial=0))
    np.minimum.at(first, of_ground, places)
    return first[of_ground]


def _check_order(hierarchy: Hierarchy, order: Sequence[Label]) -> None:
    """Refuse an order for what the plan alone tells: values that occur without being declared have no say."""
    measured = hierarchy.numbers is not None or hierarchy.days is not None
    if hierarchy.grid is not None or (hierarchy.declared and measured):
        what = "dates" if hierarchy.numbers is None else "numbers"
        raise InputError(
            f"column {hierarchy.name!r}: an order is given, but its values are {what} and are cut by value; "
            "leave the order out",
            code="algorithm.wrong-option",
            option="order",
            column=hierarchy.name,
        )
    named, there = set(order), set(hierarchy.ground)
    if len(named) < len(order):
        raise InputError(
            f"column {hierarchy.name!r}: the order given names {many(len(named), 'value')} in "
            f"{many(len(order), 'entry', 'entries')}; it must name each exactly once",
            code="algorithm.wrong-option",
            option="order",
            column=hierarchy.name,
            found=len(order),
        )
    if hierarchy.closed and (named ^ there) - {None}:
        raise InputError(
            f"column {hierarchy.name!r}: the order given must name each of the {many(len(there - {None}), 'value')} of "
            f"its hierarchy exactly once; it names {len(named & there)} of them in {many(len(order), 'entry', 'entries')}",
            code="algorithm.wrong-option",
            option="order",
            column=hierarchy.name,
            found=len(order),
        )


def _boundary_levels(hierarchy: Hierarchy, ranks: IntArray) -> IntArray:
    """Return, for each place in the order, the highest level at which it differs from the place before."""
    levels = np.zeros(len(ranks), np.int64)
    for depth, level in enumerate(hierarchy.levels):
        labels = level.of_ground[ranks]
        levels[1:][labels[1:] != labels[:-1]] = depth
    return levels


def _roundness(hierarchy: Hierarchy, ranks: IntArray) -> IntArray:
    """Return, for each place in the order, by how many of the round numbers its own can be divided; 0 of what is no number."""
    if hierarchy.numbers is None:
        return np.zeros(len(ranks), np.int64)
    numbers = hierarchy.numbers[ranks]
    return np.asarray(np.sum([numbers % one == 0 for one in _ROUND], axis=0, dtype=np.int64))


def _check_contiguous(hierarchy: Hierarchy, ranks: IntArray) -> None:
    """Refuse an order in which the values below some label do not stand side by side."""
    for depth, level in enumerate(hierarchy.levels):
        labels = level.of_ground[ranks]
        runs = 1 + int((labels[1:] != labels[:-1]).sum())
        if runs > len(level.labels):
            raise InputError(
                f"column {hierarchy.name!r}: respect_hierarchy and min_level need the values below every label side by "
                f"side, and at level {depth} they are not; give an order that follows the hierarchy",
                code="algorithm.wrong-option",
                option="order",
                column=hierarchy.name,
                level=depth,
            )
