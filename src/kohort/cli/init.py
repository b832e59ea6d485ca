"""`kohort init`: read a table and draft a plan for it."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kohort.errors import InputError


def run(
    table_path: Path, output: Path, table_name: str | None, force: bool, header: bool | None, as_json: bool
) -> None:
    """Propose a role for every column, say why, and write the plan."""
    from kohort.cli.terminal import warn
    from kohort.proposals import plan_text, propose
    from kohort.table.alike import alike, alike_warning
    from kohort.table.empty_rows import empty_rows, empty_rows_warning
    from kohort.table.reading import read_table

    if output.exists() and not force:
        raise InputError(
            f"{output} exists; name another plan with -o, or replace it with --force",
            code="file.unwritable",
            path=output,
        )
    table = read_table(table_path, table=table_name, header=header)
    proposals = propose(table)
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
        told = [dataclasses.asdict(proposal) for proposal in proposals]
        print(json.dumps({"plan": str(output), "columns": told, "warnings": warnings}))  # noqa: T201
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
    console.print(
        f"plan: [bold]{escape(str(output))}[/]; read it, decide what is unsure, then: kohort anonymize {escape(str(output))}",
        soft_wrap=True,
    )


def _saying(plan: str, told: Mapping[str, Any]) -> str:
    """Return the plan with what was said of the file under [input]."""
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in told.items() if value is not None)
    return plan.replace("[input]\n", f"[input]\n{lines}", 1)
