"""A file is read as it seems to be written, and what was found out about it is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.proposals.file_draft import FileDraft, Finding, draft_blanks, draft_file
from kohort.proposals.sum_row import footer_of
from kohort.table import Table
from kohort.table.formats import HEADED, HEEDED, READERS
from kohort.table.formats.naming import numbered
from kohort.table.formats.options import ReadingOptions
from kohort.table.reading import read_table
from kohort.table.tidying import tidied


def read_as_found(path: Path, told: Mapping[str, Any]) -> tuple[Table, FileDraft]:
    """Return the table of a file, read as `told` says and as its cells show, and what they show.

    `told` are keys of [input]. The table is read anew by what was found, so that it is the one which a plan that says so
    will find.
    """
    table, findings = _below_title(path, told)
    findings += _without_names(path, table, told)
    if _has_footer(path) and not told.get("footer") and (footer := footer_of(table)):
        findings.append(Finding("footer", *footer))
        table = read_table(path, **{**told, **_options(findings)})
    findings += draft_blanks(table, path.suffix.lower() in HEADED)
    known = {**told, **_options(findings)}
    draft = draft_file(read_table(path, **known) if findings else table, known)
    draft = replace(draft, findings=(*findings, *draft.findings))
    return (read_table(path, **{**known, **draft.options}) if draft.findings else table), draft


def found_in(table: Table) -> tuple[Table, FileDraft]:
    """Return a table that was no file, tidied as its cells show, and what they show."""
    findings = draft_blanks(table, headed=False)
    bare = tidied(table, ReadingOptions(**_options(findings)))
    draft = draft_file(bare, {})
    draft = replace(draft, findings=(*findings, *draft.findings))
    return tidied(table, ReadingOptions(**draft.options)), draft


def _has_footer(path: Path) -> bool:
    return "footer" in HEEDED[READERS[path.suffix.lower()]]


def _options(findings: list[Finding]) -> dict[str, Any]:
    return {finding.key: finding.value for finding in findings}


def _without_names(path: Path, table: Table, told: Mapping[str, Any]) -> list[Finding]:
    """Return that a file has no names of columns, where it was found out that its first row is somebody's."""
    heeded = "header" in HEEDED[READERS[path.suffix.lower()]] and told.get("header") is None
    if not heeded or table.names != numbered(len(table.names)) or _reads_alike(path, table, told):
        return []
    return [Finding("header", False, "the first row holds values like those below it: columns are numbered")]


def _reads_alike(path: Path, table: Table, told: Mapping[str, Any]) -> bool:
    """Say whether a first row holds such names itself: column1, column2."""
    return read_table(path, **{**told, "header": False}).n_rows > table.n_rows


def _below_title(path: Path, told: Mapping[str, Any]) -> tuple[Table, list[Finding]]:
    """Return the table below rows that look like a title, where there are names below them; what is unclear is refused."""
    try:
        return read_table(path, **told), []
    except InputError as problem:
        skip = problem.fields.get("value")
        if problem.code != "table.title" or told.get("skip") or not isinstance(skip, int):
            raise
        table = read_table(path, **{**told, "skip": skip})
        if table.names == numbered(len(table.names)):
            raise
    lines = "row stands" if skip == 1 else "rows stand"
    return table, [Finding("skip", skip, f"{skip} {lines} above the names of the columns, like a title")]
