"""Task utility of a release, where it is asked for."""

from __future__ import annotations

from kohort.algorithms import algorithm
from kohort.errors import InputError
from kohort.facts.utility import TaskFacts
from kohort.hierarchy import Hierarchy
from kohort.metrics.task_utility import task_utility
from kohort.plan import Plan
from kohort.recode import Problem
from kohort.table import Role, Table
from kohort.verification.judges import layout

ROWS = 10_000  # to train on: seconds, not minutes


def check_task(plan: Plan) -> None:
    """Refuse a target that a model cannot be asked for."""
    target = plan.output.task
    possible = [name for name in plan.released if plan.columns[name].role is not Role.QUASI]
    if target is not None and target not in possible:
        raise InputError(
            f"[output] task is {target!r}; it must be a released column that is not generalized: "
            f"{', '.join(possible) or '(the plan has none)'}",
            code="plan.wrong-value",
            section="output",
            option="task",
            value=target,
            allowed=possible,
        )
    named = plan.recode.algorithm
    if target is not None and named is not None and layout(algorithm(named).card.layout).apart:
        raise InputError(
            f"[output] task: {named} tells sensitive values apart from the rows, so no model can be trained on them; "
            "leave task out, or choose another algorithm",
            code="plan.conflict",
            section="output",
            option="task",
        )


def task_facts(target: str, table: Table, problem: Problem, released: Table, truthful: bool) -> TaskFacts:
    """Return how well the target is predicted from the quasi-identifiers, before and after."""
    hierarchies: dict[str, Hierarchy] = (
        dict(zip(problem.names, problem.hierarchies, strict=True)) if truthful else {}
    )  # perturbed values have no place in a hierarchy: they are taken as they are
    found = task_utility(
        table.to_arrow(), released.to_arrow(), target, problem.names, hierarchies, most_rows=ROWS
    )
    return TaskFacts(
        target=found.target,
        original=found.original,
        release=found.release,
        baseline=found.baseline,
        trained_on=found.trained_on,
        tested_on=found.tested_on,
        kept=found.kept,
        features=problem.names,
        model="logistic regression",
    )
