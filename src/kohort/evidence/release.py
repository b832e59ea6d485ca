"""The facts of a release, gathered for the holder of the original: aggregates only, no raw value."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from kohort.algorithms import Algorithm
from kohort.evidence.columns import columns_told
from kohort.evidence.initial import initial_risk
from kohort.evidence.left_out import left_out
from kohort.evidence.numbers import correlation_facts, number_facts, numeric_columns
from kohort.evidence.plain import as_facts, finite, plain
from kohort.evidence.promises import method_facts, promise_facts, watched_by_promises
from kohort.evidence.risks import across_told, risks_told
from kohort.evidence.sizes import class_sizes
from kohort.evidence.utility import divergence, marginals, quality
from kohort.evidence.why import why_left_out
from kohort.facts.figures import Score
from kohort.facts.release import Displaced, ReleaseFacts, Search
from kohort.facts.utility import Divergence
from kohort.hierarchy import AVAILABLE_BUILDERS
from kohort.metrics import METRICS, Outcome, metrics_that_add
from kohort.metrics.form import OF_SIZES
from kohort.plan import Plan
from kohort.plan.text import plan_toml
from kohort.preparation import layout_of
from kohort.recode import Problem, Recoded, Solution
from kohort.recode.blanked import classes_with_blank_rows
from kohort.table import Table
from kohort.third_parties import packages_of
from kohort.version import __version__

SMALL = 5  # counts below this are not told where no promise names a k
_ENGINES = ("numpy", "numba", "pyarrow", "duckdb")
_SEARCH = (
    "nodes",
    "checked",
    "counted",
    "visited",
    "bound",
    "gap",
    "stopped",
)  # figures that many searches tell
_ELSEWHERE = ("levels", "displaced")  # what some tell that has a place of its own


def release_facts(
    table: Table, plan: Plan, problem: Problem, algorithm: Algorithm, solution: Solution, recoded: Recoded
) -> ReleaseFacts:
    """Return the facts of a release. They compare it with the original, so nothing of them is public.

    Verdicts, files and seconds are added by whoever verifies, writes and times it.
    """
    outcome = recoded.outcome(problem)
    solution = solution.judged(problem.objective.score(outcome))
    k, decided, found = small(plan), plain(solution.decision.facts(problem)), plain(solution.facts)
    told = recoded.told(problem, outcome)
    blank = plan.recode.suppressed_rows == "blank" and outcome.suppressed
    # blank rows are in the table, can be picked and tell of sensitive values
    classes = classes_with_blank_rows(recoded, problem) if blank else outcome.classes
    risk, sensitive = risks_told(classes, problem.reference)
    if told is not outcome.classes:
        sensitive = risks_told(told, problem.reference)[1]
    numbers = numeric_columns(table, plan, problem, recoded)
    asked = plan.to_dict()
    return ReleaseFacts(
        promises=promise_facts(plan, layout_of(algorithm, plan)),
        asked=plain(asked),
        plan_toml=plan_toml(asked),
        counted="records" if plan.input.respondent is None else "people",
        algorithm=method_facts(algorithm.card, plan.recode.options),
        objective=problem.objective.card.name,
        classes=len(classes),
        class_sizes=class_sizes(classes),
        apart=recoded.publication.facts(class_sizes(told)),
        risk=risk,
        sensitive=sensitive,
        rows=table.n_rows,
        released=outcome.kept,
        suppressed=outcome.suppressed,
        k=k,
        score=finite(solution.score),
        optimal=bool(solution.optimal),
        search=_search(found),
        levels=found.get("levels", decided.get("levels")),
        decision=decided,
        watched=watched_by_promises(plan),
        losses=losses(outcome, problem, algorithm.card.truthful),
        quality=quality(outcome, algorithm.card.truthful),
        marginals=marginals(problem, recoded, k),
        divergence=divergence(problem, recoded, outcome) if algorithm.card.truthful else Divergence({}, ()),
        numbers=number_facts(numbers),
        correlations=correlation_facts(numbers),
        columns=columns_told(table, plan, problem, recoded, outcome, decided, k),
        undeclared=tuple(n for n in table.names if n not in plan.columns and n != plan.input.respondent),
        versions=versions() | packages_of(_kinds(plan, problem, algorithm)),
        noise=decided.get("noise", {}),
        displaced=as_facts(found.get("displaced", {}), dict[str, Displaced]),
        initial=initial_risk(problem),
        left_out=left_out(problem, recoded, k),
        why=why_left_out(problem, recoded, released_levels(algorithm, solution, problem)),
        across=across_told(classes, problem.models, problem.reference, tuple(sensitive)),
    )


def released_levels(algorithm: Algorithm, solution: Solution, problem: Problem) -> dict[str, int] | None:
    """Return the level of every column, where the algorithm releases each at one; what it left out are whole classes then."""
    if not algorithm.card.levels:
        return None
    levels: dict[str, int] | None = plain(solution.decision.facts(problem)).get("levels")
    return levels


def _search(found: Mapping[str, Any]) -> Search:
    """Return what the search tells: what many do by name, and the rest as it is."""
    named = {name: found[name] for name in _SEARCH if name in found}
    beside = {name: told for name, told in found.items() if name not in (*named, *_ELSEWHERE)}
    return as_facts({**named, "figures": beside}, Search)


def small(plan: Plan) -> int:
    """Return the k below which counts of people are not told: the greatest that the plan promises."""
    promised = max((max(m.demand.crowd, m.demand.population) for m in plan.require), default=1)
    return promised if promised > 1 else SMALL


def losses(outcome: Outcome, problem: Problem, truthful: bool) -> dict[str, Score]:
    """Return every metric that needs nothing but the quasi-identifiers, and the objective.

    Of perturbed values those alone that go by classes and rows: no step up a hierarchy was taken.
    """
    told = {name: kind().score(outcome) for name, kind in METRICS.items() if not _needs_target(kind)}
    told |= {problem.objective.card.name: problem.objective.score(outcome)}
    said = told if truthful else metrics_that_add(OF_SIZES)
    return {name: finite(score) for name, score in told.items() if name in said}


def _needs_target(kind: Any) -> bool:
    return any(f.default is f.default_factory for f in getattr(kind, "__dataclass_fields__", {}).values())


def _kinds(plan: Plan, problem: Problem, algorithm: Algorithm) -> list[type]:
    """Return the items that took part: promises, search, objective and hierarchies."""
    specs = [column.hierarchy for column in plan.columns.values() if column.hierarchy]  # {} is none
    built = [AVAILABLE_BUILDERS[spec["kind"]] for spec in specs]
    return [*map(type, plan.require), type(algorithm), type(problem.objective), *built]


def versions() -> dict[str, str]:
    """Return the versions of all that took part in making the release."""
    return {
        "kohort": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in _ENGINES},
    }
