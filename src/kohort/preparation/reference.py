"""What the models may know of the original table: its values, its people, its population."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, Pairs, classes_of_rows
from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.models import Attribute, Reference
from kohort.plan import Plan
from kohort.table import Table


@dataclasses.dataclass(frozen=True)
class People:
    """How many people a table is about, and what each holds in sensitive columns, where some have several rows."""

    number: int
    pairs: Mapping[str, Pairs]


def told_people(classes: Classes) -> People | None:
    """Return the people that classes know of; None where a row is a person."""
    held = classes.respondents
    if held is None or int(held.totals().max(initial=0)) < 2:
        return None
    number = len(np.unique(held.values))
    return People(number, {name: holders.pairs for name, holders in classes.holders.items()})


def people_of(table: Table, respondent: str | None, sensitive: Sequence[str]) -> People | None:
    """Return the people of a table's rows; None where a row is a person."""
    if respondent is None or len(table[respondent].values) == table.n_rows:
        return None
    who = table[respondent].codes
    pairs = {name: Pairs.of(who, table[name].codes, len(table[name].values))[0] for name in sensitive}
    return People(len(np.unique(who)), pairs)


def reference_of(
    table: Table,
    plan: Plan,
    hierarchies: tuple[Hierarchy, ...],
    population: Table | None = None,
    people: People | None = None,
) -> Reference:
    """Return what the models may know of the whole original table."""
    pairs: Mapping[str, Pairs] = {} if people is None else people.pairs
    return Reference(
        n_rows=table.n_rows,
        attributes={
            name: attribute_of(name, table[name].texts, table[name].counts(), plan, pairs.get(name))
            for name in plan.sensitive
        },
        guards={name: Attribute(name, table[name].texts, table[name].counts()) for name in plan.guards},
        population=None if population is None else _population(population, plan, hierarchies),
        hierarchies=hierarchies,
        people=None if people is None else people.number,
    )


def attribute_of(
    name: str, texts: tuple[str | None, ...], counts: IntArray, plan: Plan, pairs: Pairs | None = None
) -> Attribute:
    """Return what models may know of a sensitive column, from its distinct values, their counts and holders."""
    spec = plan.columns[name].hierarchy
    if spec is None:
        return Attribute(name, texts, counts, pairs=pairs)
    hierarchy = build_hierarchy(name, spec, texts, tuple(counts.tolist()), plan.base)
    return Attribute(name, texts, counts, hierarchy, hierarchy.encode(texts, counts), pairs)


def _population(population: Table, plan: Plan, hierarchies: tuple[Hierarchy, ...]) -> Classes:
    """Return the population as classes of ground codes; people no value of the table can match are left out.

    Where the population has the respondent column, people are counted and not rows.
    """
    columns = []
    for name, hierarchy in zip(plan.quasi, hierarchies, strict=True):
        column = population[name]
        columns.append(hierarchy.codes_of(column.texts)[column.codes])
    codes = np.column_stack(columns)
    fitting = (codes >= 0).all(axis=1)
    who = plan.input.respondent
    named = who is not None and who in population.columns
    people = population[str(who)].codes[fitting] if named else None
    return classes_of_rows(codes[fitting], respondents=people)[0]
