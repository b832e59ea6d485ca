"""The combinations of labels that too few people hold."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from kohort.arrays import IntArray
from kohort.sets.baskets import Baskets
from kohort.sets.rare_kernels import Deck, Found, Rows, arranged, count_from

MOST = 1 << 21  # combinations that are noted before labels are raised; the rest is counted anew after that
BATCHES = 64  # of labels to begin with, between two looks at the clock
ROOM = 1 << 12  # combinations of a batch for which there is room at first


def rare_sets(
    baskets: Baskets, label_of: IntArray, fresh: int, size: int, k: int, pause: Callable[[], None]
) -> tuple[IntArray, bool]:
    """Return the combinations of `size` labels that 1 to k - 1 people hold, rarest first, and whether these are all.

    `label_of` holds the label of each item, from 0 on. Only combinations with one of the first `fresh` labels are
    counted; smaller ones must all be held by nobody or by k. `pause` is called between batches. Time is in
    proportion to the combinations that people hold, space to the items they hold.
    """
    pause()
    n_labels = int(label_of.max(initial=-1)) + 1
    rows = arranged(baskets.starts, baskets.items, label_of, n_labels)
    if size > 1:
        return _counted(rows, _deck(rows, size), fresh, k, pause)
    held = np.diff(rows.starts)[:fresh]
    rare = np.flatnonzero((held > 0) & (held < k))
    return _rarest_first(rare[:, None], held[rare]), True


def _deck(rows: Rows, size: int) -> Deck:
    n_labels = len(rows.starts) - 1
    places = np.zeros((size - 1, len(rows.places)), np.int32)
    begin, count, met = (np.zeros((size, n_labels), np.int64) for _ in range(3))
    places[0] = rows.places
    begin[0], count[0], met[0] = rows.starts[:-1], np.diff(rows.starts), np.arange(n_labels)
    return Deck(np.zeros(size, np.int64), places, begin, count, met, *np.zeros((2, size), np.int64))


def _counted(rows: Rows, deck: Deck, fresh: int, k: int, pause: Callable[[], None]) -> tuple[IntArray, bool]:
    """Return the rare combinations of two labels or more, batch by batch of the label they begin with."""
    size, room = len(deck.prefix), _room(len(deck.prefix), ROOM)
    sets, supports = [room.labels[:0]], [room.support[:0]]
    noted = done = 0
    for first, done in pairwise(_batches(deck.counts[0][:fresh])):
        if first:
            pause()
        while (found := count_from(rows, deck, first, done, k, room)) > len(room.support):
            room = _room(size, found)
        sets.append(room.labels[:found].copy())
        supports.append(room.support[:found].copy())
        noted += found
        if noted > MOST:
            break
    return _rarest_first(np.concatenate(sets), np.concatenate(supports)), done == fresh


def _room(size: int, n: int) -> Found:
    return Found(np.zeros((n, size), np.int64), np.zeros(n, np.int64))


def _batches(occurrences: IntArray) -> list[int]:
    """Return where batches of labels begin, each with about as many occurrences; by the table alone, not by timing."""
    shares = np.cumsum(occurrences) * BATCHES // max(int(occurrences.sum()), 1)
    return [0, *(np.flatnonzero(np.diff(shares)) + 1).tolist(), len(occurrences)]


def _rarest_first(sets: IntArray, support: IntArray) -> IntArray:
    """Return the combinations by support, then by their labels."""
    sets = np.sort(sets, axis=1)
    return sets[np.lexsort([*sets.T[::-1], support])]
