"""What the commands that are given a table, and not a plan, can be told about how its file is read: keys of [input]."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

TableName = Annotated[
    str | None, typer.Option("--table", "--sheet", help="The table of a database, or sheet.")
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header", metavar="", help="Whether the first row of a text file names the columns."
    ),
]
Skip = Annotated[
    int | None,
    typer.Option("--skip", min=0, help="How many lines, or rows of a sheet, stand above the header."),
]
Footer = Annotated[
    int | None,
    typer.Option("--footer", min=0, help="How many rows at the end are nobody's, such as a total."),
]
Delimiter = Annotated[
    str | None, typer.Option("--delimiter", help="The sign between the cells of a text file.")
]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Of a text file, such as cp1252.")]
Decimal = Annotated[
    str | None,
    typer.Option("--decimal", help="The sign in front of a fraction: [bold].[/] or [bold],[/]"),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        help="A text that means that a value is missing, such as NA; may be given several times.",
    ),
]


def told_of_file(**options: Any) -> dict[str, Any]:
    """Return the options that were given, as keys of [input]."""
    return {key: value for key, value in options.items() if value not in (None, [])}


def demand_heeded(said: dict[str, Any], table: Path) -> None:
    """Refuse what is said of a file that its format does not have."""
    from kohort.plan.sections import InputPlan, convert
    from kohort.preparation.effects import refuse_unheeded
    from kohort.typed import check_sound

    check_sound(said, "[input]")
    refuse_unheeded(convert(said, InputPlan, "[input]"), [table])
