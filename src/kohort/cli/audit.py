"""`kohort audit`: what a table achieves as it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kohort.errors import InputError


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
) -> None:
    """Audit the table, and print the figures for people or for programs."""
    from kohort.cli.first_run import tell_first_run
    from kohort.cli.lean import start_lean

    start_lean()
    tell_first_run()
    from kohort.pipeline import audit
    from kohort.plan import Plan

    plan = None if plan_path is None else Plan.load(plan_path)
    if quasi is None and plan is None:
        raise InputError("name the quasi-identifiers with --quasi a,b,c, or a plan that does with --plan")
    facts = audit(
        table,
        quasi=_names(quasi) if quasi is not None else None,
        sensitive=_names(sensitive) if sensitive is not None else None,
        respondent=respondent,
        plan=plan,
        population=population,
        sampling_fraction=sampling_fraction,
    )
    if html_path is not None:
        _write_html(facts, html_path)
    if as_json:
        print(json.dumps(facts, ensure_ascii=False))  # noqa: T201
    else:
        _show(facts)


def _names(told: str) -> list[str]:
    names = [name.strip() for name in told.split(",")]
    if not all(names):
        raise InputError(f"{told!r} is not a list of columns; write them as age,zip,sex")
    return names


def _write_html(facts: dict[str, Any], path: Path) -> None:
    from kohort.report.audit import audit_html

    try:
        path.write_text(audit_html(facts), encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{path}: the page cannot be written ({problem.strerror})") from None


def _show(facts: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    risk = facts["risk"]["prosecutor"]
    console.print(
        f"[bold]k = {facts['k']}[/]: {facts['records']:,} records of {facts['people']:,} respondents in "
        f"{facts['classes']:,} classes over {', '.join(facts['quasi'])}"
    )
    if facts["suppressed"]:
        judged = facts["with_suppressed"]
        console.print(
            f"{facts['suppressed']:,} suppressed rows (all quasi-identifiers *) are left out above; "
            f"counted as one class k would be {judged['k']}"
        )
    unique = facts["uniqueness"]
    console.print(
        f"unique: {unique['unique']:,} ({unique['share']:.1%}); highest risk {risk['highest']:.1%}, "
        f"average risk {risk['average']:.2%}"
    )
    for line in facts["risk"]["at_risk"]:
        console.print(f"  risk above {line['above']:.0%}: {line['people']:,} ({line['share']:.1%})")
    if facts["sensitive"]:
        table = Table(box=None, pad_edge=False)
        headings = (
            "sensitive",
            "distinct l",
            "entropy l",
            "t equal",
            "t ordered",
            "alpha",
            "beta",
            "delta",
            "one value",
        )
        for heading in headings:
            table.add_column(heading, justify="left" if heading == "sensitive" else "right")
        for name, told in facts["sensitive"].items():
            figures = (told["distinct_l"], told["entropy_l"], told["t"]["equal"], told["t"]["ordered"], told["alpha"],
                       told["beta"], told["delta"])  # fmt: skip
            share = f"{told['homogeneous_share']:.1%}"
            table.add_row(name, *("∞" if figure is None else f"{figure:.4g}" for figure in figures), share)
        console.print(table)
        console.print(f"p = {facts['p']}")
    if unique["subsets"]:
        worst = unique["subsets"][0]
        console.print(
            f"riskiest columns together: {', '.join(worst['columns'])} (unique: {worst['unique']:,}, {worst['share']:.1%})"
        )
