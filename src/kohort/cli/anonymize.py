"""`kohort anonymize`: from a plan to a release on disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from kohort.cli.engines import check_engine
from kohort.errors import InputError
from kohort.facts import PrivateHead, ReleaseFacts

if TYPE_CHECKING:
    from kohort.release.release import Release

NEEDED = {  # packages and their extras, asked for before the search instead of after it
    "xlsx": (("xlsxwriter", "excel"),),
    "sav": (("pyreadstat", "stats"), ("pandas", "stats")),
    "dta": (("pyreadstat", "stats"), ("pandas", "stats")),
}


def run(
    plan_path: Path,
    output: Path | None,
    engine: str,
    settings: list[str],
    as_json: bool,
    memory: str | None = None,
    sign: Path | None = None,
) -> None:
    """Make, verify and write the release; tell what came out."""
    from kohort.cli.lean import start_lean

    start_lean()
    check_engine(engine, memory)
    from kohort.cli.progress import Bar
    from kohort.cli.source import named_in, source_of
    from kohort.cli.terminal import warn
    from kohort.folders.release_folder import refuse_foreign, refuse_place
    from kohort.folders.workshop import recover, refuse_in_the_way
    from kohort.interrupts import uninterrupted
    from kohort.ledger import check_ledger
    from kohort.pipeline import make_release
    from kohort.plan import Plan
    from kohort.release.draft import kept_files
    from kohort.release.release import Release
    from kohort.shapes import shape_of
    from kohort.table.formats.extras import extra

    plan = Plan.load(plan_path, settings)
    source = source_of(plan, plan_path)
    directory = output or plan_path.with_name(f"{plan_path.stem}-release")
    refuse_place(directory, [plan_path, *kept_files(source, plan, directory)])
    recover(directory)
    refuse_in_the_way(directory)
    refuse_foreign(directory)
    _refuse_unwritable(directory)
    check_ledger(plan, directory)
    for package, name in NEEDED.get(plan.output.format, ()):
        extra(package, name, f"writing .{plan.output.format} files")
    if sign is not None:
        from kohort.release.signing import Signer

        Signer.load(sign)  # what cannot sign is told before the search, not after it
    with Bar() as bar, named_in(plan_path, source):
        release = Release.written(make_release(source, plan, bar, engine, memory), directory, sign=sign)
    with uninterrupted():  # it stands: nobody is told that nothing was released
        warn(release.facts.warnings)
        if as_json:
            print(json.dumps(shape_of(plan).summary(release.facts)))  # noqa: T201 - what --json is for
        else:
            show(release.facts, shape_of(plan).outcome(release.facts, plan_path), directory)
            _say_what_to_act_on(release, directory)


def _say_what_to_act_on(release: Release, directory: Path) -> None:
    """Say what the attacks came to that need nothing but the release, where they were run."""
    from kohort.cli.terminal import say
    from kohort.report.attacks import urgent_line
    from kohort.report.notices import without_promise

    facts = release.facts
    if isinstance(facts, ReleaseFacts) and facts.attacks_not_run:
        say(urgent_line(facts.attacks, directory, without_promise(facts)))


def _refuse_unwritable(directory: Path) -> None:
    """Refuse a place that cannot be written before the search, not after it."""
    parent = next(place for place in directory.absolute().parents if place.exists())
    if not parent.is_dir():
        raise InputError(
            f"{parent} is a file, so {directory} cannot be made; name another directory",
            code="release.folder",
            path=directory,
        )
    if not os.access(parent, os.W_OK):
        raise InputError(
            f"{parent} may not be written to; name another directory", code="release.folder", path=directory
        )


def show(facts: PrivateHead, outcome: Iterable[object], directory: Path) -> None:
    """Print the verdicts, what came out as its shape tells it, and where it stands."""
    from rich.markup import escape

    from kohort.cli.terminal import terminal

    console = terminal()
    for verdict in facts.verdicts:
        mark = "[green]✓[/]" if verdict.holds else "[red]✗[/]"
        achieved = "" if verdict.achieved is None else f" (achieved {verdict.achieved:.4g})"
        note = (
            f" – {escape(verdict.note)}" if verdict.note else ""
        )  # whose code judged it, if not Kohort's own
        console.print(f"{mark} {escape(verdict.promise)}{achieved}{note}", highlight=False)
    for line in outcome:
        console.print(line, soft_wrap="try kohort" in str(line))  # a command stays whole, to be copied
    place, report = escape(str(directory)), escape(str(directory / "report.html"))
    console.print(f"release: [bold]{place}[/]   report: [bold]{report}[/]", highlight=False, soft_wrap=True)
    console.print(
        f"private audit and report, with the figures above (do not share): {place}.private",
        highlight=False,
        soft_wrap=True,
    )
    if facts.ledger is not None:
        from kohort.report.ledger import said_of, state_of

        for said in filter(None, (said_of(facts.ledger), state_of(facts.ledger, str(directory)))):
            console.print(escape(said), highlight=False, soft_wrap=True)
