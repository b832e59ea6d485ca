"""`kohort`: the commands and their flags."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kohort.cli.ending import run_and_end
from kohort.cli.engines import EngineOption, MasterOption, MemoryOption, RemoteOption
from kohort.cli.hierarchy import app as hierarchy
from kohort.cli.json_option import Json
from kohort.cli.listings import LISTINGS
from kohort.cli.plain_help import PlainCommand, PlainGroup
from kohort.cli.reading import (
    Decimal,
    Delimiter,
    Encoding,
    Footer,
    Header,
    Missing,
    Skip,
    TableName,
    told_of_file,
)

app = typer.Typer(
    name="kohort",
    cls=PlainGroup,
    help="Release tables about people under promises such as k-anonymity, verified on what was written.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a traceback with locals would quote people's data
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="rich",
)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[
        bool, typer.Option("--version", metavar="", help="Print the version and exit.")
    ] = False,
) -> None:
    if version:
        from kohort.version import __version__

        typer.echo(f"kohort {__version__}")
        raise typer.Exit


@app.command(cls=PlainCommand)
def demo(
    directory: Annotated[Path, typer.Argument(help="Where to write it.")] = Path("demo"), json: Json = False
) -> None:
    """Make up a hospital table and a plan, and run it end to end."""
    from kohort.cli.demo import run

    run(directory, json)


@app.command(cls=PlainCommand)
def init(
    table: Annotated[
        Path, typer.Argument(help="The table: csv, tsv, parquet, xlsx, sav, dta, sas7bdat, duckdb, sqlite.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The plan to write.")] = Path("plan.toml"),
    table_name: TableName = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing plan.")] = False,
    header: Header = None,
    skip: Skip = None,
    footer: Footer = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: Missing = None,
    guard: Annotated[
        bool,
        typer.Option(
            "--guard",
            metavar="",
            help="Decide to treat columns that nothing is known of as known to others, as far as the table bears it.",
        ),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", metavar="", help="Also print how far each column tells rows apart."),
    ] = False,
    json: Json = False,
) -> None:
    """Read a table, propose a role for every column with the reason, and write a plan."""
    from kohort.cli.init import run

    said = told_of_file(
        table=table_name,
        header=header,
        skip=skip,
        footer=footer,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        missing=missing,
    )
    run(table, output, said, force, json, verbose, guard)


@app.command(cls=PlainCommand)
def anonymize(
    plan: Annotated[Path, typer.Argument(help="The plan, a TOML file.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="The directory to write; by default PLAN-release beside the plan."
        ),
    ] = None,
    engine: EngineOption = "memory",
    memory: MemoryOption = None,
    master: MasterOption = None,  # noqa: ARG001 - noted by its callback
    remote: RemoteOption = None,  # noqa: ARG001
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override the plan, e.g. require.0.k=10."),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Also tell how well this column is predicted before and after."),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option(metavar="KEY", help="Sign it with this private key ([bold]kohort keygen[/])."),
    ] = None,
    json: Json = False,
) -> None:
    """Make the release that a plan asks for, verify it and write it."""
    from json import dumps

    from kohort.cli.anonymize import run

    asked = [] if task is None else [f"output.task={dumps(task)}"]
    run(plan, output, engine, [*(settings or []), *asked], json, memory, sign)


@app.command(cls=PlainCommand)
def keygen(
    key: Annotated[Path, typer.Argument(help="The private key to write; the public one is KEY.pub.")],
    json: Json = False,
) -> None:
    """Make a pair of keys, to sign releases so that recipients can tell who released them."""
    from kohort.cli.keygen import run

    run(key, json)


@app.command(cls=PlainCommand)
def audit(
    table: Annotated[Path, typer.Argument(help="The table to look at.")],
    quasi: Annotated[str | None, typer.Option(help="The quasi-identifiers, such as age,zip,sex.")] = None,
    sensitive: Annotated[str | None, typer.Option(help="The sensitive columns.")] = None,
    respondent: Annotated[
        str | None, typer.Option(help="The column that names a person: k counts people.")
    ] = None,
    plan: Annotated[
        Path | None, typer.Option(help="A plan, for roles and the hierarchies of sensitive columns.")
    ] = None,
    population: Annotated[
        Path | None, typer.Option(help="A table of the population, for the journalist's risk.")
    ] = None,
    sampling_fraction: Annotated[
        float | None, typer.Option(help="Which share of the population the table is.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Also write the audit as a page.")] = None,
    table_name: TableName = None,
    header: Header = None,
    skip: Skip = None,
    footer: Footer = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: Missing = None,
    engine: EngineOption = "memory",
    memory: MemoryOption = None,
    master: MasterOption = None,  # noqa: ARG001 - noted by its callback
    remote: RemoteOption = None,  # noqa: ARG001
    json: Json = False,
) -> None:
    """Show what a table achieves: k, every l, t, p, α, β, δ, the risks, who is unique."""
    from kohort.cli.audit import run

    said = told_of_file(
        table=table_name,
        header=header,
        skip=skip,
        footer=footer,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        missing=missing,
    )
    run(
        table,
        quasi,
        sensitive,
        respondent,
        plan,
        population,
        sampling_fraction,
        html,
        json,
        engine,
        memory,
        said,
    )


@app.command(cls=PlainCommand)
def verify(
    release: Annotated[Path, typer.Argument(help="A release directory, or a table with --plan.")],
    plan: Annotated[Path | None, typer.Option(help="The plan whose promises are judged.")] = None,
    original: Annotated[
        Path | None,
        typer.Option(
            help="The original table, to prove every value truthful; needs the private audit beside the release, or --plan."
        ),
    ] = None,
    signer: Annotated[
        Path | None,
        typer.Option(metavar="KEY.pub", help="The public key of whoever should have released and signed it."),
    ] = None,
    engine: EngineOption = "memory",
    memory: MemoryOption = None,
    master: MasterOption = None,  # noqa: ARG001 - noted by its callback
    remote: RemoteOption = None,  # noqa: ARG001
    json: Json = False,
) -> None:
    """Read what was written and judge it: exit code 4 where something fails, 5 where something could not be judged."""
    from kohort.cli.verify import run

    run(release, plan, original, signer, json, engine, memory)


@app.command(cls=PlainCommand)
def attack(
    release: Annotated[Path, typer.Argument(help="A release directory.")],
    with_table: Annotated[
        Path | None, typer.Option("--with", metavar="TABLE", help="An outside table with identities.")
    ] = None,
    on: Annotated[
        str | None, typer.Option("--on", help="The columns to link it on, such as zip,sex.")
    ] = None,
    identity: Annotated[
        str | None, typer.Option("--id", help="The column of the outside table that names a person.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", metavar="", help="Run every attack; the default without --with.")
    ] = False,
    second: Annotated[
        list[Path] | None,
        typer.Option(help="Another release about some of the same people; may be given several times."),
    ] = None,
    original: Annotated[
        Path | None, typer.Option(help="The original table, to measure success; found by the private audit.")
    ] = None,
    plan: Annotated[
        Path | None, typer.Option(help="The plan, where no private audit tells its files.")
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", metavar="", help="Render the private report anew, with the attacks.")
    ] = False,
    engine: EngineOption = "memory",
    memory: MemoryOption = None,
    master: MasterOption = None,  # noqa: ARG001 - noted by its callback
    remote: RemoteOption = None,  # noqa: ARG001
    json: Json = False,
) -> None:
    """Attack a release as the literature does, and show success against baseline."""
    from kohort.cli.attack import run

    run(
        release,
        with_table,
        on,
        identity,
        everything,
        second or [],
        original,
        plan,
        report,
        json,
        engine,
        memory,
    )


@app.command(cls=PlainCommand)
def history(
    ledger: Annotated[
        Path | None,
        typer.Option(help="The ledger; by default KOHORT_LEDGER, or kohort-ledger.duckdb in this directory."),
    ] = None,
    withdraw: Annotated[
        int | None,
        typer.Option(
            metavar="ID", help="A release that nobody has (any more): it is not compared with later ones."
        ),
    ] = None,
    shared: Annotated[
        int | None,
        typer.Option(
            metavar="ID",
            help="A draft that somebody has, though it was never marked: it counts from now on, whatever it gives away.",
        ),
    ] = None,
    forget: Annotated[
        int | None,
        typer.Option(
            metavar="ID",
            help="Erase who was in a release; unless it is withdrawn too, later ones say that they were not compared with it.",
        ),
    ] = None,
    discard_drafts: Annotated[
        bool,
        typer.Option(
            "--discard-drafts",
            metavar="",
            help="Nobody has any of the drafts: they are not told of any more, and who was in them is erased.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """List the drafts and releases that the private ledger knows; say which of them count, and which no longer do."""
    from kohort.cli.history import run

    run(ledger, withdraw, shared, forget, discard_drafts, json)


@app.command(cls=PlainCommand)
def share(
    release: Annotated[Path, typer.Argument(help="A release directory, its private audit beside it.")],
    ledger: Annotated[
        Path | None,
        typer.Option(help="The ledger in which it was recorded; by default where its plan and place say."),
    ] = None,
    anyway: Annotated[
        bool,
        typer.Option(
            "--anyway",
            metavar="",
            help="Mark it although it gives people away together with others, or people seem to have several rows that were not "
            "counted as theirs: somebody has it already.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Mark a release as shared, before anybody gets it: verified, and compared with all that were shared before."""
    from kohort.cli.share import run

    run(release, ledger, anyway, json)


@app.command(cls=PlainCommand)
def explain(
    release: Annotated[Path, typer.Argument(help="A release directory, its private folder beside it.")],
    row: Annotated[
        int | None, typer.Option(metavar="N", help="The row of the original, the first being 1.")
    ] = None,
    identity: Annotated[
        str | None, typer.Option("--id", help="The id of a respondent: all rows of this person.")
    ] = None,
    columns: Annotated[
        bool,
        typer.Option(
            "--columns", metavar="", help="What each column costs: the plan is searched again without it."
        ),
    ] = False,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="How long the search without a column may take.")
    ] = 30.0,
    original: Annotated[
        Path | None, typer.Option(help="The original table, if it is not where it was.")
    ] = None,
    json: Json = False,
) -> None:
    """Say why a record is, or is not, in a release, and which column costs most. Private: do not share."""
    from kohort.cli.explain import run

    run(release, row, identity, columns, seconds, original, json)


@app.command(cls=PlainCommand)
def frontier(
    plan: Annotated[Path, typer.Argument(help="The plan, a TOML file.")],
    k: Annotated[str | None, typer.Option("--k", help="The values of k, such as 2,5,10,25.")] = None,
    vary: Annotated[
        str | None,
        typer.Option("--vary", metavar="KEY=VALUES", help="Another parameter, e.g. require.1.l=2,3,4."),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Also draw the plot, as SVG.")] = None,
    engine: EngineOption = "memory",
    memory: MemoryOption = None,
    master: MasterOption = None,  # noqa: ARG001 - noted by its callback
    remote: RemoteOption = None,  # noqa: ARG001
    json: Json = False,
) -> None:
    """Show what each value of k (or of any parameter) costs, and what risk remains."""
    from kohort.cli.frontier import run

    run(plan, k, vary, output, json, engine, memory)


@app.command("import", cls=PlainCommand)
def import_(
    project: Annotated[Path, typer.Argument(metavar="PROJECT.deid", help="A project that ARX has saved.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The plan to write; data and level files are written beside it."),
    ] = Path("plan.toml"),
    json: Json = False,
) -> None:
    """Read a project of ARX as a plan: roles, hierarchies, promises, settings; say what does not map."""
    from kohort.cli.import_ import run

    run(project, output, json)


app.add_typer(hierarchy, name="hierarchy")


@app.command(cls=PlainCommand)
def compare(
    plan: Annotated[Path, typer.Argument(help="The plan, a TOML file.")],
    k: Annotated[
        str | None,
        typer.Option("--k", help="The values of k, such as 5,10; by default the plan's, half and double."),
    ] = None,
    algorithms: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="What to try beside the plan's own way, as a list ([bold]kohort algorithms[/]).",
        ),
    ] = None,
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long each search may take.")
    ] = 10.0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Also write a page, as HTML (do not share it).")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override the plan, e.g. require.1.l=2."),
    ] = None,
    engine: EngineOption = "memory",
    memory: MemoryOption = None,
    master: MasterOption = None,  # noqa: ARG001 - noted by its callback
    remote: RemoteOption = None,  # noqa: ARG001
    json: Json = False,
) -> None:
    """Show several ways of recoding side by side: loss, classes, rows suppressed, risk, and what is left of each column."""
    from kohort.cli.compare import run

    run(plan, k, algorithms, time_limit, settings or [], output, json, engine, memory)


@app.command(cls=PlainCommand)
def schema(
    name: Annotated[str, typer.Argument(help="[bold]manifest[/], [bold]audit[/] or [bold]plan[/].")],
) -> None:
    """Print the JSON Schema of a manifest, an audit or a plan."""
    from kohort.cli.schema import run

    run(name)


for listed in LISTINGS:
    app.command(cls=PlainCommand)(listed)


def main() -> None:
    """Run the command line."""
    run_and_end(app)
