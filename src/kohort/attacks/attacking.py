"""`attack`: the attacks of the literature, run against a release; for Python what the command is for shells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from msgspec import to_builtins

from kohort.attacks import Outcome, Outside, attacked
from kohort.attacks.attacked_release import target_of_directory, target_of_release
from kohort.engines import DEFAULT, engine_for
from kohort.errors import InputError
from kohort.paths import usable
from kohort.plan import Plan
from kohort.preparation.sources import read_source
from kohort.release.opening import open_release
from kohort.release.release import Release
from kohort.table.framed import Records, framed


def attack(
    release: str | Path | Release,
    with_: Any = None,
    on: Sequence[str] = (),
    identity: str | None = None,
    *,
    attacks: Sequence[str] | None = None,
    others: Sequence[str | Path] = (),
    original: Any = None,
    plan: Plan | Mapping[str, Any] | None = None,
    engine: str | None = None,
    memory: str | None = None,
) -> Any:
    """Return what the attacks named (all by default) came to, what those that could not run lack, and why some cannot gain.

    `release` is a directory that Kohort wrote, and then a dict is returned; or a `Release` in memory, and then a frame of
    the kind that it was made from, with a row for each finding and a column `status`: found, not run, not applicable.
    `with_` is a table of people (a frame, or a path) that the intruder
    holds and links on the columns `on`, else on all quasi-identifiers that it has; `identity` is the column that names
    them. `others` are directories of further releases, `original` is the original (a frame, or a path) where the private audit
    beside the release does not tell it. `engine` says where the rows are kept meanwhile (by default in memory, beside an original
    that is a data frame of Spark there); `memory`, such as "4GB", how much an engine on disk may hold.
    """
    if with_ is None and (on or identity is not None):
        raise InputError(
            "attack: on and identity speak of an outside table; hand it over as with_", code="attack.no-link"
        )
    asked = None if plan is None else Plan.of(plan)
    beside = [usable(other, "the other release") for other in others]
    if isinstance(release, Release):
        _refuse_elsewhere(original, engine, memory)
        outside = _outside(with_, on, identity, asked or release.plan)
        target = target_of_release(release, outside, beside, asked)
        outcome = attacked(target, asked or release.plan, attacks)
        return framed(_rows(outcome), _source(release))
    directory = usable(release, "the release")
    named = asked if with_ is None or on or asked is not None else open_release(directory).plan()
    outside = _outside(with_, on, identity, named)
    keeper = engine_for(engine, original)
    found = target_of_directory(directory, outside, beside, original, asked, keeper, memory)
    outcome = attacked(found.target, found.plan, attacks)
    return {
        "attacks": [to_builtins(finding.facts()) for finding in outcome.found],
        "not_run": outcome.lacking,
        "not_applicable": outcome.not_applicable,
    }


def _outside(with_: Any, on: Sequence[str], identity: str | None, plan: Plan | None) -> Outside | None:
    """Return what the intruder holds, to be linked on the columns named, else on the quasi-identifiers that it has."""
    if with_ is None:
        return None
    names = (on,) if isinstance(on, str) else tuple(on)
    table = read_source(with_, expected=names)[0]
    shared = names or tuple(name for name in ([] if plan is None else plan.quasi) if name in table.columns)
    return Outside(table, shared, identity)


def _refuse_elsewhere(original: object, engine: str | None, memory: object) -> None:
    """Refuse to look for the rows of a release in memory anywhere else."""
    if original is not None or engine not in (None, DEFAULT) or memory is not None:
        raise InputError(
            "attack: a Release in memory has its rows and its original at hand; leave original, engine and memory out, or "
            "save it and name the directory",
            code="attack.other-original",
        )


def _source(release: Release) -> Any:
    """Return what a release was made from; a path is met as an Arrow table."""
    source = getattr(release.draft.published, "source", None)
    return pa.table({}) if source is None or isinstance(source, str | Path) else source


def _rows(outcome: Outcome) -> Records:
    """Return findings and what was not found out as one list of records."""
    found = [{"status": "found"} | to_builtins(finding.facts()) for finding in outcome.found]
    untried = [("not run", outcome.lacking), ("not applicable", outcome.not_applicable)]
    return found + [
        {"status": status, "attack": name, "sentence": why}
        for status, reasons in untried
        for name, why in reasons.items()
    ]
