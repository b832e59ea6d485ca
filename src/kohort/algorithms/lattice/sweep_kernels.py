# mypy: disable-error-code="no-any-return"
"""What the optimal search knows of each node and where it goes next; numba is loaded only where it is called.

The lattice is swept from its top to its bottom by descending index, so every generalization of a node has
been dealt with before the node. What is proved at a node about all its specializations is handed down from
neighbour to neighbour; what is proved about all generalizations of a prefix node is read from that node.
`optimal` tells why each bound holds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.compiling import inner, kernel

# how the objective is scored and bounded
OTHER, PRODUCT, MEAN, DISCERNIBILITY, CLASSES, TUPLES, HEIGHT, SUPPRESSION = range(8)

MOST_GAIN = 3e38  # near the end of what 32 bits hold

# where the state keeps what
POSITION, CHECKED, WORK, USED, HELD = range(5)


class Frame(NamedTuple):
    """The lattice, attributes in the order of the search."""

    sizes: IntArray  # levels per attribute
    strides: IntArray


class Marks(NamedTuple):
    """What is known of every node, by index."""

    prior: FloatArray  # no score of the node or its generalizations is less, known beforehand
    beyond: FloatArray  # the same, found by counting the node as a prefix
    under: FloatArray  # no score of the node or its specializations is less
    least: IntArray  # as many records are suppressed at least, here and at every specialization
    gains: FloatArray  # (nodes, attributes): what suppression adds at least, in the terms of the objective
    score: FloatArray  # nan: not counted; inf: not feasible
    lost: IntArray  # records suppressed; -1: not counted


class Terms(NamedTuple):
    """The objective: attribute j at a level contributes slope·(total + gain) + offset.

    A kept record costs what its value costs, a suppressed one `suppression`; the gain is what suppressed
    records cost more than they would, were they kept. `floors` are the totals where each record costs the
    lesser of the two.
    """

    kind: int
    totals: FloatArray  # (attributes, levels): cost of all records, none suppressed
    floors: FloatArray  # (attributes, levels)
    suppression: FloatArray
    slopes: FloatArray
    offsets: FloatArray
    weights: FloatArray  # sum 1
    records: float  # n
    least_size: int  # no released class is smaller
    most_size: float  # no record that is surely suppressed stood in a larger class at any specialization
    limit: int  # records that may be suppressed


class Columns(NamedTuple):
    """How attributes are packed into keys, and how codes at the lowest level climb."""

    words: IntArray
    shifts: IntArray
    masks: IntArray
    tables: IntArray  # code at the lowest level -> shifted code at a level; table of (j, level) at starts
    starts: IntArray  # (attributes, levels)
    costs: FloatArray  # cost of a kept record with a code at a level, at the same starts


@inner
def combined(terms: Terms, totals: FloatArray, vector: IntArray, gains: FloatArray) -> float:
    """Return the score of an objective that adds up over attributes.

    A product of powers, not a sum of logarithms: 1 + x is 0 where suppression costs nothing and there are two
    leaves, and 0 to the power of 0, an attribute without weight, is 1.
    """
    if terms.kind == PRODUCT:
        product = 1.0
        for j in range(len(vector)):
            x = terms.slopes[j] * (totals[j, vector[j]] + gains[j]) + terms.offsets[j]
            product *= max(1.0 + x, 0.0) ** terms.weights[j]
        return product - 1.0
    mean = 0.0
    for j in range(len(vector)):
        x = terms.slopes[j] * (totals[j, vector[j]] + gains[j]) + terms.offsets[j]
        mean += terms.weights[j] * x
    return mean


@kernel
def score_of(terms: Terms, totals: FloatArray, vector: IntArray, gains: FloatArray) -> float:
    """Return what `combined` does, for Python to call: beyond all numbers it is inf, without a warning."""
    return combined(terms, totals, vector, gains)


@inner
def bound_of(terms: Terms, marks: Marks, frame: Frame, node: int, vector: IntArray) -> float:
    """Return what no score at `node` can be less than, by all that is marked so far."""
    bound = max(marks.prior[node], marks.under[node])
    beyond = marks.beyond[0]
    prefix = 0
    for j in range(len(vector)):
        prefix += vector[j] * frame.strides[j]
        if marks.beyond[prefix] > beyond:
            beyond = marks.beyond[prefix]
    bound = max(bound, beyond)
    least = marks.least[node]
    if terms.kind == DISCERNIBILITY:
        rest = terms.records - least
        bound = max(bound, terms.records * least + terms.least_size * rest)
        bound = max(bound, beyond + least * (terms.records - terms.most_size))
    elif terms.kind == SUPPRESSION:
        bound = max(bound, float(least))
    elif least > 0 and marks.gains.shape[0] > 1 and (terms.kind == PRODUCT or terms.kind == MEAN):
        bound = max(bound, combined(terms, terms.floors, vector, marks.gains[node]))
    return bound


@inner
def next_node(
    frame: Frame,
    marks: Marks,
    terms: Terms,
    state: IntArray,
    vector: IntArray,
    cutoff: float,
    lowest: FloatArray,
) -> int:
    """Go on to the next node that must be counted and return it, -1 at the end.

    Nodes on the way inherit from their direct generalizations. With lowest[1] > 0 nothing is asked for:
    the least bound of all that would be goes to lowest[0].
    """
    m = len(vector)
    node = state[POSITION]
    rest = node
    for j in range(m):
        vector[j] = rest // frame.strides[j]
        rest -= vector[j] * frame.strides[j]
    handed = marks.gains.shape[0] > 1
    while node >= 0:
        least, under = marks.least[node], marks.under[node]
        for j in range(m):
            if vector[j] < frame.sizes[j] - 1:
                above = node + frame.strides[j]
                least = max(least, marks.least[above])
                under = max(under, marks.under[above])
        marks.least[node], marks.under[node] = least, under
        if least <= terms.limit:
            if handed and least > 0:
                for j in range(m):
                    if vector[j] < frame.sizes[j] - 1:
                        above = node + frame.strides[j]
                        if marks.least[above] > 0:
                            for a in range(m):
                                if marks.gains[above, a] > marks.gains[node, a]:
                                    marks.gains[node, a] = marks.gains[above, a]
            if np.isnan(marks.score[node]) and marks.prior[node] <= cutoff and under <= cutoff:
                bound = bound_of(terms, marks, frame, node, vector)
                if bound <= cutoff:
                    if lowest[1] == 0:
                        state[POSITION] = node
                        return node
                    lowest[0] = min(lowest[0], bound)
        j = m - 1
        while j >= 0 and vector[j] == 0:
            vector[j] = frame.sizes[j] - 1
            j -= 1
        if j >= 0:
            vector[j] -= 1
        node -= 1
    state[POSITION] = -1
    return -1


@kernel
def scan(
    frame: Frame,
    marks: Marks,
    terms: Terms,
    state: IntArray,
    vector: IntArray,
    cutoff: float,
    lowest: FloatArray,
) -> int:
    """Return what `next_node` does, for Python to call."""
    return next_node(frame, marks, terms, state, vector, cutoff, lowest)


@inner
def hand_down(gains: FloatArray, node: int, sure: FloatArray) -> None:
    """Mark what suppression adds at a node and all its specializations."""
    if gains.shape[0] > 1:
        for j in range(len(sure)):
            # Rounded down, because a bound may not exceed what it bounds; what 32 bits cannot hold is cut off.
            least = float(np.float32(min(sure[j], MOST_GAIN))) * 0.9999998
            gains[node, j] = max(float(gains[node, j]), least)


class Judged(NamedTuple):
    """The classes of a node, and what became of them."""

    codes: IntArray  # int32 (classes, attributes)
    rows: IntArray
    failing: IntArray  # 0 kept, 1 suppressed here, 2 suppressed here and at every specialization


@kernel
def weigh(
    terms: Terms,
    columns: Columns,
    judged: Judged,
    vector: IntArray,
    order: IntArray,
    gains: FloatArray,
    sure: FloatArray,
) -> tuple[int, int, float]:
    """Return kept classes, how many might fit at most below, and Σ|E|² of the kept.

    `gains` and `sure` take what suppression adds here and at every specialization.
    """
    codes, rows, failing = judged.codes, judged.rows, judged.failing
    kept, fitting, squares = 0, 0, 0.0
    for i in range(len(rows)):
        if failing[i] == 0:
            kept += 1
            squares += float(rows[i]) * float(rows[i])
        if failing[i] < 2:
            fitting += rows[i] // terms.least_size
        if failing[i] > 0 and (terms.kind == PRODUCT or terms.kind == MEAN):
            for j in range(len(vector)):
                cost = columns.costs[columns.starts[j, vector[j]] + codes[i, order[j]]]
                more = terms.suppression[j] - cost
                gains[j] += rows[i] * more
                if failing[i] == 2:
                    sure[j] += rows[i] * max(more, 0.0)
    return kept, fitting, squares
