"""The way from the original to the release: which rows and columns went where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, row, table
from kohort.report.charts import Stream, flow
from kohort.report.words import columns_of, count, many, percent, torn

SHOWN = 40  # names of columns in one cell


def data_flow(facts: Mapping[str, Any]) -> list[Block]:
    """Return what went in and what came out, drawn and told."""
    return [
        row([_rows(facts), _columns(facts)]),
        table(("role", "columns", "what happened"), _roles(facts)),
    ]


def _rows(facts: Mapping[str, Any]) -> tuple[Any, str]:
    suppressed, name = facts["suppressed"], "groups" if torn(facts) else "classes"
    streams = [
        Stream(
            facts["released"],
            f"{count(facts['released'])} rows released",
            f"in {count(facts[name])} {name}",
            True,
        )
    ]
    if suppressed:
        share = percent(suppressed / facts["rows"])
        streams.append(Stream(suppressed, f"{count(suppressed)} rows suppressed", share, False))
    drawn = flow(
        "Rows of the original and of the release", ("original", f"{count(facts['rows'])} rows"), streams
    )
    return drawn, "Rows"


def _columns(facts: Mapping[str, Any]) -> tuple[Any, str]:
    quasi, sensitive, other = (columns_of(facts, role) for role in ("quasi", "sensitive", "insensitive"))
    dropped = [*columns_of(facts, "identifier"), *facts["undeclared"]]
    streams = [
        Stream(len(names), f"{len(names)} {name}", ", ".join(names), released)
        for names, name, released in (
            (quasi, "quasi-identifying", True),
            (sensitive, "sensitive", True),
            (other, "other", True),
            (dropped, "not released", False),
        )
        if names
    ]
    total = len(quasi) + len(sensitive) + len(other) + len(dropped)
    drawn = flow("Columns of the original and of the release", ("original", many(total, "column")), streams)
    return drawn, "Columns, by their role in the plan"


def _roles(facts: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    apart = facts.get("column") if torn(facts) else None
    done = "kept exact" if apart else "generalized where needed: see below"
    if not facts["algorithm"]["truthful"]:
        done = "replaced by an average of their group: see below"
    watched = f"{apart} told by groups, in a table of its own" if apart else _watched(facts)
    rows = [
        ("identifiers", columns_of(facts, "identifier"), "dropped"),
        ("quasi-identifiers", columns_of(facts, "quasi"), done),
        ("sensitive", columns_of(facts, "sensitive"), watched),
        ("other", columns_of(facts, "insensitive"), "kept as they are"),
        ("not in the plan", facts["undeclared"], "not released"),
    ]
    return [(role, _listed(names), what) for role, names, what in rows if names]


def _watched(facts: Mapping[str, Any]) -> str:
    """Return what happens to sensitive columns: they are kept, and a promise may be about them."""
    promised = {model.get("column") for model in facts["asked"].get("require", [])}
    for model in facts["asked"].get("require", []):
        promised |= set(model.get("columns") or [])
    named = [name for name in columns_of(facts, "sensitive") if name in promised]
    return f"kept as they are; {', '.join(named)} bounded by a promise" if named else "kept as they are"


def _listed(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
