"""The combinations of labels that too few people hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kohort.arrays import IntArray
from kohort.sets.baskets import Baskets
from kohort.sets.rare_kernels import Deck, Found, Rows, arranged, count_on

MOST = 1 << 21  # combinations that are noted before labels are raised; the rest is counted anew after that
ROOM = 1 << 16  # combinations that are noted between two looks at the clock, and
STEPS = 20_000_000  # steps: by the table alone, not by timing, so that results do not vary


def rare_sets(
    baskets: Baskets, label_of: IntArray, fresh: int, size: int, k: int, pause: Callable[[], None]
) -> tuple[IntArray, bool]:
    """Return the combinations of `size` labels that 1 to k - 1 people hold, rarest first, and whether these are all.

    `label_of` holds the label of each item, from 0 on. Only combinations with one of the first `fresh` labels are
    counted; smaller ones must all be held by nobody or by k. `pause` is called now and then. Time is in
    proportion to the combinations that people hold, space to the items they hold.
    """
    pause()
    n_labels = int(label_of.max(initial=-1)) + 1
    rows = arranged(baskets.starts, baskets.items, label_of, n_labels)
    if size > 1:
        return _counted(rows, _deck(rows, size, fresh), k, pause)
    held = np.diff(rows.starts)[:fresh]
    rare = np.flatnonzero((held > 0) & (held < k))
    return _rarest_first(rare[:, None], held[rare]), True


def _deck(rows: Rows, size: int, fresh: int) -> Deck:
    n_labels = len(rows.starts) - 1
    places = np.zeros((size - 1, len(rows.places)), np.int32)
    begin, counts, met = (np.zeros((size, n_labels), np.int64) for _ in range(3))
    places[0] = rows.places
    begin[0], counts[0], met[0] = rows.starts[:-1], np.diff(rows.starts), np.arange(n_labels)
    prefix, n_met, cursor = np.zeros((3, size), np.int64)
    n_met[0] = fresh
    return Deck(prefix, places, begin, counts, met, n_met, cursor, np.zeros(1, np.int64))


def _counted(rows: Rows, deck: Deck, k: int, pause: Callable[[], None]) -> tuple[IntArray, bool]:
    """Return the rare combinations of two labels or more; counting ends early only between two labels to begin with."""
    size, n_labels = len(deck.prefix), deck.met.shape[1]
    room = Found(np.zeros((ROOM + n_labels, size), np.int64), np.zeros(ROOM + n_labels, np.int64))
    sets, supports, noted = [room.labels[:0]], [room.support[:0]], 0
    while deck.depth[0] > 0 or (deck.depth[0] == 0 and noted <= MOST):
        found = count_on(rows, deck, k, room, STEPS, noted > MOST)
        sets.append(room.labels[:found].copy())
        supports.append(room.support[:found].copy())
        noted += found
        pause()
    return _rarest_first(np.concatenate(sets), np.concatenate(supports)), deck.depth[0] < 0


def _rarest_first(sets: IntArray, support: IntArray) -> IntArray:
    """Return the combinations by support, then by their labels."""
    sets = np.sort(sets, axis=1)
    return sets[np.lexsort([*sets.T[::-1], support])]
