"""`kohort hierarchy show | export | check`: the hierarchy of a plan's column, for the holder of the table."""

from __future__ import annotations

from json import dumps
from os.path import relpath
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kohort.cli.json_option import Json
from kohort.cli.plain_help import PlainCommand, PlainGroup
from kohort.plurals import many

if TYPE_CHECKING:
    from kohort.level_files import ColumnLevels
    from kohort.plan import Plan

SHOWN = 20  # labels of a level that a terminal shows
PRIVATE = "private: it is made from the table, for whoever holds it; do not share it"

app = typer.Typer(
    cls=PlainGroup,
    help="Show a column's hierarchy with its counts, write it as a level file, check an edited one. Private: all read the table.",
    no_args_is_help=True,
)
PlanArgument = Annotated[Path, typer.Argument(help="The plan, a TOML file.")]
ColumnArgument = Annotated[str, typer.Argument(help="A column of the plan.")]
TableOption = Annotated[
    Path | None,
    typer.Option("--table", metavar="TABLE", help="The table, where it is not the one that the plan names."),
]


@app.command(cls=PlainCommand)
def show(plan: PlanArgument, column: ColumnArgument, table: TableOption = None, json: Json = False) -> None:
    """Print every level with its labels, and how many rows and values each holds."""
    found = _levels(plan, column, table)
    if json:
        _print({"column": column, "levels": found.told()})
    else:
        _show(column, found)


@app.command(cls=PlainCommand)
def export(
    plan: PlanArgument,
    column: ColumnArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="The level file to write; by default COLUMN.csv beside the plan."
        ),
    ] = None,
    table: TableOption = None,
    json: Json = False,
) -> None:
    """Write it as a level file that a spreadsheet can edit: one row per value, one column per level."""
    from kohort.cli.terminal import say, warn
    from kohort.level_files import export_levels
    from kohort.level_files.names import file_name

    found = _levels(plan, column, table)
    place = output or plan.parent / file_name(column)
    warnings = export_levels(found, place)
    warn(warnings)
    if json:
        _print(
            {
                "file": str(place),
                "values": found.hierarchy.size,
                "levels": found.hierarchy.height + 1,
                "warnings": warnings,
            }
        )
        return
    say(f"level file ({PRIVATE}): {place}")
    path = dumps(Path(relpath(place, plan.parent)).as_posix(), ensure_ascii=False)
    say(f'in the plan: hierarchy = {{ kind = "file", path = {path} }}')
    say(f"after an edit: kohort hierarchy check {quote(str(plan))} {quote(column)} -f {quote(str(place))}")


@app.command(cls=PlainCommand)
def check(
    plan: PlanArgument,
    column: ColumnArgument,
    file: Annotated[
        Path | None,
        typer.Option(
            "-f", "--file", help="The level file; by default that of the plan, else COLUMN.csv beside it."
        ),
    ] = None,
    table: TableOption = None,
    json: Json = False,
) -> None:
    """Say all that is wrong with an edited level file; exit code 2 where something is."""
    from kohort.cli.source import named_in
    from kohort.cli.terminal import say
    from kohort.level_files import check_levels
    from kohort.level_files.reference import reference_levels
    from kohort.plan import Plan

    with named_in(plan, _source(Plan.load(plan), table)):
        found, place = reference_levels(plan, column, file, table)
    faults = check_levels(found, place)
    if json:
        told = [{"what": fault.what, "rows": list(fault.rows), "advice": fault.advice} for fault in faults]
        _print({"file": str(place), "faults": told})
    elif faults:
        say(f"{place}: {fault}" for fault in faults)
    else:
        say(f"{place}: every value of the table has one path to one root")
    if faults:
        raise typer.Exit(2)


def _levels(plan_path: Path, column: str, table: Path | None) -> ColumnLevels:
    from kohort.cli.source import named_in
    from kohort.level_files import column_levels
    from kohort.plan import Plan

    plan = Plan.load(plan_path)
    with named_in(plan_path, _source(plan, table)):
        return column_levels(plan, column, table)


def _source(plan: Plan, table: Path | None) -> Path | None:
    """Return where the plan says that the table is, where none is named beside it."""
    return plan.base / plan.input.path if table is None and plan.input.path is not None else None


def _show(column: str, found: ColumnLevels) -> None:
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import say, terminal

    say(f"{column} ({PRIVATE})")
    console = terminal()
    for height, level in enumerate(found.hierarchy.levels):
        rows, name = found.rows_at(height), found.hierarchy.level_names()[height]
        held = rows[rows > 0]
        say(
            f"level {height}, {name}: {many(len(level.labels), 'label')}, {len(held):,} of them in the table; the rarest in "
            f"{many(int(held.min()) if len(held) else 0, 'row')}, one row each: {int((rows == 1).sum()):,}"
        )
        if not height:
            continue  # the values themselves are what export is for
        shown = Table("label", "rows", "values", box=None, pad_edge=False)
        for label, n, values in list(zip(level.labels, rows.tolist(), level.leaves.tolist(), strict=True))[
            :SHOWN
        ]:
            shown.add_row(escape("(missing)" if label is None else label), f"{n:,}", f"{values:,}")
        console.print(shown)
        if len(level.labels) > SHOWN:
            say(f"… and {len(level.labels) - SHOWN:,} more (--json has all)")


def _print(told: dict[str, Any]) -> None:
    print(dumps(told))  # noqa: T201
