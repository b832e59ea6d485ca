from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from tests.reference import lattice as naive

from kohort.algorithms import Silent
from kohort.algorithms.lattice.mingen import MinGen
from kohort.algorithms.lattice.optimal import Optimal
from kohort.card import Card
from kohort.classes import classes_of_rows
from kohort.errors import InfeasibleError
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS
from kohort.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    KAnonymity,
    LDiversity,
    Monotone,
    PSensitive,
    TCloseness,
)
from kohort.models.demand import Demand
from kohort.recode import Problem


@dataclass(frozen=True)
class EvenClasses:
    """A promise that nothing keeps: every class has an even number of records."""

    card: ClassVar = Card("even", "even classes")
    monotone = Monotone.NOTHING
    label = "even classes"
    reads = frozenset()
    demand = Demand()

    def bind(self, reference):
        return self

    def failing(self, classes):
        return classes.sizes % 2 == 1

    def achieved(self, classes):
        return float(not self.failing(classes).any())

    def holds(self, classes):
        return not self.failing(classes).any()


S = Hierarchy.from_rows("s", [["p", "0", "*"], ["q", "0", "*"], ["r", "1", "*"], ["t", "1", "*"]])
LISTS = (
    (EvenClasses(),),
    (EvenClasses(), KAnonymity(2)),
    (KAnonymity(2), LDiversity(2, "s")),
    (LDiversity(2, "s", "entropy"),),
    (KAnonymity(2), LDiversity(2, "s", "recursive", c=2.0)),
    (TCloseness(0.2, "s"), KAnonymity(2)),
    (TCloseness(0.3, "s"),),
    (TCloseness(0.3, "s", "ordered"),),
    (TCloseness(0.5, "s", "hierarchical"),),
    (PSensitive(p=2, k=3, column="s"),),
    (AlphaK(alpha=0.6, k=2, column="s"),),
    (BetaLikeness(beta=1.0, column="s"),),
    (AverageRisk(0.4), KAnonymity(2)),
    (AverageRisk(0.4), TCloseness(0.4, "s")),
    (),
)
OBJECTIVES = [name for name in METRICS if name != "classification"]


def outcome(algorithm, problem):
    """Return what an algorithm says, comparably: levels, suppressed and score, or the nearest miss."""
    try:
        solution = algorithm.solve(problem, Silent())
    except InfeasibleError as miss:
        # Where suppression is not monotone, a pruned node may miss by less than the nearest one examined.
        kind = all(Monotone.SUPPRESSION in model.monotone for model in problem.models)
        return "none", miss.nearest["suppressed"] if kind else None, None
    assert solution.optimal
    return (
        solution.decision.levels,
        solution.facts["suppressed"],
        pytest.approx(solution.score, abs=1e-11, rel=1e-11),
    )


def random_options(rng, problem):
    """Return the problem with bounds or weights, sometimes."""
    if rng.random() < 0.15:
        low = tuple(int(rng.integers(0, h.height + 1)) for h in problem.hierarchies)
        high = tuple(
            int(rng.integers(a, h.height + 1)) for a, h in zip(low, problem.hierarchies, strict=True)
        )
        problem = replace(problem, min_levels=low, max_levels=high)
    if rng.random() < 0.15:
        problem = replace(problem, weights=tuple(rng.uniform(0.1, 3, len(problem.names)).tolist()))
    if rng.random() < 0.15:
        problem = replace(problem, suppression_costs=tuple(rng.uniform(0, 2, len(problem.names)).tolist()))
    return problem


def small_problem(rng, hierarchies, objective):
    """Return a table of 2 to 12 rows over one or two of the hierarchies."""
    chosen = [hierarchies[i] for i in rng.choice(len(hierarchies), int(rng.integers(1, 3)), replace=False)]
    n = int(rng.integers(2, 13))
    codes = np.column_stack([rng.integers(0, h.size, n) for h in chosen]).astype(np.int32)
    base, class_of = classes_of_rows(codes)
    return Problem(
        tuple(h.name for h in chosen),
        tuple(chosen),
        base,
        class_of,
        (KAnonymity(int(rng.integers(2, 5))),),
        objective,
        int(rng.integers(0, n + 1)) if rng.random() < 0.7 else 0,
    )


def compare(seed, count):
    rng = np.random.default_rng(seed)
    hierarchies = [naive.random_hierarchy(rng, f"a{j}", 4, 2) for j in range(200)]
    for _ in range(count):
        objective = METRICS[OBJECTIVES[int(rng.integers(len(OBJECTIVES)))]]()
        problem = random_options(rng, small_problem(rng, hierarchies, objective))
        assert outcome(Optimal(), problem) == outcome(MinGen(), problem), problem


@pytest.mark.parametrize("seed", range(2))
def test_optimal_equals_mingen_on_2000_random_tables(seed):
    compare(seed, 1000)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_optimal_equals_mingen_on_400000_random_tables(seed):
    compare(seed, 10_000)


def compare_models(models, seed, count):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(2, 13))
        m = int(rng.integers(1, 3))
        hierarchies = [naive.random_hierarchy(rng, f"a{j}", 4, 3) for j in range(m)]
        rows = [[h.ground[int(rng.integers(h.size))] for h in hierarchies] for _ in range(n)]
        problem = naive.problem_of(
            rows,
            hierarchies,
            models,
            METRICS[OBJECTIVES[int(rng.integers(len(OBJECTIVES)))]](),
            max_suppressed=int(rng.integers(0, n + 1)) if rng.random() < 0.7 else 0,
            sensitive=[S.ground[int(rng.integers(4))] for _ in range(n)],
            sensitive_hierarchy=S,
            respondents=rng.integers(0, n, n).tolist() if rng.random() < 0.3 else None,
        )
        problem = random_options(rng, problem)
        assert outcome(Optimal(), problem) == outcome(MinGen(), problem), problem


@pytest.mark.parametrize("models", LISTS)
def test_optimal_equals_mingen_for_any_list_of_models(models):
    compare_models(models, LISTS.index(models), 100)


@pytest.mark.long
@pytest.mark.parametrize("models", LISTS)
def test_optimal_equals_mingen_for_any_list_of_models_on_more_tables(models):
    compare_models(models, 1000 + LISTS.index(models), 5000)


def test_the_score_is_that_of_the_rows_released():
    rng = np.random.default_rng(5)
    for name in OBJECTIVES:
        for _ in range(15):
            problem = naive.random_problem(rng, objective=METRICS[name](), max_suppressed=3)
            try:
                solution = Optimal().solve(problem, Silent())
            except InfeasibleError:
                continue
            released = solution.decision.apply(problem).outcome(problem)
            assert solution.score == pytest.approx(problem.objective.score(released), abs=1e-12)
            assert released.suppressed == solution.facts["suppressed"]
            assert all(model.holds(released.classes) for model in problem.models)


def test_classification_is_minimised_too():
    rng = np.random.default_rng(6)
    for _ in range(40):
        problem = naive.random_problem(rng, max_suppressed=4)
        target = rng.integers(0, 3, problem.n_rows).astype(np.int32)
        base, class_of = naive.classes_of_rows(problem.codes, {"s": (target, 3)})
        problem = replace(
            problem,
            base=base,
            class_of=class_of,
            sensitive={"s": target},
            objective=METRICS["classification"]("s"),
        )
        assert outcome(Optimal(), problem) == outcome(MinGen(), problem)


def test_dearer_suppression_is_avoided_and_cheaper_sought():
    rng = np.random.default_rng(9)
    hierarchies = [naive.random_hierarchy(rng, name, 5, 3) for name in ("a", "b")]
    rows = [[h.ground[int(rng.integers(h.size) ** 2 // h.size)] for h in hierarchies] for _ in range(40)]
    problem = naive.problem_of(rows, hierarchies, [KAnonymity(4)], max_suppressed=20)
    lost = [
        Optimal().solve(replace(problem, suppression_costs=(cost, cost)), Silent()).facts["suppressed"]
        for cost in (0.0, 1.0, 50.0)
    ]
    assert lost[0] >= lost[1] >= lost[2]
    assert lost[0] > lost[2]
