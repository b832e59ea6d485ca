"""`kohort demo`: a made-up hospital, released end to end."""

from __future__ import annotations

from pathlib import Path

from kohort.errors import InputError
from kohort.folders.release_folder import refuse_within
from kohort.folders.workshop import recover
from kohort.refusals import reason, remedy


def run(directory: Path, as_json: bool) -> None:
    """Write the table and its plan, and make the release that the plan asks for."""
    from kohort.cli.anonymize import run as anonymize
    from kohort.cli.demo_place import RELEASE, refuse_others
    from kohort.demo import write

    refuse_within(directory / "plan.toml")
    recover(directory / RELEASE)
    try:
        refuse_others(directory)  # before anything is written beside it
        plan = write(directory)
    except OSError as problem:
        raise InputError(
            f"{directory}: the demo cannot be written there ({reason(problem)}); {remedy(problem)}",
            code="file.unwritable",
            path=directory,
        ) from None
    if not as_json:
        from rich.markup import escape

        from kohort.cli.terminal import terminal

        terminal().print(
            f"a made-up hospital: [bold]{escape(str(directory / 'patients.csv'))}[/], its plan: [bold]{escape(str(plan))}[/]"
        )
    anonymize(plan, directory / RELEASE, "memory", [], as_json)
