"""Pairs of cuts that cannot both be made, and what follows for the bound.

Two open cuts *clash* where making both would suppress more than is allowed or push the bound past the best cost.
Leaving cuts out raises the bound by at least the sum of what each raises it alone: a cut left out merges atoms,
and merging costs more the larger the atoms are (the penalty is convex). Of two cuts that clash one is left out;
so the bound rises by at least the weight of the lightest set of cuts that touches every clash, which any packing
of cliques bounds from below.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.bound_kernels import OPEN


@njit(cache=True, nogil=True)
def pair_losses(  # type: ignore[no-untyped-def]
    codes, weights, starts, sizes, n_classes, first, status, k, factor, number, lost, harm
):
    """Fill the records each pair of open cuts would suppress together, and how much the bound would rise.

    `number[v]` is the place of an open cut in the matrices; only the half above the diagonal is filled.
    """
    m = codes.shape[1]
    n_cuts = first[m]
    n_open = 0
    for v in range(n_cuts):
        number[v] = -1
        if status[v] == OPEN:
            number[v] = n_open
            n_open += 1
    lost[:n_open, :n_open] = 0
    harm[:n_open, :n_open] = 0.0
    single_lost = np.zeros(n_open, np.int64)
    single_harm = np.zeros(n_open, np.float64)
    cuts = np.empty(n_cuts + m, np.int64)  # open cuts that split the class, by attribute
    left = np.empty(n_cuts + m, np.int64)
    alone = np.empty(n_cuts + m, np.int64)
    at = np.empty(m + 1, np.int64)
    block = np.zeros(n_cuts + m, np.int64)
    running = np.zeros(n_cuts + m + 1, np.int64)
    widest = 1
    for j in range(m):
        widest = max(widest, first[j + 1] - first[j] + 2)
    table = np.zeros((widest, widest), np.int64)
    for c in range(n_classes):
        begin, end, size = starts[c], starts[c + 1], sizes[c]
        if end - begin < 2:
            continue
        count = 0
        for j in range(m):
            at[j] = count
            base = first[j] + j
            low, high = np.int64(codes[begin, j]), np.int64(codes[begin, j])
            for q in range(begin + 1, end):
                low = min(low, np.int64(codes[q, j]))
                high = max(high, np.int64(codes[q, j]))
            block[base + low] = 0
            if low == high:
                continue
            running[base + low : base + high + 2] = 0
            for q in range(begin, end):
                running[base + codes[q, j] + 1] += weights[q]
            for p in range(low + 1, high + 1):
                running[base + p] += running[base + p - 1]
                block[base + p] = block[base + p - 1]
                v = first[j] + p - 1
                if status[v] == OPEN:
                    block[base + p] += 1
                    cuts[count] = v
                    left[count] = running[base + p]
                    rest = size - left[count]
                    alone[count] = (left[count] if left[count] < k else 0) + (rest if rest < k else 0)
                    single_lost[number[v]] += alone[count]
                    single_harm[number[v]] += alone[count] * np.float64(factor[c])
                    count += 1
        at[m] = count
        for j in range(m):
            n_one = at[j + 1] - at[j]
            for x in range(at[j], at[j + 1]):  # two cuts of one attribute: three pieces
                for y in range(x + 1, at[j + 1]):
                    middle, rest = left[y] - left[x], size - left[y]
                    both = (left[x] if left[x] < k else 0) + (rest if rest < k else 0)
                    both += middle if middle < k else 0
                    more = both - alone[x] - alone[y]
                    if more != 0:
                        lost[number[cuts[x]], number[cuts[y]]] += more
                        harm[number[cuts[x]], number[cuts[y]]] += more * np.float64(factor[c])
            if n_one == 0:
                continue
            for i in range(j + 1, m):
                n_two = at[i + 1] - at[i]
                if n_two == 0:
                    continue
                table[: n_one + 1, : n_two + 1] = 0
                for q in range(begin, end):
                    table[block[first[j] + j + codes[q, j]], block[first[i] + i + codes[q, i]]] += weights[q]
                for x in range(n_one + 1):
                    for y in range(1, n_two + 1):
                        table[x, y] += table[x, y - 1]
                for x in range(1, n_one + 1):
                    for y in range(n_two + 1):
                        table[x, y] += table[x - 1, y]
                for x in range(n_one):
                    for y in range(n_two):
                        one, two = at[j] + x, at[i] + y
                        near = table[x, y]
                        cross, across = left[one] - near, left[two] - near
                        far = size - left[one] - left[two] + near
                        both = (near if near < k else 0) + (cross if cross < k else 0)
                        both += (across if across < k else 0) + (far if far < k else 0)
                        more = both - alone[one] - alone[two]
                        if more != 0:
                            lost[number[cuts[one]], number[cuts[two]]] += more
                            harm[number[cuts[one]], number[cuts[two]]] += more * np.float64(factor[c])
    for x in range(n_open):
        for y in range(x + 1, n_open):
            lost[x, y] += single_lost[x] + single_lost[y]
            harm[x, y] += single_harm[x] + single_harm[y]
    return n_open


@njit(cache=True, nogil=True)
def forced_rise(x, n_open, harm, weight, additive):  # type: ignore[no-untyped-def]
    """Return how much the bound rises at least with cut x in.

    Every other open cut is left out, or is in and does harm together with x. Harms may hit the same records, so
    only the greatest counts; the cheapest choice keeps the cuts up to some harm and leaves out all above it.
    """
    order = np.argsort(-harm[x, :n_open])
    out, least = 0.0, np.inf
    for position in range(n_open):
        y = order[position]
        if y == x:
            continue
        least = min(least, out + harm[x, y])
        out = out + weight[y] if additive else max(out, weight[y])
        if harm[x, y] <= 0:
            break
    return min(least, out)


@njit(cache=True, nogil=True)
def clash_bound(n_open, harm, weight, gap, additive):  # type: ignore[no-untyped-def]
    """Return how much the bound rises at least because of pairs: none, one, or several are in together.

    If the worst pair that is in does harm between two steps of a scale, all pairs above the upper step clash: one
    cut of each is left out.
    """
    if gap <= 0:
        return np.inf
    steps = 6
    least = np.inf
    for step in range(steps):
        floor = gap * step / steps
        least = min(least, floor + _cover(n_open, harm, gap * (step + 1) / steps, weight, additive))
        if floor >= least:
            break
    return min(least, gap * 2)


@njit(cache=True, nogil=True)
def _cover(n_open, harm, threshold, weight, additive):  # type: ignore[no-untyped-def]
    """Return a lower bound on the weight of cuts left out when pairs of harm above the threshold clash.

    From a clique of clashing cuts all but one are left out, and each pays at most its own weight in all. Where
    weights do not add up, only the dearest single clash counts.
    """
    left = weight[:n_open].copy()
    if not additive:
        dearest = 0.0
        for x in range(n_open):
            for y in range(x + 1, n_open):
                if harm[x, y] > threshold:
                    dearest = max(dearest, min(left[x], left[y]))
        return dearest
    total = 0.0
    clique = np.empty(n_open, np.int64)
    order = np.argsort(-left)
    for start in range(n_open):
        x = order[start]
        while left[x] > 0:
            clique[0] = x
            size = 1
            least = left[x]
            for position in range(n_open):
                y = order[position]
                if y == x or left[y] <= 0:
                    continue
                fits = True
                for z in range(size):
                    if not harm[clique[z], y] > threshold:
                        fits = False
                        break
                if fits:
                    clique[size] = y
                    size += 1
                    least = min(least, left[y])
            if size == 1:
                break
            total += least * (size - 1)
            for z in range(size):
                left[clique[z]] -= least
    return total
