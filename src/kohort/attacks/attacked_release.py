"""A release directory as the target of attacks: what an intruder finds there, and what its holder adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks import Outside, Target
from kohort.attacks.meanings import meanings
from kohort.attacks.served import demand_counted, demand_original
from kohort.engines import DEFAULT, Engine, Need, Node, Wanted, bounded_engine
from kohort.engines.room import bottom_fits, refuse_bottom
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.coarse import coarsened_table
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.plan.rules import demand_offer
from kohort.preparation import max_suppressed
from kohort.preparation.kind import Kind
from kohort.preparation.sources import called, reread
from kohort.release.documents import SeenAudit
from kohort.release.draft import Draft
from kohort.release.opening import Opened, open_release, original_of
from kohort.release.release import Release
from kohort.table import Column, Table
from kohort.table.reading import read_table
from kohort.tables.judged_again import RESPONDENTS
from kohort.tables.published_table import PublishedTable
from kohort.verification.judges import match_rows


@dataclass(frozen=True, eq=False)
class AttackedRelease:
    """A target, its plan, the manifest it was read from, and the private audit beside it, where that stands."""

    target: Target
    plan: Plan
    manifest: dict[str, Any]
    private: Path | None


def target_of_directory(
    directory: Path,
    outside: Outside | None = None,
    others: Sequence[Path] = (),
    original: Any = None,
    plan: Plan | None = None,
    engine: str = DEFAULT,
    memory: str | None = None,
) -> AttackedRelease:
    """Read a release as an intruder meets it; with the private audit beside it, the original tells success.

    An engine that keeps rows on disk counts the released tuples: attacks that look at no more than these run there.

    Released labels get their meaning from the plan's hierarchies, built over the values of the original and of
    the outside table, as far as these are at hand.
    """
    keeper = bounded_engine(engine, memory)
    opened = open_release(directory)
    plan = plan or opened.plan()
    demand_offer(plan, "attack")
    kind = Kind.of(plan)
    if outside is not None:  # who knows a value knows how it is told
        outside = replace(outside, table=coarsened_table(outside.table, coarse_columns(plan)))
    if Need.ROWS in keeper.lacks:
        demand_counted(keeper, [*opened.files(kind.layout.stems).values()], others)
        target = _counted(opened, plan, kind, outside, original, keeper, memory)
        return AttackedRelease(
            target, plan, opened.document, opened.private if opened.audit is not None else None
        )
    source = _original(plan, original, opened.audit, keeper)
    tables = {stem: reread(file) for stem, file in opened.files(kind.layout.stems).items()}
    levels = None if opened.audit is None else opened.audit.facts.levels
    found = _in_memory(plan, kind, tables, source, outside, others, levels, _kept_owners(opened))
    return AttackedRelease(found, plan, opened.document, opened.private if opened.audit is not None else None)


def target_of_release(
    release: Release, outside: Outside | None = None, others: Sequence[Path] = (), plan: Plan | None = None
) -> Target:
    """Return a release in memory as an intruder would meet it once it is written; its original tells success."""
    plan, published = plan or release.plan, _held(release.draft)
    tables = {stem: reread(content) for stem, content in published.tables.items()}
    told = published.private_tables.get(Path(RESPONDENTS).stem)
    owners = None if told is None else reread(told)["respondent"].codes.astype(np.int64)
    levels = release.levels
    return _in_memory(plan, Kind.of(plan), tables, published.original, outside, others, levels, owners)


def release_alone(draft: Draft) -> Target:
    """Return what is to be released as whoever has nothing else will meet it: its classes, and what their values mean."""
    plan, published = draft.plan, _held(draft)
    kind = Kind.of(plan)
    tables = {stem: reread(content) for stem, content in published.tables.items()}
    rows = tables[kind.layout.stems[0]]
    people = [] if published.original is None else [published.original]
    return Target(
        released=rows,
        quasi=tuple(name for name in plan.quasi if name in rows.columns),
        sensitive=plan.sensitive,
        hierarchies=meanings(plan, people, rows if kind.truthful else None)[0],
        truthful=kind.truthful,
        apart=kind.layout.crowds(tables),
        promises=tuple(plan.require),
        levels=draft.facts.levels,
        scattered=plan.input.respondent is not None,
    )


def _held(draft: Draft) -> PublishedTable:
    """Return what is published, where its rows are in memory."""
    demand_offer(draft.plan, "attack")
    published = draft.published
    if not isinstance(published, PublishedTable) or any(map(callable, published.tables.values())):
        raise InputError(
            "attack: the rows of this release are not in memory; save it, and name the directory",
            code="release.not-in-memory",
        )
    return published


def _in_memory(
    plan: Plan,
    kind: Kind,
    tables: Mapping[str, Table],
    source: Table | None,
    outside: Outside | None,
    others: Sequence[Path],
    levels: dict[str, int] | None,
    kept_owners: IntArray | None,
) -> Target:
    """Return the target that released tables make, with the original where it is at hand."""
    people = [table for table in (source, None if outside is None else outside.table) if table is not None]
    rows = tables[kind.layout.stems[0]]
    hierarchies, lacking = meanings(plan, people, rows if kind.truthful else None)
    _demand_meaning(outside if kind.truthful else None, lacking)
    came_from = _rows(rows, plan, kind, source, hierarchies)
    owners = _owners(kept_owners, plan, rows.n_rows, source, came_from)
    return Target(
        released=rows,
        quasi=tuple(name for name in plan.quasi if name in rows.columns),
        sensitive=plan.sensitive,
        hierarchies=hierarchies,
        outside=outside,
        others=tuple(_other(other, people) for other in others),
        original=source,
        rows=came_from,
        truthful=kind.truthful,
        apart=kind.layout.crowds(tables),
        promises=tuple(plan.require),
        levels=levels,
        owners=owners,
        original_owners=_original_owners(plan, source),
        scattered=plan.input.respondent is not None and owners is None,
        max_suppressed=0 if source is None else max_suppressed(plan, source.n_rows),
    )


def _counted(
    opened: Opened,
    plan: Plan,
    kind: Kind,
    outside: Outside | None,
    original: Any,
    keeper: type[Engine],
    memory: str | None,
) -> Target:
    """Return the release and the original as their distinct tuples: whom attacks by class look for, and where."""
    place = original_of(original, opened.audit)
    people = [] if outside is None else [outside.table]
    source, counts_there = None, None
    if place is not None:
        demand_original(keeper, place, opened.audit)
        kept = keeper(
            place, Wanted(plan.quasi, plan.sensitive, plan=plan, coarse=coarse_columns(plan)), memory
        )
        people.insert(0, kept.table)
        source, counts_there = _tuples(kept, plan.quasi)
    with closing(keeper.read(opened.files(kind.layout.stems), plan, memory)) as reading:
        names = reading.contents(plan).names
        shown = [name for name in (*plan.quasi, *plan.sensitive) if name in names]
        released, counts = reading.tuples(shown)
    hierarchies, lacking = meanings(plan, people, released if kind.truthful else None)
    _demand_meaning(outside, lacking)
    return Target(
        released=released,
        quasi=tuple(name for name in plan.quasi if name in names),
        sensitive=plan.sensitive,
        hierarchies=hierarchies,
        outside=outside,
        original=source,
        truthful=kind.truthful,
        promises=tuple(plan.require),
        scattered=plan.input.respondent is not None,
        counts=counts,
        original_counts=counts_there,
    )


def _tuples(kept: Engine, names: Sequence[str]) -> tuple[Table, IntArray]:
    """Return the distinct combinations of some columns of the original, and how many rows hold each."""
    ground = Node.of_values(kept.table, names)
    if not bottom_fits(kept, ground, ()):
        raise refuse_bottom(
            "attack: the original at hand", "attack a copy of the release without its private folder"
        )
    classes = kept.count(ground, ())
    columns = (Column(name, classes.codes[:, j], kept.table[name].values) for j, name in enumerate(names))
    return Table.of(columns, len(classes)), classes.rows


def _original(plan: Plan, told: Any, audit: SeenAudit | None, keeper: type[Engine]) -> Table | None:
    """Return the original, read by the engine: as told, or where the private audit says it was read."""
    told = original_of(told, audit)
    if told is None:
        return None
    demand_original(keeper, told, audit)
    table = keeper(told, Wanted((), plan=plan, coarse=coarse_columns(plan))).table
    lacking = [name for name in plan.quasi if name not in table.columns]
    if lacking:
        raise InputError(
            f"{called(told)} lacks {', '.join(map(repr, lacking))}; it is not the original of this release",
            code="attack.other-original",
            columns=lacking,
        )
    return table


def _demand_meaning(outside: Outside | None, lacking: Mapping[str, str]) -> None:
    for name in () if outside is None else outside.on:
        if name in lacking:
            raise InputError(
                f"attack: without its hierarchy nobody can tell what the released values of {name!r} mean "
                f"({lacking[name]}); name the plan whose folder has its files, write {name!r} in the outside table as the "
                "release does, or name the original",
                code="attack.no-meaning",
                column=name,
            )


def _other(directory: Path, people: Sequence[Table]) -> Target:
    """Return another release, its labels understood for the same people."""
    attacked = target_of_directory(directory)
    known = [*people, *([] if attacked.target.original is None else [attacked.target.original])]
    held = attacked.target
    hierarchies, _ = meanings(attacked.plan, known, held.released if held.truthful else None)
    return Target(
        held.released, held.quasi, held.sensitive, hierarchies, truthful=held.truthful, apart=held.apart
    )


def _rows(
    released: Table, plan: Plan, kind: Kind, original: Table | None, hierarchies: Mapping[str, Hierarchy]
) -> IntArray | None:
    """Return an original row for each released one, where the release is truthful and in one table."""
    if original is None or not kind.truthful or kind.layout.apart:
        return None
    if any(name not in hierarchies for name in plan.quasi):
        return None
    return match_rows(released, original, [hierarchies[name] for name in plan.quasi])


def _kept_owners(opened: Opened) -> IntArray | None:
    """Return whose each released row is, as the private audit keeps it."""
    kept = opened.private / RESPONDENTS
    if opened.audit is None or not kept.exists():
        return None
    return read_table(kept)["respondent"].codes.astype(np.int64)


def _original_owners(plan: Plan, original: Table | None) -> IntArray | None:
    """Return whose each row of the original is, where people may have several."""
    name = plan.input.respondent
    if name is None or original is None or name not in original.columns:
        return None
    return original[name].codes.astype(np.int64)


def _owners(
    kept: IntArray | None, plan: Plan, n_rows: int, original: Table | None, rows: IntArray | None
) -> IntArray | None:
    """Return whose each released row is, where people may have several: as it was kept, or by the original."""
    name = plan.input.respondent
    if name is None:
        return None
    if kept is not None and len(kept) == n_rows:
        return kept
    if original is None or rows is None or name not in original.columns:
        return None
    return original[name].codes[rows].astype(np.int64)
