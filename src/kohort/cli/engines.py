"""`--engine` and what goes with it, the same for every command that reads a table."""

from __future__ import annotations

from typing import Annotated

import typer

from kohort.errors import InputError

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        help="Where the rows are kept: [bold]memory[/] (fastest; every algorithm and format), "
        "[bold]duckdb[/] (on disk, for tables that do not fit in memory: csv, parquet, duckdb, sqlite) or "
        "[bold]spark[/] (in Apache Spark, for tables of more than one machine: files and folders of csv and parquet, "
        "table:NAME of a catalog; it writes csv, tsv, parquet, and tables of a catalog by \\[output] table).",
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="How much memory the process is held to, such as 4GB, at least 600MB, where the distinct values of its columns are "
        "few; rows go to TMPDIR, and where distinct tuples do not fit, levels are counted there. Half of the machine's by default.",
    ),
]


_NAMED: dict[str, str | None] = {}  # master, remote


def _cluster(context: typer.Context, option: typer.CallbackParam, value: str | None) -> str | None:
    """Note which cluster is asked for, of every command anew; nothing is loaded for it yet."""
    if not context.resilient_parsing:
        _NAMED[str(option.name)] = value
    return value


MasterOption = Annotated[
    str | None,
    typer.Option(
        "--master",
        metavar="URL",
        callback=_cluster,
        help="With --engine spark: the master of Spark's machines, such as spark://host:7077. By default this machine, local[*].",
    ),
]
RemoteOption = Annotated[
    str | None,
    typer.Option(
        "--remote",
        metavar="URL",
        callback=_cluster,
        help="With --engine spark: a Spark Connect server, such as sc://host:15002.",
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
    _check_cluster(engine)
    if memory is not None and engine not in bounded():
        able = bounded()
        raise InputError(
            f"--memory bounds the {' and the '.join(able)} engine; add --engine {able[0]}, or leave it out",
            code="cli.option",
            option="memory",
        )
    if memory is not None:
        from kohort.table.budget import Budget

        Budget.of(memory)  # what is no bound is told, whether or not anything comes to be held to it


def _check_cluster(engine: str) -> None:
    """Hand the cluster that is named to whoever starts a session; refuse one for an engine that has none, and two of them."""
    told = [option for option, value in _NAMED.items() if value is not None]
    if told and engine != "spark":
        raise InputError(
            f"--{told[0]} says where Apache Spark runs; add --engine spark, or leave it out",
            code="cli.option",
            option=told[0],
        )
    if len(told) > 1:
        raise InputError(
            "--master and --remote say two places where Spark runs; leave one out",
            code="cli.option",
            option="remote",
        )
    if engine == "spark":
        from kohort.table.cluster.addresses import check_master, check_remote
        from kohort.table.cluster.session import CHOSEN

        for option, check in (("master", check_master), ("remote", check_remote)):
            if (value := _NAMED.get(option)) is not None:
                check(value)
        CHOSEN.update(_NAMED)
