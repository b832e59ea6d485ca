"""Verification of a release folder as a whole: everything that stands in it, and on whose word it is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from kohort.arrays import IntArray
from kohort.engines import DEFAULT, bounded_engine, demand_source, engine_for
from kohort.errors import InputError, KohortError
from kohort.facts import VERSION
from kohort.folders.parts import is_in_parts
from kohort.folders.release_folder import MANIFEST
from kohort.paths import usable
from kohort.plan import Plan
from kohort.plan.rules import demand_offer
from kohort.release.opening import open_release
from kohort.release.signing import Known
from kohort.shapes import Inspection, WholeTables, shape_of
from kohort.table.catalog import POINTER
from kohort.verification.case import Case, Word, case_of, judge_private
from kohort.verification.judgement import READABLE
from kohort.verification.judges import Verdict
from kohort.verification.judges.folder import judge_folder
from kohort.version import __version__

LISTED = "the manifest lists these tables by digest"
DOCUMENTS = "manifest and report say what the tables say"

NOTHING_FOLLOWS = "from what the manifest says was asked, nothing follows"
THEN = "as judged when these bytes were released; what it takes is not at hand"


def verify(
    released: Any,
    plan: Plan | Mapping[str, Any] | None = None,
    original: Any = None,
    respondents: Sequence[int] | IntArray | None = None,
    *,
    signer: str | Path | None = None,
    engine: str | None = None,
    memory: str | None = None,
) -> list[Verdict]:
    """Judge a released table (a frame, or a path) by the promises of a plan, or a release folder as a whole.

    `holds` of a verdict is None where it cannot be told: that is not success. With the original, frequencies
    are compared with its own, and every released row must be a truthful generalization of a row of the original.
    `respondents` names the person of each released row, where k counts people. Of a folder, promises come from
    the plan, else from the private audit beside it; `signer` is a public key, to judge who released it. `engine`
    says where the rows are kept meanwhile (by default in memory, of data frames of Spark there); `memory`, such as "4GB", how
    much an engine on disk may hold.
    """
    plan = None if plan is None else Plan.of(plan)
    engine = engine_for(engine, released, original)
    bounded_engine(engine, memory)
    if isinstance(released, str | Path) and _is_release(usable(released, "the release")):
        return verify_directory(Path(released), original, plan, signer, engine, memory)
    if plan is None:
        raise InputError(
            "verify: to judge a table, give the plan whose promises it must keep; a release directory has its own",
            code="verify.no-plan",
        )
    if signer is not None:
        raise InputError(
            "verify: a signature is that of a release directory; name the directory",
            code="verify.not-a-folder",
        )
    if engine == DEFAULT:
        return shape_of(plan).verify(released, plan, original, respondents)
    demand_offer(plan, "engine")
    return shape_of(plan).verify_on(engine, memory, released, plan, original, respondents)


def _is_release(path: Path) -> bool:
    """Say whether a folder is to be judged as a release, and not as a table that stands by itself in parts."""
    return path.is_dir() and (not is_in_parts(path) or (path / MANIFEST).exists())


def verify_directory(
    directory: Path,
    original: Any = None,
    plan: Plan | None = None,
    signer: str | Path | None = None,
    engine: str = DEFAULT,
    memory: str | None = None,
) -> list[Verdict]:
    """Judge a release folder: what stands in it, whether it is what was released, and what it promises.

    Promises, and what must be true of the tables, come from `plan`, else from the private audit beside the
    folder, else from a manifest that `signer` signed. Where there is none of these, the tables are held to
    what the manifest says, and that is said.
    """
    case = case_of(
        open_release(directory), plan, None if signer is None else Known.load(usable(signer, "the key"))
    )
    for path in case.files.values() if engine == DEFAULT else ():
        if path.suffix == POINTER:
            demand_source(bounded_engine(engine, memory), path)
    if engine != DEFAULT:
        demand_offer(case.plan, "engine")
        case.shape.demand_on(engine, case.files, memory)
    folder = judge_folder(case.opened.found, case.expected)
    verdicts = [
        folder,
        case.same,
        *case.signed,
        _judge_listed(case),
        case.promised,
        *judge_private(case.opened),
    ]
    return [*verdicts, *_judge_tables(case, original, engine, memory)]


def _judge_listed(case: Case) -> Verdict:
    """Return whether the manifest speaks of these tables: plain names, all of them, and their digests."""
    listed = {} if case.opened.manifest is None else case.opened.manifest.files
    found = {name: case.digests.get(name) for name in case.names}
    return Verdict(LISTED, listed == found, note="" if listed == found else "it lists others")


def _judge_tables(case: Case, original: Any, engine: str, memory: str | None) -> list[Verdict]:
    """Return the verdicts on the cells, as far as these can be read from plain files."""
    unplain = [name for name in case.names if name not in case.digests]
    if unplain:
        return [Verdict(READABLE, False, note=f"no plain file: {', '.join(map(repr, unplain))}")]
    try:
        inspection = _inspection(case, engine, memory)
    except InputError as problem:
        if problem.wants_room:
            raise
        return [Verdict(READABLE, False, note=str(problem))]
    with closing(inspection):
        found = inspection.judge(case.terms(original))
        promises = _recalled(case, found.promises)
        documents = [] if case.recorded else _judge_documents(case, inspection, promises)
        beside = [] if case.same.holds else [inspection.nothing_else()]
        return [*documents, *beside, *found.counts, *promises]


def _inspection(case: Case, engine: str, memory: str | None) -> Inspection:
    if engine == DEFAULT:
        return WholeTables.of(case.shape, case.files)
    return case.shape.inspect_on(engine, case.files, case.plan, memory)


def _judge_documents(case: Case, inspection: Inspection, promises: list[Verdict]) -> list[Verdict]:
    """Return whether manifest and report are what follows from the tables and the plan, byte for byte."""
    made, form = case.opened.document.get("kohort"), case.opened.document.get("version", 1)
    if made is None:
        return [Verdict(DOCUMENTS, None, note="not judged: the manifest does not say which Kohort made them")]
    if made != __version__ or form != VERSION:
        return [
            Verdict(
                DOCUMENTS,
                None,
                note=f"not judged: another version of Kohort ({made!r}, form {form}) made them",
            )
        ]
    if any(verdict.holds is False for verdict in promises):
        return [Verdict(DOCUMENTS, None, note="not judged: what the tables say is not what the plan asks")]
    due = _due(case, inspection)
    edited = [name for name in sorted(due) if case.digests.get(name) != due[name]]
    note = f"another text follows for {', '.join(edited)}{_unpublished(made)}" if edited else ""
    return [Verdict(DOCUMENTS, bool(due) and not edited, note=note or ("" if due else NOTHING_FOLLOWS))]


def _unpublished(made: str) -> str:
    """Return that a version under work has many states, each with words of its own."""
    return f", by this state of {made}, which is no published version" if "dev" in made else ""


def _due(case: Case, inspection: Inspection) -> dict[str, str]:
    """Return the digests of the documents that follow from the tables; none where nothing follows from the plan."""
    listed = {name: case.digests[name] for name in case.names}
    try:
        documents = inspection.documents(case.plan, listed)
    except (KohortError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        if case.word is not Word.NOBODY:
            raise
        return {}  # what a stranger wrote for a plan may hold anything
    return {name: sha256(content).hexdigest() for name, content in documents.items()}


def _recalled(case: Case, verdicts: list[Verdict]) -> list[Verdict]:
    """Return the verdicts, those that cannot be given anew as they were given on the very same bytes.

    The audit is the holder's own, and the plan is the one they were given by.
    """
    audit = case.opened.audit
    if audit is None or not (case.recorded and case.promised.holds):
        return verdicts
    held = {judged.promise for judged in audit.facts.verdicts if judged.holds is True}
    return [
        replace(v, holds=True, note=THEN) if v.holds is None and v.promise in held else v for v in verdicts
    ]
