"""How each objective is scored and bounded by the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kohort.algorithms.lattice.finite import bounding
from kohort.algorithms.lattice.packing import Packing
from kohort.arrays import FloatArray
from kohort.hierarchy import Hierarchy
from kohort.metrics import (
    Ambiguity,
    AverageClassSize,
    Discernibility,
    Entropy,
    InformationLoss,
    Loss,
    MaxDistribution,
    MinAbsoluteDistance,
    MinRelativeDistance,
    MinSuppression,
    Precision,
)
from kohort.metrics.extent import level_extents
from kohort.metrics.weights import shares

LARGEST = 700.0  # the greatest logarithm whose exponential is a finite number, and some room

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Columns, Terms


def by_sizes(packing: Packing) -> int | None:
    """Return the k that decides everything, None where more than class sizes in records must be seen."""
    return packing.problem.crowd if packing.problem.by_size else None


def kind_of(objective: Any) -> int:
    """Return how the kernels score an objective."""
    from kohort.algorithms.lattice import sweep_kernels as kernels

    kinds = {
        Loss: kernels.PRODUCT,
        Precision: kernels.MEAN,
        InformationLoss: kernels.MEAN,
        Discernibility: kernels.DISCERNIBILITY,
        AverageClassSize: kernels.CLASSES,
        MaxDistribution: kernels.TUPLES,
        MinAbsoluteDistance: kernels.HEIGHT,
        MinRelativeDistance: kernels.HEIGHT,
        MinSuppression: kernels.SUPPRESSION,
    }
    return kinds.get(type(objective), kernels.OTHER)


def columns_of(packing: Packing) -> Columns:
    """Return how attributes are packed, climb and cost."""
    from kohort.algorithms.lattice.sweep_kernels import Columns

    words, shifts, masks = packing.places()
    starts = packing.starts()
    size = sum(len(packing.table(j, 0)) * levels for j, levels in enumerate(packing.lattice.shape))
    tables, costs = np.empty(size, np.int64), np.zeros(size)
    for j, levels in enumerate(packing.lattice.shape):
        hierarchy = packing.problem.hierarchies[packing.order[j]]
        for level in range(levels):
            start, table = starts[j, level], packing.table(j, level)
            found = _costs(packing, hierarchy, packing.rungs[j][level])
            tables[start : start + len(table)] = table.astype(np.int64) << shifts[j]
            costs[start : start + len(found)] = found
    return Columns(words, shifts, masks, tables, starts, costs)


def terms_of(packing: Packing, columns: Columns) -> Terms:
    """Return the objective's terms."""
    from kohort.algorithms.lattice.sweep_kernels import PRODUCT, Terms

    problem = packing.problem
    n, m = problem.n_rows, len(packing.order)
    kind = kind_of(problem.objective)
    suppression = problem.suppression_cost[list(packing.order)]
    if isinstance(problem.objective, InformationLoss):
        suppression = np.ones(m)
    totals, floors = np.zeros(columns.starts.shape), np.zeros(columns.starts.shape)
    for j, levels in enumerate(packing.lattice.shape):
        records = np.bincount(packing.bottom.codes[:, packing.order[j]], packing.bottom.rows)
        for level in range(levels):
            start = columns.starts[j, level]
            cost = columns.costs[start + packing.table(j, level)][: len(records)]
            totals[j, level] = records @ cost
            floors[j, level] = records @ np.minimum(cost, suppression[j])
    size = np.array([problem.hierarchies[a].size for a in packing.order], np.float64)
    slopes, offsets = np.full(m, 1 / n), np.zeros(m)
    if kind == PRODUCT:
        many = size > 1
        slopes = np.where(many, 1 / n / np.where(many, 1 - 1 / size, 1), 0.0)
        offsets = np.where(many, -1 / size / np.where(many, 1 - 1 / size, 1), 0.0)
    if isinstance(problem.objective, InformationLoss):  # a sum over records and attributes
        slopes = np.full(m, float(m))
    with np.errstate(over="ignore"):
        bounding(problem, n * suppression)
    bounding(problem, totals)
    k = by_sizes(packing)
    return Terms(
        kind=kind,
        totals=totals,
        floors=floors,
        suppression=suppression,
        slopes=slopes,
        offsets=offsets,
        weights=shares(problem.weight)[list(packing.order)],
        records=float(n),
        least_size=problem.least_size,
        most_size=float(n if k is None else k - 1),
        limit=problem.max_suppressed,
    )


def prior_of(packing: Packing, terms: Terms) -> FloatArray:
    """Return, per node, a score that neither it nor any generalization can be less than."""
    prior = _prior(packing, terms)
    bounding(packing.problem, prior)
    return prior


def _prior(packing: Packing, terms: Terms) -> FloatArray:
    from kohort.algorithms.lattice.sweep_kernels import CLASSES, HEIGHT, MEAN, PRODUCT, TUPLES

    shape = packing.lattice.shape
    if terms.kind in (CLASSES, TUPLES):
        most = np.ones(shape)  # no node has more classes than combinations of the values that occur
        for j in range(len(shape)):
            present = np.unique(packing.bottom.codes[:, packing.order[j]])
            values = [len(np.unique(table[present])) for table in packing.tables[j]]
            most *= np.array(values).reshape([-1 if a == j else 1 for a in range(len(shape))])
        least: FloatArray = most.reshape(-1)
        return terms.records / least if terms.kind == CLASSES else -least
    if isinstance(packing.problem.objective, Ambiguity):
        # The mean of products is at least the product of geometric means.
        return _geometric(packing, shape)
    if isinstance(packing.problem.objective, Entropy):
        return _bits(packing, shape)
    if terms.kind not in (PRODUCT, MEAN, HEIGHT):
        return np.full(len(packing.lattice), -np.inf)
    total = np.ones(shape) if terms.kind == PRODUCT else np.zeros(shape)
    for j, levels in enumerate(shape):
        across = [-1 if a == j else 1 for a in range(len(shape))]
        x = terms.slopes[j] * terms.floors[j, :levels] + terms.offsets[j]
        if terms.kind == PRODUCT:  # a power, not a logarithm: 1 + x may be 0, also where the weight is
            total *= (np.maximum(1 + x, 0.0) ** terms.weights[j]).reshape(across)
            continue
        if terms.kind == MEAN:
            x = terms.weights[j] * x
        else:
            x = np.array(packing.rungs[j], np.float64)
            if isinstance(packing.problem.objective, MinRelativeDistance):
                x /= max(packing.problem.hierarchies[packing.order[j]].height, 1)
        total += x.reshape(across)
    flat: FloatArray = total.reshape(-1)
    return flat - 1 if terms.kind == PRODUCT else flat


def _costs(packing: Packing, hierarchy: Hierarchy, level: int) -> FloatArray:
    domain = hierarchy.levels[level]
    objective = packing.problem.objective
    if isinstance(objective, InformationLoss):
        return level_extents(hierarchy)[level]
    if isinstance(objective, Precision):
        return np.full(len(domain.labels), level / max(hierarchy.height, 1))
    return domain.leaves / hierarchy.size


def _geometric(packing: Packing, shape: tuple[int, ...]) -> FloatArray:
    """Return, per node, the product over attributes of the geometric mean of ground values covered."""
    logs = np.zeros(shape)
    for j, rungs in enumerate(packing.rungs):
        hierarchy = packing.problem.hierarchies[packing.order[j]]
        records = np.bincount(packing.bottom.codes[:, packing.order[j]], packing.bottom.rows)
        means = [
            records @ np.log(hierarchy.levels[level].leaves)[table[: len(records)]] / packing.problem.n_rows
            for level, table in zip(rungs, packing.tables[j], strict=True)
        ]
        logs += np.array(means).reshape([-1 if a == j else 1 for a in range(len(shape))])
    flat: FloatArray = np.exp(np.minimum(logs, LARGEST)).reshape(-1)
    return flat * (1 - 1e-9)  # rounding may not lift the bound above what it bounds


def _bits(packing: Packing, shape: tuple[int, ...]) -> FloatArray:
    """Return, per node, a share of bits that is lost there and at every generalization at least.

    Let t of the T records under a label hold each value, and d of them, D in all, be suppressed. The bits
    hidden among all T are at most those among the kept, those among the suppressed, and T·h(D/T) to tell
    kept from suppressed (h the binary entropy). A suppressed record costs log(n/t), so the suppressed
    together cost no less than they hide among themselves. Over all labels T·h(D/T) adds up to n·h(s/n) at
    most, s being the records suppressed: that much less than without suppression can be lost, no more.
    Without suppression coarser labels hide more.
    """
    problem = packing.problem
    n = problem.n_rows
    share = min(problem.max_suppressed / n, 0.5)
    spared = 0.0 if share == 0 else n * -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    total, weights = np.zeros(shape), shares(problem.weight)
    for j, rungs in enumerate(packing.rungs):
        attribute = packing.order[j]
        held = np.bincount(problem.base.codes[:, attribute], problem.base.rows)
        ground = np.flatnonzero(held)
        records = held[ground].astype(np.float64)
        bits = records @ -np.log2(records / n)
        if bits == 0:
            continue
        lost = []
        for level in rungs:
            label = problem.hierarchies[attribute].levels[level].of_ground[ground]
            hidden = records @ np.log2(np.bincount(label, records)[label] / records)
            lost.append(weights[attribute] * max(0.0, hidden - spared) / bits)
        total += np.array(lost).reshape([-1 if a == j else 1 for a in range(len(shape))])
    flat: FloatArray = total.reshape(-1)
    return flat * (1 - 1e-9)  # rounding may not lift the bound above what it bounds
