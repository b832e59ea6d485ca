"""Moves of a walk over cut sets, taken or left: the steps of annealing."""

from __future__ import annotations

from typing import NamedTuple

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.walk_kernels import (
    COST,
    LOST,
    Walk,
    flip,
    flipping,
    outcome,
    put,
    shift,
    shifting,
)
from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.compiling import inner, kernel


class Proposals(NamedTuple):
    """Moves to propose, one by one."""

    moves: IntArray  # the cut, or group of cuts
    shifts: IntArray  # -1, 0, 1: where a cut that is in would go
    rises: FloatArray  # by how much the value may rise


class Groups(NamedTuple):
    """What a move may change."""

    movable: BoolArray  # per move
    make: BoolArray  # (moves, cuts): what goes in with a group; no rows without groups
    clear: BoolArray  # (moves, cuts): what goes out with it


@kernel
def step_through(
    walk: Walk, proposals: Proposals, groups: Groups, limit: int, price: float, best: CutSet, best_cost: float
) -> float:
    """Go to the set `best` and propose moves from there, one by one; return the best cost.

    A move is taken unless the value rises by more than `rises` allows.

    Move g flips cut g; where cut g is in and `shifts` is -1 or 1, it goes to the place beside it instead. With
    groups (`make` has rows), move g puts in the cuts of make[g], or takes out those of clear[g]. The value is the
    cost, plus a price for every record suppressed beyond the limit. `best` is overwritten by each set within the
    limit that costs less than `best_cost`.
    """
    moves, shifts, rises = proposals
    movable, make, clear = groups
    put(walk, best)
    value = _value(walk, walk.totals[COST], walk.totals[LOST], limit, price)
    grouped = len(make) > 0
    before = walk.included.copy()
    for step in range(len(moves)):
        g = moves[step]
        if not movable[g]:
            continue
        if grouped:
            _copy(walk.included, before)
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
        own = _value(walk, cost, lost, limit, 0.0)
        if lost <= limit and own < best_cost:
            best_cost = own
            _copy(walk.included, best)
    return best_cost


@inner
def _copy(cuts: CutSet, to: CutSet) -> None:
    for v in range(len(cuts)):
        to[v] = cuts[v]


@inner
def _place(walk: Walk, v: int, by: int, movable: BoolArray) -> int:
    """Return where cut v goes: beside its place where it is in and may go there, else nowhere."""
    to = v + by
    if not walk.included[v] or to < 0 or to >= len(walk.included):
        return v
    if walk.attribute[to] != walk.attribute[v] or walk.included[to] or not movable[to]:
        return v
    return to


@inner
def _flip_group(walk: Walk, make: BoolArray, clear: BoolArray) -> None:
    """Put in the cuts a group needs; where its own are in, take out those that need it."""
    made = False
    for v in range(len(make)):
        made = made or (walk.included[v] == 1 and make[v] and clear[v])
    for v in range(len(make)):
        if (clear[v] and walk.included[v]) if made else (make[v] and not walk.included[v]):
            flip(walk, v)


@inner
def _value(walk: Walk, cost: int, lost: int, limit: int, price: float) -> float:
    if walk.goal.metric == 2 and lost > 0:  # the suppressed records count as one class
        cost -= 1
    return cost + price * max(0, lost - limit)
