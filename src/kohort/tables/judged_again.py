"""The tables of a release folder, judged by what is at hand beside them: the original, the private audit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet

from kohort.classes import Pairs
from kohort.engines.reading import Known, Reading
from kohort.errors import InputError
from kohort.facts import Noted
from kohort.folders.parts import is_in_parts, parts_of
from kohort.folders.release_folder import digests_of
from kohort.models import Attribute, Reference
from kohort.plan import Plan
from kohort.preparation import attribute_of
from kohort.preparation.kind import Kind
from kohort.release.documents import SeenAudit
from kohort.release.opening import original_of
from kohort.shapes import Findings, Terms
from kohort.tables.alike_told import with_alike_told
from kohort.verification.judgement import Original
from kohort.verification.judges import Verdict
from kohort.verification.judges.folder import changed

COUNT = "as many rows as were released"
PEOPLE = "the people of the audit are those of the release"
RESPONDENTS = "respondents.parquet"
UNKNOWN_MEANING = (
    "not judged: what the released values mean must not be taken from the manifest; name the plan"
)


def judge_again(reading: Reading, terms: Terms) -> Findings:
    """Return the verdicts on the cells of a release, as far as the terms let them be judged."""
    return Findings(_judge_count(terms, reading.n_rows), _judge_promises(terms, reading))


def _judge_count(terms: Terms, n_rows: int) -> list[Verdict]:
    """Return whether there are as many rows as were released; rows that were blanked are among them."""
    audit = terms.audit
    if audit is None:
        return []
    blank = terms.plan.recode.suppressed_rows == "blank"
    return [Verdict(COUNT, n_rows == (audit.facts.rows if blank else audit.facts.released))]


def _judge_promises(terms: Terms, reading: Reading) -> list[Verdict]:
    audit = terms.audit
    meaningless = terms.original is not None and not terms.vouched
    source = None if meaningless else _original(terms, reading)
    people, noted = _people(terms, reading.n_rows)
    reference = None if audit is None or source is not None else _noted_reference(audit, terms.plan)
    verdicts = reading.judge(Known(terms.plan, Kind.of(terms.plan), source, people, reference))
    if meaningless:
        verdicts = [replace(v, note=UNKNOWN_MEANING) if v.holds is None else v for v in verdicts]
    return [*noted, *with_alike_told(verdicts, reading, terms.plan)]


def _original(terms: Terms, reading: Reading) -> Original | None:
    """Return the original; one that was not named but found, and is no longer what it was, is left aside."""
    place = original_of(terms.original, terms.audit)
    if place is None:
        return None
    try:
        return reading.beside(place, terms.plan)
    except InputError as problem:
        if terms.original is not None or problem.wants_room:
            raise
        return None


def _people(terms: Terms, n_rows: int) -> tuple[Path | None, list[Verdict]]:
    """Return where the private zone tells the person of each row, and that it was not changed."""
    audit = terms.audit
    if audit is None or terms.plan.input.respondent is None:
        return None, []
    if changed(terms.private, audit.private_files):
        return None, [Verdict(PEOPLE, False, note="a table beside the audit was changed or is missing")]
    listed = {name.split("/")[0] for name in audit.private_files}  # a table in parts is told by these
    if RESPONDENTS not in listed:
        return None, []
    place = terms.private / RESPONDENTS
    if is_in_parts(place) and not {*digests_of(place)} <= {*audit.private_files}:
        return None, [Verdict(PEOPLE, False, note="a part beside the audit was added")]
    if sum(pyarrow.parquet.read_metadata(part).num_rows for part in parts_of(place)) != n_rows:
        return None, [Verdict(PEOPLE, False, note="they are not as many as the rows")]
    return place, []


def _noted_reference(audit: SeenAudit, plan: Plan) -> Reference | None:
    """Return the distribution of the original's sensitive values, as the private audit noted it, if it can be."""
    noted = {name: audit.reference[name] for name in audit.reference if name in plan.sensitive}
    try:
        attributes = {name: _noted_attribute(name, told, plan) for name, told in noted.items()}
    except InputError:  # a level file is no longer where it was
        return None
    return Reference(audit.facts.rows, attributes, people=audit.people)


def _noted_attribute(name: str, noted: Noted, plan: Plan) -> Attribute:
    """Return a sensitive column as the audit noted it: how often each value occurs, and who held what together."""
    pairs = None if noted.held is None else Pairs.of_profiles(noted.held, len(noted.labels))
    return attribute_of(name, noted.labels, np.array(noted.totals, np.int64), plan, pairs)
