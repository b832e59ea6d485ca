"""`kohort init`: read a table and draft a plan for it."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kohort.errors import InputError

if TYPE_CHECKING:
    from kohort.proposals import Proposal

MARKS = {"sure": "", "unsure": "[yellow]unsure[/]", "undecided": "[red]decide[/]"}
MEASURES = ("values", "distinction", "separation")
EXPLAINED = (
    "values: how many distinct ones; distinction: these per row, 1 where every row has its own; separation: the share of pairs of "
    "rows that the column tells apart (Motwani and Xu, 2007)"
)


def run(
    table_path: Path,
    output: Path,
    table_name: str | None,
    force: bool,
    header: bool | None,
    as_json: bool,
    verbose: bool = False,
) -> None:
    """Propose a role for every column, say why, write the plan, and end with what is left to decide."""
    from kohort.cli.terminal import warn
    from kohort.proposals import plan_text, propose
    from kohort.table.alike import alike, alike_warning
    from kohort.table.empty_rows import empty_rows, empty_rows_warning
    from kohort.table.reading import read_labels, read_table

    if output.exists() and not force:
        raise InputError(
            f"{output} exists; name another plan with -o, or replace it with --force",
            code="file.unwritable",
            path=output,
        )
    table = read_table(table_path, table=table_name, header=header)
    proposals = propose(table, read_labels(table_path))
    named = [p.column for p in proposals if p.respondent]
    empty = empty_rows(table, table.names)
    warnings = empty_rows_warning(len(empty), int(empty[0]) if len(empty) else -1)
    warnings += [told for name in named for told in alike_warning(name, alike(table[name].values))]
    warn(warnings)
    path = os.path.relpath(table_path, output.parent)
    try:
        output.write_text(
            _saying(plan_text(path, proposals), {"table": table_name, "header": header}), encoding="utf-8"
        )
    except OSError as problem:
        raise InputError(
            f"{output}: the plan cannot be written ({problem.strerror})", code="file.unwritable", path=output
        ) from None
    if as_json:
        told = [dataclasses.asdict(proposal) | {"decided": proposal.decided} for proposal in proposals]
        waiting = [proposal.column for proposal in proposals if not proposal.decided]
        document = {"plan": str(output), "columns": told, "undecided": waiting, "warnings": warnings}
        print(json.dumps(document))  # noqa: T201
        return
    _show(proposals, output, verbose)


def _show(proposals: Sequence[Proposal], output: Path, verbose: bool) -> None:
    """Print every proposal with its reason, and last what is left to decide."""
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal
    from kohort.proposals.evidence import share

    shown = Table(box=None, pad_edge=False)
    for heading in ("column", "role", "", *(MEASURES if verbose else ()), "why"):
        shown.add_column(heading, no_wrap=heading in ("column", "role"))
    for proposal in proposals:
        measured = [f"{proposal.distinct:,}", share(proposal.distinction), share(proposal.separation)]
        shown.add_row(
            escape(proposal.column),
            str(proposal.role),
            MARKS[proposal.confidence],
            *(measured if verbose else ()),
            escape(proposal.reason),
        )
    console = terminal()
    console.print(shown)
    if verbose:
        console.print(EXPLAINED, highlight=False)
    place = escape(str(output))
    console.print(f"plan: [bold]{place}[/]; read it, then: kohort anonymize {place}", soft_wrap=True)
    console.print(escape(decisions(proposals)), highlight=False, soft_wrap=True)


def decisions(proposals: Sequence[Proposal]) -> str:
    """Return how many columns wait for a decision, and which."""
    waiting = [proposal.column for proposal in proposals if not proposal.decided]
    if not waiting:
        return "no decisions are left to you but to agree; nothing is sure before you have read the plan"
    several = "decision" if len(waiting) == 1 else "decisions"
    return f"{len(waiting)} {several} for you: {', '.join(waiting)}"


def _saying(plan: str, told: Mapping[str, Any]) -> str:
    """Return the plan with what was said of the file under [input]."""
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in told.items() if value is not None)
    return plan.replace("[input]\n", f"[input]\n{lines}", 1)
