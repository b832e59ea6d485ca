"""From a source that an engine keeps, and a plan, to the problem that a search solves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kohort.arrays import IntArray
from kohort.engines.counted import Counted
from kohort.engines.engine import Engine
from kohort.engines.node import Node
from kohort.engines.room import bottom_fits, lacking_for_bottom, refuse_bottom
from kohort.engines.serving import demand_single, groups_by_region
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.weight import label_bytes
from kohort.models.model import check_rows
from kohort.plan import Plan
from kohort.preparation import (
    check_names,
    check_people,
    check_pointer,
    pointing,
    problem_of,
    quasi_hierarchies,
    watched,
)
from kohort.preparation.algorithm_choice import algorithm_of
from kohort.proposals.agreeing import told
from kohort.proposals.repeated_people import repeated_in
from kohort.recode import Problem
from kohort.table import Table
from kohort.table.alike import alike, alike_warning, alike_warnings
from kohort.table.empty_rows import empty_rows_warning


def prepare(engine: Engine, plan: Plan, population: Table | None = None) -> Problem:
    """Check the table against the plan and reduce it to its classes; the same whatever the engine."""
    table = engine.table
    check_names(table.names, plan)
    if table.n_rows == 0:
        raise InputError("the table has no rows; there is nothing to release", code="table.empty")
    people, nobody = engine.people()
    check_people(
        plan,
        people,
        nobody,
        engine.empty([plan.input.respondent])[1] if plan.input.respondent and nobody else -1,
    )
    for name in pointing(plan):
        check_pointer(name, plan.columns[name].role, *engine.alone(name), table.n_rows)
    for name in plan.quasi if engine.room is not None else ():
        weight = label_bytes(name, plan.columns[name].hierarchy, table[name].texts, plan.base)
        engine.hold_labels(name, weight)
    hierarchies = quasi_hierarchies(table, plan, population)
    ground = Node.ground(table, hierarchies)
    card = algorithm_of(plan, table.n_rows).card
    demand_single(type(engine), plan, card)
    if groups_by_region(type(engine), plan, table.n_rows) or not bottom_fits(
        engine, ground, watched(plan), card
    ):
        return _counted(engine, plan, population, hierarchies, ground)
    reduced = engine.reduce(ground, watched(plan))
    problem = problem_of(
        table, plan, hierarchies, reduced.base, population, reduced.class_of, reduced.watched, reduced.people
    )
    for model in problem.models if problem.has_rows else ():
        check_rows(model, reduced.watched)
    return problem


def _counted(
    engine: Engine, plan: Plan, population: Table | None, hierarchies: tuple[Hierarchy, ...], ground: Node
) -> Problem:
    """Return the problem of a table whose distinct tuples do not fit: its base is at the top, and the engine counts the rest."""
    if plan.input.respondent is not None:
        lacking = lacking_for_bottom(
            engine, ground, watched(plan), algorithm_of(plan, engine.table.n_rows).card
        )
        raise refuse_bottom(
            "[input] respondent: counting people", "leave it out where every row is a person", lacking
        )
    nothing, names = np.zeros(0, np.int32), watched(plan)
    top = ground.at_levels(hierarchies, tuple(h.height for h in hierarchies))
    base, held = engine.count(top, names), dict.fromkeys(names, nothing)
    problem = problem_of(engine.table, plan, hierarchies, base, population, nothing, held, None)
    return replace(problem, nodes=Counted(engine, ground, hierarchies, names).reading(problem.reads))


def odd_values(engine: Engine, plan: Plan) -> list[str]:
    """Return what is odd about rows without a value, the names of people and the values of sensitive columns; no cell is quoted."""
    sensitive = {name: engine.table[name].values for name in plan.sensitive}
    return [
        *empty_rows_warning(*engine.empty(engine.wanted.used)),
        *alike_warnings(plan.input.respondent, engine.names_alike(), sensitive),
    ]


def odd_population(population: Table | None, plan: Plan) -> list[str]:
    """Return what is odd about who the people of a population are; no cell is quoted."""
    who = plan.input.respondent
    if population is None or who is None:
        return []
    if who not in population.columns:
        return [
            f"[input] population: it has no column {who!r}, the respondent of the plan, so that every row of it counts as a "
            "person; if people have several rows there, k-map counts too many: add the column"
        ]
    return alike_warning(who, alike(population[who].values), "[input] population: ")


def several_rows(engine: Engine) -> str:
    """Return what speaks for people with several rows where none is named; "" for nothing, or where it cannot be counted.

    Beside the quasi-identifiers, columns that are `naming` somebody are looked at where many rows repeat what they say.
    """

    def tuples(names: Sequence[str]) -> tuple[IntArray, IntArray]:
        node = Node.of_values(engine.table, names)
        if not bottom_fits(engine, node, ()):
            return np.zeros((0, len(names)), np.int32), np.zeros(0, np.int64)
        classes = engine.count(node, ())
        return told(engine.table, names, classes.codes, classes.rows)

    wanted = engine.wanted
    if wanted.respondent is not None:
        return ""
    naming = [name for name in wanted.naming if _may_repeat(engine.table, name)]
    return repeated_in(engine.table, wanted.quasi, tuples, naming, engine.agreement)


def _may_repeat(table: Table, name: str) -> bool:
    """Say whether rows may have the value of another one; of a column whose values are not held, that is not known yet."""
    counts = table[name].counts()
    return not len(counts) or bool((counts > 1).any())
