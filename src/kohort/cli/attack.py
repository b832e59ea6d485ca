"""`kohort attack`: the attacks of the literature, run against a release directory."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from kohort.cli.engines import check_engine
from kohort.cli.flags import needed
from kohort.errors import InputError
from kohort.paths import resolved, usable

if TYPE_CHECKING:
    from rich.console import Console

    from kohort.attacks import Finding, Outcome, Outside
    from kohort.attacks.attacked_release import AttackedRelease

LEGEND = (
    "success: what the intruder reaches with the release; baseline: without it, or by chance; control: the same attack "
    "where nothing can be right by knowledge, with what is known of somebody else or on values dealt anew, and how far chance "
    "takes it; power: the least rise over the control that the attack would have found, four times in five; "
    "none: no rise that can exist would have been found so often, or not all was looked at"
)


def run(
    directory: Path,
    with_table: Path | None,
    on: str | None,
    identity: str | None,
    everything: bool,
    others: list[Path],
    original: Path | None,
    plan_path: Path | None,
    report: bool,
    as_json: bool,
    engine: str,
    memory: str | None,
) -> None:
    """Run the attacks, print what they came to, and keep it in the private zone of the release."""
    from kohort.folders.workshop import recover

    check_engine(engine, memory)
    recover(usable(directory, "the release"))
    if not directory.is_dir():
        raise InputError(
            f"{directory} is not a release directory; name one that kohort anonymize wrote",
            code="release.not-one",
            path=directory,
        )
    directory = directory if directory.name not in ("", "..") else resolved(directory)
    from kohort.attacks import attacked as attack_it
    from kohort.attacks.attacked_release import target_of_directory
    from kohort.plan import Plan

    started = time.perf_counter()
    outside = _outside(with_table, on, identity)
    plan = None if plan_path is None else Plan.load(plan_path)
    attacked = target_of_directory(directory, outside, others, original, plan, engine, memory)
    names = None if everything or outside is None else _named(bool(others))
    outcome = attack_it(attacked.target, attacked.plan, names)
    told: dict[str, Any] = {
        "attacks": [to_builtins(finding.facts()) for finding in outcome.found],
        "not_run": outcome.lacking,
        "not_applicable": outcome.not_applicable,
        "seconds": round(time.perf_counter() - started, 4),
    }
    if report and attacked.private is None:
        raise InputError(
            "--report: attacks are told in the private report, and there is none beside this release; leave it out",
            code="cli.option",
            option="report",
        )
    kept = _keep(directory, attacked, told)
    if attacked.private is not None:
        from kohort.attacks.reporting import tell_in_report

        tell_in_report(directory, attacked.private, outcome)
    if as_json:
        print(json.dumps(told))  # noqa: T201
    else:
        _show(outcome, kept)


def _named(others: bool) -> list[str]:
    """Return the attacks that look up the people of an outside table, in other releases too where there are any."""
    from kohort.attacks import ATTACKS

    where = ("people", "people in several releases") if others else ("people",)
    return [name for name, kind in ATTACKS.items() if kind.card.looks_up in where]


def _outside(path: Path | None, on: str | None, identity: str | None) -> Outside | None:
    if path is None:
        if on is not None or identity is not None:
            raise InputError(
                "--on and --id speak of an outside table; name it with --with TABLE",
                code="cli.option",
                option="with",
            )
        return None
    if on is None:
        raise InputError("say which columns the outside table shares with the release", code="attack.no-link")
    from kohort.attacks import Outside
    from kohort.table.reading import read_table

    names = tuple(name.strip() for name in on.split(","))
    if not all(names):
        raise InputError(
            f"--on {on!r} is not a list of columns; write them as zip,sex",
            code="cli.option",
            option="on",
            value=on,
        )
    return Outside(read_table(path, expected=names), names, identity)


def _keep(directory: Path, attacked: AttackedRelease, told: dict[str, Any]) -> Path | None:
    """Write the findings into the private zone; nowhere, where that does not stand beside the release."""
    if attacked.private is None:
        return None
    from kohort.folders.workshop import amend

    amend(attacked.private, directory, {"attacks.json": _json(told)})
    return attacked.private / "attacks.json"


def _json(told: Any) -> str:
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _show(outcome: Outcome, kept: Path | None) -> None:
    from rich.markup import escape

    from kohort.cli.terminal import terminal
    from kohort.report.attacks import NOTHING, THOUGH, TRUE

    console = terminal()
    urgent = [finding for finding in outcome.found if finding.calls_for_action]
    if outcome.found:
        console.print(f"[bold]to act on: {len(urgent)}[/]" if urgent else NOTHING, highlight=False)
    for finding in urgent:
        if finding.gained:
            _tell(console, finding, advised=True)
    known = [finding for finding in urgent if not finding.gained]
    if known:
        console.print(f"[bold]of these, {len(known)} {TRUE}[/]: {THOUGH}", highlight=False)
    for finding in known:
        _tell(console, finding, advised=True)
    others = [finding for finding in outcome.found if not finding.calls_for_action]
    if urgent and others:
        console.print("[bold]no more than chance gives, or than the promises let through[/]", highlight=False)
    for finding in others:
        _tell(console, finding)
    if outcome.found:
        console.print(LEGEND, highlight=False)
    for name, reason in outcome.not_applicable.items():
        console.print(
            f"not applicable: {escape(name)}, because {escape(reason)}", highlight=False, soft_wrap=True
        )
    for name, reason in outcome.lacking.items():
        console.print(f"not run: {name}, it needs {escape(needed(reason))}", highlight=False, soft_wrap=True)
    if kept is not None:
        console.print(
            f"kept with its figures in {escape(str(kept))} and in the report beside it (do not share)",
            highlight=False,
            soft_wrap=True,
        )


def _tell(console: Console, finding: Finding, advised: bool = False) -> None:
    """Print a finding: its figures, what it means, and what would close it."""
    from rich.markup import escape
    from rich.padding import Padding
    from rich.text import Text

    from kohort.report.attacks import remedy
    from kohort.signs import harmless

    console.print(f"[bold]{escape(finding.label)}[/]", highlight=False, soft_wrap=True)
    console.print(f"  {_rates(finding)}", highlight=False, soft_wrap=True)
    console.print(Padding(Text(harmless(finding.sentence)), (0, 0, 0 if advised else 1, 2)))
    if advised:
        console.print(Padding(Text(harmless(f"→ {remedy(finding.facts())}")), (0, 0, 1, 2)))


def _rates(finding: Finding) -> str:
    """Return the figures of a finding in a line, as its measure is spelled."""
    from kohort.report.attacks import SHARE, controlled, figure, power, reached

    told = finding.facts()
    name = "success" if told.measure == SHARE else told.measure
    return (
        f"{name} [bold]{reached(told)}[/]  baseline {figure(told, told.baseline)}  "
        f"control {controlled(told)}  power {power(told)}  tried on {told.n:,}"
    )
