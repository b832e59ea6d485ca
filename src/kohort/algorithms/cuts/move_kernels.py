"""Moves of a walk over cut sets, taken or left: the steps of annealing."""

from __future__ import annotations

import numpy as np
from numba import njit

from kohort.algorithms.cuts.walk_kernels import COST, LOST, flip, flipping, outcome, put, shift, shifting


@njit(cache=True, nogil=True)
def step_through(  # type: ignore[no-untyped-def]
    walk, moves, shifts, rises, movable, make, clear, limit, price, best, best_cost
):
    """Propose moves one by one, take each unless the value rises by more than `rises` allows; return the best cost.

    Move g flips cut g; where cut g is in and `shifts` is -1 or 1, it goes to the place beside it instead. With
    groups (`make` has rows), move g puts in the cuts of make[g], or takes out those of clear[g]. The value is the
    cost, plus a price for every record suppressed beyond the limit. `best` is overwritten by each set within the
    limit that costs less than `best_cost`.
    """
    value = _value(walk, walk.totals[COST], walk.totals[LOST], limit, price)
    grouped = len(make) > 0
    before = walk.included.copy()
    for step in range(len(moves)):
        g = moves[step]
        if not movable[g]:
            continue
        if grouped:
            before[:] = walk.included
            _flip_group(walk, make[g], clear[g])
            cost, lost = walk.totals[COST], walk.totals[LOST]
        else:
            to = _place(walk, g, shifts[step], movable)
            cost, lost = outcome(walk, flipping(walk, g)[0] if to == g else shifting(walk, g, to))
        proposed = _value(walk, cost, lost, limit, price)
        if proposed - value > rises[step]:
            if grouped:
                put(walk, before)
            continue
        value = proposed
        if not grouped:
            if to == g:
                flip(walk, g)
            else:
                shift(walk, g, to)
        own = _value(walk, cost, lost, limit, 0)
        if lost <= limit and own < best_cost:
            best_cost = own
            best[:] = walk.included
    return best_cost


@njit(cache=True, nogil=True)
def _place(walk, v, by, movable):  # type: ignore[no-untyped-def]
    """Return where cut v goes: beside its place where it is in and may go there, else nowhere."""
    to = v + by
    if not walk.included[v] or to < 0 or to >= len(walk.included):
        return v
    if walk.attribute[to] != walk.attribute[v] or walk.included[to] or not movable[to]:
        return v
    return to


@njit(cache=True, nogil=True)
def _flip_group(walk, make, clear):  # type: ignore[no-untyped-def]
    """Put in the cuts a group needs; where its own are in, take out those that need it."""
    made = np.any(walk.included.astype(np.bool_) & make & clear)
    for v in range(len(make)):
        if (clear[v] and walk.included[v]) if made else (make[v] and not walk.included[v]):
            flip(walk, v)


@njit(cache=True, nogil=True)
def _value(walk, cost, lost, limit, price):  # type: ignore[no-untyped-def]
    if walk.metric == 2 and lost > 0:  # the suppressed records count as one class
        cost -= 1
    return cost + price * max(0, lost - limit)
