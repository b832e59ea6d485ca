"""A release directory as the target of attacks: what an intruder finds there, and what its holder adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kohort.arrays import IntArray
from kohort.attacks import Outside, Target
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.plan import Plan
from kohort.plan.rules import demand_offer
from kohort.preparation import max_suppressed
from kohort.preparation.sources import read_source, reread
from kohort.release.documents import SeenAudit
from kohort.release.kind import Kind
from kohort.release.opening import open_release, original_of
from kohort.table import Table
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
    original: Path | None = None,
    plan: Plan | None = None,
) -> AttackedRelease:
    """Read a release as an intruder meets it; with the private audit beside it, the original tells success.

    Released labels get their meaning from the plan's hierarchies, built over the values of the original and of
    the outside table, as far as these are at hand.
    """
    opened = open_release(directory)
    plan = plan or opened.plan()
    demand_offer(plan, "attack")
    kind = Kind.of(plan)
    source = _original(plan, original, opened.audit)
    people = [table for table in (source, None if outside is None else outside.table) if table is not None]
    tables = {stem: reread(file) for stem, file in opened.files(kind.tables).items()}
    hierarchies, lacking = _hierarchies(plan, people)
    _demand_meaning(outside, lacking)
    found = Target(
        released=tables["table"],
        quasi=tuple(name for name in plan.quasi if name in tables["table"].columns),
        sensitive=plan.sensitive,
        hierarchies=hierarchies,
        outside=outside,
        others=tuple(_other(other, people) for other in others),
        original=source,
        rows=_rows(tables["table"], plan, kind, source, hierarchies),
        truthful=kind.truthful,
        torn=tables.get("sensitive") if kind.torn is not None else None,
        promises=tuple(plan.require),
        levels=None if opened.audit is None else opened.audit.facts.levels,
        max_suppressed=0 if source is None else max_suppressed(plan, source.n_rows),
    )
    return AttackedRelease(found, plan, opened.document, opened.private if opened.audit is not None else None)


def _original(plan: Plan, told: Path | None, audit: SeenAudit | None) -> Table | None:
    """Return the original: as told, or where the private audit says it was read."""
    told = original_of(told, audit)
    if told is None:
        return None
    table = read_source(told, plan)[0]
    lacking = [name for name in plan.quasi if name not in table.columns]
    if lacking:
        raise InputError(
            f"{told} lacks {', '.join(map(repr, lacking))}; it is not the original of this release"
        )
    return table


def _hierarchies(plan: Plan, people: Sequence[Table]) -> tuple[dict[str, Hierarchy], dict[str, str]]:
    """Return the hierarchies that can be built from what is known, and why others cannot."""
    found, lacking = {}, {}
    for name, column in plan.columns.items():
        if column.hierarchy is None:
            continue
        held = [table[name] for table in people if name in table.columns]
        texts = tuple(dict.fromkeys(text for values in held for text in values.texts))
        # A value of an outside table that a hierarchy does not know fits nothing but what is suppressed.
        for known in (texts, held[0].texts if held else (), ()):
            try:
                found[name] = build_hierarchy(name, column.hierarchy, known, [1] * len(known), plan.base)
                break
            except InputError as problem:
                lacking[name] = str(problem)
    return found, {name: reason for name, reason in lacking.items() if name not in found}


def _demand_meaning(outside: Outside | None, lacking: Mapping[str, str]) -> None:
    for name in () if outside is None else outside.on:
        if name in lacking:
            raise InputError(
                f"attack: without its hierarchy nobody can tell what the released values of {name!r} mean "
                f"({lacking[name]}); name the plan with --plan where its files are"
            )


def _other(directory: Path, people: Sequence[Table]) -> Target:
    """Return another release, its labels understood for the same people."""
    attacked = target_of_directory(directory)
    known = [*people, *([] if attacked.target.original is None else [attacked.target.original])]
    hierarchies, _ = _hierarchies(attacked.plan, known)
    held = attacked.target
    return Target(
        held.released, held.quasi, held.sensitive, hierarchies, truthful=held.truthful, torn=held.torn
    )


def _rows(
    released: Table, plan: Plan, kind: Kind, original: Table | None, hierarchies: Mapping[str, Hierarchy]
) -> IntArray | None:
    """Return an original row for each released one, where the release is truthful and in one table."""
    if original is None or not kind.truthful or kind.torn is not None:
        return None
    if any(name not in hierarchies for name in plan.quasi):
        return None
    return match_rows(released, original, [hierarchies[name] for name in plan.quasi])
