"""`kohort init`: read a table and draft a plan for it."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kohort.errors import InputError
from kohort.toml import toml_value

if TYPE_CHECKING:
    from kohort.proposals.file_draft import Finding


def run(table_path: Path, output: Path, said: Mapping[str, Any], force: bool, as_json: bool) -> None:
    """Propose how the file is read and a role for every column, say why, and write the plan; `said`: keys of [input]."""
    from kohort.cli.terminal import warn
    from kohort.plan.sections import InputPlan, convert
    from kohort.preparation.effects import refuse_unheeded
    from kohort.proposals import plan_text, propose
    from kohort.proposals.file_reading import read_as_found
    from kohort.table.alike import alike, alike_warning

    if output.exists() and not force:
        raise InputError(
            f"{output} exists; name another plan with -o, or replace it with --force",
            code="file.unwritable",
            path=output,
        )
    refuse_unheeded(convert(said, InputPlan, "[input]"), [table_path])
    table, draft = read_as_found(table_path, said)
    proposals = propose(table)
    named = [p.column for p in proposals if p.respondent]
    warnings = [
        *draft.doubts,
        *(told for name in named for told in alike_warning(name, alike(table[name].values))),
    ]
    warn(warnings)
    path = os.path.relpath(table_path, output.parent)
    try:
        output.write_text(_saying(plan_text(path, proposals), said, draft.findings), encoding="utf-8")
    except OSError as problem:
        raise InputError(
            f"{output}: the plan cannot be written ({problem.strerror})", code="file.unwritable", path=output
        ) from None
    if as_json:
        told = [dataclasses.asdict(proposal) for proposal in proposals]
        found = [dataclasses.asdict(finding) for finding in draft.findings]
        print(json.dumps({"plan": str(output), "input": found, "columns": told, "warnings": warnings}))  # noqa: T201
        return
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal

    shown = Table(box=None, pad_edge=False)
    for heading in ("column", "role", "", "why"):
        shown.add_column(heading, no_wrap=heading in ("column", "role"))
    for proposal in proposals:
        unsure = "[yellow]unsure[/]" if proposal.confidence == "unsure" else ""
        shown.add_row(escape(proposal.column), str(proposal.role), unsure, escape(proposal.reason))
    console = terminal()
    console.print(shown)
    for finding in draft.findings:
        console.print(
            f"read with {escape(_line(finding.key, finding.value))}: {escape(finding.reason)}", soft_wrap=True
        )
    console.print(
        f"plan: [bold]{escape(str(output))}[/]; read it, decide what is unsure, then: kohort anonymize {escape(str(output))}",
        soft_wrap=True,
    )


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
