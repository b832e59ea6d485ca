"""What a release can tell of itself: the facts that manifest, report and `--json` show."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from kohort.algorithms import Algorithm
from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.metrics import METRICS, Outcome
from kohort.plan import Plan
from kohort.plan_text import plan_toml
from kohort.publishing import told_classes
from kohort.recode import Problem, Recoded, Solution
from kohort.recode.marginals import marginal
from kohort.risk.audit import judged
from kohort.table import Table

SMALL = 5  # counts below this are not told where no promise names a k
_ENGINES = ("numpy", "numba", "pyarrow", "duckdb")


def release_facts(
    table: Table, plan: Plan, problem: Problem, algorithm: Algorithm, solution: Solution, recoded: Recoded
) -> dict[str, Any]:
    """Return the public facts of a release: aggregates only, no raw value.

    Verdicts and seconds are added by whoever verifies and times it.
    """
    outcome = recoded.outcome(problem)
    classes = told_classes(problem, solution.decision, outcome)
    found = judged(classes, problem.reference)
    return {
        "rows": table.n_rows,
        "released": outcome.kept,
        "suppressed": outcome.suppressed,
        "classes": len(classes),
        **solution.decision.facts(problem),
        "k": max(
            [k for model in plan.require if isinstance(k := getattr(model, "k", None), int)], default=SMALL
        ),
        "objective": problem.objective.card.name,
        "score": solution.score,
        "optimal": solution.optimal,
        **solution.facts,
        "losses": losses(outcome, problem),
        "class_sizes": class_sizes(classes),
        "risk": found["risk"],
        "sensitive": found["sensitive"],
        "marginals": marginals(problem, recoded),
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
        "promises": [
            {"promise": model.label, "guarantee": model.card.guarantee, "paper": model.card.paper}
            for model in plan.require
        ],
        "asked": public_plan(plan),
        "plan_toml": plan_toml(public_plan(plan)),
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


def marginals(problem: Problem, recoded: Recoded) -> list[dict[str, Any]]:
    """Return the distribution of each quasi-identifier before and after, in whole per cent.

    Whole per cent, because exact counts before minus exact counts after would tell who was suppressed.
    """
    told = []
    for j in range(len(problem.names)):
        found = marginal(problem, recoded, j)
        if found is not None:
            before = np.round(100 * found.before / found.before.sum()).astype(int)
            after = np.round(100 * found.after / found.after.sum()).astype(int)
            labels = ["missing" if label is None else label for label in found.labels]
            told.append(
                {"name": found.name, "labels": labels, "before": before.tolist(), "after": after.tolist()}
            )
    return told


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
        "example": _example(column.labels, column.codes[recoded.kept]),
        "loss": float((share - 1 / size) / (1 - 1 / size)) if size > 1 else 0.0,
    }


def _example(labels: Sequence[str | None], codes: IntArray) -> str | None:
    """Return the released value that most rows hold: public by itself, and nobody's in particular."""
    counts = np.bincount(codes, minlength=len(labels))
    told = [code for code in np.argsort(-counts, kind="stable") if labels[code] is not None]
    return labels[told[0]] if told else None


def public_facts(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts with small counts of people written as `<k`, as the public files show them.

    With the number of suppressed rows hidden, the number of rows before must be hidden too: their difference
    would tell it.
    """
    k = facts["k"]
    if not 0 < facts["suppressed"] < k:
        return facts
    return facts | {"suppressed": f"<{k}", "rows": f"{facts['released']} to {facts['released'] + k - 1}"}


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
        "kohort": version("kohort"),
        "python": platform.python_version(),
        **{name: version(name) for name in _ENGINES},
    }
