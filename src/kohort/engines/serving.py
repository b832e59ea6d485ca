"""What an engine does not serve is refused by name, before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kohort.algorithms import able, algorithm
from kohort.card import Card
from kohort.engines.engine import Engine, Need, Regional
from kohort.errors import InputError
from kohort.ledger import ledger_path
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.plurals import many
from kohort.preparation.algorithm_choice import algorithm_of
from kohort.table.catalog import POINTER
from kohort.table.formats import READERS, WRITERS


def demand_source(engine: type[Engine], source: Any) -> None:
    """Refuse a source that the engine does not read: a frame, or a file of another format."""
    name = engine.card.name
    if not isinstance(source, str | Path):
        if Need.FRAMES in engine.lacks:
            raise InputError(
                f"the {name} engine reads files; frames are in memory already: use the memory engine",
                code="engine.needs-rows",
                engine=name,
            )
        return
    suffix = Path(source).suffix.lower()
    if suffix == POINTER and suffix not in engine.reads:
        raise InputError(
            f"{source}: this release stands in a catalog, which the {name} engine does not read; use the spark engine",
            code="table.no-file",
            engine=name,
            path=source,
            format=suffix,
            allowed=sorted(engine.reads),
        )
    if suffix in READERS and suffix not in engine.reads:
        raise InputError(
            f"{source}: the {name} engine does not read files with the suffix {suffix!r}, only "
            f"{', '.join(sorted(engine.reads))}; use the memory engine",
            code="engine.format",
            engine=name,
            path=source,
            format=suffix,
            allowed=sorted(engine.reads),
        )


def demand_tables(engine: type[Engine], stems: Sequence[str]) -> None:
    """Refuse a release of several tables where the engine judges only one."""
    if len(stems) > 1 and Need.TABLES in engine.lacks:
        raise InputError(
            f"this release has {many(len(stems), 'table')} ({', '.join(stems)}), which the {engine.card.name} engine "
            "does not judge together; use the memory engine",
            code="engine.needs-rows",
            engine=engine.card.name,
        )


def demand_search(engine: type[Engine], plan: Plan) -> None:
    """Refuse a plan for which the engine cannot let a decision be sought."""
    _demand_coarse(engine, plan)
    if plan.recode.algorithm is not None:
        demand_algorithm(engine, algorithm(plan.recode.algorithm).card)
        _demand_intervals(engine, plan)
        demand_single(engine, plan, algorithm(plan.recode.algorithm).card)
    if plan.guards and Need.GUARDS in engine.lacks:
        raise InputError(
            f"[columns] {plan.guards[0]}: guards are compared with the values of their rows, which the {engine.card.name} "
            "engine does not hold in memory; use the memory engine",
            code="engine.needs-rows",
            engine=engine.card.name,
            column=plan.guards[0],
        )


def _demand_coarse(engine: type[Engine], plan: Plan) -> None:
    for name in coarse_columns(plan) if Need.COARSE in engine.lacks else ():
        raise InputError(
            f"[columns] {name}: the {engine.card.name} engine tells columns as they are read, and not more coarsely; use the "
            "memory engine",
            code="engine.needs-rows",
            engine=engine.card.name,
            column=name,
        )


def demand_release(engine: type[Engine], plan: Plan) -> None:
    """Refuse a plan by which the engine cannot make a release."""
    demand_search(engine, plan)
    _demand_people(engine, plan)
    _demand_catalog(engine, plan)
    format = plan.output.format
    if plan.output.table is None and f".{format}" in WRITERS and f".{format}" not in engine.writes:
        able_to = sorted(suffix.removeprefix(".") for suffix in engine.writes - {POINTER})
        raise InputError(
            f"[output] format: the {engine.card.name} engine writes {', '.join(able_to)}, not {format}; choose one of these, "
            "or use the memory engine",
            code="engine.format",
            engine=engine.card.name,
            format=format,
            allowed=able_to,
        )
    if not plan.output.shuffle and Need.ORDER in engine.lacks:
        raise InputError(
            f"[output] shuffle: the rows of the {engine.card.name} engine have no order that could be kept; leave it out, or use "
            "the memory engine",
            code="engine.needs-rows",
            engine=engine.card.name,
            section="output",
            option="shuffle",
        )
    if plan.output.task is not None and Need.TASK in engine.lacks:
        raise InputError(
            "[output] task: a model is trained on rows in memory; leave it out, or use the memory engine",
            code="engine.needs-rows",
            section="output",
            option="task",
        )
    if ledger_path(plan, Path()) is not None and Need.LEDGER in engine.lacks:
        raise InputError(
            f"releases of this plan are recorded in a ledger of the people in them, which the {engine.card.name} engine "
            'cannot write; set ledger = "" under [output] to release without it, or use the memory engine',
            code="engine.needs-rows",
            engine=engine.card.name,
            section="output",
            option="ledger",
        )


def _demand_catalog(engine: type[Engine], plan: Plan) -> None:
    """Refuse a table of a catalog where the engine writes none, and where the person of each of its rows must be noted."""
    if plan.output.table is None:
        return
    if POINTER not in engine.writes:
        raise InputError(
            f"[output] table: the {engine.card.name} engine writes files, and no tables of a catalog; leave it out, or use the "
            "spark engine",
            code="plan.wrong-value",
            engine=engine.card.name,
            section="output",
            option="table",
        )
    if plan.input.respondent is not None:
        raise InputError(
            "[output] table: which row is whose is noted by its place, and rows of a catalog's table have none; leave it out, "
            "and write files",
            code="engine.needs-rows",
            engine=engine.card.name,
            section="output",
            option="table",
        )


def _demand_people(engine: type[Engine], plan: Plan) -> None:
    if plan.input.respondent is not None and Need.PEOPLE in engine.lacks:
        raise InputError(
            f"[input] respondent: the {engine.card.name} engine makes no releases of people who have several rows; use the memory "
            "or the duckdb engine",
            code="engine.needs-rows",
            engine=engine.card.name,
            section="input",
            option="respondent",
        )


def _demand_intervals(engine: type[Engine], plan: Plan) -> None:
    """Refuse averages where rows are grouped elsewhere: groups are told there by what holds of all of their rows."""
    card = algorithm(plan.recode.algorithm or "").card
    grouped = Need.ROWS in engine.lacks and card.decides == "row"
    if grouped and not card.truthful and plan.recode.options.get("release") != "interval":
        raise InputError(
            f"[recode.options] release: the {engine.card.name} engine does not tell averages of single rows, which it does not "
            'hold; set release = "interval", or use the memory engine',
            code="engine.needs-rows",
            engine=engine.card.name,
            algorithm=card.name,
            option="release",
        )


def demand_single(engine: type[Engine], plan: Plan, card: Card) -> None:
    """Refuse people of several rows where rows are grouped region by region: whose they are is not known there."""
    if plan.input.respondent is not None and _by_region(engine, card):
        others = able(lambda other: other.decides == "class")
        raise InputError(
            f"[recode] algorithm: {card.name} groups rows region by region in the {engine.card.name} engine, where the rows of a "
            "person, whom [input] respondent names, may lie in several; use the memory engine, or one of: "
            f"{', '.join(others)}",
            code="engine.needs-rows",
            engine=engine.card.name,
            algorithm=card.name,
            section="input",
            option="respondent",
        )


def groups_by_region(engine: type[Engine], plan: Plan, n_rows: int) -> bool:
    """Say whether a plan's algorithm looks at single rows, and the engine lets it group them region by region, where they are."""
    return _by_region(engine, algorithm_of(plan, n_rows).card)


def _by_region(engine: type[Engine], card: Card) -> bool:
    return Need.ROWS in engine.lacks and card.decides == "row" and _serves(engine, card)


def _serves(engine: type[Engine], card: Card) -> bool:
    return card.decides == "class" or (card.regions and issubclass(engine, Regional))


def demand_algorithm(engine: type[Engine], card: Card) -> None:
    """Refuse an algorithm that looks at single rows where these are elsewhere, and does not group them there."""
    if Need.ROWS in engine.lacks and not _serves(engine, card):
        raise InputError(
            f"[recode] algorithm: {card.name} looks at single rows, which the {engine.card.name} engine does not hold; "
            f"use the memory engine, or one of: {', '.join(able(partial(_serves, engine)))}",
            code="engine.needs-rows",
            engine=engine.card.name,
            algorithm=card.name,
        )
