"""`--engine` and `--memory`, the same for every command that reads a table."""

from __future__ import annotations

from typing import Annotated

import typer

from kohort.errors import InputError

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        help="Where the rows are kept: [bold]memory[/] (fastest; every algorithm and format) or "
        "[bold]duckdb[/] (on disk, for tables that do not fit in memory: csv, parquet, duckdb, sqlite).",
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="How much memory the process may take, such as 4GB, at least 600MB; rows go to TMPDIR, and where "
        "distinct tuples do not fit, levels are counted there. Half of the machine's by default.",
    ),
]


def check_engine(engine: str, memory: str | None) -> None:
    """Refuse an engine that there is not, and a bound for one that keeps none."""
    from kohort.engines import AVAILABLE_ENGINES, bounded

    if engine not in AVAILABLE_ENGINES:
        raise InputError(
            f"--engine {engine!r}: the engines are: {', '.join(AVAILABLE_ENGINES)}",
            code="engine.unknown",
            engine=engine,
            allowed=list(AVAILABLE_ENGINES),
        )
    if memory is not None and engine not in bounded():
        able = bounded()
        raise InputError(
            f"--memory bounds the {' and the '.join(able)} engine; add --engine {able[0]}, or leave it out",
            code="cli.option",
            option="memory",
        )
