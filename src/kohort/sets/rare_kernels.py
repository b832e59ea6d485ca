"""Kernels that count combinations of labels; imported where they are called, so that numba is loaded when needed.

Sets are counted depth first: the occurrences of a label are dealt to the labels that follow it in the same row, each
of these lists to the labels that follow there, and so on. Nothing is counted that no row holds, and no table of
combinations is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.compiling import inner, kernel


class Rows(NamedTuple):
    """Sets of labels, row after row and ascending in each, and the places at which each label stands."""

    labels: IntArray  # int32
    ends: IntArray  # int32: where the row of each place ends
    starts: IntArray  # int64, one more than there are labels: where its places begin
    places: IntArray  # int32: of the first label, of the second, …


class Deck(NamedTuple):
    """The combination at hand, and the places dealt to the labels that may follow, by depth."""

    prefix: IntArray  # (size)
    places: IntArray  # (size - 1, n): row 0 those of `Rows`
    begin: IntArray  # (size, n_labels)
    counts: IntArray  # (size, n_labels)
    met: IntArray  # (size, n_labels): the labels with places
    n_met: IntArray  # (size)
    cursor: IntArray  # (size)
    depth: IntArray  # (1): where the count stands; below 0 it is done


class Found(NamedTuple):
    """The combinations that too few rows hold."""

    labels: IntArray  # (capacity, size)
    support: IntArray  # (capacity)


@kernel
def arranged(starts: IntArray, items: IntArray, label_of: IntArray, n_labels: int) -> Rows:
    """Return the sets with a label for every item, each label once; O(items), nothing is sorted."""
    n_rows = len(starts) - 1
    last = np.full(n_labels, -1, np.int64)
    begin = np.zeros(n_labels + 1, np.int64)
    ends = np.zeros(n_rows + 1, np.int64)
    for row in range(n_rows):
        ends[row + 1] = ends[row]
        for at in range(starts[row], starts[row + 1]):
            label = label_of[items[at]]
            if last[label] != row:
                last[label] = row
                begin[label + 1] += 1
                ends[row + 1] += 1
    for label in range(n_labels):
        begin[label + 1] += begin[label]
        last[label] = -1
    holders = np.empty(begin[n_labels], np.int32)
    free = begin.copy()
    for row in range(n_rows):
        for at in range(starts[row], starts[row + 1]):
            label = label_of[items[at]]
            if last[label] != row:
                last[label] = row
                holders[free[label]] = row
                free[label] += 1
    told = np.empty(len(holders), np.int32)
    end_of = np.empty(len(holders), np.int32)
    places = np.empty(len(holders), np.int32)
    next_of = ends.copy()
    for label in range(n_labels):
        for at in range(begin[label], begin[label + 1]):
            row = holders[at]
            place = next_of[row]
            next_of[row] += 1
            told[place] = label
            end_of[place] = ends[row + 1]
            places[at] = place
    return Rows(told, end_of, begin, places)


@inner
def tally(rows: Rows, deck: Deck, depth: int) -> int:
    """Count at `depth` + 1 the labels that follow the places of the label at `depth`; return the steps it took."""
    label, below = deck.prefix[depth], depth + 1
    met = steps = 0
    start = deck.begin[depth, label]
    for i in range(start, start + deck.counts[depth, label]):
        place = deck.places[depth, i]
        steps += rows.ends[place] - place
        for after in range(place + 1, rows.ends[place]):
            follower = rows.labels[after]
            if deck.counts[below, follower] == 0:
                deck.met[below, met] = follower
                met += 1
            deck.counts[below, follower] += 1
    deck.n_met[below] = met
    return steps


@inner
def deal(rows: Rows, deck: Deck, depth: int) -> int:
    """Deal the places of the label at `depth` to the labels that follow them; return the steps it took."""
    steps: int = tally(rows, deck, depth)
    label, below = deck.prefix[depth], depth + 1
    begin = 0
    for i in range(deck.n_met[below]):
        follower = deck.met[below, i]
        deck.begin[below, follower] = begin
        begin += deck.counts[below, follower]
    start = deck.begin[depth, label]
    for i in range(start, start + deck.counts[depth, label]):
        place = deck.places[depth, i]
        for after in range(place + 1, rows.ends[place]):
            follower = rows.labels[after]
            deck.places[below, deck.begin[below, follower]] = after
            deck.begin[below, follower] += 1
    for i in range(deck.n_met[below]):
        follower = deck.met[below, i]
        deck.begin[below, follower] -= deck.counts[below, follower]
    deck.cursor[below] = 0
    return 2 * steps


@inner
def collect(deck: Deck, k: int, found: Found, n: int) -> int:
    """Note the combinations just tallied that fewer than k rows hold; return how many there are by now."""
    last = len(deck.prefix) - 1
    for i in range(deck.n_met[last]):
        label = deck.met[last, i]
        support = deck.counts[last, label]
        if support < k:
            for j in range(last):
                found.labels[n, j] = deck.prefix[j]
            found.labels[n, last] = label
            found.support[n] = support
            n += 1
        deck.counts[last, label] = 0
    return n


@kernel
def count_on(rows: Rows, deck: Deck, k: int, found: Found, most: int, last: bool) -> int:
    """Find combinations that 1 to k - 1 rows hold, from where the count stands; return how many.

    It pauses after `most` steps or where `found` may not have room for more; with `last`, before the next label to begin with.
    """
    n = steps = 0
    depth = deck.depth[0]
    while (
        depth >= 0
        and steps < most
        and n + deck.met.shape[1] <= len(found.support)
        and not (last and depth == 0)
    ):
        at = deck.cursor[depth]
        if at == deck.n_met[depth]:
            if depth:
                for i in range(at):
                    deck.counts[depth, deck.met[depth, i]] = 0
            depth -= 1
            continue
        deck.cursor[depth] += 1
        deck.prefix[depth] = deck.met[depth, at]
        if depth == len(deck.prefix) - 2:
            steps += tally(rows, deck, depth)
            n = collect(deck, k, found, n)
        else:
            steps += deal(rows, deck, depth)
            depth += 1
    deck.depth[0] = depth
    return n


@kernel
def next_standing(sets: IntArray, standing: BoolArray, at: int) -> int:
    """Return the first combination from `at` on whose labels all still stand; their number where there is none."""
    while at < len(sets):
        fine = True
        for j in range(sets.shape[1]):
            if not standing[sets[at, j]]:
                fine = False
        if fine:
            break
        at += 1
    return at
