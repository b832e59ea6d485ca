"""Which node wins, and what is said when none does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from kohort.algorithms.lattice.lattice import Lattice, Vector
from kohort.algorithms.lattice.node_outcome import NodeOutcome, judge
from kohort.algorithms.nothing_found import another, either, labels, none_exists
from kohort.algorithms.whole_table import missed_by_all
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.errors import InfeasibleError, InputError, Told
from kohort.recode import Levels, Problem, Solution
from kohort.recode.levels import base_to_node
from kohort.recode.score_rounding import rounding

TOLERANCE = 1e-12  # scores nearer than this, relative to their size, are ties


def slack(score: float) -> float:
    """Return how far above `score` another score still ties with it."""
    return TOLERANCE * max(1.0, abs(score))


def best_of(candidates: Iterable[tuple[float, int, Vector]]) -> tuple[float, int, Vector]:
    """Return the winner among (score, suppressed, levels).

    The least score wins. Scores within a relative 1e-12 of the least tie: then the fewest records
    suppressed, the least height and the lexicographically first vector decide, in this order.
    """
    found = list(candidates)
    limit = min(score for score, _, _ in found)
    limit += slack(limit)
    return min((c for c in found if c[0] <= limit), key=lambda c: (c[1], sum(c[2]), c[2]))


def decision_of(outcome: NodeOutcome) -> Levels:
    """Return the decision that releases a node without its failing classes."""
    if outcome.problem.nodes is not None:  # the base is settled at these levels
        return Levels(outcome.levels, ~outcome.failing)
    member = base_to_node(outcome.problem, outcome.levels)
    return Levels(outcome.levels, ~outcome.failing[member])


def solution_of(
    problem: Problem, levels: Vector, *, optimal: bool, facts: dict[str, Any], score: float | None = None
) -> Solution:
    """Return the solution at a node, judged anew from the base; `score` is what the search took it for."""
    judged = judge(problem, levels)
    if not judged.feasible:
        raise AssertionError(f"the search returned {levels}, which is not feasible")
    if score is not None and not abs(score - judged.score) <= rounding(judged.score):
        raise AssertionError(f"the search took {levels} for another score than the metric's own")
    return Solution(decision_of(judged), judged.score, optimal, {**facts, "suppressed": judged.suppressed})


def lattice_of(problem: Problem) -> Lattice:
    """Return the lattice between the problem's least and greatest levels."""
    if not problem.names:
        raise InputError(
            "there is no quasi-identifier; give at least one column the role 'quasi'", code="plan.no-quasi"
        )
    if problem.n_rows == 0:
        raise InputError("the table has no rows; there is nothing to release", code="table.empty")
    for name, hierarchy, level in zip(problem.names, problem.hierarchies, problem.highest, strict=True):
        if level > hierarchy.height:
            raise InputError(
                f"column {name!r}: its greatest level is {level}; its hierarchy has levels 0 to "
                f"{hierarchy.height}",
                code="plan.level",
                column=name,
                level=level,
                most=hierarchy.height,
            )
    return Lattice(problem.lowest, problem.highest)


def infeasible(problem: Problem, nearest: NodeOutcome, card: Card) -> InfeasibleError:
    """Return the error that names the nearest miss: the node that would suppress fewest records.

    That there is no recoding at all is said only where it is proved.

    The tightest attribute is the one whose removal from the quasi-identifier (its hierarchy's root)
    would leave the fewest records suppressed at that node.
    """
    share = nearest.suppressed / problem.n_rows
    levels = dict(zip(problem.names, nearest.levels, strict=True))
    tightest = _tightest(problem, nearest)
    told = ", ".join(f"{name} {level}" for name, level in levels.items())
    found = (
        f"suppresses {_share(nearest.suppressed, problem.n_rows)}" if share < 1 else "suppresses every record"
    )
    missed = missed_by_all(problem)
    miss = (
        f"meets {labels(problem)} while suppressing at most {_limit(problem.max_suppressed, problem.n_rows)} of records; "
        f"the nearest, levels {told}, {found}{f'; {missed}' if missed else ''}"
    )
    ways = ["raise max_suppression"] if share < 1 else []
    ways += ["lower what is required"] if missed else [_more(problem, tightest)]
    near: dict[str, Told] = {
        "levels": levels,
        "suppressed": nearest.suppressed,
        "share": share,
        "tightest": tightest,
    }
    if none_exists(problem):
        return InfeasibleError(
            f"no recoding {miss}: {either(*ways)}", near, code="infeasible.no-recoding", algorithm=card.name
        )
    return InfeasibleError(
        f"{card.name} found no recoding that {miss}: {either(*another(card), *ways)}",
        near,
        code="infeasible.not-found",
        algorithm=card.name,
    )


def nearest_miss(problem: Problem, lost: IntArray, levels: Callable[[int], Vector]) -> NodeOutcome:
    """Return the outcome of the node that suppresses fewest records, of equal ones the last.

    `lost` is what each node suppresses, or, where somebody counts nodes by their sizes alone, no more than that: then they are
    judged in the order of these bounds until none of the others can suppress fewer. One that there is no room for is passed
    over where another is nearly as near.
    """
    ranked = np.lexsort((-np.arange(len(lost)), lost)).tolist()
    if problem.nodes is None:
        return judge(problem, levels(ranked[0]))
    found: list[tuple[int, int, NodeOutcome]] = []
    no_room: InputError | None = None
    for node in ranked:
        if found and lost[node] > min(found)[0]:
            break
        try:
            judged = judge(problem, levels(node))
        except InputError as error:
            no_room = error
            continue
        found.append((judged.suppressed, -node, judged))
    if not found and no_room is not None:
        raise no_room
    return min(found)[2]


def _share(records: int, of: int) -> str:
    """Return a share of the records, with their number where the share would be shown as nothing."""
    share = f"{records / of:.1%}"
    return f"{share} ({records:,})" if records and share == "0.0%" else share


def _limit(records: int, of: int) -> str:
    """Return the share that may be left out, rounded up: no more was allowed."""
    share = f"{-(-1000 * records // of) / 10:.1f}%"
    return f"{share} ({records:,})" if 0 < 1000 * records < of else share


def _more(problem: Problem, name: str) -> str:
    """Return how an attribute can be generalized further than now."""
    j = problem.names.index(name)
    bounded = problem.highest[j] < problem.hierarchies[j].height
    return f"raise the max_level of {name!r}" if bounded else f"add a level to {name!r}"


def _tightest(problem: Problem, nearest: NodeOutcome) -> str:
    def without(j: int) -> int:
        levels = list(nearest.levels)
        levels[j] = problem.hierarchies[j].height
        return judge(problem, levels, nearest.classes).suppressed

    free = [j for j, h in enumerate(problem.hierarchies) if nearest.levels[j] < h.height]
    if not free:  # already at the root everywhere: only suppression or the promises can give way
        free = list(range(len(problem.names)))
    return problem.names[min(free, key=lambda j: (without(j), -len(problem.hierarchies[j].ground), j))]
