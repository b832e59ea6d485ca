"""`kohort frontier`: what each promise costs, and what risk remains."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec import convert

from kohort.cli.engines import check_engine
from kohort.cli.pages import PLOT, demand_place, write_page
from kohort.cli.terminal import say
from kohort.errors import InputError
from kohort.facts.release import Point
from kohort.toml import read_toml


def run(
    plan_path: Path,
    ks: str | None,
    vary: str | None,
    output: Path | None,
    as_json: bool,
    engine: str,
    memory: str | None,
) -> None:
    """Search once per value; print the table, and draw the plot where asked."""
    from kohort.cli.lean import start_lean

    start_lean()
    check_engine(engine, memory)
    from kohort.cli.progress import Bar
    from kohort.cli.source import named_in, source_of
    from kohort.frontiers import points_of
    from kohort.plan import Plan
    from kohort.plan.rules import demand_offer

    demand_place(output, PLOT)
    plan = Plan.load(plan_path)
    demand_offer(plan, "frontier")
    source = source_of(plan, plan_path)
    parameter, values = _varied(plan, ks, vary)
    with Bar() as bar, named_in(plan_path, source):
        points = points_of(source, plan, parameter, values, bar, engine, memory)
    if output is not None:
        from kohort.report.frontier import frontier_svg

        write_page(output, frontier_svg(convert(points, list[Point])), PLOT)
    if as_json:
        print(json.dumps({"points": points}))  # noqa: T201
        return
    _show(points)
    if bar.stop.pulled:
        say("stopped by Ctrl-C: the last line is the best so far, and later values were not searched")
    if output is not None:
        say(f"plot: {output}")


def _varied(plan: Any, ks: str | None, vary: str | None) -> tuple[str, list[Any]]:
    """Return the parameter and its values: `--k 2,5` or `--vary require.1.l=2,3`."""
    if (ks is None) == (vary is None):
        raise InputError(
            "say what is varied: either --k 2,5,10 or --vary KEY=VALUE,VALUE, such as require.1.l=2,3",
            code="cli.option",
            option="vary",
        )
    if ks is not None:
        from kohort.points import crowd_parameter

        parameter = crowd_parameter(plan)
        if parameter is None:
            raise InputError(
                "--k: nothing that the plan requires has a k; use --vary with another parameter, such as require.0.l=2,3",
                code="cli.option",
                option="k",
            )
        return parameter, _values("--k", ks)
    key, equals, told = str(vary).partition("=")
    if not equals:
        raise InputError(
            f"--vary {vary!r}: write it as KEY=VALUE,VALUE, such as require.0.k=2,5,10",
            code="cli.option",
            option="vary",
            value=vary,
        )
    return key.strip(), _values("--vary", told)


def _values(option: str, told: str) -> list[Any]:
    try:
        values = read_toml(f"values = [{told}]")["values"]
    except ValueError:  # no TOML, or a number of thousands of digits
        values = []
    if not values:
        raise InputError(
            f"{option}: {told!r} is not a list of values; write them as 2,5,10",
            code="cli.option",
            option=option,
            value=told,
        )
    return list(values)


def _show(told: list[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal
    from kohort.report.frontier import meaning, scored_by, suppressed, without
    from kohort.report.words import at_most

    points = convert(told, list[Point])
    table = Table(box=None, pad_edge=False)
    headings = (_short(points[0].parameter), scored_by(points), "suppressed", "classes", "highest risk",
                "average risk", "seconds")  # fmt: skip
    for heading in headings:
        table.add_column(escape(heading), justify="right", no_wrap=heading == headings[0])
    for point, more in zip(points, told, strict=True):
        if not point.feasible:
            table.add_row(escape(str(point.value)), without(point.feasible, point.code), *[""] * 5)
            continue
        table.add_row(
            escape(str(point.value)),
            f"{point.score:.6g}",
            suppressed(point),
            f"{more['classes']:,}",
            at_most(point.highest_risk),
            at_most(point.average_risk),
            f"{more['seconds']:.2f}",
        )
    terminal().print(table)
    if any(point.feasible for point in points):
        say(meaning(points))


def _short(parameter: str) -> str:
    """Return the end of a key, for the head of a narrow column: k, max_suppression, age.weight."""
    parts = parameter.split(".")
    return ".".join(parts[-2:]) if parts[0] == "columns" else parts[-1]
