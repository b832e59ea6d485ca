"""What the holder of the original is told of a release of sets: aggregates, no item that is not released."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.card import Card
from kohort.plan import Plan
from kohort.plan.text import plan_toml
from kohort.sets.judges import OriginalSets
from kohort.sets.problem import SetProblem, SetSolution
from kohort.table import Table
from kohort.table.alike import alike, alike_warning

_ENGINES = ("numpy", "numba", "pyarrow")


def promise_facts(plan: Plan) -> list[dict[str, str]]:
    """Return every promise with what it guarantees."""
    return [
        {"promise": model.label, "guarantee": model.card.guarantee, "paper": model.card.paper}
        for model in plan.require
    ]


def method_facts(card: Card) -> dict[str, Any]:
    """Return what is told of a search."""
    return {"name": card.name, "summary": card.summary, "guarantee": card.guarantee, "paper": card.paper}


def release_facts(
    plan: Plan, table: Table, original: OriginalSets, problem: SetProblem, solution: SetSolution, card: Card
) -> dict[str, Any]:
    """Return the private facts; verdicts, files and seconds are added by whoever verifies, writes and times it."""
    baskets, asked = problem.baskets, plan.to_dict()
    return {
        "shape": plan.input.shape,
        "promises": promise_facts(plan),
        "verdicts": [],
        "asked": asked,
        "plan_toml": plan_toml(asked),
        "files": {},
        "algorithm": method_facts(card),
        "rows": table.n_rows,
        "people": baskets.n_people,
        "released": baskets.n_people,
        "suppressed": 0,
        "holding": baskets.holding,
        "held": len(baskets.items),
        "items": len(original.held.items),
        "known": problem.tree.n_items,
        "labels": _labels(problem, solution),
        "losses": {"ncp": solution.loss},
        "search": dict(solution.facts),
        "stopped": solution.stopped,
        "undeclared": [n for n in table.names if n not in plan.columns and n != plan.input.respondent],
        "versions": {
            "kohort": version("kohort"),
            "python": platform.python_version(),
            **{name: version(name) for name in _ENGINES},
        },
        "warnings": _warnings(plan, table, original, solution),
    }


def _labels(problem: SetProblem, solution: SetSolution) -> list[dict[str, Any]]:
    """Return the labels that are released, the items under each, and the people who hold one: most first."""
    nodes, codes = np.unique(solution.node_of_item, return_inverse=True)
    people = problem.baskets.recoded(codes).counts(len(nodes)).tolist()
    told = [
        {"label": problem.tree.labels[node], "items": int(problem.tree.leaves[node]), "people": held}
        for node, held in zip(nodes.tolist(), people, strict=True)
        if held
    ]
    return sorted(told, key=lambda one: (-one["people"], one["label"]))


def _warnings(plan: Plan, table: Table, original: OriginalSets, solution: SetSolution) -> list[str]:
    respondent = plan.input.respondent
    told = [] if respondent is None else alike_warning(respondent, alike(table[respondent].values))
    same = alike(pa.array(original.held.items, pa.string()))
    if same:
        told.append(
            f"column {original.hierarchy.name!r}: {same:,} items equal another one but for blanks, upper case or the form of "
            "letters, and count as items of their own; who takes them for the same may find fewer people: clean the column first"
        )
    if solution.stopped is not None:
        told.append(
            "the search was stopped before it had ended, so that items are told by coarser labels than need be, or all by the "
            "root of the hierarchy; give it more time ([recode] time_limit)"
        )
    return told
