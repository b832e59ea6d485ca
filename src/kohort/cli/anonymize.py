"""`kohort anonymize`: from a plan to a release on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from kohort.errors import InputError

SHOWN = (
    "rows", "released", "suppressed", "classes", "levels", "objective", "score", "optimal", "nodes", "checked",
    "bound", "gap", "visited", "verdicts", "losses", "seconds", "algorithm", "ledger", "task", "warnings",
)  # fmt: skip


NEEDED = {  # packages and their extras, asked for before the search instead of after it
    "xlsx": (("xlsxwriter", "excel"),),
    "sav": (("pyreadstat", "stats"), ("pandas", "stats")),
    "dta": (("pyreadstat", "stats"), ("pandas", "stats")),
}
ENGINES = ("memory", "duckdb")  # known here too, so that a wrong one is told before anything is loaded


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
    if engine not in ENGINES:
        raise InputError(f"--engine {engine!r}: the engines are: {', '.join(ENGINES)}")
    if memory is not None and engine == "memory":
        raise InputError("--memory bounds the duckdb engine; add --engine duckdb, or leave it out")
    from kohort.cli.first_run import tell_first_run
    from kohort.cli.lean import start_lean

    start_lean()
    tell_first_run()
    from kohort.cli.progress import Bar
    from kohort.cli.terminal import warn
    from kohort.folders.release_folder import refuse_foreign, refuse_place
    from kohort.folders.workshop import recover
    from kohort.interrupts import uninterrupted
    from kohort.ledger import check_ledger
    from kohort.pipeline import kept_files, make_release
    from kohort.plan import Plan
    from kohort.table.formats.extras import extra

    plan = Plan.load(plan_path, settings)
    if plan.input.path is None:
        raise InputError(
            f'{plan_path}: [input] has no path; say where the table is, as path = "patients.csv"'
        )
    directory = output or plan_path.with_name(f"{plan_path.stem}-release")
    source = plan.base / plan.input.path
    refuse_place(directory, [plan_path, *kept_files(source, plan, directory)])
    recover(directory)
    refuse_foreign(directory)
    _refuse_unwritable(directory)
    check_ledger(plan, directory)
    for package, name in NEEDED.get(plan.output.format, ()):
        extra(package, name, f"writing .{plan.output.format} files")
    if sign is not None:
        from kohort.release.signing import Signer

        Signer.load(sign)  # what cannot sign is told before the search, not after it
    with Bar() as bar:
        release = make_release(source, plan, bar, engine, memory)
        release.save(directory, plan.output.format, sign=sign)
    with uninterrupted():  # it stands: nobody is told that nothing was released
        warn(release.facts.get("warnings", ()))
        if as_json:
            print(json.dumps(summary(release.facts)))  # noqa: T201 - what --json is for
        else:
            show(release.facts, directory)


def _refuse_unwritable(directory: Path) -> None:
    """Refuse a place that cannot be written before the search, not after it."""
    parent = next(place for place in directory.absolute().parents if place.exists())
    if not parent.is_dir():
        raise InputError(f"{parent} is a file, so {directory} cannot be made; name another directory with -o")
    if not os.access(parent, os.W_OK):
        raise InputError(f"{parent} may not be written to; name another directory with -o")


def summary(facts: dict[str, Any]) -> dict[str, Any]:
    """Return what `--json` prints: the facts that scripts ask for first."""
    return {key: facts[key] for key in SHOWN if key in facts}


def show(facts: dict[str, Any], directory: Path) -> None:
    """Print the outcome for people."""
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal

    console = terminal()
    for verdict in facts["verdicts"]:
        mark = "[green]✓[/]" if verdict["holds"] else "[red]✗[/]"
        achieved = "" if verdict["achieved"] is None else f" (achieved {verdict['achieved']:.4g})"
        console.print(f"{mark} {escape(verdict['promise'])}{achieved}", highlight=False)
    share = facts["suppressed"] / max(facts["rows"], 1)
    name = "groups" if facts["algorithm"]["torn"] else "classes"
    console.print(
        f"{facts['released']:,} of {facts['rows']:,} rows released in {facts[name]:,} {name}; "
        f"{facts['suppressed']:,} suppressed ({share:.1%})"
    )
    if facts.get("levels"):
        table = Table("column", "level", "of", "detail lost", box=None, pad_edge=False)
        columns = {column["name"]: column for column in facts["columns"]}
        for name, level in facts["levels"].items():
            column = columns[name]
            table.add_row(escape(name), str(level), str(column["height"]), f"{column['loss']:.0%}")
        console.print(table)
    name = facts["algorithm"]["name"]
    console.print(f"{facts['objective']} {facts['score']:.6g} ({name}, {_proved(facts)})")
    for caution in _cautions(facts):
        console.print(escape(caution), highlight=False)
    task = facts.get("task")
    if task:
        console.print(
            f"predicting {escape(task['target'])}: {task['original']:.1%} right from the original, {task['release']:.1%} from "
            f"the release, {task['baseline']:.1%} by always saying the most frequent value",
            highlight=False,
        )
    if facts["undeclared"]:
        left = escape(", ".join(facts["undeclared"]))
        console.print(f"not released, because the plan does not name them: {left}", highlight=False)
    place, report = escape(str(directory)), escape(str(directory / "report.html"))
    console.print(f"release: [bold]{place}[/]   report: [bold]{report}[/]", highlight=False, soft_wrap=True)
    console.print(
        f"private audit and report, with the figures above (do not share): {place}.private",
        highlight=False,
        soft_wrap=True,
    )
    if facts.get("ledger"):
        from kohort.cli.history import said_of

        console.print(escape(said_of(facts["ledger"])), highlight=False, soft_wrap=True)


def _proved(facts: dict[str, Any]) -> str:
    """Return how near to the best possible score the search is known to have come."""
    if facts["optimal"]:
        return "proved optimal"
    bound = facts.get("bound")
    return "not proved optimal" + ("" if bound is None else f"; nothing can score below {bound:.6g}")


def _noise(facts: dict[str, Any]) -> list[str]:
    """Return what noise was promised and how much there is of it, and which cells stand for others."""
    if not facts.get("noise"):
        return []
    scales = ", ".join(f"{name} ±{scale:.3g}" for name, scale in facts["noise"].items())
    told = [
        facts["algorithm"]["guarantee"],
        f"noise on the mean of a group, on average: {scales}; larger groups have less",
    ]
    for name, cells in facts["displaced"].items():
        if any(cells.values()):
            told.append(
                f"{name}: {cells['unread']:,} records are missing or no numbers and count as declared for these; "
                f"{cells['outside']:,} lie outside the bounds and count as the nearest"
            )
    return told


def _cautions(facts: dict[str, Any]) -> list[str]:
    """Return what must not be overlooked: values that are not true, groups that tell, columns that are gone."""
    told = []
    if not facts["algorithm"]["truthful"]:
        told.append("perturbed: released values are not the original ones, nor generalizations of them")
    told += _noise(facts)
    if facts["algorithm"]["torn"]:
        risk = facts["risk"]["prosecutor"]["average"]
        told.append(
            "two tables: quasi-identifiers are released as they are, so nobody is hidden: who knows them picks the right row "
            f"with a chance of {risk:.0%} on average; only {facts['column']} is, and whoever learns across groups may guess it "
            "(kohort attack); release it once, for the groups of a second dealing would intersect with these"
        )
    levels = facts.get("levels") or {}
    gone = [
        c["name"] for c in facts["columns"] if c["name"] in levels and 0 < c["height"] == levels[c["name"]]
    ]
    if gone and facts["algorithm"].get("taxonomy") != "_AS":  # which leaves out whole columns, as asked
        told.append(
            f"nothing is left of {', '.join(gone)}; to keep some of it, give it weight or a max_level, leave another "
            'column out, or recode single cells ([recode] generalize = "cell")'
        )
    return told
