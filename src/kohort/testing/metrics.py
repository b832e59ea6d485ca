"""`check_metric`: what every quality metric must keep."""

from __future__ import annotations

from dataclasses import replace
from math import isclose, isfinite

import numpy as np

from kohort.algorithms import Silent, algorithm
from kohort.metrics import Metric, Outcome
from kohort.plan import Plan
from kohort.recode import Problem, decide_levels
from kohort.testing.contract import ContractError, demand, demand_card
from kohort.testing.documented import check_documented
from kohort.testing.worlds import COLUMNS, SENSITIVE, people, problem_of

PRUNING, EXHAUSTIVE = "optimal", "mingen"


def check_metric(metric: Metric, tables: int = 6, seed: int = 0) -> None:
    """Demand of a metric what searches and reports trust.

    Scores of random recodings are finite, do not depend on the order of classes, and releasing nothing is never better. The
    form is true: the search that prunes by it finds the same least score as the one that looks at every node.
    """
    card = demand_card(type(metric))
    check_documented(type(metric))
    rng = np.random.default_rng(seed)
    scores: set[float] = set()
    for _ in range(tables):
        problem = _problem(metric, rng)
        for outcome in _outcomes(problem, rng):
            scores.add(_check_outcome(metric, outcome, rng))
        _check_form(problem)
    demand(len(scores) > 2, f"{card.name}: random recodings all score alike")


def _problem(metric: Metric, rng: np.random.Generator) -> Problem:
    read = sorted(metric.reads)
    told = {
        "columns": COLUMNS | dict.fromkeys(read or ["ill"], SENSITIVE),
        "require": [{"model": "k-anonymity", "k": 3}],
        "recode": {"max_suppression": 0.3},
    }
    plan = Plan.from_dict(told)
    # The table is prepared by an objective that any plan has; then it is judged by this one.
    problem = problem_of(people(rng, 40, read or ["ill"]), plan)
    return replace(problem, objective=metric)


def _outcomes(problem: Problem, rng: np.random.Generator) -> list[Outcome]:
    nodes = [tuple(int(rng.integers(0, h.height + 1)) for h in problem.hierarchies) for _ in range(4)]
    return [decide_levels(problem, node).apply(problem).outcome(problem) for node in nodes]


def _check_outcome(metric: Metric, outcome: Outcome, rng: np.random.Generator) -> float:
    name, score = metric.card.name, metric.score(outcome)
    demand(isinstance(score, float) and isfinite(score), f"{name}: a score must be a finite float")
    order = rng.permutation(len(outcome.classes))
    turned = replace(
        outcome,
        classes=outcome.classes.kept(order),
        leaves=outcome.leaves[order],
        depth=outcome.depth[order],
    )
    demand(
        isclose(metric.score(turned), score, rel_tol=1e-9),
        f"{name}: the score depends on the order of classes",
    )
    none = np.zeros(0, np.int64)
    nothing = replace(
        outcome,
        classes=outcome.classes.kept(none),
        leaves=outcome.leaves[none],
        depth=outcome.depth[none],
        suppressed=outcome.n_rows,
        joint=lambda _: np.zeros((0, 3), np.int64),
    )
    demand(
        metric.score(nothing) >= score - 1e-9,
        f"{name}: releasing nothing scores better; lower must mean better",
    )
    return round(score, 9)


def _check_form(problem: Problem) -> None:
    name = problem.objective.card.name
    try:
        by_form, by_all = (algorithm(search)().solve(problem, Silent()) for search in (PRUNING, EXHAUSTIVE))
    except AssertionError as found:
        raise ContractError(f"{name}: its form is not true: {found}") from found
    demand(
        isclose(by_form.score, by_all.score, rel_tol=1e-9, abs_tol=1e-12),
        f"{name}: the search that trusts its form ends at {by_form.score:g}, and the least score is "
        f"{by_all.score:g}; its form is not true (Form() claims nothing)",
    )
