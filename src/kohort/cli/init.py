"""`kohort init`: read a table and draft a plan for it."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

from kohort.errors import InputError


def run(table_path: Path, output: Path, table_name: str | None, force: bool, as_json: bool) -> None:
    """Propose a role for every column, say why, and write the plan."""
    from kohort.proposals import plan_text, propose
    from kohort.table.reading import read_table

    if output.exists() and not force:
        raise InputError(f"{output} exists; name another plan with -o, or replace it with --force")
    proposals = propose(read_table(table_path, table=table_name))
    path = os.path.relpath(table_path, output.parent)
    try:
        output.write_text(_naming(plan_text(path, proposals), table_name), encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{output}: the plan cannot be written ({problem.strerror})") from None
    if as_json:
        told = [dataclasses.asdict(proposal) for proposal in proposals]
        print(json.dumps({"plan": str(output), "columns": told}, ensure_ascii=False))  # noqa: T201
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    shown = Table(box=None, pad_edge=False)
    for heading in ("column", "role", "", "why"):
        shown.add_column(heading, no_wrap=heading in ("column", "role"))
    for proposal in proposals:
        unsure = "[yellow]unsure[/]" if proposal.confidence == "unsure" else ""
        shown.add_row(escape(proposal.column), str(proposal.role), unsure, escape(proposal.reason))
    console = Console()
    console.print(shown)
    console.print(
        f"plan: [bold]{output}[/]; read it, decide what is unsure, then: kohort anonymize {output}",
        soft_wrap=True,
    )


def _naming(plan: str, table_name: str | None) -> str:
    """Return the plan with the table of the database or workbook named under [input]."""
    return (
        plan
        if table_name is None
        else plan.replace("[input]\n", f"[input]\ntable = {json.dumps(table_name)}\n", 1)
    )
