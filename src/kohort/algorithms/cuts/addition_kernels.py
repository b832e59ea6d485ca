"""The exact cost of a cut set with one cut more, the spine cut at its best each time."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.path_kernels import shortest
from kohort.algorithms.cuts.region_kernels import (
    IN,
    Arcs,
    Costs,
    Rows,
    below,
    blocks_of,
    dividing_cuts,
    group_rows,
)
from kohort.arrays import FloatArray
from kohort.compiling import inner, kernel


@kernel
def additions(rows: Rows, arcs: Arcs, costs: Costs, status: CutSet) -> FloatArray:
    """Return what `_additions` does."""
    return _additions(rows, arcs, costs, status)


@inner
def _additions(rows: Rows, arcs: Arcs, costs: Costs, status: CutSet) -> FloatArray:
    """Return the cost of the cuts that are in with each open cut added; limits on suppression are not kept."""
    codes, first, places = rows.codes, rows.first, rows.places
    begins, ends = arcs
    own, metric, k = costs.own, costs.metric, costs.k
    n_cuts, t = first[-1], rows.labels.shape[1]
    order, starts = group_rows(codes, np.arange(len(codes)), first, blocks_of(first, status, IN))
    base = np.zeros(len(begins))
    more = np.zeros((len(begins), n_cuts))
    values = first[-1] + codes.shape[1]
    sums = np.zeros((1 + t, places + 1, values), np.int64)
    parts = np.empty(1 + t, np.int64)
    for c in range(len(starts) - 1):
        members = order[starts[c] : starts[c + 1]]
        for y in range(-1, t):
            below(rows, members, y, sums[1 + y])
        last = first[1] - first[0]  # all values of the first attribute: the whole class
        size = sums[0, places, last]
        cuts, at = dividing_cuts(first, status, sums[0], size)
        for i in range(len(begins)):
            a, b = begins[i], ends[i]
            s = sums[0, b, last] - sums[0, a, last]
            if s == 0:
                continue
            whole = own[s]
            if metric == 1 and s >= k:
                top = 0
                for y in range(t):
                    top = max(top, sums[1 + y, b, last] - sums[1 + y, a, last])
                whole = np.float64(s - top)
            base[i] += whole
            for z in range(len(cuts)):
                low = sums[0, b, at[z]] - sums[0, a, at[z]]
                if low == 0 or low == s:
                    continue
                if metric != 1:
                    more[i, cuts[z]] += own[low] + own[s - low] - whole
                    continue
                top_low, top_high = 0, 0
                for y in range(t):
                    parts[y] = sums[1 + y, b, at[z]] - sums[1 + y, a, at[z]]
                    top_low = max(top_low, parts[y])
                    top_high = max(top_high, sums[1 + y, b, last] - sums[1 + y, a, last] - parts[y])
                more[i, cuts[z]] += (
                    (own[low] if low < k else np.float64(low - top_low))
                    + (own[s - low] if s - low < k else np.float64(s - low - top_high))
                    - whole
                )
    cost = np.empty(n_cuts)
    shortest(arcs, base, places, more, cost)
    return cost
