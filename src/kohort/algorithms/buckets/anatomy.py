"""`anatomy`: exact quasi-identifiers, linked to the sensitive values of groups only."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.errors import InfeasibleError, InputError
from kohort.models import KAnonymity, LDiversity
from kohort.recode import Problem, Solution
from kohort.recode.buckets import Buckets
from kohort.recode.groups import failing_groups


@dataclass(frozen=True)
class Anatomy:
    """Put records into groups in which no sensitive value is more than 1/l, and release two tables.

    One table holds the quasi-identifiers as they are with the group of each record, the other how often each
    sensitive value occurs in each group. Whoever knows a person's quasi-identifiers finds the group and is
    left with the values of the group, none of which has a share above 1/l.

    Records are hashed by sensitive value. While l values have records left, one random record of each of
    the l most frequent ones makes a group; the few that remain each join a random group without their value.
    So every group holds l to 2l - 1 records with different values. Where k-anonymity is asked too and k > l,
    groups are united until they hold k records, which keeps the shares.

    `l` and `column` come from the l-diversity (distinct) that the plan requires, unless given here.

    Guarantee: shares of at most 1/l, for every table that has any such grouping: it exists exactly when no
    value is held by more than n/l records, which is checked first. It says nothing about what else can be
    inferred: the exact quasi-identifiers let a learner relate them to sensitive values across groups
    (Kifer's deFinetti attack), which the report measures. O(n log n).

    References: Xiao, X., Tao, Y. Anatomy: simple and effective privacy preservation. VLDB 2006.
    De Capitani di Vimercati et al., section 3.2. Kifer, D. Attacks on privacy and deFinetti's theorem.
    SIGMOD 2009.
    """

    l: int | None = None  # noqa: E741
    column: str | None = None

    card: ClassVar = Card(
        "anatomy",
        "exact quasi-identifiers in one table, the sensitive values of groups in another",
        guarantee="no sensitive value has a share above 1/l in any group; attacks that learn across groups remain",
        paper="Xiao and Tao 2006",
    )

    def __post_init__(self) -> None:
        if self.l is not None and (isinstance(self.l, bool) or not isinstance(self.l, int) or self.l < 2):
            raise InputError(f"anatomy: l is {self.l!r}; it must be a whole number of at least 2")

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the groups."""
        column, diversity = self._asked(problem)
        values = problem.sensitive[column]
        check_eligible(values, diversity, column)
        generator = np.random.default_rng(problem.seed)
        progress.update("dealing records into groups")
        k = max([model.k for model in problem.models if isinstance(model, KAnonymity)], default=1)
        groups = united(dealt(values, diversity, generator), max(k, diversity))
        numbers = generator.permutation(int(groups.max()) + 1) + 1
        decision = Buckets(numbers[groups], column, diversity)
        self._check(problem, groups)
        score = problem.objective.score(decision.apply(problem).outcome(problem))
        return Solution(decision, score, facts={"groups": len(numbers), "l": diversity, "column": column})

    def _asked(self, problem: Problem) -> tuple[str, int]:
        models = [model for model in problem.models if isinstance(model, LDiversity)]
        columns = {self.column} if self.column else {name for m in models for name in m.columns}
        if len(columns) != 1:
            raise InputError(
                f"anatomy: it tears off one sensitive column, and {len(columns)} are asked for; name one under "
                "[recode.options] column or require l-diversity of one"
            )
        [column] = columns
        if column not in problem.sensitive:
            raise InputError(f"anatomy: {column!r} is no sensitive column of the plan")
        wanted = [m.l for m in models if column in m.columns] if self.l is None else [self.l]
        if not wanted:
            raise InputError("anatomy: there is no l; require l-diversity or set [recode.options] l")
        return str(column), max(2, math.ceil(max(wanted)))

    @staticmethod
    def _check(problem: Problem, groups: IntArray) -> None:
        """Make sure that the groups keep every promise: k may count people, and l may be recursive."""
        failing = int(failing_groups(problem, groups).sum())
        if failing:
            labels = " and ".join(model.label for model in problem.models)
            raise InfeasibleError(
                f"anatomy: {failing:,} of {int(groups.max()) + 1:,} groups do not keep {labels}; it sees to "
                "distinct values and numbers of records only, so ask for no more than these",
                nearest={"failing": failing},
            )


def check_eligible(values: IntArray, l: int, column: str) -> None:  # noqa: E741
    """Raise InfeasibleError where some value is held by more than n/l records (Xiao and Tao, property 1)."""
    most = int(np.bincount(values).max(initial=0))
    if most * l > len(values):
        reachable = len(values) // most if most else 0
        raise InfeasibleError(
            f"anatomy: one value of {column!r} is held by {most / len(values):.1%} of the records, and l = {l} "
            f"allows {1 / l:.1%}; the greatest l that is possible is {reachable}",
            nearest={"l": reachable, "share": most / len(values)},
        )


def dealt(values: IntArray, l: int, generator: np.random.Generator) -> IntArray:  # noqa: E741
    """Return the group of each record: l different values each, and the last few records spread over them."""
    shuffled = generator.permutation(len(values))
    order = shuffled[np.argsort(values[shuffled], kind="stable")]
    counts = np.bincount(values)
    ends = np.cumsum(counts)
    heap = [(-int(count), value) for value, count in enumerate(counts) if count]
    heapq.heapify(heap)
    groups = np.empty(len(values), np.int64)
    members: list[set[int]] = []
    while len(heap) >= l:
        taken = [heapq.heappop(heap) for _ in range(l)]
        for left, value in taken:
            groups[order[ends[value] + left]] = len(members)
            if left + 1 < 0:
                heapq.heappush(heap, (left + 1, value))
        members.append({value for _, value in taken})
    for left, value in heap:
        for place in range(left, 0):
            free = [g for g, held in enumerate(members) if value not in held]
            chosen = free[int(generator.integers(len(free)))]
            members[chosen].add(value)
            groups[order[ends[value] + place]] = chosen
    return groups


def united(groups: IntArray, least: int) -> IntArray:
    """Return the groups united with the next ones until each holds `least` records or more."""
    sizes = np.bincount(groups)
    onto = np.empty(len(sizes), np.int64)
    current, held = 0, 0
    for g, size in enumerate(sizes.tolist()):
        onto[g] = current
        held += size
        if held >= least:
            current, held = current + 1, 0
    if held:  # the last ones are too few: they join the group before
        onto[onto == current] = max(current - 1, 0)
    return np.asarray(onto[groups])
