"""`mu-argus`: rare combinations of one, two or three attributes, and of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, takewhile
from typing import ClassVar, Literal

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cells.cost import CellCost
from kohort.algorithms.cells.order import by_value
from kohort.algorithms.cells.outliers import outlier_groups
from kohort.algorithms.cells.repair import demand_rows, repaired
from kohort.algorithms.cells.settle import checked, counted
from kohort.algorithms.watch import Watch
from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes import group
from kohort.errors import InfeasibleError, InputError
from kohort.plurals import many
from kohort.recode import Problem, Solution
from kohort.recode.cells import STAR, Cells
from kohort.typed import Named

Combination = IntArray  # positions of attributes


@dataclass(frozen=True)
class MuArgus:
    """Attributes generalized one by one until their values are frequent, rare combinations suppressed.

    Each attribute goes up to the lowest level at which rows with a rare value (fewer than k rows hold it)
    are within the suppression limit, or to the level that `levels` tells: the choice that µ-Argus leaves to
    its user. Then the combinations of one, two and three attributes are counted, and in the rows that hold
    a rare one cells are suppressed until none is rare: with `suppress = "combination"` all its cells, as the
    published example does, with `"cell"` the cell that stands in most of the row's rare combinations. A
    combination with a suppressed cell is not counted. `identifying` gives attributes a weight: 0 not, 1
    identifying, 2 more, 3 most; then only combinations of attributes of different weights are looked at.
    Without it all are.

    That does not give k-anonymity: four attributes can single out a row although no three do, and a row with
    suppressed cells may be the only one of its kind. So by default the full combination is looked at last,
    and rows that still fail lose further cells. With `full = False` the release of the published method is
    refused, with the number of rows it leaves open, unless it happens to keep the promises.

    Guarantee: none on the loss.

    Complexity: O(combinations · n) per pass, and `outlier_groups` for the rest.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("mu-argus")))
    >>> counted(release.table)
    {('30-39', '9413*'): 3, ('50-59', '9414*'): 3}

    References: Hundepool, A. and Willenborg, L. µ- and τ-Argus, 1996; Samarati, P. Protecting respondents'
    identities in microdata release. IEEE TKDE 13(6), 2001, section 7.
    """

    full: bool = True
    identifying: Mapping[Named, int] | None = None
    levels: Mapping[Named, int] | None = None
    suppress: Literal["combination", "cell"] = "combination"

    card: ClassVar = Card(
        "mu-argus",
        "attributes generalized one by one, cells suppressed in rare combinations of one to three, then of all",
        guarantee="none",
        taxonomy="AG_CS",
        decides="row",
        paper="Hundepool & Willenborg 1996",
        bounds=("min_level",),
        heeds=("weight", "max_suppression"),
        leaves_out=False,
    )

    def __post_init__(self) -> None:
        if self.suppress not in ("combination", "cell"):
            raise InputError(
                f"mu-argus: suppress is {self.suppress!r}; it must be 'combination' or 'cell'",
                code="algorithm.wrong-option",
                algorithm="mu-argus",
                option="suppress",
                value=self.suppress,
                allowed=("combination", "cell"),
            )
        wrong = [n for n, w in (self.identifying or {}).items() if w not in (0, 1, 2, 3)]
        if wrong:
            raise InputError(
                f"mu-argus: identifying of {wrong[0]!r} must be 0, 1, 2 or 3",
                code="algorithm.wrong-option",
                algorithm="mu-argus",
                option="identifying",
                column=wrong[0],
                allowed=(0, 1, 2, 3),
            )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the recoding of all combinations, or of those of one to three where it keeps the promises."""
        watch = Watch.of(problem, progress)
        with watch.or_unfinished(self.card.name):
            return by_value(problem, lambda rows: self._solve(rows, watch))

    def _solve(self, problem: Problem, watch: Watch) -> Solution:
        published = self.published(problem, watch)
        open_rows = unprotected(problem, published)
        cost = _released_cost(problem, published, self._levels(problem, problem.least_size))
        if not self.full:
            if len(open_rows) and watch.ended is not None:
                raise watch.unfinished(self.card.name, {"rows": len(open_rows)})
            if len(open_rows):
                raise InfeasibleError(
                    f"mu-argus looked at combinations of up to three attributes, which leave "
                    f"{many(len(open_rows), 'row')} in classes that break a promise: set full = true to look at all "
                    "attributes together",
                    nearest={"rows": len(open_rows), "levels": _named(problem, cost)},
                    code="infeasible.not-found",
                    algorithm="mu-argus",
                )
            return checked(problem, published, self._facts(problem, published, cost, 0))
        group_of = repaired(problem, cost, outlier_groups(problem, cost, watch))
        levels = np.where(published.levels == STAR, STAR, cost.levels(group_of))
        decision = Cells(levels, published.kept)
        facts = self._facts(problem, decision, cost, len(open_rows)) | watch.facts()
        return checked(problem, decision, facts)

    def published(self, problem: Problem, watch: Watch) -> Cells:
        """Return the recoding of the published method, which need not keep any promise."""
        k = problem.least_size
        demand_rows(problem, k)
        base = np.array(self._levels(problem, k), np.int16)
        codes = np.column_stack(
            [
                h.levels[level].of_ground[problem.codes[:, j]]
                for j, (h, level) in enumerate(zip(problem.hierarchies, base, strict=True))
            ]
        )
        looked_at = self._combinations(problem)
        weight = [self._identifying(name) for name in problem.names]
        hidden = np.zeros(codes.shape, np.bool_)
        while True:
            before = int(hidden.sum())
            watch.update("hiding rare combinations", before)
            if self.suppress == "combination":
                for combination in takewhile(lambda _: not watch.over, looked_at):
                    hidden[_rare(codes, hidden, combination, k)[:, None], combination] = True
            else:
                _hide_cells(codes, hidden, looked_at, k, weight)
            if watch.over or int(hidden.sum()) == before:
                return Cells(np.where(hidden, STAR, base), np.ones(problem.n_rows, np.bool_))

    def _identifying(self, name: str) -> int:
        return 1 if self.identifying is None else int(self.identifying.get(name, 0))

    def _combinations(self, problem: Problem) -> list[Combination]:
        _known(problem, "identifying", self.identifying)
        weight = [self._identifying(name) for name in problem.names]
        useful = [j for j, w in enumerate(weight) if w]
        mixed = [
            chosen
            for size in (1, 2, 3)
            for chosen in combinations(useful, size)
            if self.identifying is None or len({weight[j] for j in chosen}) == size
        ]
        return [np.array(chosen) for chosen in mixed]

    def _levels(self, problem: Problem, k: int) -> list[int]:
        _known(problem, "levels", self.levels)
        told = self.levels or {}
        found = []
        for j, (name, hierarchy) in enumerate(zip(problem.names, problem.hierarchies, strict=True)):
            low, high = problem.lowest[j], problem.highest[j]
            named = hierarchy.level_named(told.get(name, low))
            if named is not None and not hierarchy.closed:
                # How high it is follows from the values: somebody left out must not decide whether the plan is accepted.
                named = min(max(named, low), high)
            if named is None or not low <= named <= high:
                raise InputError(
                    f"mu-argus: levels of {name!r} is {told[name]}; it must be {low} to {high}",
                    code="algorithm.wrong-option",
                    algorithm="mu-argus",
                    option="levels",
                    column=name,
                    value=told[name],
                    least=low,
                    most=high,
                )
            level = named
            while name not in told and level < high:
                counts = np.bincount(hierarchy.levels[level].of_ground[problem.codes[:, j]])
                if counts[counts < k].sum() <= problem.max_suppressed:
                    break
                level += 1
            found.append(level)
        return found

    def _facts(self, problem: Problem, decision: Cells, cost: CellCost, rows: int) -> dict[str, object]:
        return {
            "levels": _named(problem, cost),
            "combinations": len(self._combinations(problem)),
            "missed_rows": rows,  # that combinations of up to three attributes leave open
            **counted(decision.levels, cost),
        }


def unprotected(problem: Problem, decision: Cells) -> IntArray:
    """Return the rows that a decision releases in classes which break a promise."""
    recoded = decision.apply(problem)
    codes = np.column_stack([column.codes for column in recoded.columns]).astype(np.int32)
    failing = problem.failing(recoded.outcome(problem).classes)  # classes stand in the order of `group`
    return np.flatnonzero(failing[group(codes)[1]])


def _released_cost(problem: Problem, decision: Cells, levels: list[int]) -> CellCost:
    """Return the cost of suppressing cells beyond those that a decision suppresses.

    `*` is the value -1, as in `coinciding`: what is suppressed now is released like what was before, and
    promises that merging may break must be judged on both together.
    """
    columns = [
        np.where(decision.levels[:, j] == STAR, -1, column.codes)
        for j, column in enumerate(decision.apply(problem).columns)
    ]
    return CellCost(
        steps=np.array(columns, np.int32),
        weights=problem.weight,
        attribute=np.arange(len(columns)),
        base=np.array(levels, np.int16),
        generalize=False,
        proportions=problem.proportions,
    )


def _rare(codes: IntArray, hidden: BoolArray, combination: Combination, k: int) -> IntArray:
    """Return the rows whose values of a combination, none of them hidden, fewer than k rows hold."""
    rows = np.flatnonzero(~hidden[:, combination].any(axis=1))
    _, class_of = group(np.ascontiguousarray(codes[rows[:, None], combination]))
    return rows[np.bincount(class_of)[class_of] < k] if len(rows) else rows


def _hide_cells(
    codes: IntArray, hidden: BoolArray, looked_at: list[Combination], k: int, weight: list[int]
) -> None:
    """Hide one cell of each row with a rare combination: the one in most of them.

    Ties go to the more identifying attribute, then to the first.
    """
    votes = np.zeros(codes.shape, np.int64)
    for combination in looked_at:
        votes[_rare(codes, hidden, combination, k)[:, None], combination] += 1
    rows = np.flatnonzero(votes.any(axis=1))
    ranked = votes[rows] * 4 + np.where(votes[rows] > 0, np.array(weight), 0)
    hidden[rows, ranked.argmax(axis=1)] = True


def _known(problem: Problem, option: str, told: Mapping[str, int] | None) -> None:
    strange = sorted(set(told or ()) - set(problem.names))
    if strange:
        raise InputError(
            f"mu-argus: {option} names {strange[0]!r}; the quasi-identifiers are: {', '.join(problem.names)}",
            code="algorithm.unknown-column",
            algorithm="mu-argus",
            option=option,
            column=strange[0],
            allowed=problem.names,
        )


def _named(problem: Problem, cost: CellCost) -> dict[str, int]:
    return {name: int(level) for name, level in zip(problem.names, cost.base, strict=True)}
