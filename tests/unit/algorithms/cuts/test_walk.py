"""A walk's running totals and its proposals against counting from scratch."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.cuts import cost, walk
from tests.unit.algorithms.cuts.random_problems import problem_of, random_rows

from kohort.algorithms.cuts.descent import Moves
from kohort.algorithms.cuts.genetic import crossed, mutated
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.move_kernels import Groups, Proposals, step_through
from kohort.algorithms.cuts.space import space_of
from kohort.algorithms.cuts.walk import walk_of
from kohort.algorithms.cuts.walk_kernels import (
    CLASSES,
    COST,
    LOST,
    flip,
    flipping,
    outcome,
    put,
    shift,
    shifting,
)
from kohort.algorithms.cuts.walker import Walker
from kohort.algorithms.watch import unwatched
from kohort.hierarchy import Hierarchy

METRICS = ("discernibility", "classification", "average-class-size")
HIERARCHIES = (
    Hierarchy.from_rows("a", [(x, "1" if x in "pq" else "2", "*") for x in "pqrs"]),
    Hierarchy.from_rows("b", [(x, "u" if x in "xy" else "v", "*") for x in "xyzw"]),
)


def random_problem(generator, metric, limit=5):
    codes, target = random_rows(generator, max_cuts=9, rows=(20, 50))
    return codes, target, problem_of(codes, target, 3, metric, limit)


def naive(codes, target, space, included):
    """Return score and suppressed rows of a set, by counting."""
    cuts = [
        (np.flatnonzero(included[a:b]) + 1).tolist()
        for a, b in zip(space.first[:-1], space.first[1:], strict=True)
    ]
    metric = METRICS[space.metric]
    return cost(codes.tolist(), target.tolist(), cuts, space.k, metric)


def score(space, cost, lost):
    """Return the metric's score of a walk's totals."""
    return space.score(cost - 1 if space.metric == 2 and lost > 0 else cost)


@pytest.mark.parametrize("metric", METRICS)
def test_flips_and_shifts_keep_the_totals_that_counting_gives(metric):
    generator = np.random.default_rng(1)
    shifted = 0
    for _ in range(15):
        codes, target, problem = random_problem(generator, metric)
        space = space_of(problem, {}, False, "annealing")
        walk = walk_of(space)
        for _ in range(60):
            v, to = int(generator.integers(space.n_cuts)), -1
            if v + 1 < space.n_cuts and walk.attribute[v] == walk.attribute[v + 1]:
                to = v + 1
            if to >= 0 and walk.included[v] != walk.included[to]:
                v, to = (v, to) if walk.included[v] else (to, v)
                told = outcome(walk, shifting(walk, v, to))
                shift(walk, v, to)
                shifted += 1
            else:
                told = outcome(walk, flipping(walk, v)[0])
                flip(walk, v)
            assert told == (walk.totals[COST], walk.totals[LOST])
            expected = naive(codes, target, space, walk.included)
            assert (score(space, *told), told[1]) == pytest.approx(expected)
    assert shifted > 100


@pytest.mark.parametrize("metric", METRICS)
def test_a_walk_goes_to_any_set_and_stays_exact_when_class_numbers_run_out(metric):
    generator = np.random.default_rng(2)
    codes = generator.integers(0, 7, (40, 3)).astype(np.int32)
    target = generator.integers(0, 3, 40).astype(np.int32)
    space = space_of(problem_of(codes, target, 3, metric, 5), {}, False, "annealing")
    walk = walk_of(space)
    given, compacted = 0, False
    for _ in range(300):
        wanted = generator.integers(0, 2, space.n_cuts).astype(np.uint8)
        put(walk, wanted)
        compacted |= walk.totals[CLASSES] < given
        given = walk.totals[CLASSES]
        assert walk.included.tolist() == wanted.tolist()
        told = walk.totals[COST], walk.totals[LOST]
        assert (score(space, *told), told[1]) == pytest.approx(naive(codes, target, space, wanted))
    assert compacted


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("limit", [0, 5])
def test_steps_equal_those_of_the_naive_walk(metric, limit):
    generator = np.random.default_rng(3)
    for _ in range(10):
        codes, target, problem = random_problem(generator, metric, limit)
        space = space_of(problem, {}, False, "annealing")
        own = walk_of(space)
        movable = generator.random(space.n_cuts) < 0.8
        count, price = 80, 7.0
        moves, shifts = generator.integers(0, space.n_cuts, count), generator.integers(-1, 2, count)
        rises = generator.exponential(20.0, count)
        best = np.zeros(space.n_cuts, np.uint8)
        none = np.zeros((0, space.n_cuts), np.bool_)
        found = step_through(
            own,
            Proposals(moves, shifts, rises),
            Groups(movable, none, none),
            limit,
            price,
            best,
            float("inf"),
        )

        def measure(included, codes=codes, target=target, space=space):
            value, lost = naive(codes, target, space, np.array(included))
            return (-len(codes) / value if space.metric == 2 else value), lost

        sizes = np.diff(space.first).tolist()
        steps = list(zip(moves.tolist(), shifts.tolist(), rises.tolist(), strict=True))
        included, best_cost, best_set = walk(steps, sizes, movable.tolist(), measure, limit, price)
        assert own.included.tolist() == included
        assert found == pytest.approx(best_cost)
        if best_set is not None:
            assert best.tolist() == best_set


@pytest.mark.parametrize("metric", METRICS)
def test_with_groups_every_set_on_the_way_keeps_labels_whole(metric):
    generator = np.random.default_rng(4)
    codes = generator.integers(0, 4, (60, 2)).astype(np.int32)
    target = generator.integers(0, 2, 60).astype(np.int32)
    space = space_of(problem_of(codes, target, 3, metric, 9, HIERARCHIES), {}, True, "annealing")
    walker = Walker(Moves(space), Incumbent(space, unwatched()), generator)
    allowed = {(0, 0, 0), (0, 1, 0), (1, 1, 0), (0, 1, 1), (1, 1, 1)}
    seen = set()
    for _ in range(200):
        walker.take(np.full(1, 1e6), 0.0)
        own = walker.included
        seen |= {tuple(own[:3].tolist()), tuple(own[3:].tolist())}
        told = walker.walk.totals[COST], walker.walk.totals[LOST]
        assert (score(space, *told), told[1]) == pytest.approx(naive(codes, target, space, own))
    assert seen == allowed


def test_improving_ends_no_higher_than_it_began_and_offers_the_set():
    generator = np.random.default_rng(5)
    for _ in range(20):
        _, _, problem = random_problem(generator, "discernibility")
        space = space_of(problem, {}, False, "genetic")
        moves = Moves(space)
        walker = Walker(moves, Incumbent(space, unwatched()), generator)
        start = moves.random(generator)
        walker.go_to(start)
        value, included = walker.improve(2)
        assert value <= moves.value(*moves.cost(start))
        assert value == moves.value(*moves.cost(included))
        assert walker.incumbent.cost <= value


def test_children_keep_what_is_fixed_and_take_every_other_cut_from_a_parent():
    generator = np.random.default_rng(6)
    codes = generator.integers(0, 4, (60, 2)).astype(np.int32)
    problem = problem_of(
        codes,
        np.zeros(60, np.int32),
        3,
        "discernibility",
        9,
        HIERARCHIES,
        min_levels=(1, 0),
        max_levels=(2, 1),
    )
    space = space_of(problem, {}, False, "genetic")
    assert {1, 2} <= set(space.start.tolist())
    moves = Moves(space)
    for _ in range(100):
        one, two = moves.random(generator), moves.random(generator)
        child = crossed(moves, one, two, generator)
        assert ((child == one) | (child == two)).all()
        changed = mutated(moves, child, generator)
        assert (changed[space.start == 1] == 1).all()
        assert (changed[space.start == 2] == 0).all()
