"""`Space`: the cut sets of a problem as arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kohort.algorithms import card_of
from kohort.algorithms.cuts.alphabet import Alphabet, alphabet_of, hierarchy_blocks
from kohort.algorithms.cuts.cover import numbered
from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.honoured import refuse_models, refuse_people
from kohort.algorithms.taxonomy import DEFAULTS
from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, Label
from kohort.metrics import Adds, metrics_that_add
from kohort.plurals import many
from kohort.recode import Problem
from kohort.recode.cuts import Cuts, decide_cuts
from kohort.recode.on_grid import on_grid

# how the kernels cost a class; records that are suppressed are a minority of theirs without a majority
SQUARES, MINORITIES, CLASSES, TUPLES = range(4)
METRIC_CODES = {
    Adds.SQUARES: SQUARES,
    Adds.MINORITIES: MINORITIES,
    Adds.CLASSES: CLASSES,
    Adds.TUPLES: TUPLES,
    Adds.SUPPRESSED: MINORITIES,
}

Orders = Mapping[str, Sequence[Label]]


@dataclass(frozen=True, eq=False)
class Space:
    """All cut sets over a table's weighted distinct tuples, and what one costs.

    Cut v = first[j] + p - 1 parts the values with code below p from the others in attribute j. `start` holds
    what is fixed from the outset: 1 in (level bounds from above), 2 out (from below), 0 open.
    """

    asked: Problem
    problem: Problem  # as asked, but for numbers and dates, which are no finer than they may be told
    alphabets: tuple[Alphabet, ...]
    by_label: tuple[bool, ...]  # attributes that are parted into whole labels of their hierarchies only
    codes: IntArray  # uint16 (N, m), occurring values only
    weights: IntArray  # int64 (N)
    labels: IntArray  # int64 (N, t): records per target value; t = 0 where no target matters
    first: IntArray  # int64 (m + 1)
    group: IntArray  # int64 per cut: cuts of one group are made together
    parent: IntArray  # int64 per group: the group that must be made too, or -1
    grouped: bool
    start: CutSet
    metric: int
    k: int
    limit: int

    @property
    def n_cuts(self) -> int:
        """The size of the alphabet."""
        return int(self.first[-1])

    @property
    def n_rows(self) -> int:
        """The number of records."""
        return self.problem.n_rows

    def decide(self, included: CutSet) -> Cuts:
        """Return the decision that makes the cuts `included`."""
        blocks = []
        for j, (hierarchy, alphabet) in enumerate(zip(self.problem.hierarchies, self.alphabets, strict=True)):
            own = included[self.first[j] : self.first[j + 1]]
            found = hierarchy_blocks(hierarchy, alphabet, own) if self.by_label[j] else alphabet.blocks(own)
            blocks.append(within(hierarchy, found, self.problem.highest[j]))
        return decide_cuts(self.asked, tuple(blocks), named=all(self.by_label))

    def score(self, cost: float) -> float:
        """Return the metric's score of a kernel cost (classes are counted downwards from 0)."""
        if self.metric != CLASSES:
            return float(cost)
        return self.n_rows / -cost if cost < 0 else 0.0


def space_of(asked: Problem, orders: Orders, respect_hierarchy: bool, algorithm: str) -> Space:
    """Return the space of a problem, or say why cuts cannot serve it.

    Numbers and dates are cut on their grids, or at every value where the plan asks for exact ones. Values that the
    plan does not name are parted into labels of their hierarchy only, as all are with `respect_hierarchy`: a list of
    those that occur would tell who is there. So are those that must be told finer than their grid: no interval may end there.
    """
    problem, _ = on_grid(asked)
    card = card_of(algorithm)
    refuse_models(problem.models, card)
    refuse_people(None if problem.respondents is None else "", problem.models, card)
    metric = _metric(problem, algorithm)
    alien = sorted(set(orders) - set(problem.names))
    if alien:
        raise InputError(
            f"{algorithm}: order names {', '.join(alien)}, not quasi-identifiers of the plan",
            code="algorithm.unknown-column",
            algorithm=algorithm,
            option="order",
            columns=alien,
        )
    by_label = tuple(
        respect_hierarchy
        or (hierarchy.grid is None and not hierarchy.lists(problem.lowest[j]))
        or (problem.exact[j] and problem.highest[j] > 0)
        for j, hierarchy in enumerate(problem.hierarchies)
    )
    alphabets = tuple(
        alphabet_of(
            hierarchy,
            np.unique(problem.base.codes[:, j]),
            orders.get(name),
            problem.exact[j],
            by_label[j] or problem.lowest[j] > 0,
        )
        for j, (name, hierarchy) in enumerate(zip(problem.names, problem.hierarchies, strict=True))
    )
    widest = max(range(len(alphabets)), key=lambda j: alphabets[j].size, default=-1)
    if widest >= 0 and alphabets[widest].size >= 2**16:
        raise InputError(
            f"{algorithm}: column {problem.names[widest]!r} has {many(alphabets[widest].size + 1, 'distinct value')}; at "
            f"most {2**16:,} can be cut: round them first, or choose {DEFAULTS['CG_']}",
            code="algorithm.too-large",
            algorithm=algorithm,
            column=problem.names[widest],
            most=2**16,
        )
    first = np.concatenate([[0], np.cumsum([a.size for a in alphabets])]).astype(np.int64)
    codes = np.column_stack([a.code_of[problem.base.codes[:, j]] for j, a in enumerate(alphabets)])
    groups, parent = _groups(problem, alphabets, by_label)
    return Space(
        asked=asked,
        problem=problem,
        alphabets=alphabets,
        by_label=by_label,
        codes=np.ascontiguousarray(codes, np.uint16),
        weights=np.ascontiguousarray(problem.base.rows, np.int64),
        labels=_labels(problem, algorithm),
        first=first,
        group=groups.astype(np.int64),
        parent=parent.astype(np.int64),
        grouped=respect_hierarchy or len(parent) < len(groups) or bool((parent >= 0).any()),
        start=_start(problem, alphabets),
        metric=metric,
        k=problem.crowd,
        limit=problem.max_suppressed,
    )


def within(hierarchy: Hierarchy, blocks: IntArray, level: int) -> IntArray:
    """Return the blocks parted where they would be coarser than a level.

    Cuts between values that occur part them there anyway; values that do not occur have no cuts of their own, and
    would lend their block the end of another label.
    """
    labels = hierarchy.levels[level].of_ground
    return blocks if level == hierarchy.height else numbered(blocks * hierarchy.size + labels)


def _metric(problem: Problem, algorithm: str) -> int:
    adds = problem.form.adds
    if adds not in METRIC_CODES:
        able = metrics_that_add(METRIC_CODES)
        raise InputError(
            f"{algorithm} minimises {', '.join(able)}; the objective is {problem.objective.card.name!r}: set [recode] "
            f'objective (objective= in Python) to one of these, for example "{able[0]}"',
            code="algorithm.objective",
            algorithm=algorithm,
            objective=problem.objective.card.name,
            allowed=able,
        )
    return METRIC_CODES[adds]


def _labels(problem: Problem, algorithm: str) -> IntArray:
    """Return the records of each tuple by what the metric wants alike: a target's values, or nothing but being kept."""
    form = problem.form
    if form.adds is Adds.SUPPRESSED:
        return np.ascontiguousarray(problem.base.rows[:, None], np.int64)
    if form.adds is not Adds.MINORITIES:
        return np.zeros((len(problem.base), 0), np.int64)
    [target] = problem.objective.reads
    if target not in problem.base.sensitive:
        raise InputError(
            f"{algorithm}: the target {target!r} is not counted; the problem counts: "
            f"{', '.join(problem.base.sensitive) or '(none)'}",
            code="metric.target",
            algorithm=algorithm,
            option="target",
            value=target,
        )
    return np.ascontiguousarray(problem.base.sensitive[target].dense(), np.int64)


def _start(problem: Problem, alphabets: tuple[Alphabet, ...]) -> CutSet:
    status = []
    for hierarchy, alphabet, low, high in zip(
        problem.hierarchies, alphabets, problem.lowest, problem.highest, strict=True
    ):
        own = np.zeros(alphabet.size, np.uint8)
        own[alphabet.levels < low] = 2
        if high < hierarchy.height:
            own[alphabet.levels >= high] = 1
        status.append(own)
    return np.concatenate(status) if status else np.zeros(0, np.uint8)


def _groups(
    problem: Problem, alphabets: tuple[Alphabet, ...], by_label: tuple[bool, ...]
) -> tuple[IntArray, IntArray]:
    """Return the group of every cut and the group above each.

    The cuts between the children of one label are a group where an attribute is parted by labels; elsewhere every
    cut is one of its own.
    """
    number: dict[tuple[int, ...], int] = {}
    groups: list[int] = []
    chains: list[tuple[tuple[int, ...], ...]] = []
    for j, alphabet in enumerate(alphabets):
        for position, level in zip(alphabet.positions.tolist(), alphabet.levels.tolist(), strict=True):
            ground = int(alphabet.order[position])
            chain = (
                _labels_above(problem.hierarchies[j], j, level, ground) if by_label[j] else ((j, position),)
            )
            if chain[0] not in number:
                number[chain[0]] = len(number)
                chains.append(chain)
            groups.append(number[chain[0]])
    parents = [next((number[node] for node in chain[1:] if node in number), -1) for chain in chains]
    return np.array(groups, np.int64), np.array(parents, np.int64)


def _labels_above(hierarchy: Hierarchy, j: int, level: int, ground: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        (j, depth, int(hierarchy.levels[depth].of_ground[ground]))
        for depth in range(level + 1, hierarchy.height + 1)
    )


def trivial_bound(space: Space) -> float:
    """Return what no cut set can beat: k records in every class, no minority, or a class of every k records."""
    most = space.n_rows // space.k
    return float((space.n_rows * min(space.k, space.n_rows), 0, -most - 1, -most)[space.metric])
