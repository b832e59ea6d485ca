"""`anatomy`: exact quasi-identifiers, linked to the sensitive values of groups only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.buckets.dealing import check_eligible, dealt, numbered, united
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.errors import InfeasibleError, InputError
from kohort.models import GroupPromise, PrivacyModel
from kohort.plurals import many
from kohort.recode import Problem, Solution
from kohort.recode.buckets import Buckets
from kohort.recode.groups import failing_groups
from kohort.typed import Named


@dataclass(frozen=True)
class Anatomy:
    """Put records into groups in which no sensitive value is more than 1/l, and release two tables.

    One table holds the quasi-identifiers as they are with the group of each record, the other how often each
    sensitive value occurs in each group. Whoever knows a person's quasi-identifiers finds the group, mostly the very
    row, and is left with the values of the group, none of which has a share above 1/l.

    Records are hashed by sensitive value. While l values have records left, one random record of each of
    the l most frequent ones makes a group; the few that remain each join a random group without their value.
    So every group holds l to 2l - 1 records with different values. Where `least` is more, groups are united
    until they hold so many records, which keeps the shares.

    `l` and `column` come from the different values that the plan requires (l-diversity, p-sensitivity); the greater l
    counts where both are given.

    Guarantee: shares of at most 1/l, for every table that has any such grouping: it exists exactly when no
    value is held by more than n/l records, which is checked first. Nothing is promised about tuples: nobody hides
    among k others, so plans that ask for that are refused, as are further sensitive columns, which would stand
    beside exact quasi-identifiers, and people with several rows, whose groups intersect. It says nothing about
    what else can be inferred: the exact quasi-identifiers let a learner relate them to sensitive values across
    groups (Kifer's deFinetti attack), which the report measures. All chance is the operating system's, never the
    plan's seed: who could deal again would know who holds what. O(n log n).

    Complexity: O(n log n).

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> plan = {**ward_plan("anatomy"), "require": [{"model": "l-diversity", "l": 3, "column": "ill"}]}
    >>> {stem: table.names for stem, table in anonymize(WARD, Plan(**plan)).tables.items()}
    {'table': ('age', 'zip', 'group'), 'sensitive': ('group', 'ill', 'count')}

    References: Xiao, X., Tao, Y. Anatomy: simple and effective privacy preservation. VLDB 2006.
    De Capitani di Vimercati et al., section 3.2. Kifer, D. Attacks on privacy and deFinetti's theorem.
    SIGMOD 2009.
    """

    l: int | None = None  # noqa: E741
    column: Named | None = None
    least: int = 1  # records in a group

    card: ClassVar = Card(
        "anatomy",
        "exact quasi-identifiers in one table, the sensitive values of groups in another",
        guarantee="no sensitive value has a share above 1/l in any group; nobody is hidden, and attacks that learn "
        "across groups remain",
        layout="groups",
        decides="row",
        paper="Xiao and Tao 2006",
        bounds=("max_level",),
        respondents="one",
        leaves_out=False,
    )

    def __post_init__(self) -> None:
        for name, told, least in (("l", self.l, 2), ("least", self.least, 1)):
            if told is not None and (isinstance(told, bool) or not isinstance(told, int) or told < least):
                raise InputError(
                    f"anatomy: {name} is {told!r}; it must be a whole number of at least {least}",
                    code="algorithm.wrong-option",
                    algorithm="anatomy",
                    option=name,
                    value=told,
                    least=least,
                )

    def promised(self, models: Sequence[PrivacyModel], sensitive: Sequence[str]) -> GroupPromise:
        """Return what is promised under these models of a plan; refuse what groups cannot keep."""
        gains = [gain for model in models for gain in model.demand.gains if gain.of is None]
        columns = {self.column} if self.column else {gain.column for gain in gains}
        if len(columns) != 1:
            raise InputError(
                f"anatomy: it tears off one sensitive column, and {len(columns)} are asked for; name one under "
                "[recode.options] column or require l-diversity of one",
                code="algorithm.columns",
                algorithm="anatomy",
                columns=list(columns),
            )
        [column] = columns
        if column not in sensitive:
            raise InputError(
                f"anatomy: {column!r} is no sensitive column of the plan",
                code="algorithm.unknown-column",
                algorithm="anatomy",
                option="column",
                column=column,
            )
        wanted = [g.least for g in gains if g.column == column] + ([] if self.l is None else [self.l])
        if not wanted:
            raise InputError(
                "anatomy: there is no l; require l-diversity or set [recode.options] l",
                code="algorithm.needs-promise",
                algorithm="anatomy",
                option="l",
            )
        promise = GroupPromise(str(column), max(2, *wanted), self.least)
        promise.demand(models, sensitive, self.card.name)
        return promise

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the groups."""
        promise = self.promised(problem.models, _sensitive(problem))
        _check_people(problem)
        values = problem.sensitive[promise.column]
        check_eligible(values, promise.l, promise.column)
        progress.update("dealing records into groups")
        groups = united(dealt(values, promise.l), promise.least)
        self._check(problem, groups, promise)
        decision = Buckets(numbered(groups), promise)
        return Solution(decision, problem.objective.score(decision.apply(problem).outcome(problem)))

    @staticmethod
    def _check(problem: Problem, groups: IntArray, promise: GroupPromise) -> None:
        """Make sure that the groups keep every promise: diversity may be recursive, groups too few."""
        least = int(np.bincount(groups).min())
        if least < promise.least:
            raise InfeasibleError(
                f"anatomy: groups of at least {promise.least:,} records are asked for, and the table has {least:,}; "
                "lower [recode.options] least",
                nearest={"least": least},
                code="infeasible.too-few-rows",
                algorithm="anatomy",
            )
        failing = int(failing_groups(problem, groups).sum())
        if failing:
            labels = " and ".join(model.label for model in problem.models)
            raise InfeasibleError(
                f"anatomy: {failing:,} of {int(groups.max()) + 1:,} groups do not keep {labels}; it sees to "
                "different values and to shares of at most 1/l only: ask for no more, or for larger groups by "
                "[recode.options] least, which are more like the whole table",
                nearest={"failing": failing},
                code="infeasible.not-found",
                algorithm="anatomy",
            )


def _sensitive(problem: Problem) -> list[str]:
    """Return the sensitive columns: all that are watched, but for an objective's target that is not one."""
    return [
        name
        for name in problem.sensitive
        if name in problem.reference.attributes or name not in problem.objective.reads
    ]


def _check_people(problem: Problem) -> None:
    """Refuse people with several rows: who is in two groups holds a value that both have."""
    if problem.respondents is None:
        return
    rows = np.bincount(problem.respondents)
    several = int((rows > 1).sum())
    if several:
        raise InputError(
            f"anatomy: {many(several, 'respondent has', 'respondents have')} more than one row, and the values that "
            "their groups have in common "
            "would tell theirs; give everybody one row, or choose an algorithm that generalizes",
            code="algorithm.respondents",
            algorithm="anatomy",
            found=several,
        )
