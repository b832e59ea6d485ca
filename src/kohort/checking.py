"""Verification of a release as a whole: its promises, its shape, its truth; in memory, or as it stands on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from kohort.algorithms import algorithm
from kohort.arrays import IntArray
from kohort.classes import Pairs
from kohort.errors import InputError
from kohort.folders import AUDIT, MANIFEST, sha256
from kohort.hierarchy import Hierarchy
from kohort.models import Reference, Torn
from kohort.plan import Plan
from kohort.preparation import attribute_of, people_of, quasi_hierarchies, reference_of
from kohort.sources import read_source, reread
from kohort.table import Table
from kohort.table.reading import read_table
from kohort.verification import (
    ONE_ROW,
    Verdict,
    judge_counts,
    judge_level_bounds,
    judge_promises,
    judge_shape,
    judge_truth,
    judge_two_tables,
    match_rows,
    with_guards,
)

PEOPLE_UNKNOWN = (
    "not judged: rows were counted, and without the private audit nobody can tell which are one person's"
)


@dataclass(frozen=True, eq=False)
class Original:
    """The original table, for those who hold it: what a release must be true of."""

    table: Table
    hierarchies: tuple[Hierarchy, ...]
    reference: Reference

    @classmethod
    def of(cls, source: Any, plan: Plan) -> Original:
        """Read the original and build its hierarchies anew."""
        table = read_source(source, plan)[0]
        population = (
            None if plan.input.population is None else read_source(plan.base / plan.input.population, plan)[0]
        )
        hierarchies = quasi_hierarchies(table, plan, population)
        people = people_of(table, plan.input.respondent, plan.sensitive)
        return cls(table, hierarchies, reference_of(table, plan, hierarchies, population, people))


@dataclass(frozen=True)
class Kind:
    """What the manifest says of how a release was made, as far as it tells what must be true of it."""

    truthful: bool = True
    torn: Torn | None = None  # the column that stands apart, and what is promised of it

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Kind:
        """Read it from the facts of a release."""
        made = facts["algorithm"]
        torn = Torn(facts["column"], facts["l"], facts["least"]) if made["torn"] else None
        return cls(made["truthful"], torn)


def judge_release(
    tables: Mapping[str, Table],
    plan: Plan,
    kind: Kind,
    original: Original | None = None,
    people: IntArray | None = None,
    rows: IntArray | None = None,
    reference: Reference | None = None,
) -> list[Verdict]:
    """Return every verdict on a release.

    `people` names the person of each released row and `rows` its original row, where that is known; where it
    is not, an assignment of rows is sought. `reference` is what is known of the original where it is not at hand.
    """
    table = tables["table"]
    reference = reference if original is None else original.reference
    if kind.torn is None:
        _demand_quasi(table, plan)
        declared = plan.released
        judged = (
            table
            if original is None or rows is None
            else with_guards(table, original.table, plan.guards, rows)
        )
        verdicts = judge_promises(judged, plan.quasi, plan.require, reference, people)
    else:
        declared = (*(name for name in plan.released if name != kind.torn.column), "group")
        verdicts = judge_two_tables(
            table, tables["sensitive"], kind.torn, plan.quasi, plan.require, reference, people
        )
    if plan.input.respondent is not None and people is None:
        # Anatomy is refused where people have several rows, so there rows are people or nothing holds.
        reads = [bool(model.reads) and kind.torn is None for model in plan.require]
        verdicts = [_people_unknown(verdict, told) for verdict, told in zip_longest(verdicts, reads)]
        if kind.torn is not None:
            verdicts.append(Verdict(ONE_ROW, None, note=PEOPLE_UNKNOWN))
    verdicts.append(judge_shape(table, declared, None if rows is None else len(rows)))
    verdicts += _judge_levels(table, plan, original)
    if original is not None and kind.truthful:
        verdicts += _judge_truth(tables, kind, original, rows)
    return verdicts


def _people_unknown(verdict: Verdict, of_values: bool | None) -> Verdict:
    """Return the verdict without a claim about people.

    They may be fewer than the rows, never more: too few rows are too few people. How many people hold a value
    cannot be told from rows either way.
    """
    if of_values:
        return Verdict(verdict.promise, None, note=PEOPLE_UNKNOWN)
    if not any(word in verdict.promise for word in ("anonymity", "risk", "groups of at least")):
        return verdict
    return replace(verdict, holds=verdict.holds and None, note=verdict.note or PEOPLE_UNKNOWN)


def _judge_truth(
    tables: Mapping[str, Table], kind: Kind, original: Original, rows: IntArray | None
) -> list[Verdict]:
    told = tables["table"]
    if kind.torn is not None:
        told = Table.of((column for column in told if column.name != "group"), told.n_rows)
    found = match_rows(told, original.table, original.hierarchies) if rows is None else rows
    if found is None:
        return [Verdict("truthful", False, note="some released rows generalize no row of the original")]
    verdicts = [judge_truth(told, original.table, original.hierarchies, found)]
    if kind.torn is not None:
        verdicts.append(
            judge_counts(tables["table"], tables["sensitive"], kind.torn.column, original.table, rows)
        )
    return verdicts


def _judge_levels(table: Table, plan: Plan, original: Original | None) -> list[Verdict]:
    """Return the verdicts on the plan's min_level and max_level; none where it sets no bounds."""
    bounds = plan.level_bounds
    if not bounds:
        return []
    tuples = np.column_stack([table[name].codes for name in plan.quasi])
    hierarchies = None if original is None else original.hierarchies
    return judge_level_bounds(table, plan.quasi, tuples, bounds, hierarchies)


def _demand_quasi(table: Table, plan: Plan) -> None:
    lacking = [name for name in plan.quasi if name not in table.columns]
    if lacking:
        raise InputError(
            f"the released table lacks {', '.join(map(repr, lacking))}, which the plan calls quasi"
        )


def verify(
    released: Any, plan: Plan, original: Any = None, respondents: Sequence[int] | IntArray | None = None
) -> list[Verdict]:
    """Judge a released table (a frame, or a path) against the promises of a plan.

    With the original, frequencies are compared with its own, and every released row must be a truthful
    generalization of a row of the original. Without it, models that compare with the whole table compare
    with the release. `respondents` names the person of each released row, where k counts people.
    """
    named = plan.recode.algorithm
    return judge_release(
        {"table": _any_release(released, plan)},
        plan,
        Kind(truthful=named is None or algorithm(named).card.truthful),
        None if original is None else Original.of(original, plan),
        None if respondents is None else np.asarray(respondents),
    )


def _any_release(released: Any, plan: Plan) -> Table:
    """Return a released table: as Kohort writes it, or as the plan or the file itself says where others wrote it."""
    if not isinstance(released, str | Path):
        return reread(released)
    try:
        table = reread(released)
    except InputError:
        return read_source(released, plan)[0]
    return table if set(plan.quasi) <= set(table.columns) else read_source(released, plan)[0]


def verify_directory(
    directory: Path, original: Path | None = None, plan: Plan | None = None
) -> list[Verdict]:
    """Judge a release directory by its own manifest, and by the private audit where that stands beside it."""
    manifest, files, private, audit = open_release(directory)
    plan = plan or plan_of(manifest, audit)
    original = original_of(plan, original, audit)
    people = private / "respondents.parquet"
    respondents = read_table(people)["respondent"].codes if people.exists() else None
    source = None if original is None else Original.of(original, plan)
    tables = {stem: reread(file) for stem, file in files.items()}
    noted = None if audit is None or source is not None else _noted_reference(audit, plan)
    verdicts = judge_release(tables, plan, Kind.of(manifest), source, respondents, reference=noted)
    # Whoever changes the table can change the manifest too, but not the audit, which its owner keeps.
    known = manifest["files"] if audit is None else audit["facts"]["files"]
    return [_judge_bytes(directory, known), *verdicts]


def open_release(
    directory: Path,
) -> tuple[dict[str, Any], dict[str, Path], Path, dict[str, Any] | None]:
    """Return a release's manifest, its files by stem, where its private zone is, and the audit if it is there."""
    manifest = load_json(directory / MANIFEST)
    files = {Path(name).stem: directory / name for name in manifest.get("files", {})}
    if "table" not in files:
        raise InputError(f"{directory / MANIFEST} names no table; it is not the manifest of a release")
    private = directory.with_name(directory.name + ".private")
    return manifest, files, private, load_json(private / AUDIT) if (private / AUDIT).exists() else None


def plan_of(manifest: Mapping[str, Any], audit: Mapping[str, Any] | None) -> Plan:
    """Return the plan of a release: whole from the audit, else as far as it is public."""
    if audit is None:
        return Plan.from_dict(manifest["asked"])
    return Plan.from_dict(audit["plan"], Path(audit["base"]))


def original_of(plan: Plan, told: Path | None, audit: Mapping[str, Any] | None) -> Path | None:
    """Return where the original is: as told, or where the private audit says it was read, if it still is there."""
    if told is None and audit is not None and plan.input.path and (plan.base / plan.input.path).exists():
        return plan.base / plan.input.path
    return told


def _noted_reference(audit: Mapping[str, Any], plan: Plan) -> Reference:
    """Return the distribution of the original's sensitive values, as the private audit noted it."""
    attributes = {}
    for name, noted in audit["reference"].items():
        labels, held = tuple(noted["labels"]), noted.get("held")
        pairs = None if held is None else Pairs.of_profiles(held, len(labels))
        attributes[name] = attribute_of(name, labels, np.array(noted["totals"], np.int64), plan, pairs)
    return Reference(int(audit["facts"]["rows"]), attributes, people=audit.get("people"))


def _judge_bytes(directory: Path, files: Mapping[str, str]) -> Verdict:
    changed = [name for name, digest in files.items() if not _is(directory / name, digest)]
    note = f"changed since: {', '.join(changed)}" if changed else ""
    return Verdict("the files are those that were released", not changed, note=note)


def _is(path: Path, digest: str) -> bool:
    return path.exists() and sha256(path) == digest


def load_json(path: Path) -> dict[str, Any]:
    """Return the object that a manifest or audit file holds."""
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror}); name a directory written by kohort"
        ) from None
    except ValueError:
        raise InputError(f"{path} is not a manifest that kohort wrote (no valid JSON)") from None
    return dict(loaded)
