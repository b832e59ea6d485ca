"""What every algorithm over cuts promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.cuts import cost, optimum
from tests.unit.algorithms.cuts.random_problems import problem_of, random_rows

from kohort.algorithms import Silent, algorithm
from kohort.errors import InfeasibleError
from kohort.hierarchy import Hierarchy, meaning
from kohort.models import LDiversity
from kohort.recode.cuts import decide_cuts

STOCHASTIC = {
    "hill-climbing": {"rounds": 8},
    "genetic": {"population": 4, "children": 6},
    "annealing": {"steps": 60},
}
FAMILY = {"k-optimize": {"descents": 4}, **STOCHASTIC, "top-down": {}, "bottom-up": {}}
METRICS = ("discernibility", "classification", "average-class-size")

HIERARCHIES = (
    Hierarchy.from_rows(
        "age", [(str(a), f"{a // 5 * 5}-{a // 5 * 5 + 4}", f"{a // 10}x", "*") for a in range(20, 40)]
    ),
    Hierarchy.from_rows(
        "city", [(c, "north" if c in "abc" else "south", "*") for c in "abcdefg"] + [(None, None, "*")]
    ),
    Hierarchy.from_rows("sex", [("m", "*"), ("f", "*")]),
)


def table(seed: int, metric: str, limit: int, k: int = 5, **more):
    generator = np.random.default_rng(seed)
    codes = np.column_stack([generator.integers(0, h.size, 150) for h in HIERARCHIES]).astype(np.int32)
    codes = codes[(codes[:, 0] % 7 != 3) & (codes[:, 1] != 2)]  # some declared values never occur
    target = ((codes[:, 0] > 11) ^ (generator.random(len(codes)) < 0.25)).astype(np.int32)
    return problem_of(codes, target, k, metric, limit, HIERARCHIES, **{"seed": 1, **more})


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("limit", [0, 12])
def test_score_promises_and_labels(name, metric, limit):
    problem = table(3, metric, limit)
    solution = algorithm(name)(**FAMILY[name]).solve(problem, Silent())
    recoded = solution.decision.apply(problem).by_row()
    outcome = recoded.outcome(problem)
    assert solution.score == pytest.approx(problem.objective.score(outcome), rel=1e-12)
    assert outcome.classes.sizes.min() >= 5
    assert outcome.suppressed <= limit
    for j, (hierarchy, column) in enumerate(zip(HIERARCHIES, recoded.columns, strict=True)):
        masks = np.array([meaning(hierarchy, label) for label in column.labels])
        assert masks.sum(axis=0).tolist() == [1] * hierarchy.size  # the labels part the declared domain
        assert masks.sum(axis=1).tolist() == column.leaves.tolist()
        assert masks[column.codes, problem.codes[:, j]].all()


@pytest.mark.parametrize("name", ["k-optimize", *STOCHASTIC])
@pytest.mark.parametrize("metric", METRICS)
def test_respecting_the_hierarchy(name, metric):
    problem = table(4, metric, 10)
    free = algorithm("k-optimize")().solve(problem, Silent())
    bound = algorithm("k-optimize")(respect_hierarchy=True).solve(problem, Silent())
    solution = algorithm(name)(**FAMILY[name], respect_hierarchy=True).solve(problem, Silent())
    assert free.score <= bound.score <= solution.score + 1e-12
    for hierarchy, column in zip(HIERARCHIES, solution.decision.apply(problem).columns, strict=True):
        labels = {label for level in hierarchy.levels for label in level.labels}
        assert set(column.labels) <= labels


def test_respecting_the_hierarchy_equals_exhaustive_search():
    hierarchies = (
        Hierarchy.from_rows("a", [(x, {"p": "1", "q": "1", "r": "2", "s": "3"}[x], "*") for x in "pqrs"]),
        Hierarchy.from_rows("b", [(x, "u" if x in "xy" else "v", "*") for x in "xyzw"]),
    )
    allowed = (([], [2, 3], [1, 2, 3]), ([], [2], [1, 2], [2, 3], [1, 2, 3]))
    generator = np.random.default_rng(11)
    for _ in range(60):
        codes = np.column_stack([generator.integers(0, 4, 40), generator.integers(0, 4, 40)]).astype(np.int32)
        target = generator.integers(0, 2, 40).astype(np.int32)
        k, limit = int(generator.integers(2, 6)), int(generator.integers(0, 12))
        for metric in METRICS:
            pairs = [
                cost(codes.tolist(), target.tolist(), (one, two), k, metric)
                for one in allowed[0]
                for two in allowed[1]
            ]
            expected = min(value for value, lost in pairs if lost <= limit)
            problem = problem_of(codes, target, k, metric, limit, hierarchies, seed=1)
            solution = algorithm("k-optimize")(descents=2, respect_hierarchy=True).solve(problem, Silent())
            assert solution.optimal
            assert solution.score == pytest.approx(expected)


@pytest.mark.parametrize("name", FAMILY)
def test_the_same_seed_gives_the_same_recoding(name):
    problem = table(5, "discernibility", 12)
    one, two = (algorithm(name)(**FAMILY[name]).solve(problem, Silent()).decision for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one.blocks, two.blocks, strict=True))


def test_the_number_of_threads_does_not_change_the_answer():
    generator = np.random.default_rng(5)
    codes = generator.integers(0, 9, (400, 3)).astype(np.int32)
    problem = problem_of(codes, np.zeros(400, np.int32), 4, "discernibility", 30, seed=2)
    one, two = (
        algorithm("k-optimize")(descents=2, threads=threads).solve(problem, Silent()) for threads in (1, 3)
    )
    assert one.facts["visited"] == two.facts["visited"] > 400
    assert all(np.array_equal(a, b) for a, b in zip(one.decision.blocks, two.decision.blocks, strict=True))


@pytest.mark.parametrize("name", STOCHASTIC)
def test_stochastic_searches_find_small_optima(name):
    generator = np.random.default_rng(9)
    hits = 0
    for _ in range(25):
        codes, target = random_rows(generator, max_cuts=7, rows=(20, 40))
        expected = optimum(codes.tolist(), target.tolist(), codes.max(axis=0) + 1, 4, "discernibility", 5)
        if expected is None:
            continue
        solution = algorithm(name)().solve(
            problem_of(codes, target, 4, "discernibility", 5, seed=3), Silent()
        )
        assert solution.score >= expected
        hits += solution.score == expected
    assert hits >= 20


@pytest.mark.parametrize("name", STOCHASTIC)
def test_stochastic_searches_stop_at_the_time_limit_and_at_an_interrupt(name):
    class Impatient(Silent):
        def update(self, *_):
            if not self.stop.pulled:
                raise KeyboardInterrupt

    solution = algorithm(name)().solve(table(6, "discernibility", 12, time_limit=0.2), Silent())
    assert [score for _, score in solution.curve] == sorted(
        (score for _, score in solution.curve), reverse=True
    )
    assert algorithm(name)().solve(table(6, "discernibility", 12), Impatient()).score > 0


@pytest.mark.parametrize("name", ["top-down", "bottom-up"])
def test_subtree_searches_keep_any_model(name):
    problem = table(7, "classification", 0)
    problem = replace(problem, models=(*problem.models, LDiversity(2, "y")))
    solution = algorithm(name)().solve(problem, Silent())
    classes = solution.decision.apply(problem).outcome(problem).classes
    assert not problem.failing(classes).any()
    assert len(classes) > 1


def test_top_down_leaves_no_valid_specialization():
    problem = table(8, "loss", 0)
    solution = algorithm("top-down")().solve(problem, Silent())
    recoded = solution.decision.apply(problem).by_row()
    tried = 0
    for j, hierarchy in enumerate(HIERARCHIES):
        for label in recoded.columns[j].labels:
            inside = np.flatnonzero(meaning(hierarchy, label))
            occurring = np.intersect1d(inside, problem.codes[:, j])
            parting = [
                own.of_ground for own in hierarchy.levels if len(np.unique(own.of_ground[occurring])) > 1
            ]
            if parting:
                blocks = [own.copy() for own in solution.decision.blocks]
                blocks[j][inside] = blocks[j].max() + 1 + parting[-1][inside]
                parted = tuple(np.unique(own, return_inverse=True)[1] for own in blocks)
                assert not decide_cuts(problem, parted).kept.all()
                tried += 1
    assert tried > 0


@pytest.mark.parametrize("name", ["top-down", "bottom-up"])
def test_subtree_searches_say_when_nothing_holds(name):
    with pytest.raises(InfeasibleError, match="in classes that break"):
        algorithm(name)().solve(table(7, "loss", 0, k=500), Silent())


@pytest.mark.parametrize("stop", ["time limit", "Ctrl-C"])
@pytest.mark.parametrize("name", ["top-down", "bottom-up"])
def test_subtree_searches_end_when_told_and_keep_every_promise(name, stop):
    class Impatient(Silent):
        def update(self, *_):
            self.stop.pull("interrupt")

    problem = table(7, "loss", 0)
    if stop == "time limit":
        solution = algorithm(name)().solve(replace(problem, time_limit=1e-9), Silent())
    else:
        solution = algorithm(name)().solve(problem, Impatient())
    assert not problem.failing(solution.decision.apply(problem).outcome(problem).classes).any()
    assert solution.facts["steps"] < algorithm(name)().solve(problem, Silent()).facts["steps"]
    assert name == "top-down" or solution.facts["hurried"]
