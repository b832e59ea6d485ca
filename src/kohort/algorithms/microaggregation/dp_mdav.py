"""`dp-mdav`: a differentially private table through insensitive microaggregation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import isqrt
from typing import Any, ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.microaggregation.blocks import block_sums, blocks, curve_order
from kohort.algorithms.microaggregation.grid import Grid, Number, exact, options_of
from kohort.algorithms.microaggregation.noise import discrete_laplace
from kohort.algorithms.microaggregation.settlement import group_size
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.errors import InfeasibleError, InputError
from kohort.plurals import many
from kohort.recode import Problem, Solution
from kohort.recode.groups import failing_groups
from kohort.recode.noised import Noised
from kohort.toml import toml_key
from kohort.typed import Named

_LEAST, _MOST = Decimal("1e-30"), Decimal("1e30")  # of epsilon


@dataclass(frozen=True)
class DpMdav:
    """Release the means of blocks of similar records with Laplace noise, ε-differentially private.

    What ε covers: for any two tables with the same number n of records that differ in one record, whatever
    the two hold, every set of public releases has probabilities within a factor e^ε of each other. n is taken
    as known. Everything that is published is computed from the noised table and from what the plan declares;
    columns released beside it, hierarchies over the table's values, people with several records, seeds and
    unshuffled rows are refused (`kohort.preparation.covered`). The private directory is not covered. ε is per release: of
    two releases of the same people, or of one that was made again, the ε add up.

    Options
    - `epsilon`: as it is written, so that 0.1 is a tenth.
    - `bounds`: the least and the greatest value of every column, and `decimals`: how many it is released
      with, one number for all columns or one each. They must come from what the column means and not from the
      table; no check can tell, and bounds read off the data void the guarantee.
    - `missing`: where a missing value, or a text that is no number, stands; in the middle unless told.
    - `group`: records per block; the greater of k and ⌈√n⌉ unless told.

    How: every cell is put on the declared grid (`Grid`), so that sums are whole numbers. Records are sorted
    along an order of the whole space that no table changes and cut into G blocks of `group` records, the last
    up to twice as many less one (`blocks`). The sum of a block receives discrete Laplace noise, drawn exactly
    by the operating system's generator; the noisy sum over the size, rounded to the grid and moved to the
    nearest bound, is released for all records of the block.

    Why (docs/decisions/0006): with one column of width Δ all block sums together move by Δ at most, since
    the sorted values move in one direction only: scale Δ/ε. With m columns each gets ε/m, a block changes by
    one record at most, and each of the G sums of a column by Δ: scale m·G·Δ/ε on the sums. What follows is
    post-processing. So noise of several columns is small only where blocks are much larger than √n.

    Departures from the paper: blocks along an order instead of MDAV with distances consistent with an order
    (the same argument); whole-number noise, which has no low bits that could betray the sum.

    Besides, every block is released alike, so k-anonymity holds, of values that are nobody's. O(n log n) time.

    Complexity: O(n log n) time.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD
    >>> plan = {"columns": {"age": "quasi"}, "require": [{"model": "k-anonymity", "k": 2}]}
    >>> options = {"bounds": {"age": [20, 79]}, "decimals": 0, "epsilon": 1.0}
    >>> release = anonymize(WARD, Plan(**plan, recode={"algorithm": "dp-mdav", "options": options}))
    >>> [(verdict.promise, verdict.holds) for verdict in release.verdicts][:1]
    [('2-anonymity', True)]

    References: Soria-Comas, J., Domingo-Ferrer, J., Sánchez, D., Martínez, S. Enhancing data utility in
    differential privacy via microaggregation-based k-anonymity. VLDB Journal 23(5), 2014. Ghosh, A.,
    Roughgarden, T., Sundararajan, M. Universally utility-maximizing privacy mechanisms. STOC 2009.
    """

    epsilon: Number = 1.0
    bounds: Mapping[Named, Sequence[Number]] = field(default_factory=dict)
    decimals: int | Mapping[Named, int] | None = None
    missing: Mapping[Named, Number] = field(default_factory=dict)
    group: int | None = None

    card: ClassVar = Card(
        "dp-mdav",
        "means of groups of similar records with Laplace noise: a differentially private table",
        guarantee="ε-differential privacy per record (substitution) of everything public; groups of k or more",
        truthful=False,
        perturbs="noise",
        decides="row",
        paper="Soria-Comas et al. 2014",
        covers_all=True,
        respondents="nobody",
        leaves_out=False,
    )

    def __post_init__(self) -> None:
        if not _LEAST <= exact("epsilon", self.epsilon) <= _MOST:
            raise InputError(
                f"dp-mdav: epsilon must be a number above 0, from {_LEAST:.0e} to {_MOST:.0e}",
                code="algorithm.wrong-option",
                algorithm="dp-mdav",
                option="epsilon",
                least=float(_LEAST),
                most=float(_MOST),
            )
        if self.group is not None and (isinstance(self.group, bool) or not isinstance(self.group, int)):
            raise InputError(
                "dp-mdav: group must be a whole number of records",
                code="algorithm.wrong-option",
                algorithm="dp-mdav",
                option="group",
            )

    @property
    def guarantee(self) -> str:
        """What is promised with these options, in words."""
        return (
            f"ε = {exact('epsilon', self.epsilon):f} per record (substitution of one record; the number of records is "
            "known): everything public is computed from the noised table and declared constants. The private "
            "directory is not covered, and each further release of the same people adds its ε"
        )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the noised means."""
        grids = self._grids(problem.names)
        size = self._size(problem)
        places = [
            [grid.place(text) for text in hierarchy.ground]
            for grid, hierarchy in zip(grids, problem.hierarchies, strict=True)
        ]
        rank = curve_order(problem.base.codes, places, grids)[problem.class_of]
        block_of = blocks(rank, size)
        self._check(problem, block_of)
        progress.update("adding noise")
        scales = self.scales(grids, problem.n_rows // size)
        sums = [block_sums(block_of, problem.codes[:, j], places[j]) for j in range(len(grids))]
        sizes = [size] * (len(sums[0]) - 1) + [problem.n_rows - size * (len(sums[0]) - 1)]
        texts = [
            [grid.spelled(noised(grid, total, n, scale)) for total, n in zip(totals, sizes, strict=True)]
            for grid, totals, scale in zip(grids, sums, scales, strict=True)
        ]
        decision = Noised(block_of, texts, self._declared(problem.names, grids, scales, size, len(sizes)))
        score = problem.objective.score(decision.apply(problem).outcome(problem))
        return Solution(decision, score, facts={"displaced": _displaced(problem, grids)})

    def scales(self, grids: list[Grid], n_blocks: int) -> list[Fraction]:
        """Return the scale of the noise on the block sums of each column, in units of its grid."""
        spread = 1 if len(grids) == 1 else len(grids) * n_blocks
        return [Fraction(grid.width * spread) / Fraction(exact("epsilon", self.epsilon)) for grid in grids]

    def _grids(self, names: tuple[str, ...]) -> list[Grid]:
        bounds, missing = options_of("bounds", self.bounds, names), options_of("missing", self.missing, names)
        told = dict.fromkeys(names, self.decimals) if isinstance(self.decimals, int) else self.decimals
        decimals = options_of("decimals", told or {}, names)
        for name in names:
            if name not in bounds:
                raise InputError(
                    f"dp-mdav: there are no bounds for {name!r}; declare [recode.options.bounds] {toml_key(name)} = [least, "
                    "greatest], from what the column means and not from the table. Noise can be added to numbers "
                    'only: give any other column role = "identifier"',
                    code="algorithm.undeclared",
                    algorithm="dp-mdav",
                    option="bounds",
                    column=name,
                )
            if name not in decimals:
                raise InputError(
                    f"dp-mdav: there are no decimals for {name!r}; declare [recode.options.decimals] {toml_key(name)} = 0, or "
                    "decimals = 0 for all columns, as many as the release is to have",
                    code="algorithm.undeclared",
                    algorithm="dp-mdav",
                    option="decimals",
                    column=name,
                )
        return [Grid.declared(name, bounds[name], decimals[name], missing.get(name)) for name in names]

    def _size(self, problem: Problem) -> int:
        k, n = group_size(problem, "dp-mdav"), problem.n_rows
        size = max(k, isqrt(n - 1) + 1) if self.group is None else self.group
        if not k <= size <= n:
            raise InputError(
                f"dp-mdav: group is {size}; it must lie between k = {k} and the {many(n, 'record')}",
                code="algorithm.wrong-option",
                algorithm="dp-mdav",
                option="group",
                value=size,
                least=k,
                most=n,
            )
        return size

    def _declared(
        self, names: tuple[str, ...], grids: list[Grid], scales: list[Fraction], size: int, n_blocks: int
    ) -> dict[str, Any]:
        """Return what is told of the noise: constants of the plan and of the number of records."""
        spread = {
            name: float(scale / size / 10**grid.decimals)
            for name, grid, scale in zip(names, grids, scales, strict=True)
        }
        return {
            "groups": n_blocks,
            "epsilon": f"{exact('epsilon', self.epsilon):f}",
            "covers": list(names),
            "noise": spread,
        }

    @staticmethod
    def _check(problem: Problem, block_of: IntArray) -> None:
        if failing_groups(problem, block_of).any():
            labels = " and ".join(model.label for model in problem.models)
            raise InfeasibleError(
                f"dp-mdav: groups of similar records do not keep {labels}, and groups may not be chosen by "
                "anything else; ask for k-anonymity only, or for larger groups",
                nearest={"groups": int(block_of.max()) + 1},
                code="infeasible.not-found",
                algorithm="dp-mdav",
            )


def _displaced(problem: Problem, grids: list[Grid]) -> dict[str, dict[str, int]]:
    """Return how many records stand elsewhere than their cells say: private, as all facts of a search are."""
    return {
        name: grid.displaced(
            hierarchy.ground,
            np.bincount(problem.base.codes[:, j], problem.base.rows, minlength=hierarchy.size).astype(
                np.int64
            ),
        )
        for j, (name, hierarchy, grid) in enumerate(
            zip(problem.names, problem.hierarchies, grids, strict=True)
        )
    }


def noised(grid: Grid, total: int, size: int, scale: Fraction) -> int:
    """Return the mean of a block with noise, on the grid and within its bounds."""
    return grid.clamped(round(Fraction(total + discrete_laplace(scale), size)))
