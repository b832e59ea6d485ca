"""The facts of a release, gathered for the holder of the original: aggregates only, no raw value."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version
from math import isfinite
from typing import Any

import numpy as np

from kohort.algorithms import Algorithm, guarantee_of
from kohort.card import Card
from kohort.classes import Classes
from kohort.evidence.columns import column_facts
from kohort.evidence.kept import kept_facts
from kohort.metrics import METRICS, Outcome
from kohort.models import PrivacyModel, in_groups
from kohort.plan import Plan
from kohort.plan.text import plan_toml
from kohort.recode import Problem, Recoded, Solution
from kohort.risk.audit import judged
from kohort.table import Table

SMALL = 5  # counts below this are not told where no promise names a k
_ENGINES = ("numpy", "numba", "pyarrow", "duckdb")


def release_facts(
    table: Table, plan: Plan, problem: Problem, algorithm: Algorithm, solution: Solution, recoded: Recoded
) -> dict[str, Any]:
    """Return the facts of a release. They compare it with the original, so nothing of them is public.

    Verdicts and seconds are added by whoever verifies and times it.
    """
    outcome = recoded.outcome(problem)
    told = recoded.told(problem, outcome)
    found = judged(told, problem.reference)
    seen = found if recoded.apart is None else judged(outcome.classes, problem.reference)
    k, decided = small(plan), solution.decision.facts(problem)
    facts = {
        "rows": table.n_rows,
        "released": outcome.kept,
        "suppressed": outcome.suppressed,
        "classes": len(outcome.classes),
        **decided,
        "k": k,
        "objective": problem.objective.card.name,
        "score": solution.score,
        "optimal": solution.optimal,
        **solution.facts,
        "losses": losses(outcome, problem),
        **kept_facts(table, plan, problem, recoded, outcome, k),
        "class_sizes": class_sizes(outcome.classes),
        "risk": seen["risk"],
        **({} if recoded.apart is None else {"group_sizes": class_sizes(told)}),
        "sensitive": found["sensitive"],
        "columns": [
            column_facts(name, table, plan, problem, recoded, outcome, decided.get("levels", {}), k)
            for name in plan.columns
        ],
        "undeclared": [
            name for name in table.names if name not in plan.columns and name != plan.input.respondent
        ],
        "algorithm": algorithm_facts(algorithm.card, plan.recode.options),
        "promises": promise_facts(plan, algorithm.card.torn),
        "asked": plan.to_dict(),
        "plan_toml": plan_toml(plan.to_dict()),
        "versions": versions(),
    }
    gathered: dict[str, Any] = plain(facts)
    return gathered


def algorithm_facts(card: Card, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told of an algorithm with these options."""
    told = ("name", "summary", "taxonomy", "truthful", "torn", "covers_all", "paper")
    return {key: getattr(card, key) for key in told} | {"guarantee": guarantee_of(card.name, options)}


def promise_facts(plan: Plan, torn: bool) -> list[dict[str, str]]:
    """Return every promise with what it guarantees."""
    return [_promise(model, torn) for model in plan.require]


def _promise(model: PrivacyModel, torn: bool) -> dict[str, str]:
    """Return a promise in words; where a column is torn off it is about groups, and no class is meant."""
    guarantee = model.card.guarantee
    return {
        "promise": in_groups(model.label) if torn else model.label,
        "guarantee": guarantee.replace("classes", "groups").replace("class", "group") if torn else guarantee,
        "paper": model.card.paper,
    }


def small(plan: Plan) -> int:
    """Return the k below which counts of people are not told: the greatest that the plan promises."""
    promised = max((max(m.demand.crowd, m.demand.population) for m in plan.require), default=1)
    return promised if promised > 1 else SMALL


def losses(outcome: Outcome, problem: Problem) -> dict[str, float]:
    """Return every metric that needs nothing but the quasi-identifiers, and the objective."""
    told = {name: kind().score(outcome) for name, kind in METRICS.items() if not _needs_target(kind)}
    return told | {problem.objective.card.name: problem.objective.score(outcome)}


def _needs_target(kind: Any) -> bool:
    return any(f.default is f.default_factory for f in getattr(kind, "__dataclass_fields__", {}).values())


def class_sizes(classes: Classes) -> list[dict[str, int]]:
    """Return the histogram of class sizes on a doubling grid: from, to, classes, records."""
    sizes = classes.sizes
    if not len(sizes):
        return []
    grid = np.floor(np.log2(sizes)).astype(np.int64)
    bins = []
    for step in range(int(grid.min()), int(grid.max()) + 1):
        inside = grid == step
        low, high = 2**step, 2 ** (step + 1) - 1
        bins.append(
            {
                "from": int(max(low, sizes.min())),
                "to": int(min(high, sizes.max())),
                "classes": int(inside.sum()),
                "records": int(classes.rows[inside].sum()),
            }
        )
    return bins


def versions() -> dict[str, str]:
    """Return the versions of all that took part in making the release."""
    return {
        "kohort": version("kohort"),
        "python": platform.python_version(),
        **{name: version(name) for name in _ENGINES},
    }


def plain(value: Any) -> Any:
    """Return the value with numpy's numbers as Python's, and infinite ones as None, which JSON can hold."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not isfinite(value) else value
