"""Two-phase descents over the cuts off the spine, the spine cut at its best at every step."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.cuts.addition_kernels import additions
from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.region_kernels import IN, NEVER, OPEN
from kohort.algorithms.cuts.space import Space
from kohort.algorithms.cuts.spine import Spine, spine_along, spine_attributes

ROUNDS = 2  # over all spines; what one spine finds, the next starts from


def climb_along_spines(
    space: Space, incumbent: Incumbent, generator: np.random.Generator, climbs: int
) -> None:
    """Offer the local optima of climbs along every spine in turn.

    A local optimum here is one over every set of spine cuts at once, so a few climbs do what hundreds do
    without a spine; most are made along the attribute cut most finely. Groups of cuts (respect_hierarchy)
    are left to the plain descents.
    """
    if space.grouped:
        return
    for turn in range(ROUNDS):
        for rank, attribute in enumerate(spine_attributes(space, incumbent.included)):
            few = climbs if rank == 0 else max(climbs // 4, 2)
            climb_along(spine_along(space, attribute), incumbent, generator, few)
            incumbent.tell(f"seeding, round {turn + 1} along {space.problem.names[attribute]}")
            if incumbent.late:
                return


def climb_along(spine: Spine, incumbent: Incumbent, generator: np.random.Generator, climbs: int) -> None:
    """Climb from the best set, from no cut at all, and from the best set with a few cuts flipped."""
    if not spine.n_cuts:
        return
    start = spine.space.start[spine.cuts]
    for turn in range(climbs):
        status = start.copy()
        if turn != 1 and incumbent.included is not None:
            status[(incumbent.included[spine.cuts] == 1) & (start == OPEN)] = IN
        if turn > 1:
            count = min(int(generator.integers(1, 5)), spine.n_cuts)
            flipped = generator.choice(spine.n_cuts, count, replace=False)
            movable = flipped[start[flipped] == OPEN]
            status[movable] = np.where(status[movable] == IN, OPEN, IN)
        _climb(spine, status, incumbent)
        if incumbent.late:
            return


def _climb(spine: Spine, status: CutSet, incumbent: Incumbent) -> None:
    """Add the best cut while that helps, then remove the best, until neither does."""
    s = spine.space
    value = _offer(spine, status, incumbent)
    improved = True
    while improved and not incumbent.late:
        improved = False
        while (status == OPEN).any() and not incumbent.late:
            costs = additions(spine.rows, spine.arcs, spine.costs, status)
            costs[status != OPEN] = np.inf
            v = int(costs.argmin())
            if not costs[v] < value:
                break
            status[v] = IN
            value, improved = float(costs[v]), True
        _offer(spine, status, incumbent)
        made = np.flatnonzero((status == IN) & (s.start[spine.cuts] == OPEN))
        while made.size and not incumbent.late:
            without = []
            for u in made:
                status[u] = OPEN
                without.append(_offer(spine, status, incumbent))
                status[u] = IN
            best = int(np.argmin(without))
            if not without[best] < value:
                break
            status[made[best]] = OPEN
            value, improved = without[best], True
            made = np.delete(made, best)


def _offer(spine: Spine, status: CutSet, incumbent: Incumbent) -> float:
    """Offer the cuts that are in, with the best path; return their cost, NEVER where no path keeps the limit."""
    cost, before = spine.cheapest(status)
    if not cost < NEVER:
        return float(NEVER)
    if cost < incumbent.cost:
        incumbent.offer(cost, 0, spine.included(status, before))
    return cost
