from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.reference.cuts import cost as naive_cost
from tests.reference.cuts import optimum
from tests.unit.algorithms.cuts.random_problems import problem_of, random_rows

from kohort.algorithms.cuts.addition_kernels import additions
from kohort.algorithms.cuts.climbing import climb_along
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.region_kernels import IN, NEVER, OPEN, OUT
from kohort.algorithms.cuts.search import Search
from kohort.algorithms.cuts.space import space_of
from kohort.algorithms.cuts.spine import spine_of
from kohort.algorithms.watch import unwatched
from kohort.hierarchy import Hierarchy

METRICS = ("discernibility", "classification", "average-class-size")


def space(codes, target, k, metric, limit):
    return space_of(problem_of(codes, target, k, metric, limit), {}, False, "k-optimize")


def along(space, attribute):
    """Return the space along one attribute; -1: along none."""
    included = np.zeros(space.n_cuts, np.uint8)
    if attribute >= 0:
        included[space.first[attribute] : space.first[attribute + 1]] = 1
    spine = spine_of(space, included)
    assert (
        spine.attribute == attribute or attribute < 0 or space.first[attribute] == space.first[attribute + 1]
    )
    return spine


def cut_sets(space):
    """Return every cut set of a small space with its cost in the kernels' terms and its suppressed rows."""
    rows = np.repeat(space.codes, space.weights, axis=0).tolist()
    labels = (
        [y for own in space.labels for y, count in enumerate(own) for _ in range(count)]
        if space.labels.shape[1]
        else [0] * len(rows)
    )
    metric = METRICS[space.metric]
    found = []
    for chosen in product((0, 1), repeat=space.n_cuts):
        own = [
            [p + 1 for p in range(b - a) if chosen[a + p]]
            for a, b in zip(space.first[:-1], space.first[1:], strict=True)
        ]
        cost, lost = naive_cost(rows, labels, own, space.k, metric)
        if metric == "average-class-size":
            cost = -round(len(rows) / cost)
        found.append((np.array(chosen, np.uint8), cost, lost))
    return found


@pytest.mark.parametrize("metric", METRICS)
def test_no_bound_exceeds_what_a_node_holds(metric):
    generator = np.random.default_rng(METRICS.index(metric))
    for _ in range(150):
        codes, target = random_rows(generator, max_cuts=7, rows=(8, 26))
        if codes.shape[1] < 2:
            continue
        k, limit = int(generator.integers(2, 5)), int(generator.choice([0, 3, len(codes)]))
        own = space(codes, target, k, metric, limit)
        spine = along(own, int(generator.integers(codes.shape[1])))
        sets = cut_sets(own)
        for _ in range(6):
            status = generator.choice([OPEN, OPEN, IN, OUT], spine.n_cuts).astype(np.uint8)
            bound, with_cut, without_cut, *_, cost, before, _ = spine.evaluate(
                status, np.arange(len(spine.begins)), np.inf
            )
            inside = [
                (chosen[spine.cuts], cost, lost)
                for chosen, cost, lost in sets
                if lost <= limit
                and (chosen[spine.cuts][status == IN] == 1).all()
                and (chosen[spine.cuts][status == OUT] == 0).all()
            ]
            # bounds are for sets that cost less than the head set
            better = [(own, c) for own, c, _ in inside if c < cost]
            assert bound <= min((c for _, c in better), default=np.inf) + 1e-6
            for v in np.flatnonzero(status == OPEN):
                assert with_cut[v] <= min((c for own, c in better if own[v]), default=np.inf) + 1e-6
                assert without_cut[v] <= min((c for own, c in better if not own[v]), default=np.inf) + 1e-6
            head = [c for own, c, _ in inside if (own == (status == IN)).all()]
            assert (cost if cost < NEVER else np.inf) == min(head, default=np.inf)
            if cost < NEVER:
                included = spine.included(status, before)
                assert next(c for chosen, c, _ in sets if (chosen == included).all()) == cost


@pytest.mark.parametrize("metric", METRICS)
def test_the_optimum_does_not_depend_on_the_spine(metric, monkeypatch):
    generator = np.random.default_rng(20)
    for turn in range(25):
        codes, target = random_rows(generator, max_cuts=7, rows=(10, 30))
        k, limit = int(generator.integers(2, 6)), int(generator.choice([0, 2, len(codes)]))
        own = space(codes, target, k, metric, limit)
        expected = optimum(codes.tolist(), target.tolist(), codes.max(axis=0) + 1, k, metric, limit)
        for attribute in range(-1, codes.shape[1]):
            monkeypatch.setattr("kohort.algorithms.cuts.spine.MOST_CELLS", 0 if attribute < 0 else 1 << 22)
            spine = along(own, attribute)
            assert spine.n_cuts == own.n_cuts if attribute < 0 else spine.n_cuts <= own.n_cuts
            incumbent = Incumbent(own, unwatched())
            search = Search(spine, incumbent, threads=1)
            search.run()
            assert not search.open
            found = own.score(incumbent.cost) if incumbent.included is not None else None
            assert found == (None if expected is None else pytest.approx(expected)), (turn, attribute)


@pytest.mark.parametrize("metric", METRICS)
def test_additions_cost_what_the_best_set_with_the_cut_costs(metric):
    generator = np.random.default_rng(30)
    for _ in range(60):
        codes, target = random_rows(generator, max_cuts=7, rows=(8, 26))
        if codes.shape[1] < 2:
            continue
        own = space(codes, target, int(generator.integers(2, 5)), metric, len(codes))
        spine = along(own, int(generator.integers(codes.shape[1])))
        status = generator.choice([OPEN, IN], spine.n_cuts).astype(np.uint8)
        costs = additions(spine.rows, spine.arcs, spine.costs, status)
        for v in np.flatnonzero(status == OPEN):
            wanted = status == IN
            wanted[v] = True
            least = min(
                cost + (lost > 0 if metric == "average-class-size" else 0)
                for chosen, cost, lost in cut_sets(own)
                if (chosen[spine.cuts] == wanted).all()
            )
            assert costs[v] == least


def test_climbs_end_in_sets_that_no_single_cut_improves():
    generator = np.random.default_rng(40)
    for _ in range(20):
        codes, target = random_rows(generator, max_cuts=8, rows=(20, 60))
        own = space(codes, target, int(generator.integers(2, 6)), "discernibility", len(codes))
        spine = spine_of(own, None)
        incumbent = Incumbent(own, unwatched())
        climb_along(spine, incumbent, generator, 3)
        if spine.n_cuts:
            assert incumbent.included is not None
            for v in range(own.n_cuts):
                flipped = incumbent.included.copy()
                flipped[v] ^= 1
                rest = [c for chosen, c, _ in cut_sets(own) if (chosen == flipped).all()]
                assert rest[0] >= incumbent.cost


def test_an_attribute_too_fine_for_a_spine_is_left_to_the_search():
    generator = np.random.default_rng(50)
    codes = np.column_stack([generator.permutation(5000), generator.integers(0, 3, 5000)]).astype(np.int32)
    labels = [f"{i:04}" for i in range(5000)]
    hierarchies = (
        Hierarchy.from_rows("fine", [(label, "*") for label in labels]),
        Hierarchy.from_rows("coarse", [(x, "*") for x in "abc"]),
    )
    problem = problem_of(codes, np.zeros(5000, np.int32), 50, "discernibility", 0, hierarchies)
    spine = spine_of(space_of(problem, {}, False, "k-optimize"), None)
    assert spine.attribute == 1
    assert spine.places == 3
