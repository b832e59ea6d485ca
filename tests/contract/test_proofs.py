"""What is called optimal is: weights, costs, bounds, limits and metrics drawn at their edges, against brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.reference import lattice as naive

from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.algorithms.cuts.space import METRIC_CODES
from kohort.algorithms.lattice.node_outcome import judge
from kohort.algorithms.lattice.optimal import Optimal
from kohort.classes import classes_of_rows
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS, metrics_that_add
from kohort.models import KAnonymity, LDiversity, TCloseness
from kohort.recode import Problem, Solution
from kohort.recode.cuts import decide_cuts

WEIGHTS = (0.0, 0.0, 5e-324, 1e-300, 1.0, 1.0, 3.0, 1e300, 1.7e308)
COSTS = (0.0, 0.0, 1e-300, 0.5, 1.0, 1.0, 2.0, 1e10, 1e300)
TIE = 1e-11  # a little more than what `choice` calls a tie


def drawn(rng: np.random.Generator, objective: str, attributes: int = 3, rows: int = 14) -> Problem:
    """A table with one-valued attributes among its hierarchies, and every setting at an edge now and then."""
    m = int(rng.integers(1, attributes + 1))
    hierarchies = [
        numbers(rng, f"a{j}")
        if rng.random() < 0.4
        else naive.random_hierarchy(rng, f"a{j}", int(rng.choice([1, 2, 2, 4])), 3)
        for j in range(m)
    ]
    n = int(rng.integers(1, rows + 1))
    codes = np.column_stack([rng.integers(0, h.size, n) for h in hierarchies]).astype(np.int32)
    target = rng.integers(0, 3, n).astype(np.int32)
    base, class_of = classes_of_rows(codes, {"s": (target, 3)})
    metric = METRICS[objective]("s") if objective == "classification" else METRICS[objective]()  # type: ignore[call-arg]
    problem = Problem(
        tuple(h.name for h in hierarchies),
        tuple(hierarchies),
        base,
        class_of,
        (KAnonymity(int(rng.integers(2, 5))),),
        metric,
        int(rng.choice([0, n // 3, n - 1, n])),
        sensitive={"s": target},
        seed=int(rng.integers(1000)),
    )
    return edged(rng, problem)


def numbers(rng: np.random.Generator, name: str) -> Hierarchy:
    """One to four numbers, unevenly spaced, and sometimes a missing value; labels hold neighbours."""
    values = np.sort(rng.choice([1, 2, 3, 10, 11, 50, 400], int(rng.integers(1, 5)), replace=False))
    paths: list[tuple[str | None, ...]] = [
        (str(v), "low" if v < 5 else "mid" if v < 40 else "far", "small" if v < 40 else "large", "*")
        for v in values
    ]
    return Hierarchy.from_rows(name, [*paths, *([(None, None, None, "*")] if rng.random() < 0.3 else [])])


def edged(rng: np.random.Generator, problem: Problem) -> Problem:
    """The problem with weights, costs and levels at their edges."""
    m = len(problem.names)
    weights = tuple(float(w) for w in rng.choice(WEIGHTS, m))
    if any(weights) and rng.random() < 0.8:
        problem = replace(problem, weights=weights)
    if rng.random() < 0.8:
        problem = replace(problem, suppression_costs=tuple(float(c) for c in rng.choice(COSTS, m)))
    if rng.random() < 0.3:
        low = tuple(int(rng.integers(0, h.height + 1)) for h in problem.hierarchies)
        high = tuple(
            int(rng.integers(a, h.height + 1)) for a, h in zip(low, problem.hierarchies, strict=True)
        )
        problem = replace(problem, min_levels=low, max_levels=high)
    return problem


def least(problem: Problem, rungs: list[tuple[int, ...]] | None = None) -> float | None:
    """The least score of any node, each judged on the rows; None where none is feasible."""
    rungs = rungs or [tuple(range(a, b + 1)) for a, b in zip(problem.lowest, problem.highest, strict=True)]
    found = [judged.score for levels in product(*rungs) if (judged := judge(problem, levels)).feasible]
    return min(found, default=None)


def solved(name: str, problem: Problem, **options: Any) -> Solution | None:
    try:
        return algorithm(name)(**options).solve(problem, Silent())
    except InfeasibleError:
        return None


def check(solution: Solution | None, best: float | None, proves: bool = True) -> None:
    """What is called optimal scores as the best does, and an exact search calls its answer so."""
    if best is None:
        assert solution is None
        return
    assert solution is not None
    assert np.isfinite(solution.score)
    assert solution.score >= best - TIE * max(1.0, abs(best))
    if solution.optimal:
        assert solution.score <= best + TIE * max(1.0, abs(best))
    assert solution.optimal or not proves


@pytest.mark.parametrize("objective", METRICS)
def test_lattice_searches_call_optimal_what_is(objective: str) -> None:
    rng = np.random.default_rng(31)
    for _ in range(60):
        problem = drawn(rng, objective)
        best = least(problem)
        for name in ("optimal", "mingen"):
            check(solved(name, problem), best)
        check(solved("optimal", problem, nodes=0), best)  # best first
        for name in ("samarati", "incognito", "datafly"):
            check(solved(name, problem), best, proves=False)
        check(solved("samarati", problem, all_minimal=True), best, proves=False)


@pytest.mark.parametrize("objective", METRICS)
def test_other_models_prune_nothing_that_wins(objective: str) -> None:
    rng = np.random.default_rng(32)
    for _ in range(25):
        problem = drawn(rng, objective)
        counts = np.bincount(problem.sensitive["s"], minlength=3)
        from kohort.models import Attribute, Reference

        reference = Reference(problem.n_rows, {"s": Attribute("s", ("p", "q", "r"), counts)})
        model = (LDiversity(2, "s"), TCloseness(0.4, "s"))[int(rng.integers(2))]
        problem = replace(problem, models=(*problem.models, model.bind(reference)), reference=reference)
        best = least(problem)
        for options in ({}, {"nodes": 0}):
            check(solved("optimal", problem, **options), best)


@pytest.mark.parametrize("objective", METRICS)
def test_columns_and_outliers(objective: str) -> None:
    rng = np.random.default_rng(33)
    for _ in range(40):
        problem = drawn(rng, objective)
        whole = replace(problem, max_suppressed=0)
        rungs = [
            (low, h.height) if low < high == h.height else (low,)
            for low, high, h in zip(problem.lowest, problem.highest, problem.hierarchies, strict=True)
        ]
        check(solved("columns", problem), least(whole, rungs))
        check(solved("outliers", problem), least(problem, [(low,) for low in problem.lowest]))


def all_cuts(problem: Problem) -> float | None:
    """The least score of any choice of cuts between neighbouring ground values, within the level bounds."""
    parts = []
    for h, low, high in zip(problem.hierarchies, problem.lowest, problem.highest, strict=True):
        choices = []
        for cut in product((0, 1), repeat=h.size - 1):
            blocks = np.concatenate([[0], np.cumsum(cut)]).astype(np.int32)
            fine, coarse = h.levels[low].of_ground, h.levels[high].of_ground
            whole = all(len(set(blocks[fine == c])) == 1 for c in set(fine))
            within = all(len(set(coarse[blocks == b])) == 1 for b in set(blocks))
            if whole and within:
                choices.append(blocks)
        parts.append(choices)
    scores = []
    for blocks in product(*parts):
        outcome = decide_cuts(problem, tuple(blocks)).apply(problem).outcome(problem)
        if outcome.suppressed <= problem.max_suppressed and outcome.kept:
            scores.append(problem.objective.score(outcome))
    return min(scores, default=None)


@pytest.mark.parametrize("objective", metrics_that_add(METRIC_CODES))
def test_cut_searches_call_optimal_what_is(objective: str) -> None:
    rng, judged = np.random.default_rng(34), 0
    for _ in range(90):
        problem = drawn(rng, objective, attributes=2)
        # Sparse numbers have no grid: there cuts are optimal among labels only (docs/decisions/0010-ends.md).
        sparse = any(h.grid is None and not h.listable for h in problem.hierarchies)
        best = None if sparse else all_cuts(problem)
        if best is None:
            continue
        judged += 1
        check(solved("k-optimize", problem, descents=4), best)
        for name in ("hill-climbing", "top-down", "bottom-up"):
            found = solved(name, problem)
            if found is not None:
                check(found, best, proves=False)
    assert judged > 20


@pytest.mark.parametrize("generalize", [False, True])
def test_cells_exact_calls_optimal_what_is(generalize: bool) -> None:
    """Against every partition of up to six rows into groups that keep k."""
    rng = np.random.default_rng(35)
    called = 0
    for _ in range(60):
        problem = replace(drawn(rng, "precision", rows=6), max_levels=())
        if problem.models[0].k > problem.n_rows:
            continue
        if max(problem.weights, default=1.0) > 1e300:
            with pytest.raises(InputError, match="weights count in proportion"):
                solved("cells-exact", problem, generalize=generalize)
            continue
        solution = solved("cells-exact", problem, generalize=generalize)
        assert solution is not None
        best = min(scores_of_partitions(problem, generalize))
        called += solution.optimal
        check(solution, best, proves=False)
    assert called > 10


@pytest.mark.parametrize(
    ("weights", "proved"), [((1, 2), True), ((0.7, 1.3), True), ((1e300, 2e300), True), ((1e-9, 1), False)]
)
def test_a_solver_with_tolerances_proves_no_more_than_it_can_tell_apart(
    weights: tuple[float, float], proved: bool
) -> None:
    pytest.importorskip("highspy")
    rng = np.random.default_rng(5)
    hierarchies = tuple(Hierarchy.from_rows(name, [(v, "*") for v in "abc"]) for name in "xy")
    codes = rng.integers(0, 3, (13, 2)).astype(np.int32)
    base, class_of = classes_of_rows(codes)
    problem = Problem(("x", "y"), hierarchies, base, class_of, (KAnonymity(3),), METRICS["precision"]())
    solution = solved("cells-exact", replace(problem, weights=weights))
    assert solution is not None
    assert solution.optimal is proved


def scores_of_partitions(problem: Problem, generalize: bool) -> list[float]:
    from kohort.algorithms.cells.cost import cell_cost, numbered
    from kohort.recode.cells import Cells

    cost = cell_cost(problem, generalize)
    found = []
    for groups in partitions(list(range(problem.n_rows))):
        if min(map(len, groups)) >= problem.models[0].k:
            levels = cost.levels(numbered(groups, problem.n_rows))
            outcome = Cells(levels, np.ones(problem.n_rows, np.bool_)).apply(problem).outcome(problem)
            found.append(problem.objective.score(outcome))
    return found


def partitions(rows: list[int]) -> list[list[list[int]]]:
    if not rows:
        return [[]]
    head, *rest = rows
    return [
        grown
        for smaller in partitions(rest)
        for grown in (
            [[head], *smaller],
            *([*smaller[:i], [head, *smaller[i]], *smaller[i + 1 :]] for i in range(len(smaller))),
        )
    ]


@pytest.mark.parametrize("objective", ["loss", "discernibility", "entropy", "min-absolute-distance"])
def test_a_search_cut_short_calls_nothing_optimal_that_is_not(objective: str) -> None:
    rng = np.random.default_rng(36)
    for _ in range(25):
        problem = replace(drawn(rng, objective), time_limit=1e-9)
        best = least(replace(problem, time_limit=None))
        for options in ({}, {"nodes": 0}):
            found = solved("optimal", problem, **options)
            if found is not None and best is not None:
                check(found, best, proves=False)
        if objective == "discernibility" and (cut := all_cuts(problem)) is not None:
            check(solved("k-optimize", problem, descents=2), cut, proves=False)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_only_searches_that_prove_call_anything_optimal(name: str) -> None:
    """An algorithm whose card promises no optimum never says so, whatever the settings."""
    rng = np.random.default_rng(37)
    exact = "optimal" in algorithm(name).card.guarantee or name in ("cells-exact", "samarati")
    for objective in ("loss", "precision", "discernibility", "min-absolute-distance"):
        for _ in range(3):
            problem = drawn(rng, objective, rows=9)
            try:
                solution = algorithm(name)().solve(problem, Silent())
            except (InputError, InfeasibleError):
                continue
            assert exact or not solution.optimal


def test_costs_that_no_number_holds_are_refused_by_name() -> None:
    problem = drawn(np.random.default_rng(3), "loss")
    huge = replace(problem, suppression_costs=(1.7e308,) * len(problem.names), max_suppressed=problem.n_rows)
    grown = replace(huge, base=replace(huge.base, rows=huge.base.rows * 1000, sizes=huge.base.sizes * 1000))
    with pytest.raises(InputError, match=r"'loss' exceeds what numbers can hold.*suppression_cost"):
        Optimal().solve(replace(grown, class_of=np.zeros(0, np.int32)), Silent())


def test_the_case_that_was_called_optimal() -> None:
    """A zero weight with a zero suppression cost over two values: nan was taken for a node that had been beaten."""
    rng = np.random.default_rng(41)
    for _ in range(40):
        problem = drawn(rng, "loss", rows=30)
        m = len(problem.names)
        problem = replace(problem, weights=(0.0,) * (m - 1) + (1.0,), suppression_costs=(0.0,) * m)
        check(solved("optimal", problem), least(problem))


# labels at several levels: of the same values, of others, one that comes back, `*` below the root, and a missing value
REPEATED = [
    [("a", "a", "x", "*"), ("b", "b", "x", "*"), ("c", "y", "y", "*"), (None, None, None, "*")],
    [("a", "x", "y", "*"), ("b", "x", "y", "*"), ("c", "z", "x", "*"), ("d", "d", "x", "*")],
    [("a", "b*", "a", "*"), ("b", "c", "c", "*"), ("c", "c", "c", "*")],
    [("a", "x", "*", "all"), ("b", "x", "*", "all"), ("c", "*", "*", "all")],
    [("b", "c", "*"), ("a", "b", "*"), ("d", "b", "*")],
]


def repeated(rng: np.random.Generator, objective: str, rows: int) -> Problem:
    m = int(rng.integers(1, 4))
    hierarchies = [Hierarchy.from_rows(f"a{j}", REPEATED[rng.integers(len(REPEATED))]) for j in range(m)]
    n = int(rng.integers(3, rows + 1))
    codes = np.column_stack([rng.integers(0, h.size, n) for h in hierarchies]).astype(np.int32)
    target = rng.integers(0, 3, n).astype(np.int32)
    base, class_of = classes_of_rows(codes, {"s": (target, 3)})
    metric = METRICS[objective]("s") if objective == "classification" else METRICS[objective]()  # type: ignore[call-arg]
    return Problem(
        tuple(h.name for h in hierarchies),
        tuple(hierarchies),
        base,
        class_of,
        (KAnonymity(int(rng.integers(2, 4))),),
        metric,
        int(rng.choice([0, n // 3, n])),
        sensitive={"s": target},
        seed=1,
    )


@pytest.mark.parametrize("objective", METRICS)
def test_what_labels_at_several_levels_cost_is_proved_too(objective: str) -> None:
    rng = np.random.default_rng(41)
    for _ in range(25):
        problem = repeated(rng, objective, 14)
        best = least(problem)
        check(solved("optimal", problem), best)
        check(solved("optimal", problem, nodes=0), best)  # best first
        check(solved("samarati", problem), best, proves=False)
        for name in ("optimal", "samarati", "top-down", "mondrian"):
            solution = solved(name, problem)
            if solution is not None:
                told = solution.decision.apply(problem).outcome(problem)
                assert solution.score == pytest.approx(problem.objective.score(told), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("generalize", [False, True])
def test_cells_of_labels_at_several_levels_are_called_optimal_only_where_they_are(generalize: bool) -> None:
    rng = np.random.default_rng(42)
    for _ in range(40):
        problem = repeated(rng, "precision", 6)
        if problem.models[0].k > problem.n_rows:
            continue
        solution = solved("cells-exact", problem, generalize=generalize)
        check(solution, min(scores_of_partitions(problem, generalize)), proves=False)
