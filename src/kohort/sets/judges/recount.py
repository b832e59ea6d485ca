"""How many people hold each combination of labels, counted anew by the judge; shares nothing with the search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kohort.arrays import IntArray
from kohort.sets.baskets import Baskets

PAIRS = 1 << 22  # pairs of labels that are written out at a time


def smallest_support(baskets: Baskets, n_labels: int, m: int) -> int | None:
    """Return by how few people a combination of at most m labels is held, if by any; None where nobody holds any.

    For every label the sets that hold it are cut down to the labels after it, and what is left is counted the same
    way, down to pairs, which are counted at once. Time is in proportion to the combinations of m labels that people
    hold.
    """
    return min(_supports(baskets, n_labels, min(m, int(baskets.sizes.max(initial=0)))), default=None)


def _supports(baskets: Baskets, n_labels: int, m: int) -> Iterator[int]:
    """Yield the least support of single labels, of pairs, and of larger combinations label by label."""
    single = baskets.counts(n_labels)
    if not single.any():
        return
    yield int(single[single > 0].min())
    if m == 2:
        pairs = _pair_counts(baskets, n_labels)
        if pairs.any():
            yield int(pairs[pairs > 0].min())
    if m > 2:
        for tails in _tails(baskets, single):
            yield from _supports(tails, n_labels, m - 1)


def _tails(baskets: Baskets, single: IntArray) -> Iterator[Baskets]:
    """Yield for every label the sets that hold it, with only the labels after it."""
    order, behind = np.argsort(baskets.items, kind="stable"), _behind(baskets)
    for own in np.split(order, np.cumsum(single)[:-1]):
        sizes = behind[own]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        yield Baskets(starts, baskets.items[_spread(own, sizes)])


def _behind(baskets: Baskets) -> IntArray:
    """Return how many labels stand behind each in its set."""
    return np.repeat(baskets.starts[1:], baskets.sizes) - np.arange(len(baskets.items)) - 1


def _spread(places: IntArray, sizes: IntArray) -> IntArray:
    """Return for each place the `sizes` places after it."""
    begins = np.cumsum(sizes) - sizes
    return np.repeat(places - begins + 1, sizes) + np.arange(int(sizes.sum()))


def _pair_counts(baskets: Baskets, n_labels: int) -> IntArray:
    """Return how many sets hold each pair of labels, a < b at place a · n_labels + b."""
    counts = np.zeros(n_labels * n_labels, np.int64)
    behind = _behind(baskets)
    ends = np.cumsum(behind)
    start = 0
    while start < len(behind):
        done = ends[start - 1] if start else 0
        end = max(int(np.searchsorted(ends, done + PAIRS, "right")), start + 1)
        left, sizes = np.arange(start, end), behind[start:end]
        right = baskets.items[_spread(left, sizes)]
        keys = np.repeat(baskets.items[start:end].astype(np.int64), sizes) * n_labels + right
        counts += np.bincount(keys, minlength=len(counts))
        start = end
    return counts
