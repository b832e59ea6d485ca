"""`kohort audit`: what a table achieves as it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kohort.cli.engines import check_engine
from kohort.cli.pages import PAGE, demand_place, write_page
from kohort.cli.reading import demand_heeded
from kohort.cli.terminal import say, warn
from kohort.errors import InputError
from kohort.facts.table_audit import TableAudit, table_audit

if TYPE_CHECKING:
    from kohort.plan import Plan


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
    said: dict[str, Any],
) -> None:
    """Audit the table, and print the figures for people or for programs; `said` are keys of [input]."""
    from kohort.cli.lean import start_lean

    start_lean()
    check_engine(engine, memory)
    from kohort.tables.audit import audit

    if quasi is None and plan_path is None:
        raise InputError("name the quasi-identifiers, or a plan that does", code="audit.columns")
    demand_heeded(said, table)
    demand_place(html_path, PAGE)
    plan = _plan(plan_path, quasi, said)
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
        from kohort.report.audit import audit_html

        write_page(html_path, audit_html(told), PAGE)
    warn(told.warnings)
    if as_json:
        print(json.dumps(facts))  # noqa: T201
        return
    _show(told)
    if html_path is not None:
        say(f"page (for the holder of the table, do not share): {html_path}")


def _plan(path: Path | None, quasi: str | None, said: dict[str, Any]) -> Plan | None:
    """Return the plan that was given, with what is said of the file; else, where something is, one that says no more."""
    from kohort.plan import Plan

    if path is not None:
        return Plan.load(path).with_settings({f"input.{key}": value for key, value in said.items()})
    if not said:
        return None
    columns = dict.fromkeys(_names(quasi or ""), "quasi")
    return Plan.from_dict({"input": said, "columns": columns, "require": [{"model": "k-anonymity", "k": 2}]})


def _names(told: str) -> list[str]:
    names = [name.strip() for name in told.split(",")]
    if not all(names):
        raise InputError(
            f"{told!r} is not a list of columns; write them as age,zip,sex", code="cli.option", value=told
        )
    return names


def _show(facts: TableAudit) -> None:
    """Print the lines, headings in bold where they are read on a terminal."""
    import shutil

    from kohort.report.audit_text import WIDTH, audit_lines

    for line in audit_lines(facts, max(min(shutil.get_terminal_size((WIDTH, 24)).columns, 120), 60)):
        heading = line != "" and not line.startswith(" ")
        say(line, **({"bold": True} if heading else {}))
