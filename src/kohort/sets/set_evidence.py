"""The facts of released sets, gathered: what the table shows, and for the holder of the original what it cost."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version

import numpy as np
import pyarrow as pa

from kohort.card import Card
from kohort.evidence import public_plan
from kohort.facts.promises import Promise, VerdictFacts
from kohort.plan import Plan
from kohort.plan.text import plan_toml
from kohort.plurals import many
from kohort.preparation.effects import idle
from kohort.sets.facts import HeldLabel, LabelFacts, SetFacts, SetManifest, SetMethod, SetSizes
from kohort.sets.judges import MEANING, TRUTH, OriginalSets, ToldSets, judge_sets, told_sets
from kohort.sets.original import promises_of
from kohort.sets.searches import search_of
from kohort.sets.set_problem import SetProblem, SetSolution
from kohort.sets.set_rules import set_column
from kohort.table import Table
from kohort.table.alike import alike, alike_warning
from kohort.verification.judges import Verdict
from kohort.version import __version__

BY_HOLDER = "checked by the holder against the original"
ENGINES = ("numpy", "numba", "pyarrow")


def public_facts(table: Table, plan: Plan, digests: Mapping[str, str]) -> SetManifest:
    """Return what is told in public; of the plan nothing is looked at but its public part."""
    asked = public_plan(plan)
    plan = Plan.from_dict(asked)
    name, column = set_column(plan)
    told = told_sets(table, name, column.written_separator)
    verdicts = judge_sets(table, name, column.written_separator, promises_of(plan))
    return SetManifest(
        promises=promise_facts(plan),
        verdicts=tuple(_public(verdict) for verdict in verdicts),
        asked=asked,
        plan_toml=plan_toml(asked),
        files=dict(sorted(digests.items())),
        kohort=__version__,
        algorithm=method_facts(search_of(plan).card),
        column=name,
        people=told.sets.n_people,
        labels=_held_labels(told),
        sizes=_sizes(told),
    )


def release_facts(
    plan: Plan, table: Table, original: OriginalSets, problem: SetProblem, solution: SetSolution, card: Card
) -> SetFacts:
    """Return the private facts; verdicts, files and seconds are added by whoever verifies, writes and times it."""
    baskets, asked = problem.baskets, plan.to_dict()
    return SetFacts(
        promises=promise_facts(plan),
        asked=asked,
        plan_toml=plan_toml(asked),
        rows=table.n_rows,
        released=baskets.n_people,
        losses={"ncp": solution.loss},
        warnings=(*_warnings(plan, table, original, solution), *idle(plan, card)),
        algorithm=method_facts(card),
        people=baskets.n_people,
        holding=baskets.holding,
        held=len(baskets.items),
        items=len(original.held.items),
        known=problem.tree.n_items,
        labels=_labels(problem, solution),
        search=dict(solution.facts),
        stopped=solution.stopped,
        undeclared=tuple(n for n in table.names if n not in plan.columns and n != plan.input.respondent),
        versions=_versions(),
    )


def promise_facts(plan: Plan) -> tuple[Promise, ...]:
    """Return every promise with what it guarantees."""
    return tuple(
        Promise(model.label, model.said, model.card.paper, model.said) for model in promises_of(plan)
    )


def method_facts(card: Card) -> SetMethod:
    """Return what is told of a search."""
    return SetMethod(card.name, card.summary, card.guarantee, card.paper)


def _public(verdict: Verdict) -> VerdictFacts:
    """Return a verdict as it is told in public: nothing is released that the holder did not find true."""
    by_holder = verdict.promise in (MEANING, TRUTH) and verdict.holds is None
    return (Verdict(verdict.promise, True, note=BY_HOLDER) if by_holder else verdict).facts()


def _held_labels(told: ToldSets) -> tuple[HeldLabel, ...]:
    counts = told.sets.counts(len(told.labels)).tolist()
    labels = [HeldLabel(label, people) for label, people in zip(told.labels, counts, strict=True)]
    return tuple(sorted(labels, key=lambda one: (-one.people, one.label)))


def _sizes(told: ToldSets) -> tuple[SetSizes, ...]:
    sizes, people = np.unique(told.sets.sizes, return_counts=True)
    return tuple(SetSizes(*both) for both in zip(sizes.tolist(), people.tolist(), strict=True))


def _labels(problem: SetProblem, solution: SetSolution) -> tuple[LabelFacts, ...]:
    """Return the labels that are released, the items under each, and the people who hold one."""
    nodes, codes = np.unique(solution.node_of_item, return_inverse=True)
    people = problem.baskets.recoded(codes).counts(len(nodes)).tolist()
    leaves = problem.tree.leaves[nodes].tolist()
    told = [
        LabelFacts(problem.tree.labels[node], items, held)
        for node, items, held in zip(nodes.tolist(), leaves, people, strict=True)
        if held
    ]
    return tuple(sorted(told, key=lambda one: (-one.people, one.label)))


def _warnings(plan: Plan, table: Table, original: OriginalSets, solution: SetSolution) -> list[str]:
    respondent = plan.input.respondent
    told = [] if respondent is None else alike_warning(respondent, alike(table[respondent].values))
    same = alike(pa.array(original.held.items, pa.string()))
    if same:
        told.append(
            f"column {original.hierarchy.name!r}: {many(same, 'item equals', 'items equal')} another one but for "
            "blanks, upper case or the form of "
            "letters, and count as items of their own; who takes them for the same may find fewer people: clean the column first"
        )
    if solution.stopped is not None:
        told.append(
            "the search was stopped before it had ended, so that items are told by coarser labels than need be, or all by the "
            "root of the hierarchy; give it more time ([recode] time_limit)"
        )
    return told


def _versions() -> dict[str, str]:
    engines = {name: version(name) for name in ENGINES}
    return {"kohort": __version__, "python": platform.python_version(), **engines}
