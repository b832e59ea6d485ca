"""`kohort verify`: read what was written, and judge it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from msgspec import to_builtins

from kohort.cli.engines import check_engine
from kohort.cli.terminal import say
from kohort.errors import InputError, VerificationError
from kohort.paths import resolved, usable

if TYPE_CHECKING:
    from kohort.facts.promises import VerdictFacts
    from kohort.verification.judges import Verdict

MARKS = {True: "✓", False: "✗", None: "?"}
NOT_JUDGED = 5  # everything that could be judged holds, but something that was promised could not be judged
ENDINGS = {
    0: "everything that was promised was judged, and holds",
    VerificationError.exit_code: "what is marked ✗ does not hold: do not rely on this release before it is known why",
    NOT_JUDGED: "nothing that could be judged is broken, but what is marked ? could not be judged",
}
AS_JUDGED_THEN = (
    "everything that was promised holds, some of it as it was judged when these bytes were released"
)


def run(
    release: Path,
    plan_path: Path | None,
    original: Path | None,
    signer: Path | None,
    as_json: bool,
    engine: str,
    memory: str | None,
) -> None:
    """Judge a release directory, or a table by a plan.

    Exit with 4 where something does not hold, with 5 where some could not be judged.
    """
    from kohort.cli.lean import start_lean

    start_lean()
    check_engine(engine, memory)
    from kohort.folders.workshop import recover
    from kohort.plan import Plan
    from kohort.verification.verify import THEN, verify

    if not resolved(usable(release, "the release")).name:
        raise InputError(f"{release} is not a release directory", code="release.not-one", path=release)
    recover(release)
    if not release.is_dir() and plan_path is None:
        raise InputError(
            f"{release} is not a release directory; to judge a table, name the plan with --plan",
            code="release.not-one",
            path=release,
        )
    release = release if release.name not in ("", "..") else resolved(release)
    plan = None if plan_path is None else Plan.load(plan_path)
    verdicts = verify(release, plan, original, signer=signer, engine=engine, memory=memory)
    holds = together(verdicts)
    code = {True: 0, False: VerificationError.exit_code, None: NOT_JUDGED}[holds]
    if as_json:
        _tell_json(verdicts, holds, code)
    else:
        _show(verdicts)
        then = not code and any(verdict.note == THEN for verdict in verdicts)
        typer.echo(AS_JUDGED_THEN if then else ENDINGS[code], err=bool(code))
    raise typer.Exit(code)


def together(verdicts: list[Verdict]) -> bool | None:
    """Return whether all hold: False where one does not, None where one could not be judged."""
    held = {verdict.holds for verdict in verdicts}
    return False if False in held else None if None in held else True


def _tell_json(verdicts: list[Verdict], holds: bool | None, code: int) -> None:
    facts = [to_builtins(verdict.facts()) | {"judged": verdict.holds is not None} for verdict in verdicts]
    told = {
        "verdicts": facts,
        "holds": holds,
        "judged": None not in {v.holds for v in verdicts},
        "exit_code": code,
    }
    print(json.dumps(told))  # noqa: T201 - what --json is for


def _show(verdicts: list[Verdict]) -> None:
    for fact in (verdict.facts() for verdict in verdicts):
        achieved = "" if fact.achieved is None else f" (achieved {fact.achieved:.4g})"
        note = f" – {fact.note}" if fact.note else ""
        say(f"{MARKS[fact.holds]} {fact.promise}{achieved}{note}{_in_itself(fact)}")


def _in_itself(fact: VerdictFacts) -> str:
    if fact.in_itself is None:
        return ""
    return f"; against the release's own distribution, which is not what is promised: {fact.in_itself:.4g}"
