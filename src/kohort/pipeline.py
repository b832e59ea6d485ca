"""The whole flow: read, prepare, search, recode, verify. The only file that sees all of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kohort.algorithms import Progress, Silent
from kohort.engines import ENGINES
from kohort.engines import engine as engine_of
from kohort.errors import InputError
from kohort.evidence import check_task, release_facts, task_facts
from kohort.ledger import ledger_path
from kohort.models import Attribute
from kohort.models.forecast import forecast
from kohort.plan import Plan
from kohort.preparation import check_algorithm, chosen_algorithm, sensitive_hierarchies
from kohort.preparation.sources import read_source
from kohort.recode import Problem
from kohort.release.release import Release, demand
from kohort.risk import audit_facts
from kohort.table.alike import alike, alike_warning
from kohort.verification.judges import Judged


def anonymize(source: Any, plan: Plan, progress: Progress | None = None) -> Release:
    """Return a verified release of `source`: a dataframe, a relation, or the path of a table.

    Raises InfeasibleError where no recoding keeps the promises within the limits.
    """
    release = make_release(source, plan, progress or Silent())
    verdicts = release.judge(release.tables).verdicts
    demand(verdicts)
    release.facts["verdicts"] = [verdict.facts() for verdict in verdicts]
    object.__setattr__(release, "verdicts", tuple(verdicts))
    return release


def make_release(
    source: Any, plan: Plan, progress: Progress, engine: str = "memory", memory: str | None = None
) -> Release:
    """Return a release that is yet to be verified: by `anonymize` in memory, by `save` from its bytes.

    `engine` says where the rows are kept meanwhile; `memory`, such as "4GB", how much an engine on disk may hold.
    """
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}; the engines are: {', '.join(ENGINES)}")
    clock = _Clock()
    check_task(plan)
    check_algorithm(plan)
    progress.update("reading the table")
    workplace = engine_of(engine)(source, plan, memory)
    table = workplace.table
    population = (
        None if plan.input.population is None else read_source(plan.base / plan.input.population, plan)[0]
    )
    clock.lap("read")
    progress.update("reducing the table to its classes")
    problem = workplace.prepare(population)
    algorithm = chosen_algorithm(plan, problem)
    workplace.admit(algorithm.card)
    expected = forecast(problem.models, problem.reference, problem.max_suppressed)
    clock.lap("prepare")
    solution = algorithm.solve(problem, progress)
    clock.lap("search")
    progress.update("recoding the rows")
    recoded = solution.decision.apply(problem)
    released = workplace.release(problem, recoded)
    facts = release_facts(table, plan, problem, algorithm, solution, recoded)
    clock.lap("recode")
    if plan.output.task is not None:
        progress.update("training a model before and after")
        truthful = algorithm.card.truthful
        facts["task"] = task_facts(plan.output.task, table, problem, released.in_memory("table"), truthful)
        clock.lap("task")
    facts |= {"forecast": expected, "seconds": clock.laps, "warnings": workplace.warnings()}

    def judge(written: Mapping[str, Any]) -> Judged:
        progress.update("verifying what was written")
        return released.judge(written, facts)

    return Release(
        plan=plan,
        tables=released.tables,
        facts=facts,
        private=_private(source, plan, problem),
        verdicts=(),
        judge=judge,
        convert=workplace.convert,
        private_tables=released.private_tables,
        ledger=released.ledger,
        kept=lambda directory: kept_files(source, plan, directory),
    )


def kept_files(source: Any, plan: Plan, directory: Path) -> list[Path]:
    """Return the files that a release in `directory` must not be written over: what it is made from, and the ledger."""
    levels = [told.get("path") for told in (c.hierarchy for c in plan.columns.values()) if told is not None]
    named = [plan.input.path, plan.input.population, *levels]
    ledger = ledger_path(plan, directory)
    return [
        *([Path(source)] if isinstance(source, str | Path) else []),
        *(plan.base / path for path in named if isinstance(path, str)),
        *([] if ledger is None else [ledger]),
    ]


def _private(source: Any, plan: Plan, problem: Problem) -> dict[str, Any]:
    """Return what only the holder of the original may see: the whole plan, seed, reference distributions."""
    return {
        "plan": plan.to_dict(),
        "base": str(plan.base.resolve()),
        "original": str(Path(source).resolve()) if isinstance(source, str | Path) else None,
        "seed": plan.recode.seed,
        "people": problem.reference.people,
        "reference": {name: _noted(a) for name, a in problem.reference.attributes.items()},
    }


def _noted(attribute: Attribute) -> dict[str, Any]:
    """Return a sensitive column's distribution, and what people hold together where they have several rows."""
    noted = {"labels": list(attribute.labels), "totals": attribute.totals.tolist()}
    return noted if attribute.pairs is None else noted | {"held": attribute.pairs.profiles()}


def audit(
    source: Any,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    respondent: str | None = None,
    *,
    plan: Plan | None = None,
    population: Any = None,
    sampling_fraction: float | None = None,
) -> dict[str, Any]:
    """Return what a table (a frame, or a path) achieves as it stands: k, l, t, p, α, β, δ and the risks.

    Roles may be named here or taken from a plan, which also gives the hierarchies of sensitive columns.
    """
    named = [*(quasi or ()), *(sensitive or ()), *([respondent] if respondent else [])]
    table = read_source(source, plan, named)[0]
    if quasi is None:
        if plan is None:
            raise InputError("audit: name the quasi-identifiers, or give a plan that does")
        quasi = plan.quasi
    if sensitive is None:
        sensitive = () if plan is None else [name for name in plan.sensitive if name in table.columns]
    if respondent is None and plan is not None and plan.input.respondent in table.columns:
        respondent = plan.input.respondent
    facts = audit_facts(
        table,
        quasi,
        sensitive,
        respondent,
        {} if plan is None else sensitive_hierarchies(table, plan, sensitive),
        sampling_fraction=sampling_fraction,
        population=None if population is None else read_source(population, plan)[0],
    )
    named = [] if respondent is None else alike_warning(respondent, alike(table[respondent].values))
    return facts | {"warnings": named}


class _Clock:
    """Seconds per step."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round(now - self._last, 4)
        self._last = now
