"""Which algorithm a plan chooses, and what it may not be asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from kohort.algorithms import Algorithm, able, algorithm
from kohort.algorithms.honoured import refuse_models, refuse_people
from kohort.algorithms.taxonomy import USUAL, choose, settled, taxonomy_code
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.plan import Plan
from kohort.preparation.covered import refuse_uncovered
from kohort.preparation.named_columns import refuse_hidden
from kohort.recode import Problem
from kohort.typed import typed
from kohort.verification.judges import Layout, layout


def chosen_algorithm(plan: Plan, problem: Problem) -> Algorithm:
    """Return the algorithm that the plan names, or that follows from generalize × suppress."""
    chosen = algorithm_of(plan, problem.n_rows)
    _refuse_bounds(plan, problem, chosen.card)
    return chosen


def algorithm_of(plan: Plan, n_rows: int) -> Algorithm:
    """Return the algorithm that a plan chooses for a table of so many rows."""
    recode = plan.recode
    name = recode.algorithm
    if name is None:
        name = choose(recode.generalize, recode.suppress, n_rows)
    kind: Any = algorithm(name)
    _refuse_mismatch(plan, kind.card)
    refuse_hidden(plan, kind)
    chosen: Any = typed(f"[recode.options]: {name}", kind, _options(plan, kind.card))
    layout_of(chosen, plan)
    return chosen  # type: ignore[no-any-return]


def _options(plan: Plan, card: Card) -> dict[str, Any]:
    """Return the options of the algorithm; one that suppresses cells or generalizes them does what the plan says of that."""
    recode, told = plan.recode, dict(plan.recode.options)
    either = {"_CS", "CG_"} <= set(card.taxonomy.replace(",", " ").split())
    if not either or (recode.generalize is None and recode.suppress is None):
        return told
    asked = taxonomy_code(*settled(recode.generalize, recode.suppress)) == "CG_"
    if told.get("generalize", asked) != asked:
        cells = "generalized" if asked else "suppressed"
        raise InputError(
            f"[recode] generalize and suppress ask for cells that are {cells}, and [recode.options] generalize for others; "
            "leave out the option",
            code="plan.conflict",
            section="recode",
            option="generalize",
            algorithm=card.name,
        )
    return told | {"generalize": asked}


def layout_of(chosen: Algorithm, plan: Plan) -> Layout:
    """Return the tables in which an algorithm releases what the plan asks; refuses what cannot be kept in them."""
    found = layout(chosen.card.layout).of(chosen, plan.require, plan.sensitive)
    if found.apart:
        _refuse_order(plan, chosen.card.name)
    return found


def _refuse_order(plan: Plan, name: str) -> None:
    """Refuse to keep the order of rows whose sensitive values stand apart: tables are often sorted by these."""
    if not plan.output.shuffle:
        raise InputError(
            f"[output] shuffle is false, but {name} hides which row has which sensitive value, and the order of the rows "
            "may tell; leave shuffle out",
            code="plan.conflict",
            section="output",
            option="shuffle",
            algorithm=name,
        )


def check_algorithm(plan: Plan) -> None:
    """Refuse, before the table is read, an algorithm that the plan names and cannot have."""
    if plan.recode.algorithm is not None:
        kind: Any = algorithm(plan.recode.algorithm)
        _refuse_mismatch(plan, kind.card)
        refuse_hidden(plan, kind)


def _refuse_mismatch(plan: Plan, card: Card) -> None:
    """Refuse an algorithm that does not recode as the plan says, or cannot serve its models."""
    refuse_uncovered(plan, card)
    recode = plan.recode
    if recode.algorithm is not None and (recode.generalize is not None or recode.suppress is not None):
        wanted = taxonomy_code(*settled(recode.generalize, recode.suppress))
        served = card.taxonomy.replace(",", " ").split()
        if "AG_TS" in served:
            served.append("AG_")  # the same without suppression
        if wanted not in served:
            recodes = f"recodes as {card.taxonomy}" if card.taxonomy else "stands outside that taxonomy"
            raise InputError(
                f"[recode] generalize and suppress ask for the model {wanted}, but {card.name} {recodes}; "
                "leave out either algorithm, or generalize and suppress",
                code="algorithm.recoding",
                algorithm=card.name,
            )
    refuse_models(plan.require, card)
    refuse_people(plan.input.respondent, plan.require, card)


def _refuse_bounds(plan: Plan, problem: Problem, card: Card) -> None:
    """Refuse bounds on levels that the algorithm does not keep.

    A greatest level binds nothing if it is the top; where values that occur have a say in how high that is, it is
    refused all the same: who is left out must make no difference.
    """
    lows = {name: column.min_level for name, column in plan.columns.items() if column.min_level}
    highs = {
        hierarchy.name: told
        for hierarchy in problem.hierarchies
        if (told := plan.columns[hierarchy.name].max_level) is not None
        and not (hierarchy.closed and told >= hierarchy.height)
    }
    for bound, bounded in {"min_level": lows, "max_level": highs}.items():
        if bounded and bound not in card.bounds:
            keeping = able(lambda other: bound in other.bounds)  # noqa: B023
            column, level = next(iter(bounded.items()))
            raise InputError(
                f"[columns] {column}: {bound} is {level}, and {card.name} does not "
                f"keep a {bound}; leave it out, or choose an algorithm that does: {', '.join(keeping)}",
                code="algorithm.bound",
                algorithm=card.name,
                option=bound,
                column=column,
                allowed=keeping,
            )
    if card.taxonomy != "CG_":
        return
    for hierarchy, high in zip(problem.hierarchies, problem.highest, strict=True):
        if high < hierarchy.height and _unclear(hierarchy):
            raise InputError(
                f"[columns] {hierarchy.name}: max_level is {high}, but labels of its hierarchy stand for different values "
                f"at different levels, and where {card.name} would tell such a one it must tell a coarser one; leave "
                f"max_level out, give every label one meaning, or choose {USUAL}",
                code="algorithm.bound",
                algorithm=card.name,
                option="max_level",
                column=hierarchy.name,
            )


def _unclear(hierarchy: Hierarchy) -> bool:
    """Say whether a label stands for different values at different levels."""
    seen: dict[str | None, tuple[int, int]] = {}
    for level in hierarchy.levels:
        firsts = np.unique(level.of_ground, return_index=True)[1].tolist()
        # Levels are nested: labels with a value in common and equally many are over the same values.
        told = zip(level.labels, zip(level.leaves.tolist(), firsts, strict=True), strict=True)
        if any(seen.setdefault(label, values) != values for label, values in told):
            return True
    return False
