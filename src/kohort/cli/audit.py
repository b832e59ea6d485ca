"""`kohort audit`: what a table achieves as it stands."""

from __future__ import annotations

import json
from pathlib import Path

from kohort.cli.engines import check_engine
from kohort.cli.terminal import say, warn
from kohort.errors import InputError
from kohort.facts.table_audit import TableAudit, table_audit


def run(
    table: Path,
    quasi: str | None,
    sensitive: str | None,
    respondent: str | None,
    plan_path: Path | None,
    population: Path | None,
    sampling_fraction: float | None,
    html_path: Path | None,
    as_json: bool,
    engine: str,
    memory: str | None,
) -> None:
    """Audit the table, and print the figures for people or for programs."""
    from kohort.cli.lean import start_lean

    start_lean()
    check_engine(engine, memory)
    from kohort.plan import Plan
    from kohort.tables.audit import audit

    plan = None if plan_path is None else Plan.load(plan_path)
    if quasi is None and plan is None:
        raise InputError("name the quasi-identifiers, or a plan that does", code="audit.columns")
    facts = audit(
        table,
        quasi=_names(quasi) if quasi is not None else None,
        sensitive=_names(sensitive) if sensitive is not None else None,
        respondent=respondent,
        plan=plan,
        population=population,
        sampling_fraction=sampling_fraction,
        engine=engine,
        memory=memory,
    )
    told = table_audit(facts)
    if html_path is not None:
        _write_html(told, html_path)
    warn(told.warnings)
    if as_json:
        print(json.dumps(facts))  # noqa: T201
        return
    _show(told)
    if html_path is not None:
        say(f"page (for the holder of the table, do not share): {html_path}")


def _names(told: str) -> list[str]:
    names = [name.strip() for name in told.split(",")]
    if not all(names):
        raise InputError(
            f"{told!r} is not a list of columns; write them as age,zip,sex", code="cli.option", value=told
        )
    return names


def _write_html(facts: TableAudit, path: Path) -> None:
    from kohort.folders.own_files import write_private
    from kohort.report.audit import audit_html

    try:
        write_private(path, audit_html(facts))
    except OSError as problem:
        raise InputError(
            f"{path}: the page cannot be written ({problem.strerror})", code="file.unwritable", path=path
        ) from None


def _show(facts: TableAudit) -> None:
    """Print the lines, headings in bold where they are read on a terminal."""
    import shutil

    from kohort.report.audit_text import WIDTH, audit_lines

    for line in audit_lines(facts, max(min(shutil.get_terminal_size((WIDTH, 24)).columns, 120), 60)):
        heading = line != "" and not line.startswith(" ")
        say(line, **({"bold": True} if heading else {}))
