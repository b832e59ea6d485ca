"""`Form`: how a metric's score adds up and what bounds it, so that no search need know the metric's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from kohort.arrays import FloatArray
from kohort.hierarchy import Hierarchy


class Adds(Enum):
    """What a score is a sum over.

    Over attributes, where x is a line of what all records cost: PRODUCT Π(1 + x)^w − 1, MEAN Σ w·x; STEPS Σ of the
    steps climbed, whatever the records. Over classes: SQUARES |E|², and n for each suppressed record; MINORITIES the
    records without the most frequent value of the column that it reads, and 1 for each suppressed one. By counts: CLASSES records
    over classes, the suppressed being one more; TUPLES minus the classes; SUPPRESSED the records suppressed.
    """

    OTHERWISE = auto()
    PRODUCT = auto()
    MEAN = auto()
    STEPS = auto()
    SQUARES = auto()
    MINORITIES = auto()
    CLASSES = auto()
    TUPLES = auto()
    SUPPRESSED = auto()


def share_of_domain(hierarchy: Hierarchy, level: int) -> FloatArray:
    """Return, per label of a level, the share of the domain that it covers."""
    return np.asarray(hierarchy.levels[level].leaves / hierarchy.size, np.float64)


def mean_over_records(size: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Return slope and offset per attribute for the mean cost of the n records."""
    return np.full(len(size), 1 / n), np.zeros(len(size))


@dataclass(frozen=True)
class Floors:
    """What each attribute loses at least at a level, joined to what no score there or above is less than."""

    of: Callable[
        [Hierarchy, int, FloatArray, float], float
    ]  # records per ground code, share that may be left out
    joined: Callable[[FloatArray], FloatArray]  # from the sum over attributes
    weighted: bool = False  # whether the sum goes by the attributes' weights


@dataclass(frozen=True)
class Form:
    """How a score adds up; without any argument it says nothing, and every feasible node is scored in full."""

    adds: Adds = Adds.OTHERWISE
    costs: Callable[[Hierarchy, int], FloatArray] = share_of_domain  # of a kept record, per label of a level
    line: Callable[[FloatArray, int], tuple[FloatArray, FloatArray]] = mean_over_records
    charged: bool = True  # a suppressed record costs what the plan says of its column; else 1
    by_step: bool = False  # a value costs the share of its hierarchy's height that it stands at
    step: Callable[[Hierarchy], float] = lambda _: 1.0  # of STEPS: what one costs
    floors: Floors | None = None
    left_out: Callable[[FloatArray, int, int], float] | None = None
    # left_out(sizes of the domains, n, s): what no score is less than if s of n records are surely suppressed


OF_SIZES = (
    Adds.SQUARES,
    Adds.CLASSES,
    Adds.TUPLES,
    Adds.SUPPRESSED,
)  # of classes and rows alone, whatever values were told
