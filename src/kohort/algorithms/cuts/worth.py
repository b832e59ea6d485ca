"""What a specialization gains: information on a class column, or granularity."""

from __future__ import annotations

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.recode import Problem


def target_of(problem: Problem, target: str | None, algorithm: str) -> FloatArray | None:
    """Return the records of every base class per target value; None where granularity is to be measured."""
    name = target if target is not None else getattr(problem.objective, "target", None)
    if name is None:
        return None
    counted = [column for column in problem.base.sensitive if column not in problem.reference.guards]
    if name not in counted:
        raise InputError(
            f"{algorithm}: the target {name!r} is not counted; the problem counts: "
            f"{', '.join(counted) or '(none)'}",
            code="metric.target",
            algorithm=algorithm,
            option="target",
            value=name,
        )
    return problem.base.sensitive[name].dense().astype(np.float64)


def entropy(counts: FloatArray) -> float:
    """Return the entropy, in bits, of a distribution given by counts."""
    total = counts.sum()
    if total == 0:
        return 0.0
    shares = counts[counts > 0] / total
    return float(-(shares * np.log2(shares)).sum())


def information_gain(target: FloatArray, rows: IntArray, parts: IntArray) -> float:
    """Return how much knowing the part of each row tells about the target, in bits times records."""
    whole = target[rows].sum(axis=0)
    gain = whole.sum() * entropy(whole)
    for part in np.unique(parts):
        own = target[rows[parts == part]].sum(axis=0)
        gain -= own.sum() * entropy(own)
    return float(gain)


def granularity_gain(
    weights: FloatArray, leaves: float, parts: IntArray, part_leaves: FloatArray, size: int
) -> float:
    """Return by how much the share of the domain left open falls, summed over records."""
    return float((weights * (leaves - part_leaves[parts])).sum() / size)
