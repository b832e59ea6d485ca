"""`dp-mdav`: a differentially private table through insensitive microaggregation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, isfinite, sqrt
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.microaggregation.noise import discrete_laplace
from kohort.algorithms.microaggregation.settlement import group_size
from kohort.arrays import FloatArray, IntArray
from kohort.card import Card
from kohort.errors import InfeasibleError, InputError
from kohort.recode import Problem, Solution
from kohort.recode.centroids import Centroids, Kind, decimals_of
from kohort.recode.groups import failing_groups

_CURVE_BITS = 10  # cells per axis of the curve, as a power of two


@dataclass(frozen=True)
class DpMdav:
    """Release the means of groups of similar records with Laplace noise, ε-differentially private.

    What ε covers: for any two tables with the same number of records that differ in the quasi-identifiers
    of one record, every set of released (unordered) quasi-identifier tables has probabilities within a
    factor e^ε of each other. It covers the quasi-identifiers and nothing else: a column that is released
    beside them is outside the guarantee, so make every column a quasi-identifier or leave it out. n is taken
    as known. The guarantee is per release; two releases add up.

    `bounds` declares the least and the greatest value of every attribute. They must come from what the
    attribute means, not from the table: no check can tell, and bounds read off the data void the guarantee.
    Values outside are moved to the nearest bound; a missing value stands in the middle. All attributes
    must be numbers.

    How: values are rounded to a declared grid (`decimals`), so that sums are whole numbers. Records are
    sorted along an order of the whole space that does not depend on the data (a single attribute by value,
    several along a Z-shaped curve through their bounds) and cut into G blocks of `group` records, the last
    up to twice as many less one. Changing one record moves one record in and one out of each block at most, so
    the mean of a block moves by Δ/group for an attribute of range Δ. The sum of every block receives
    discrete Laplace noise, and the noisy sum over the size, rounded again, is released for all its records.

    Why: with one attribute the blocks are intervals of the sorted values, the changes of the sums telescope,
    and all block sums together move by at most Δ in L1: noise of scale Δ/ε on the sums, Δ/(group·ε) on the
    means. With m attributes ε is shared equally, and each of the G block sums of an attribute may move by Δ:
    scale m·G·Δ/ε on the sums, that is m·G·Δ/(group·ε) on the means. What follows is post-processing. The
    paper's remark that groups of √n or more pay off is the default: `group` is the greater of k and ⌈√n⌉.

    Departures from the paper: blocks along an order instead of MDAV with distances consistent with an order
    (the same sensitivity argument); whole-number noise, which has no low bits that could betray the sum.

    Besides, every block is released alike, so k-anonymity holds. Noise comes from the operating system unless
    a seed is set, which is for tests: who knows the seed can take the noise off.

    References: Soria-Comas, J., Domingo-Ferrer, J., Sánchez, D., Martínez, S. Enhancing data utility in
    differential privacy via microaggregation-based k-anonymity. VLDB Journal 23(5), 2014. Ghosh, A.,
    Roughgarden, T., Sundararajan, M. Universally utility-maximizing privacy mechanisms. STOC 2009.
    """

    epsilon: float = 1.0
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    group: int | None = None
    decimals: int | None = None

    card: ClassVar = Card(
        "dp-mdav",
        "means of groups of similar records with Laplace noise: a differentially private table",
        guarantee="ε-differential privacy of the quasi-identifiers, within declared bounds; groups of k or more",
        truthful=False,
        paper="Soria-Comas et al. 2014",
    )

    def __post_init__(self) -> None:
        if not (self.epsilon > 0 and isfinite(self.epsilon)):
            raise InputError(f"dp-mdav: epsilon is {self.epsilon!r}; it must be a number above 0")
        if self.decimals is not None and self.decimals < 0:
            raise InputError(
                f"dp-mdav: decimals is {self.decimals!r}; it must be a whole number of at least 0"
            )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the noisy means."""
        k = group_size(problem, "dp-mdav")
        size = max(k, ceil(sqrt(problem.n_rows))) if self.group is None else self.group
        if not k <= size <= problem.n_rows:
            raise InputError(
                f"dp-mdav: group is {size}; it must lie between k = {k} and the {problem.n_rows:,} records"
            )
        bounds = [self._bounds(problem, j) for j in range(len(problem.names))]
        places = [self._places(problem, j) for j in range(len(problem.names))]
        units = [_units(problem, j, bounds[j], places[j]) for j in range(len(problem.names))]
        group_of = blocks(units, _ends(bounds, places), size)
        progress.update("adding noise")
        means = self._means(problem, units, bounds, places, group_of)
        self._check(problem, group_of)
        decision = Centroids(group_of, (Kind.NUMERIC,) * len(units), tuple(places), means)
        score = problem.objective.score(decision.apply(problem).outcome(problem))
        facts = {
            "groups": int(group_of.max()) + 1,
            "epsilon": self.epsilon,
            "covers": list(problem.names),
        }
        return Solution(decision, score, facts=facts)

    def _means(
        self,
        problem: Problem,
        units: list[IntArray],
        bounds: list[tuple[float, float]],
        places: list[int],
        group_of: IntArray,
    ) -> dict[int, FloatArray]:
        sizes = np.bincount(group_of)
        spread = 1 if len(units) == 1 else len(units) * len(sizes)
        means = {}
        for j, (low, high) in enumerate(_ends(bounds, places)):
            sums = np.bincount(group_of, units[j]).astype(np.int64)
            noise = discrete_laplace(
                (high - low) * spread / self.epsilon,
                len(sums),
                None if problem.seed is None else [problem.seed, j],
            )
            means[j] = np.clip((sums + noise) / sizes, low, high) / 10.0 ** places[j]
        return means

    def _bounds(self, problem: Problem, j: int) -> tuple[float, float]:
        name, hierarchy = problem.names[j], problem.hierarchies[j]
        if hierarchy.numbers is None:
            raise InputError(f"dp-mdav: {name!r} holds no numbers; noise can be added to numbers only")
        if name not in self.bounds:
            raise InputError(
                f"dp-mdav: there are no bounds for {name!r}; declare [recode.options.bounds] {name} = [least, "
                "greatest], from what the attribute means and not from the table"
            )
        low, high = (float(bound) for bound in self.bounds[name])
        if not (isfinite(low) and isfinite(high) and low < high):
            raise InputError(f"dp-mdav: the bounds of {name!r} must be two numbers, the least first")
        return low, high

    def _places(self, problem: Problem, j: int) -> int:
        return decimals_of(problem.hierarchies[j]) if self.decimals is None else self.decimals

    @staticmethod
    def _check(problem: Problem, group_of: IntArray) -> None:
        if failing_groups(problem, group_of).any():
            labels = " and ".join(model.label for model in problem.models)
            raise InfeasibleError(
                f"dp-mdav: blocks of similar records do not keep {labels}, and blocks may not be chosen by "
                "anything else; ask for k-anonymity only, or for larger groups",
                nearest={"groups": int(group_of.max()) + 1},
            )


def blocks(units: list[IntArray], ends: list[tuple[int, int]], size: int) -> IntArray:
    """Return the block of each record along the order of the space: `size` records each, the last more.

    The order compares places on the curve first, then the values attribute by attribute; both depend on the
    record alone, so the order of two records does not change with the rest of the table.
    """
    keys = list(reversed(units))
    if len(units) > 1:
        keys.append(_curve(units, ends))
    order = np.lexsort(keys)
    n = len(order)
    block_of = np.empty(n, np.int64)
    block_of[order] = np.minimum(np.arange(n) // size, n // size - 1)
    return block_of


def _curve(units: list[IntArray], ends: list[tuple[int, int]]) -> IntArray:
    """Return the place of each record on the Z-shaped curve: the bits of its coordinates interleaved."""
    bits = max(1, min(_CURVE_BITS, 62 // len(units)))
    place = np.zeros(len(units[0]), np.int64)
    for bit in range(bits - 1, -1, -1):
        for values, (low, high) in zip(units, ends, strict=True):
            cell = (values - low) * ((1 << bits) - 1) // max(high - low, 1)
            place = (place << 1) | ((cell >> bit) & 1)
    return place


def _ends(bounds: list[tuple[float, float]], places: list[int]) -> list[tuple[int, int]]:
    """Return the bounds in units of the grid."""
    return [
        (round(low * 10**place), round(high * 10**place))
        for (low, high), place in zip(bounds, places, strict=True)
    ]


def _units(problem: Problem, j: int, bounds: tuple[float, float], places: int) -> IntArray:
    """Return the attribute row by row in units of the grid, within bounds, missing in the middle."""
    numbers = problem.hierarchies[j].numbers
    assert numbers is not None
    [(low, high)] = _ends([bounds], [places])
    scaled = np.where(np.isnan(numbers), (low + high) / 2, numbers * 10.0**places)
    whole = np.clip(np.rint(scaled), low, high).astype(np.int64)
    return np.asarray(whole[problem.base.codes[:, j][problem.class_of]])
