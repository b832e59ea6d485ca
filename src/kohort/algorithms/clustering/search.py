"""What the three clusterings share around their own way of forming clusters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.clustering.demands import Demands
from kohort.algorithms.clustering.polish import polished
from kohort.algorithms.clustering.settlement import settle
from kohort.algorithms.clustering.tuples import Tuples
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
    progress: Progress,
) -> Solution:
    """Return the solution with the most clusters, and among those the least information loss.

    `options` are (tight, passes); facts tell which way of forming it was.
    """
    tight, passes = options
    if isinstance(passes, bool) or not isinstance(passes, int) or passes < 0:
        raise InputError(f"passes is {passes!r}; it must be a whole number of rounds, 0 for none")
    seconds = inf if problem.time_limit is None else problem.time_limit
    solutions = []
    for way, form in formers.items():
        cluster_of = polished(tuples, form(tuples), demands.size, passes, seconds, progress)
        solution = settle(problem, demands, cluster_of, tight, progress)
        solutions.append(replace(solution, facts={**solution.facts, "formed_by": way}))
    return min(solutions, key=lambda s: (-s.facts["clusters"], s.facts["information_loss"]))
