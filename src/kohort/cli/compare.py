"""`kohort compare`: several ways of recoding side by side, for several k."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kohort.cli.engines import check_engine
from kohort.cli.pages import PAGE, demand_place, write_page
from kohort.cli.terminal import say
from kohort.errors import InputError

if TYPE_CHECKING:
    from kohort.facts.comparison import Trial


def run(
    plan_path: Path,
    ks: str | None,
    algorithms: str | None,
    time_limit: float,
    settings: list[str],
    output: Path | None,
    as_json: bool,
    engine: str,
    memory: str | None,
) -> None:
    """Search once for each way and k; print the table, and write the page where asked."""
    from kohort.cli.lean import start_lean

    start_lean()
    check_engine(engine, memory)
    from kohort.cli.progress import Bar
    from kohort.cli.source import named_in, source_of
    from kohort.comparisons import trials_of
    from kohort.plan import Plan
    from kohort.plan.rules import demand_offer

    demand_place(output, PAGE)
    plan = Plan.load(plan_path, settings)
    demand_offer(plan, "compare")
    source = source_of(plan, plan_path)
    named = None if algorithms is None else _listed("--algorithms", algorithms)
    with Bar() as bar, named_in(plan_path, source):
        trials = trials_of(source, plan, bar, _numbers(ks), named, time_limit, engine, memory)
    if output is not None:
        from kohort.report.comparison import comparison_html

        write_page(output, comparison_html(trials), PAGE)
    if as_json:
        print(json.dumps(_told(trials)))  # noqa: T201 - what --json is for
        return
    _show(trials)
    if bar.stop.pulled:
        say("stopped by Ctrl-C: the search in hand gave its best so far, and later ones were not tried")
    if output is not None:
        say(f"page (do not share): {output}")


_DIGITS = 15  # of a k, which nobody asks for


def _told(trials: Sequence[Trial]) -> dict[str, Any]:
    from msgspec import to_builtins

    from kohort.report.comparison import PRIVATE, measure_of

    return {"measure": measure_of(trials), "zone": PRIVATE, "trials": to_builtins(trials)}


def _numbers(told: str | None) -> list[int] | None:
    if told is None:
        return None
    parts = _listed("--k", told)
    if not all(part.isdigit() and len(part) <= _DIGITS for part in parts):
        raise _not_a_list("--k", told, "2,5,10")
    return [int(part) for part in parts]


def _listed(option: str, told: str) -> list[str]:
    parts = [part.strip() for part in told.split(",")]
    if not all(parts):
        raise _not_a_list(option, told, "a,b")
    return parts


def _not_a_list(option: str, told: str, example: str) -> InputError:
    return InputError(
        f"{option}: {told!r} is not a list; write it as {example}",
        code="cli.option",
        option=option,
        value=told,
    )


def _show(trials: Sequence[Trial]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal
    from kohort.facts.comparison import FOUND
    from kohort.report.comparison import (
        MARKS,
        NARROW,
        PRIVATE,
        best_of,
        meaning,
        measure_of,
        refusals,
        short_cells,
        strengths,
        to_go,
    )

    console = terminal()
    for name, each in strengths(trials):
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(escape(name), no_wrap=True)
        for heading in (measure_of(trials), *NARROW):
            table.add_column(escape(heading), justify="right", no_wrap=True)
        for trial in (trial for trial in each if trial.status == FOUND):
            table.add_row(*map(escape, short_cells(trial)))
        console.print(table)
    say([MARKS, "", meaning(trials)])
    for algorithm, status, reason in refusals(trials):
        say(f"{algorithm}: {status}{f', because {reason}' if reason else ''}")
    say([*best_of(trials), *filter(None, [to_go(trials)]), PRIVATE])
