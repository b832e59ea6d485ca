"""A plan as a notebook shows it: what is promised, and what becomes of each column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kohort.plan.sections import ColumnPlan, told_fields
from kohort.screens.screen import grid, paragraph, screen
from kohort.toml import toml_value

if TYPE_CHECKING:
    from kohort.plan.plan import Plan

LONGEST = 80  # signs of what is said of a column, in a cell
HEADINGS = ("column", "role", "hierarchy", "more", "why")
ASIDE = ("role", "hierarchy")


def plan_html(plan: Plan) -> str:
    """Return the promises, the columns with their roles and hierarchies, and why, where that was said."""
    rows = [
        (name, str(column.role), *_told(column), plan.notes.get(name, ""))
        for name, column in plan.columns.items()
    ]
    told = [j for j in range(len(HEADINGS)) if any(row[j] for row in rows)]  # where any row says something
    shown = grid([HEADINGS[j] for j in told], ([row[j] for j in told] for row in rows))
    parts = [*map(paragraph, _said(plan)), shown]
    promised = " and ".join(model.label for model in plan.require)
    return screen(
        "Kohort plan",
        "For the holder of the table: what is asked; nothing is released by it yet",
        promised,
        parts,
    )


def _said(plan: Plan) -> Iterator[str]:
    """Yield what the other sections ask for, where they ask for anything."""
    for name, section in (("input", plan.input), ("recode", plan.recode), ("output", plan.output)):
        told = told_fields(section)
        if told:
            yield f"{name}: {', '.join(f'{key} = {_short(value)}' for key, value in told.items())}"
        if f"[{name}]" in plan.notes:
            yield plan.notes[f"[{name}]"]


def _told(column: ColumnPlan) -> tuple[str, str]:
    """Return a column's hierarchy, and what else is said of it."""
    spec: dict[str, Any] = column.hierarchy or {}
    options = ", ".join(f"{key} = {_short(value)}" for key, value in spec.items() if key != "kind")
    hierarchy = f"{spec['kind']}{f': {options}' if options else ''}" if spec else ""
    more = {key: value for key, value in told_fields(column).items() if key not in ASIDE}
    return hierarchy, ", ".join(f"{key} = {_short(value)}" for key, value in more.items())


def _short(value: Any) -> str:
    told = toml_value(value)
    return told if len(told) <= LONGEST else told[: LONGEST - 1] + "…"
