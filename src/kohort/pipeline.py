"""The whole flow: read, prepare, search, recode, verify. The only file that sees all of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.algorithms import Progress, Silent
from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.evidence import release_facts
from kohort.models.forecast import forecast
from kohort.plan import Plan
from kohort.preparation import (
    chosen_algorithm,
    prepare,
    quasi_hierarchies,
    reference_of,
    sensitive_hierarchies,
)
from kohort.publishing import released_order, released_table
from kohort.recode import Problem
from kohort.release import AUDIT, MANIFEST, Release, demand, sha256
from kohort.risk import audit_facts
from kohort.table import Table
from kohort.table.frames import from_frame
from kohort.table.reading import read_released, read_table
from kohort.verification import Verdict, judge_promises, judge_shape, judge_truth, match_rows


def anonymize(source: Any, plan: Plan, progress: Progress | None = None) -> Release:
    """Return a verified release of `source`: a dataframe, a relation, or the path of a table.

    Raises InfeasibleError where no recoding keeps the promises within the limits.
    """
    release = make_release(source, plan, progress or Silent())
    verdicts = release.judge(release.tables)
    demand(verdicts)
    release.facts["verdicts"] = [verdict.facts() for verdict in verdicts]
    object.__setattr__(release, "verdicts", tuple(verdicts))
    return release


def make_release(source: Any, plan: Plan, progress: Progress) -> Release:
    """Return a release that is yet to be verified: by `anonymize` in memory, by `save` from its bytes."""
    clock = _Clock()
    progress.update("reading the table")
    table, convert = read_source(source, plan)
    population = None if plan.input.population is None else _read(plan.base / plan.input.population, plan)
    clock.lap("read")
    progress.update("reducing the table to its classes")
    problem = prepare(table, plan, population)
    algorithm = chosen_algorithm(plan, problem)
    expected = forecast(problem.models, problem.reference, problem.max_suppressed)
    clock.lap("prepare")
    solution = algorithm.solve(problem, progress)
    clock.lap("search")
    progress.update("recoding the rows")
    recoded = solution.decision.apply(problem)
    rows = released_order(plan, problem, recoded)
    tables = {"table": released_table(table, plan, problem, recoded, rows)}
    facts = release_facts(table, plan, problem, algorithm, solution, recoded)
    clock.lap("recode")
    facts |= {"forecast": expected, "seconds": clock.laps}

    def judge(written: Mapping[str, Any]) -> list[Verdict]:
        progress.update("verifying what was written")
        truthful = rows if algorithm.card.truthful else None
        return _judge(_reread(written["table"]), table, plan, problem, rows, truthful)

    return Release(
        tables=tables,
        facts=facts,
        private=_private(plan, problem),
        verdicts=(),
        judge=judge,
        convert=convert,
        private_tables=_people(problem, rows),
    )


def read_source(source: Any, plan: Plan) -> tuple[Table, Any]:
    """Return the table, and how to turn a released one into the type of the source."""
    if isinstance(source, Table):
        return source, lambda released: released
    if isinstance(source, str | Path):
        return _read(Path(source), plan), lambda released: released
    return from_frame(source)


def _read(path: Path, plan: Plan) -> Table:
    told = plan.input
    return read_table(
        path,
        table=told.table,
        missing=told.missing,
        delimiter=told.delimiter,
        encoding=told.encoding,
        header=told.header,
    )


def _reread(written: Any) -> Table:
    if isinstance(written, Path):
        return read_released(written)
    return Table.from_arrow(written.to_arrow() if isinstance(written, Table) else written)


def _judge(
    released: Table, original: Table, plan: Plan, problem: Problem, rows: IntArray, truthful: IntArray | None
) -> list[Verdict]:
    people = None if problem.respondents is None else problem.respondents[rows]
    verdicts = judge_promises(released, plan.quasi, plan.require, problem.reference, people)
    verdicts.append(judge_shape(released, plan.released, len(rows)))
    if truthful is not None:
        verdicts.append(judge_truth(released, original, problem.hierarchies, truthful))
    return verdicts


def _private(plan: Plan, problem: Problem) -> dict[str, Any]:
    """Return what only the holder of the original may see: the whole plan, seed, reference distributions."""
    return {
        "plan": plan.to_dict(),
        "base": str(plan.base.resolve()),
        "seed": plan.recode.seed,
        "reference": {
            name: {"labels": list(a.labels), "totals": a.totals.tolist()}
            for name, a in problem.reference.attributes.items()
        },
    }


def _people(problem: Problem, rows: IntArray) -> dict[str, pa.Table]:
    """Return a pseudonym per released row, where k counts people: what re-verification needs."""
    if problem.respondents is None:
        return {}
    pseudonyms = np.random.default_rng().permutation(int(problem.respondents.max()) + 1)
    return {"respondents": pa.table({"respondent": pseudonyms[problem.respondents[rows]]})}


def verify(
    released: Any, plan: Plan, original: Any = None, respondents: Sequence[int] | IntArray | None = None
) -> list[Verdict]:
    """Judge a released table (a frame, or a path) against the promises of a plan.

    With the original, frequencies are compared with its own, and every released row must be a truthful
    generalization of a row of the original. Without it, models that compare with the whole table compare
    with the release.
    """
    table = _reread(released) if isinstance(released, Path) else read_source(released, plan)[0]
    lacking = [name for name in plan.quasi if name not in table.columns]
    if lacking:
        raise InputError(
            f"the released table lacks {', '.join(map(repr, lacking))}, which the plan calls quasi"
        )
    people = None if respondents is None else np.asarray(respondents)
    reference = None
    if original is not None:
        source = read_source(original, plan)[0]
        hierarchies = quasi_hierarchies(source, plan)
        reference = reference_of(source, plan, hierarchies)
    verdicts = judge_promises(table, plan.quasi, plan.require, reference, people)
    verdicts.append(judge_shape(table, plan.released))
    if original is not None:
        rows = match_rows(table, source, hierarchies)
        verdicts.append(
            Verdict("truthful", False, note="some released rows generalize no row of the original")
            if rows is None
            else judge_truth(table, source, hierarchies, rows)
        )
    return verdicts


def verify_directory(
    directory: Path, original: Path | None = None, plan: Plan | None = None
) -> list[Verdict]:
    """Judge a release directory by its own manifest, and by the private audit where that stands beside it."""
    manifest = _load_json(directory / MANIFEST)
    files = [directory / name for name in manifest.get("files", {}) if Path(name).stem == "table"]
    if not files:
        raise InputError(f"{directory / MANIFEST} names no table; it is not the manifest of a release")
    private = directory.with_name(directory.name + ".private")
    audit = _load_json(private / AUDIT) if (private / AUDIT).exists() else None
    if plan is None and audit is not None:
        plan = Plan.from_dict(audit["plan"], base=Path(audit["base"]))
    plan = plan or Plan.from_dict(manifest["asked"])
    if original is None and audit is not None and plan.input.path and (plan.base / plan.input.path).exists():
        original = plan.base / plan.input.path
    people = private / "respondents.parquet"
    respondents = read_table(people)["respondent"].codes if people.exists() else None
    verdicts = [_judge_bytes(directory, manifest["files"])]
    verdicts += verify(files[0], plan, original, respondents)
    if plan.input.respondent is not None and respondents is None:
        note = "rows were counted: without the private audit nobody can tell which rows are one person's"
        verdicts = [replace(v, note=v.note or note) if "anonymity" in v.promise else v for v in verdicts]
    return verdicts


def _judge_bytes(directory: Path, files: Mapping[str, str]) -> Verdict:
    changed = [name for name, digest in files.items() if sha256(directory / name) != digest]
    note = f"changed since: {', '.join(changed)}" if changed else ""
    return Verdict("the files are those that were released", not changed, note=note)


def _load_json(path: Path) -> dict[str, Any]:
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror}); name a directory written by kohort"
        ) from None
    except ValueError:
        raise InputError(f"{path} is not a manifest that kohort wrote (no valid JSON)") from None
    return dict(loaded)


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
    table = _any_table(source, plan)
    if quasi is None:
        if plan is None:
            raise InputError("audit: name the quasi-identifiers, or give a plan that does")
        quasi = plan.quasi
    if sensitive is None:
        sensitive = () if plan is None else [name for name in plan.sensitive if name in table.columns]
    if respondent is None and plan is not None and plan.input.respondent in table.columns:
        respondent = plan.input.respondent
    return audit_facts(
        table,
        quasi,
        sensitive,
        respondent,
        {} if plan is None else sensitive_hierarchies(table, plan, sensitive),
        sampling_fraction=sampling_fraction,
        population=None if population is None else _any_table(population, plan),
    )


def _any_table(source: Any, plan: Plan | None) -> Table:
    if isinstance(source, str | Path):
        return read_table(source) if plan is None else _read(Path(source), plan)
    return source if isinstance(source, Table) else from_frame(source)[0]


class _Clock:
    """Seconds per step."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round(now - self._last, 4)
        self._last = now
