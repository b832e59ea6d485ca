"""Depth-first branch and bound over cuts, a slice of nodes at a time."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.bound_kernels import IN, OPEN, OUT, evaluate, refine
from kohort.algorithms.cuts.pair_kernels import clash_bound, forced_rise, pair_losses


@njit(cache=True, nogil=True)
def _fix(v, value, status, group, parent):  # type: ignore[no-untyped-def]
    """Fix cut v, with all that follows where cuts respect a hierarchy; return whether that is possible.

    A group holds the cuts between the children of one hierarchy label; it stands or falls as one, and needs
    the group of the label above.
    """
    if value == IN:
        g = group[v]
        while g >= 0:
            for u in range(len(status)):
                if group[u] == g:
                    if status[u] == OUT:
                        return False
                    status[u] = IN
            g = parent[g]
        return True
    for u in range(len(status)):
        g = group[u]
        while g >= 0:
            if g == group[v]:
                if status[u] == IN:
                    return False
                status[u] = OUT
                break
            g = parent[g]
    return True


@njit(cache=True, nogil=True)
def search_slice(  # type: ignore[no-untyped-def]
    codes, weights, labels, first, group, parent, grouped, metric, k, n, limit,
    start, start_bound, best, budget, capacity, with_pairs, open_status, open_bound, found,
):  # fmt: skip
    """Search below the node `start` for at most `budget` nodes.

    Return (best cost, nodes, open nodes left); the open nodes stand in `open_status` and `open_bound`, a
    better cut set than `best`, where there is one, in `found`. Costs are whole numbers: a node is left when
    no whole number below the best reaches its bound.
    """
    n_tuples, m = codes.shape
    t = labels.shape[1]
    n_cuts = first[m]
    room = max(capacity, 2 * n_tuples + 2)
    arena_codes = np.empty((room, m), codes.dtype)
    arena_weights = np.empty(room, np.int64)
    arena_labels = np.empty((room, t), np.int64)
    arena_class = np.empty(room, np.int64)
    depth_max = n_cuts + 2
    offset = np.zeros(depth_max, np.int64)
    count = np.zeros(depth_max, np.int64)
    lost = np.zeros(depth_max, np.int64)  # records suppressed so far
    bounds = np.zeros(depth_max, np.float64)
    branch = np.full(depth_max, -1, np.int64)
    statuses = np.zeros((depth_max, n_cuts), np.uint8)
    tmp_codes = np.empty((n_tuples, m), codes.dtype)
    tmp_weights = np.empty(n_tuples, np.int64)
    tmp_labels = np.empty((n_tuples, t), np.int64)
    tmp_class = np.empty(n_tuples, np.int64)
    starts = np.zeros(n_tuples + 2, np.int64)
    sizes = np.zeros(n_tuples + 2, np.int64)
    keys = np.empty(n_tuples + 1, np.int64)
    ids = np.empty(n_tuples + 1, np.int64)
    place = np.empty(n_tuples + 2, np.int64)
    mask = 15
    while mask < 2 * n_tuples + 2:
        mask = 2 * mask + 1
    slot_key = np.empty(mask + 1, np.int64)
    slot_id = np.empty(mask + 1, np.int64)
    slot_stamp = np.zeros(mask + 1, np.int64)
    stamp = np.zeros(1, np.int64)
    add_bound = np.empty(n_cuts, np.float64)
    drop_bound = np.empty(n_cuts, np.float64)
    add_cost = np.empty(n_cuts, np.int64)
    add_lost = np.empty(n_cuts, np.int64)
    splits = np.empty(n_cuts, np.int64)
    atom_of = np.empty(n_tuples, np.int64)
    atom_size = np.empty(n_tuples, np.int64)
    atom_labels = np.empty((n_tuples, t), np.int64)
    atom_key = np.empty(n_tuples, np.int64)
    atom_sample = np.empty(n_tuples, np.int64)
    new_in = np.empty(n_cuts, np.int64)
    factor = np.empty(n_tuples + 1, np.int64)
    paired = with_pairs and metric != 2
    side = n_cuts if paired else 1
    pair_lost = np.empty((side, side), np.int64)
    pair_harm = np.empty((side, side), np.float64)
    number = np.empty(n_cuts, np.int64)
    weight = np.empty(n_cuts, np.float64)
    forced = np.zeros(n_cuts, np.float64)  # what including a cut costs through those it forces out

    price = n if metric == 0 else (1 if metric == 1 else 0)  # of one suppressed record
    # rows suppressed count as one class more; the bound on classes must allow for it
    slack = 1.0 if metric == 2 and limit > 0 else 0.0
    nodes, n_open, d = 0, 0, 0
    arena_codes[:n_tuples] = codes
    arena_weights[:n_tuples] = weights
    arena_labels[:n_tuples] = labels
    arena_class[:n_tuples] = 0
    count[0] = n_tuples
    statuses[0] = start
    bounds[0] = start_bound
    n_new = 0
    for v in range(n_cuts):
        if start[v] == IN:
            new_in[n_new] = v
            n_new += 1
    merge = True
    source = 0  # the frame whose tuples node d starts from
    while d >= 0:
        status = statuses[d]
        dead = False
        while True:  # reduce the node until nothing more can be fixed
            a, z = offset[source], offset[source] + count[source]
            kept, n_classes, gone = refine(
                arena_codes[a:z], arena_weights[a:z], arena_labels[a:z], arena_class[a:z], z - a,
                first, status, new_in, n_new, merge, k,
                tmp_codes, tmp_weights, tmp_labels, tmp_class, starts, sizes,
                keys, ids, place, slot_key, slot_id, slot_stamp, stamp,
            )  # fmt: skip
            if source != d:
                offset[d] = z
                lost[d] = lost[source]
            a = offset[d]
            arena_codes[a : a + kept] = tmp_codes[:kept]
            arena_weights[a : a + kept] = tmp_weights[:kept]
            arena_labels[a : a + kept] = tmp_labels[:kept]
            arena_class[a : a + kept] = tmp_class[:kept]
            count[d] = kept
            lost[d] += gone
            source = d
            nodes += 1
            if lost[d] > limit:
                dead = True
                break
            lower, exact, relaxed = evaluate(
                tmp_codes[:kept], tmp_weights[:kept], tmp_labels[:kept], starts, sizes, n_classes, first, status,
                metric, k, n, best - 1 + 1e-6 - price * lost[d] + slack, factor, add_bound, add_cost, add_lost, drop_bound, splits,
                atom_of, atom_size, atom_labels, atom_key, atom_sample, keys, slot_key, slot_id, slot_stamp, stamp,
            )  # fmt: skip
            fixed_cost = np.float64(price * lost[d])
            bounds[d] = max(bounds[d], lower + fixed_cost - slack)
            if bounds[d] > best - 1 + 1e-6:
                dead = True
                break
            cost = exact + fixed_cost - (1.0 if metric == 2 and lost[d] > 0 else 0.0)
            if cost < best:
                best = cost
                for v in range(n_cuts):
                    found[v] = 1 if status[v] == IN else 0
            if bounds[d] > best - 1 + 1e-6:
                dead = True
                break
            base = lower + fixed_cost - slack
            n_new, merge = 0, False
            for v in range(n_cuts):
                if status[v] != OPEN:
                    continue
                if lost[d] + add_lost[v] <= limit and not grouped and metric != 2:
                    cost = exact + add_cost[v] + price * (lost[d])
                    if cost < best:
                        best = cost
                        for u in range(n_cuts):
                            found[u] = 1 if status[u] == IN else 0
                        found[v] = 1
            for v in range(n_cuts):
                if status[v] != OPEN:
                    continue
                outside = lost[d] + add_lost[v] > limit or base + add_bound[v] > best - 1 + 1e-6
                inside = base + drop_bound[v] > best - 1 + 1e-6
                if outside and inside:
                    dead = True
                    break
                if outside:
                    merge = merge or splits[v] > 0
                    if not _fix(v, OUT, status, group, parent):
                        dead = True
                        break
                elif inside:
                    before = status.copy()
                    if not _fix(v, IN, status, group, parent):
                        dead = True
                        break
                    for u in range(n_cuts):
                        if status[u] == IN and before[u] != IN:
                            new_in[n_new] = u
                            n_new += 1
                elif not grouped and splits[v] == 0 and (metric != 2 or limit == 0):
                    status[v] = OUT
            if grouped and not dead:
                merge = merge or _drop_useless_groups(status, splits, group, parent)
            if dead:
                break
            if merge or n_new > 0:
                continue
            if not paired:
                break
            n_pairs = pair_losses(
                tmp_codes[:kept], tmp_weights[:kept], starts, sizes, n_classes, first, status, k, factor,
                number, pair_lost, pair_harm,
            )  # fmt: skip
            for v in range(n_cuts):
                if number[v] >= 0:
                    weight[number[v]] = drop_bound[v]
            gap = best - 1 + 1e-6 - base
            for x in range(n_pairs):
                pair_harm[x, x] = 0.0
                for y in range(x + 1, n_pairs):
                    if lost[d] + pair_lost[x, y] > limit:
                        harm = np.inf
                    else:
                        harm = max(0.0, pair_harm[x, y] - (lower - relaxed))
                    pair_harm[x, y] = harm
                    pair_harm[y, x] = harm
            rise = clash_bound(n_pairs, pair_harm, weight, gap, metric == 0)
            bounds[d] = max(bounds[d], base + min(rise, gap))
            if rise > gap:
                dead = True
                break
            for v in range(n_cuts):
                if number[v] >= 0:
                    forced[v] = forced_rise(number[v], n_pairs, pair_harm, weight, metric == 0)
            for v in range(n_cuts):
                if status[v] == OPEN and number[v] >= 0 and base + forced[v] > best - 1 + 1e-6:
                    merge = merge or splits[v] > 0
                    if not _fix(v, OUT, status, group, parent):
                        dead = True
                        break
            if dead or not merge:
                break
        chosen = -1
        if not dead:
            top = -1.0
            for v in range(n_cuts):
                if status[v] == OPEN:
                    # where clashes close subtrees, take the cut that costs either way; else the one to keep
                    score = drop_bound[v] + 1e-6 * splits[v]
                    if paired:
                        score = min(max(add_bound[v], forced[v]), 2 * drop_bound[v]) + 1e-3 * score
                    if score > top:
                        top = score
                        chosen = v
        if chosen < 0:
            branch[d] = -2
        else:
            branch[d] = chosen
        if nodes >= budget:
            for e in range(d + 1):
                if branch[e] >= 0:
                    v = branch[e]
                    if e == d:
                        open_status[n_open] = statuses[e]
                        if _fix(v, IN, open_status[n_open], group, parent):
                            open_bound[n_open] = bounds[e]
                            n_open += 1
                    open_status[n_open] = statuses[e]
                    if _fix(v, OUT, open_status[n_open], group, parent):
                        open_bound[n_open] = bounds[e]
                        n_open += 1
            return best, nodes, n_open
        if chosen >= 0:
            # below: with the cut in
            if offset[d] + 2 * count[d] > room:
                for value in (IN, OUT):
                    open_status[n_open] = statuses[d]
                    if _fix(chosen, value, open_status[n_open], group, parent):
                        open_bound[n_open] = bounds[d]
                        n_open += 1
                branch[d] = -2
            else:
                statuses[d + 1] = statuses[d]
                possible = _fix(chosen, IN, statuses[d + 1], group, parent)
                if possible:
                    n_new = 0
                    for u in range(n_cuts):
                        if statuses[d + 1, u] == IN and statuses[d, u] != IN:
                            new_in[n_new] = u
                            n_new += 1
                    bounds[d + 1] = bounds[d]
                    branch[d + 1] = -1
                    merge = False
                    source = d
                    d += 1
                    continue
        # back up to the last node whose other side is still to be searched, and turn its cut out
        while d >= 0:
            v = branch[d]
            if v >= 0:
                branch[d] = -1
                if bounds[d] <= best - 1 + 1e-6 and _fix(v, OUT, statuses[d], group, parent):
                    n_new = 0
                    merge = True
                    source = d
                    break
            d -= 1
    return best, nodes, n_open


@njit(cache=True, nogil=True)
def _drop_useless_groups(status, splits, group, parent):  # type: ignore[no-untyped-def]
    """Turn out the groups of which no cut, nor any cut of a group below, is valid in any class."""
    useful = np.zeros(len(parent), np.uint8)
    for v in range(len(status)):
        if status[v] == OPEN and splits[v] > 0:
            g = group[v]
            while g >= 0:
                useful[g] = 1
                g = parent[g]
    dropped = False
    for v in range(len(status)):
        if status[v] == OPEN and not useful[group[v]]:
            status[v] = OUT
            dropped = True
    return dropped
