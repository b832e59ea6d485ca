"""`kohort init`: read a table and draft a plan for it."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from kohort.errors import InputError
from kohort.folders.own_files import put
from kohort.folders.release_folder import refuse_within
from kohort.toml import read_toml, toml_value

if TYPE_CHECKING:
    from kohort.proposals import Proposal
    from kohort.proposals.file_draft import Finding

MARKS = {"sure": "", "unsure": "[yellow]unsure[/]", "undecided": "[red]decide[/]"}
MEASURES = ("values", "distinction", "separation")
EXPLAINED = (
    "values: how many distinct ones; distinction: these per row, 1 where every row has its own; separation: the share of pairs of "
    "rows that the column tells apart (Motwani and Xu, 2007)"
)


def run(
    table_path: Path,
    output: Path,
    said: dict[str, Any],
    force: bool,
    as_json: bool,
    verbose: bool = False,
    guard: bool = False,
) -> None:
    """Propose how the file is read and a role for every column, say why, write the plan, and end with what is left to decide.

    `said` are keys of [input]; with `guard`, what nothing is known of is treated as known to others.
    """
    from kohort.cli.reading import demand_heeded
    from kohort.cli.terminal import warn
    from kohort.proposals import plan_text, propose
    from kohort.proposals.choices import choices
    from kohort.proposals.decisions import asked_together
    from kohort.proposals.file_reading import read_as_found
    from kohort.proposals.guarding import guardable
    from kohort.proposals.repeated_people import repeated_people
    from kohort.proposals.unknown import without_unknown
    from kohort.table.alike import alike, alike_warning
    from kohort.table.empty_rows import empty_rows, empty_rows_warning
    from kohort.table.reading import read_labels

    _demand_replaceable(output, force)
    demand_heeded(said, table_path)
    table, draft = read_as_found(table_path, said)
    found = propose(table, read_labels(table_path), guard)
    proposals = without_unknown(table, found)
    named = [p.column for p in proposals if p.respondent]
    empty = empty_rows(table, table.names)
    warnings = [
        *draft.doubts,
        *empty_rows_warning(len(empty), int(empty[0]) if len(empty) else -1),
        *repeated_people(table, proposals),
        *(told for name in named for told in alike_warning(name, alike(table[name].values))),
    ]
    warn(warnings)
    path = os.path.relpath(table_path, output.parent)
    try:
        put(output, _saying(plan_text(path, proposals), said, draft.findings))
    except OSError as problem:
        raise InputError(
            f"{output}: the plan cannot be written ({problem.strerror})", code="file.unwritable", path=output
        ) from None
    questions = asked_together(table, proposals)
    left = [] if guard else guardable(table, proposals)
    if as_json:
        told = [
            dataclasses.asdict(proposal) | {"decided": proposal.decided, "choices": choices(proposal)}
            for proposal in proposals
        ]
        waiting = [column for question in questions for column in question]
        as_read = [dataclasses.asdict(finding) for finding in draft.findings]
        document = {
            "plan": str(output),
            "input": as_read,
            "columns": told,
            "undecided": waiting,
            "decisions": questions,
            "guardable": [column for question in left for column in question],
            "warnings": warnings,
        }
        print(json.dumps(document))  # noqa: T201
        return
    _show(proposals, draft.findings, questions, left, output, verbose, guard)


def _demand_replaceable(output: Path, force: bool) -> None:
    """Refuse to write into a release, and over what is there: a plan with `force` only, and what is no plan never."""
    refuse_within(output)
    if not output.exists():
        return
    if not _is_plan(output):
        raise InputError(
            f"{output} exists and is no plan, so it is not written over; name another file with -o",
            code="file.unwritable",
            path=output,
        )
    if not force:
        raise InputError(
            f"{output} exists; name another plan with -o, or replace it with --force",
            code="file.unwritable",
            path=output,
        )


def _is_plan(path: Path) -> bool:
    """Say whether a file is TOML with sections of a plan, or empty."""
    try:
        told = read_toml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return not told or bool(told.keys() & {"columns", "require", "input"})


def _show(
    proposals: Sequence[Proposal],
    findings: Sequence[Finding],
    questions: Sequence[Sequence[str]],
    left: Sequence[Sequence[str]],
    output: Path,
    verbose: bool,
    guard: bool,
) -> None:
    """Print every proposal with its reason, how the file is read, and last what is left to decide."""
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal
    from kohort.proposals.choices import role_said
    from kohort.proposals.decisions import decisions, left_out, left_to_guard, treated_as_known
    from kohort.proposals.evidence import share
    from kohort.proposals.plan_draft import unwatched

    shown = Table(box=None, pad_edge=False)
    for heading in ("column", "role", "", *(MEASURES if verbose else ()), "why"):
        shown.add_column(heading, no_wrap=heading in ("column", "role"))
    for proposal in proposals:
        measured = [f"{proposal.distinct:,}", share(proposal.distinction), share(proposal.separation)]
        shown.add_row(
            escape(proposal.column),
            role_said(proposal),
            MARKS[proposal.confidence],
            *(measured if verbose else ()),
            escape(proposal.reason),
        )
    console = terminal()
    console.print(shown)
    for finding in findings:
        console.print(
            f"read with {escape(_line(finding.key, finding.value))}: {escape(finding.reason)}", soft_wrap=True
        )
    if verbose:
        console.print(EXPLAINED, highlight=False)
    place = escape(str(output))
    console.print(
        f"plan: [bold]{place}[/]; read it, then: kohort anonymize {escape(quote(str(output)))}",
        soft_wrap=True,
    )
    unsure = [found.column for found in proposals if found.confidence == "unsure" and not found.unknown]
    advice = "" if guard else " (--guard treats quantities as known to others)"
    for line in (
        *_not_promised(unwatched(proposals)),
        *_roles(questions),
        *treated_as_known(proposals),
        *(f"{line}{advice}" for line in left_out(proposals)),
        *(f"{line} (on the command line: --guard)" for line in left_to_guard(left)),
        decisions(questions, unsure, unwatched(proposals)),
    ):
        console.print(escape(line), highlight=False, soft_wrap=True)


def _roles(questions: Sequence[Sequence[str]]) -> list[str]:
    """Return what each role would mean, where something is to be decided."""
    from kohort.plan.decided import MEANINGS
    from kohort.table import Role

    asked = (Role.QUASI, Role.SENSITIVE, Role.IDENTIFIER, Role.INSENSITIVE)
    told = "; ".join(f"{role}: {MEANINGS[role]}" for role in asked)
    return [f"to decide is to say which role a column has ({told})"] if questions else []


def _not_promised(columns: Sequence[str]) -> list[str]:
    """Return that no promise is drafted for some sensitive columns, and why; nothing where there are none."""
    if not columns:
        return []
    which = "it" if len(columns) == 1 else "each of them"
    return [
        f"no promise watches {', '.join(columns)}: nearly all rows share one value of {which}; ask for one if the others must not "
        "be learnt of a person"
    ]


def _saying(plan: str, said: Mapping[str, Any], findings: Sequence[Finding]) -> str:
    """Return the plan with what was said of the file, and what was found out with its reason, under [input]."""
    found = {finding.key for finding in findings}
    lines = [_line(key, value) for key, value in said.items() if key not in found]
    for finding in findings:
        lines += [f"# {_one_line(finding.reason)}", _line(finding.key, finding.value)]
    head, path, rest = re.split(r"(\[input\]\n.*\n)", plan, maxsplit=1)
    return head + path + "".join(f"{line}\n" for line in lines) + rest


def _line(key: str, value: Any) -> str:
    return f"{key} = {toml_value(value)}"


def _one_line(reason: str) -> str:
    """Return a reason as a comment of one line; the names in it may be anything."""
    return " ".join(reason.split())
