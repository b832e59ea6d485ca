"""What the three clusterings share around their own way of forming clusters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kohort.algorithms.clustering.demands import Demands
from kohort.algorithms.clustering.polish import polished
from kohort.algorithms.clustering.settlement import settle
from kohort.algorithms.clustering.tuples import Tuples
from kohort.algorithms.watch import Watch
from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.recode import Problem, Solution

Former = Callable[[Tuples], IntArray]  # the cluster of every row


def best_of(
    problem: Problem,
    demands: Demands,
    tuples: Tuples,
    formers: Mapping[str, Former],
    options: tuple[bool, int],
    watch: Watch,
) -> Solution:
    """Return the solution with the most clusters, and among those the least information loss.

    `options` are (tight, passes); facts tell which way of forming it was. When it is over, the tuples that are in no cluster
    yet are one.
    """
    tight, passes = options
    if isinstance(passes, bool) or not isinstance(passes, int) or passes < 0:
        raise InputError(
            f"passes is {passes!r}; it must be a whole number of rounds, 0 for none",
            code="algorithm.wrong-option",
            option="passes",
            value=passes,
            least=0,
        )
    solutions: list[Solution] = []
    for way, form in formers.items():
        if solutions and watch.over:
            break
        cluster_of = polished(tuples, form(tuples), demands.size, passes, watch)
        solution = settle(problem, demands, cluster_of, tight, watch)
        solutions.append(replace(solution, facts={**solution.facts, "formed_by": way, **watch.facts()}))
    return min(solutions, key=lambda s: (-s.facts["clusters"], s.facts["information_loss_share"]))
