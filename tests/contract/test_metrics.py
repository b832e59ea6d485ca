"""Every quality metric against its naive twin, on random tables and random full-domain and cell-wise recodings."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from tests.reference import metrics as naive

from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS, Outcome
from kohort.recode import Problem, Recoded, ReleasedColumn
from kohort.recode.levels import level_column

# unevenly spaced, so that widths are not counts of values
AGES = [20, 21, 22, 23, 24, 29, 40, 41]
AGE = Hierarchy.from_rows(
    "age", [(str(a), f"pair {i // 2}", f"four {i // 4}", "*") for i, a in enumerate(AGES)]
)
JOB = Hierarchy.from_rows(
    "job",
    [
        ("cook", "trade", "*"),
        ("baker", "trade", "*"),
        ("nurse", "care", "*"),
        ("doctor", "care", "*"),
        (None, None, "*"),
    ],
)
SEX = Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])
ONE = Hierarchy.from_rows("one", [("x",)])
HIERARCHIES = (AGE, JOB, SEX, ONE)
WORLDS = 300


def cell_column(rng: np.random.Generator, hierarchy: Hierarchy, ground: np.ndarray) -> ReleasedColumn:
    """Every cell at a level of its own: released codes count labels over all levels."""
    levels = rng.integers(0, hierarchy.height + 1, len(ground))
    labels: dict[str | None, int] = {}
    codes, leaves, depth = [], [], []
    for g, level in zip(ground, levels, strict=True):
        domain = hierarchy.levels[level]
        label = domain.labels[domain.of_ground[g]]
        if label not in labels:  # a label that stands on several levels (missing) counts at the first
            labels[label] = len(labels)
            leaves.append(domain.leaves[domain.of_ground[g]])
            depth.append(level / max(hierarchy.height, 1))
        codes.append(labels[label])
    return ReleasedColumn(
        np.array(codes, np.int32), tuple(labels), np.array(leaves, np.float64), np.array(depth)
    )


def random_case(rng: np.random.Generator) -> tuple[Outcome, naive.Case]:
    n = int(rng.integers(1, 25))
    ground = np.column_stack([rng.integers(0, rng.integers(1, h.size + 1), n) for h in HIERARCHIES]).astype(
        np.int32
    )
    target = rng.integers(0, 3, n).astype(np.int32)
    base, class_of = classes_of_rows(ground, {"target": (target, 3)})
    names = tuple(h.name for h in HIERARCHIES)
    problem = Problem(names, HIERARCHIES, base, class_of, (), sensitive={"target": target})
    if rng.random() < 0.5:
        levels = [int(rng.integers(0, h.height + 1)) for h in HIERARCHIES]
        columns = tuple(level_column(h, levels[j], ground[:, j]) for j, h in enumerate(HIERARCHIES))
    else:
        columns = tuple(cell_column(rng, h, ground[:, j]) for j, h in enumerate(HIERARCHIES))
    kept = rng.random(n) < rng.choice([0.0, 0.6, 1.0])
    covers = [
        [cover(h, c.labels[code]) for code in c.codes] for h, c in zip(HIERARCHIES, columns, strict=True)
    ]
    released = [tuple(column[i] for column in covers) if kept[i] else None for i in range(n)]
    heights = [
        tuple(round(c.depth[c.codes[i]] * h.height) for h, c in zip(HIERARCHIES, columns, strict=True))
        for i in range(n)
    ]
    attributes = tuple(
        naive.Attribute(h.ground, h.height, h.numbers is not None, paths_of(h)) for h in HIERARCHIES
    )
    original = [tuple(h.ground[g] for h, g in zip(HIERARCHIES, row, strict=True)) for row in ground]
    case = naive.Case(attributes, original, released, heights, [str(t) for t in target])
    return Recoded(columns, kept).outcome(problem), case


def paths_of(hierarchy: Hierarchy) -> tuple[tuple[str | None, ...], ...]:
    return tuple(
        tuple(level.labels[level.of_ground[g]] for level in hierarchy.levels) for g in range(hierarchy.size)
    )


def cover(hierarchy: Hierarchy, label: str | None) -> naive.Cover:
    for level in hierarchy.levels:
        if label in level.code_of:
            under = np.flatnonzero(level.of_ground == level.code_of[label])
            return frozenset(hierarchy.ground[g] for g in under)
    raise AssertionError(label)


@lru_cache
def cases() -> list[tuple[Outcome, naive.Case]]:
    rng = np.random.default_rng(20)
    return [random_case(rng) for _ in range(WORLDS)]


def metric(name: str):
    return METRICS[name]("target") if name == "classification" else METRICS[name]()


def test_every_metric_has_a_twin():
    assert set(naive.TWINS) == set(METRICS)


@pytest.mark.parametrize("name", METRICS)
def test_equals_its_naive_twin(name):
    scores = set()
    for outcome, case in cases():
        score = metric(name).score(outcome)
        assert score == pytest.approx(naive.TWINS[name](case), rel=1e-9, abs=1e-9)
        scores.add(round(score, 6))
    assert len(scores) > 15, "the random recodings must differ"


@pytest.mark.parametrize("name", METRICS)
def test_releasing_nothing_is_never_better(name):
    for outcome, _ in cases():
        nothing = replace(
            outcome,
            classes=outcome.classes.kept(np.zeros(len(outcome.classes), np.bool_)),
            leaves=outcome.leaves[:0],
            depth=outcome.depth[:0],
            suppressed=outcome.n_rows,
            joint=lambda _: np.zeros((0, 3), np.int64),
        )
        assert metric(name).score(nothing) >= metric(name).score(outcome) - 1e-9


@pytest.mark.parametrize("name", METRICS)
def test_the_card_says_what_is_measured(name):
    card = METRICS[name].card
    assert card.name == name
    assert card.summary
    assert card.paper
