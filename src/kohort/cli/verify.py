"""`kohort verify`: read what was written, and judge it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from kohort.errors import InputError, VerificationError


def run(release: Path, plan_path: Path | None, original: Path | None, as_json: bool) -> None:
    """Judge a release directory, or a table by a plan; exit with 4 where a promise does not hold."""
    from kohort.cli.lean import start_lean

    start_lean()
    from kohort.checking import verify, verify_directory
    from kohort.plan import Plan
    from kohort.workshop import recover

    recover(release)
    if release.is_dir():
        release = release if release.name not in ("", "..") else release.resolve()
        verdicts = verify_directory(release, original, None if plan_path is None else Plan.load(plan_path))
    elif plan_path is None:
        raise InputError(f"{release} is not a release directory; to judge a table, name the plan with --plan")
    else:
        verdicts = verify(release, Plan.load(plan_path), original)
    facts = [verdict.facts() for verdict in verdicts]
    broken = [verdict for verdict in verdicts if verdict.holds is False]
    if as_json:
        print(json.dumps({"verdicts": facts, "holds": not broken}))  # noqa: T201
    else:
        _show(facts)
    if broken:
        raise VerificationError("the release does not keep what it promises")


def _show(facts: list[dict[str, Any]]) -> None:
    for fact in facts:
        mark = {True: "✓", False: "✗", None: "?"}[fact["holds"]]
        achieved = "" if fact["achieved"] is None else f" (achieved {fact['achieved']:.4g})"
        note = f" – {fact['note']}" if fact.get("note") else ""
        typer.echo(f"{mark} {fact['promise']}{achieved}{note}")
