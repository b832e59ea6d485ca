"""How each objective is scored and bounded by the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kohort.algorithms.lattice.finite import bounding
from kohort.algorithms.lattice.packing import Packing
from kohort.arrays import FloatArray
from kohort.metrics import Adds, Form
from kohort.metrics.form import Floors
from kohort.metrics.weights import shares

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Columns, Terms


def by_sizes(packing: Packing) -> int | None:
    """Return the k that decides everything, None where more than class sizes in records must be seen."""
    return packing.problem.crowd if packing.problem.by_size else None


def kind_of(form: Form) -> int:
    """Return how the kernels score what adds up so."""
    from kohort.algorithms.lattice import sweep_kernels as kernels

    kinds = {
        Adds.PRODUCT: kernels.PRODUCT,
        Adds.MEAN: kernels.MEAN,
        Adds.SQUARES: kernels.DISCERNIBILITY,
        Adds.CLASSES: kernels.CLASSES,
        Adds.TUPLES: kernels.TUPLES,
        Adds.STEPS: kernels.HEIGHT,
        Adds.SUPPRESSED: kernels.SUPPRESSION,
    }
    return kinds.get(form.adds, kernels.OTHER)


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
            found = packing.problem.form.costs(hierarchy, packing.rungs[j][level])
            tables[start : start + len(table)] = table.astype(np.int64) << shifts[j]
            costs[start : start + len(found)] = found
    return Columns(words, shifts, masks, tables, starts, costs)


def terms_of(packing: Packing, columns: Columns) -> Terms:
    """Return the objective's terms."""
    from kohort.algorithms.lattice.sweep_kernels import Terms

    problem, form = packing.problem, packing.problem.form
    n, order = problem.n_rows, list(packing.order)
    suppression = problem.suppression_cost[order] if form.charged else np.ones(len(order))
    totals, floors = np.zeros(columns.starts.shape), np.zeros(columns.starts.shape)
    for j, levels in enumerate(packing.lattice.shape):
        records = packing.records[packing.order[j]]
        for level in range(levels):
            start = columns.starts[j, level]
            cost = columns.costs[start + packing.table(j, level)][: len(records)]
            totals[j, level] = records @ cost
            floors[j, level] = records @ np.minimum(cost, suppression[j])
    size = np.array([problem.hierarchies[a].size for a in order], np.float64)
    slopes, offsets = form.line(size, n)
    with np.errstate(over="ignore"):
        bounding(problem, n * suppression)
    bounding(problem, totals)
    k = by_sizes(packing)
    return Terms(
        kind=kind_of(form),
        totals=totals,
        floors=floors,
        suppression=suppression,
        slopes=slopes,
        offsets=offsets,
        weights=shares(problem.weight)[order],
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
            present = np.flatnonzero(packing.records[packing.order[j]])
            values = [len(np.unique(table[present])) for table in packing.tables[j]]
            most *= np.array(values).reshape([-1 if a == j else 1 for a in range(len(shape))])
        least: FloatArray = most.reshape(-1)
        return terms.records / least if terms.kind == CLASSES else -least
    form = packing.problem.form
    if form.floors is not None:
        return _floors(packing, form.floors)
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
            step = form.step(packing.problem.hierarchies[packing.order[j]])
            x = np.array(packing.rungs[j], np.float64) * step
        total += x.reshape(across)
    flat: FloatArray = total.reshape(-1)
    return flat - 1 if terms.kind == PRODUCT else flat


def _floors(packing: Packing, floors: Floors) -> FloatArray:
    """Return, per node, what the objective's floors of attributes and levels join to."""
    problem, shape = packing.problem, packing.lattice.shape
    share = problem.max_suppressed / problem.n_rows
    weights = shares(problem.weight) if floors.weighted else np.ones(len(shape))
    total = np.zeros(shape)
    for j, rungs in enumerate(packing.rungs):
        attribute = packing.order[j]
        hierarchy = problem.hierarchies[attribute]
        records = problem.totals[attribute].astype(np.float64)
        found = [weights[attribute] * floors.of(hierarchy, level, records, share) for level in rungs]
        total += np.array(found).reshape([-1 if a == j else 1 for a in range(len(shape))])
    return floors.joined(total.reshape(-1))
