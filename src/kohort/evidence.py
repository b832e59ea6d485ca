"""What a release can tell of itself: the facts that manifest, report and `--json` show."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import numpy as np

import kohort
from kohort.algorithms import Algorithm
from kohort.metrics import METRICS, Outcome
from kohort.plan import Plan
from kohort.recode import Problem, Recoded, Solution
from kohort.table import Table

_ENGINES = ("numpy", "numba", "pyarrow", "duckdb")


def release_facts(
    table: Table, plan: Plan, problem: Problem, algorithm: Algorithm, solution: Solution, recoded: Recoded
) -> dict[str, Any]:
    """Return the public facts of a release: aggregates only, no raw value.

    Verdicts and seconds are added by whoever verifies and times it.
    """
    outcome = recoded.outcome(problem)
    return {
        "rows": table.n_rows,
        "released": outcome.kept,
        "suppressed": outcome.suppressed,
        "classes": len(outcome.classes),
        **solution.decision.facts(problem),
        "objective": problem.objective.card.name,
        "score": solution.score,
        "optimal": solution.optimal,
        **solution.facts,
        "losses": losses(outcome, problem),
        "class_sizes": class_sizes(outcome),
        "columns": [_column(table, plan, problem, recoded, outcome, name) for name in plan.columns],
        "undeclared": [
            name for name in table.names if name not in plan.columns and name != plan.input.respondent
        ],
        "algorithm": {
            "name": algorithm.card.name,
            "taxonomy": algorithm.card.taxonomy,
            "guarantee": algorithm.card.guarantee,
            "truthful": algorithm.card.truthful,
            "paper": algorithm.card.paper,
        },
        "asked": public_plan(plan),
        "versions": versions(),
    }


def losses(outcome: Outcome, problem: Problem) -> dict[str, float]:
    """Return every metric that needs nothing but the quasi-identifiers, and the objective."""
    told = {}
    for name, kind in METRICS.items():
        if kind is type(problem.objective):
            told[name] = problem.objective.score(outcome)
        elif not _needs_target(kind):
            told[name] = kind().score(outcome)
    return told


def _needs_target(kind: Any) -> bool:
    return any(f.default is f.default_factory for f in getattr(kind, "__dataclass_fields__", {}).values())


def class_sizes(outcome: Outcome) -> list[dict[str, int]]:
    """Return the histogram of class sizes on a doubling grid: from, to, classes, records."""
    sizes = outcome.classes.sizes
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
                "records": int(outcome.classes.rows[inside].sum()),
            }
        )
    return bins


def _column(
    table: Table, plan: Plan, problem: Problem, recoded: Recoded, outcome: Outcome, name: str
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": name,
        "role": str(plan.columns[name].role),
        "released": name in plan.released,
    }
    if name not in problem.names:
        return told
    j = problem.names.index(name)
    hierarchy, column = problem.hierarchies[j], recoded.columns[j]
    size = hierarchy.size
    share = (outcome.covered()[j] / size + outcome.suppressed) / outcome.n_rows
    used = np.bincount(column.codes[recoded.kept], minlength=1) > 0
    return told | {
        "hierarchy": (plan.columns[name].hierarchy or {}).get("kind"),
        "height": hierarchy.height,
        "domain": size,
        "values": len(table[name].values),
        "released_values": int(used.sum()),
        "loss": float((share - 1 / size) / (1 - 1 / size)) if size > 1 else 0.0,
    }


def public_plan(plan: Plan) -> dict[str, Any]:
    """Return the plan without what outsiders must not have: where the table was, and the seed."""
    told = plan.to_dict()
    told.get("recode", {}).pop("seed", None)
    source = told.get("input", {})
    told["input"] = {key: source[key] for key in ("respondent",) if key in source}
    return told


def versions() -> dict[str, str]:
    """Return the versions of all that took part in making the release."""
    return {
        "kohort": kohort.__version__,
        "python": platform.python_version(),
        **{name: version(name) for name in _ENGINES},
    }
