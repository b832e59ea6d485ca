"""From a table and a plan to the problem that a search solves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kohort.algorithms import ALGORITHMS, Algorithm, algorithm
from kohort.algorithms.taxonomy import choose, settled, taxonomy_code
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.classes import Classes, Pairs, classes_of_rows, columns_of, group
from kohort.covered import refuse_uncovered
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.metrics import METRICS, Metric
from kohort.models import Attribute, Reference
from kohort.models.model import check_rows
from kohort.plan import Plan
from kohort.recode import Problem
from kohort.table import Role, Table
from kohort.typed import typed


def prepare(table: Table, plan: Plan, population: Table | None = None) -> Problem:
    """Check the table against the plan and reduce it to its classes."""
    check_columns(table, plan)
    hierarchies = quasi_hierarchies(table, plan, population)
    codes = columns_of([_ground(table, h) for h in hierarchies])
    sensitive = {name: table[name].codes for name in watched(plan)}
    sizes = {name: len(table[name].values) for name in sensitive}
    people = None if plan.input.respondent is None else table[plan.input.respondent].codes
    base, class_of = classes_of_rows(codes, {n: (c, sizes[n]) for n, c in sensitive.items()}, people)
    problem = problem_of(table, plan, hierarchies, base, population, class_of, sensitive, people)
    for model in problem.models:
        check_rows(model, sensitive)
    return problem


def watched(plan: Plan) -> tuple[str, ...]:
    """Return the columns whose values are counted in every class: sensitive ones, guards, the objective's target."""
    names = {*plan.sensitive, *plan.guards, *metric(plan).reads}
    return tuple(name for name in plan.columns if name in names)


def problem_of(
    table: Table,
    plan: Plan,
    hierarchies: tuple[Hierarchy, ...],
    base: Classes,
    population: Table | None,
    class_of: IntArray,
    sensitive: Mapping[str, IntArray],
    people: IntArray | None,
) -> Problem:
    """Return the problem of a table reduced to `base`; of the table itself only values and counts are looked at.

    The last three are a code per row, or empty where an engine keeps the rows.
    """
    reference = reference_of(table, plan, hierarchies, population, told_people(base))
    return Problem(
        names=plan.quasi,
        hierarchies=hierarchies,
        base=base,
        class_of=class_of,
        models=tuple(model.bind(reference) for model in plan.require),
        objective=metric(plan),
        max_suppressed=max_suppressed(plan, table.n_rows),
        sensitive=sensitive,
        respondents=people,
        reference=reference,
        weights=tuple(plan.columns[name].weight for name in plan.quasi),
        suppression_costs=tuple(plan.columns[name].suppression_cost for name in plan.quasi),
        min_levels=tuple(_level(plan, h, "min_level") for h in hierarchies),
        max_levels=tuple(_level(plan, h, "max_level") for h in hierarchies),
        time_limit=plan.recode.time_limit,
        seed=plan.recode.seed,
    )


def check_columns(table: Table, plan: Plan) -> None:
    """Refuse a table that the plan does not fit."""
    check_names(table.names, plan)
    if table.n_rows == 0:
        raise InputError("the table has no rows; there is nothing to release")
    people, nobody = table.n_rows, 0
    if plan.input.respondent is not None:
        respondent = table[plan.input.respondent]
        people = len(respondent.values)
        if respondent.values.null_count:
            nobody = int((respondent.codes == respondent.texts.index(None)).sum())
    check_people(plan, people, nobody)
    for name in pointing(plan):
        check_pointer(name, _rows_alone(table, name, plan.input.respondent), table.n_rows)


def _rows_alone(table: Table, name: str, respondent: str | None) -> int:
    """Return the rows whose value is no other row's; where people have several rows, no other person's."""
    column = table[name]
    counts = column.counts()
    if respondent is None:
        return int((counts == 1).sum())
    pairs, _ = group(np.column_stack([column.codes, table[respondent].codes]))
    return int(counts[np.bincount(pairs[:, 0], minlength=len(counts)) == 1].sum())


def check_names(names: Sequence[str], plan: Plan) -> None:
    """Refuse a table that lacks columns which the plan names."""
    absent = [name for name in plan.columns if name not in names]
    if plan.input.respondent is not None and plan.input.respondent not in names:
        absent.append(plan.input.respondent)
    if absent:
        # Where the plan knows none of them, the first row may be somebody's: then its cells are not told.
        known = any(name in names for name in plan.columns)
        held = (
            f"its columns are: {', '.join(names)}" if known else f"it has {len(names)} columns of other names"
        )
        raise InputError(
            f"the plan names {', '.join(map(repr, absent))}, which the table does not have; {held}"
        )


def check_people(plan: Plan, people: int, nobody: int) -> None:
    """Refuse rows of nobody, and a k that not even all people together reach."""
    if nobody:
        raise InputError(
            f"respondent column {plan.input.respondent!r}: {nobody:,} rows name nobody; "
            "give each of them a respondent, or leave the rows out"
        )
    for model in plan.require:
        k = model.demand.crowd
        if k > people:
            raise InputError(
                f"[[require]] {model.card.name}: k is {k} but the table has {people:,} respondents; "
                f"k must be at most {people}"
            )


def pointing(plan: Plan) -> tuple[str, ...]:
    """Return the columns that are released as they are and must not point at single rows."""
    return tuple(
        name
        for name in plan.released
        if plan.columns[name].role is Role.INSENSITIVE and not plan.columns[name].allow_unique
    )


def check_pointer(name: str, alone: int, n_rows: int) -> None:
    """Refuse to release a column as insensitive whose values mostly point at single people (ATTACKS 11).

    `alone` are the rows whose value no other row has, or where people have several rows no other person.
    """
    if n_rows >= 10 and alone > n_rows / 2:
        raise InputError(
            f"[columns] {name}: declared insensitive, but {alone:,} of {n_rows:,} rows hold a value that nobody "
            'else has, so it can identify people; give it role = "identifier" or "quasi", or set '
            "allow_unique = true if you are sure"
        )


def quasi_hierarchies(table: Table, plan: Plan, population: Table | None = None) -> tuple[Hierarchy, ...]:
    """Build the hierarchy of every quasi-identifier over the table's values, and the population's."""
    return tuple(_hierarchy(table, plan, name, population) for name in plan.quasi)


def sensitive_hierarchies(table: Table, plan: Plan, names: Sequence[str]) -> dict[str, Hierarchy]:
    """Build the hierarchies that a plan gives to sensitive columns."""
    return {
        name: _hierarchy(table, plan, name)
        for name in names
        if name in plan.columns and plan.columns[name].hierarchy
    }


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


def metric(plan: Plan) -> Metric:
    """Return the objective that the plan names."""
    name = plan.recode.objective
    if name not in METRICS:
        raise InputError(
            f"[recode] objective: there is no {name!r}; the objectives are: {', '.join(sorted(METRICS))}"
        )
    kind: Any = METRICS[name]
    takes_target = "target" in {f.name for f in dataclasses.fields(kind)}
    target = plan.recode.target
    if not takes_target:
        return kind()  # type: ignore[no-any-return]
    if target is None:
        raise InputError(
            f'[recode] objective {name!r} needs a target: the column to predict, as target = "…"'
        )
    if target not in plan.released or plan.columns[target].role is Role.QUASI:
        raise InputError(
            f"[recode] target is {target!r}; it must be a sensitive or insensitive column of the plan"
        )
    return kind(target)  # type: ignore[no-any-return]


def chosen_algorithm(plan: Plan, problem: Problem) -> Algorithm:
    """Return the algorithm that the plan names, or that follows from generalize × suppress."""
    chosen = algorithm_of(plan, problem.n_rows)
    _refuse_bounds(problem, chosen.card)
    return chosen


def algorithm_of(plan: Plan, n_rows: int) -> Algorithm:
    """Return the algorithm that a plan chooses for a table of so many rows."""
    recode = plan.recode
    name = recode.algorithm
    if name is None:
        name = choose(recode.generalize, recode.suppress, n_rows)
    kind: Any = algorithm(name)
    _refuse_mismatch(plan, kind.card)
    chosen: Any = typed(f"[recode.options]: {name}", kind, recode.options)
    if kind.card.torn:
        chosen.torn(plan.require, plan.sensitive)
        _refuse_order(plan, name)
    return chosen  # type: ignore[no-any-return]


def _refuse_order(plan: Plan, name: str) -> None:
    """Refuse to keep the order of rows whose sensitive values stand apart: tables are often sorted by these."""
    if not plan.output.shuffle:
        raise InputError(
            f"[output] shuffle is false, but {name} hides which row has which sensitive value, and the order of the rows "
            "may tell; leave shuffle out"
        )


def check_algorithm(plan: Plan) -> None:
    """Refuse, before the table is read, an algorithm that the plan names and cannot have."""
    if plan.recode.algorithm is not None:
        _refuse_mismatch(plan, algorithm(plan.recode.algorithm).card)


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
                "leave out either algorithm, or generalize and suppress"
            )
    for model in plan.require:
        if model.card.name == "k-map" and card.taxonomy not in ("AG_TS", "AG_", "_TS", "_AS"):
            raise InputError(
                f"[[require]] k-map needs an algorithm that generalizes whole columns, and {card.name} does not; "
                'use algorithm = "optimal"'
            )


def _refuse_bounds(problem: Problem, card: Card) -> None:
    """Refuse bounds on levels that the algorithm does not keep."""
    tops = tuple(hierarchy.height for hierarchy in problem.hierarchies)
    told = {"min_level": (problem.lowest, (0,) * len(tops)), "max_level": (problem.highest, tops)}
    for bound, (levels, free) in told.items():
        bounded = [n for n, a, b in zip(problem.names, levels, free, strict=True) if a != b]
        if bounded and bound not in card.bounds:
            able = sorted(name for name in ALGORITHMS if bound in algorithm(name).card.bounds)
            raise InputError(
                f"[columns] {bounded[0]}: {bound} is {levels[problem.names.index(bounded[0])]}, and {card.name} does not "
                f"keep a {bound}; leave it out, or choose an algorithm that does: {', '.join(able)}"
            )
    if card.taxonomy != "CG_":
        return
    for hierarchy, high in zip(problem.hierarchies, problem.highest, strict=True):
        if high < hierarchy.height and _unclear(hierarchy):
            raise InputError(
                f"[columns] {hierarchy.name}: max_level is {high}, but labels of its hierarchy stand for different values "
                f"at different levels, and where {card.name} would tell such a one it must tell a coarser one; leave "
                "max_level out, give every label one meaning, or choose optimal"
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


def max_suppressed(plan: Plan, n_rows: int) -> int:
    """Return how many rows may be suppressed: a share is rounded down, a count is taken as it is."""
    limit = plan.recode.max_suppression
    if plan.recode.suppress in ("none", "attribute", "cell"):
        return 0
    # The tolerance is for shares such as 0.29 of 100 rows, which floats put at 28.999….
    return int(np.floor(limit * n_rows + 1e-9)) if isinstance(limit, float) else min(limit, n_rows)


def _hierarchy(table: Table, plan: Plan, name: str, population: Table | None = None) -> Hierarchy:
    counts = dict(zip(table[name].texts, table[name].counts().tolist(), strict=True))
    if population is not None:
        counts |= {text: 0 for text in population[name].texts if text not in counts}
    spec: Mapping[str, Any] = plan.columns[name].hierarchy or {"kind": "suppress"}
    return build_hierarchy(name, spec, tuple(counts), tuple(counts.values()), plan.base)


def _ground(table: Table, hierarchy: Hierarchy) -> IntArray:
    column = table[hierarchy.name]
    codes: IntArray = hierarchy.encode(column.texts, column.counts())[column.codes]
    return codes


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
        code_of = hierarchy.levels[0].code_of
        column = population[name]
        columns.append(np.array([code_of.get(t, -1) for t in column.texts], np.int32)[column.codes])
    codes = np.column_stack(columns)
    fitting = (codes >= 0).all(axis=1)
    who = plan.input.respondent
    named = who is not None and who in population.columns
    people = population[str(who)].codes[fitting] if named else None
    return classes_of_rows(codes[fitting], respondents=people)[0]


def _level(plan: Plan, hierarchy: Hierarchy, bound: str) -> int:
    told = getattr(plan.columns[hierarchy.name], bound)
    level = hierarchy.height if told is None else told
    if not 0 <= level <= hierarchy.height:
        raise InputError(
            f"[columns] {hierarchy.name}: {bound} is {level}, but its hierarchy has levels 0 to {hierarchy.height}"
        )
    low = plan.columns[hierarchy.name].min_level
    if bound == "max_level" and level < low:
        raise InputError(f"[columns] {hierarchy.name}: max_level {level} is below min_level {low}")
    return level
