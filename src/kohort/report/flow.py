"""The way from the original to the release: which rows and columns went where."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from kohort.facts import ReleaseFacts
from kohort.plurals import many
from kohort.report.blocks import Block, row, table
from kohort.report.charts import Stream, flow
from kohort.report.company import company
from kohort.report.left_out import shows_blank
from kohort.report.words import columns_of, count, percent

SHOWN = 40  # names of columns in one cell


def data_flow(facts: ReleaseFacts) -> list[Block]:
    """Return what went in and what came out, drawn and told."""
    return [
        row([_rows(facts), _columns(facts)]),
        table(("role", "columns", "what happened"), _roles(facts)),
    ]


def _rows(facts: ReleaseFacts) -> tuple[Markup, str]:
    suppressed, told = facts.suppressed, company(facts)
    streams = [
        Stream(
            facts.released,
            f"{many(facts.released, 'row')} released",
            f"in {many(told.number(facts), told.name, told.names)}{', blank too' if shows_blank(facts) else ''}",
            True,
        )
    ]
    if suppressed:
        share = f"{percent(suppressed / facts.rows)} of {count(facts.rows)}"
        blank = ", told by *" if shows_blank(facts) else ""
        streams.append(
            Stream(suppressed, f"{many(suppressed, 'row')} suppressed", share + blank, bool(blank))
        )
    drawn = flow("Rows of the original and of the release", ("original", many(facts.rows, "row")), streams)
    return drawn, "Rows"


def _columns(facts: ReleaseFacts) -> tuple[Markup, str]:
    quasi, sensitive, other = (columns_of(facts, role) for role in ("quasi", "sensitive", "insensitive"))
    dropped = [*columns_of(facts, "identifier"), *facts.undeclared]
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


def _roles(facts: ReleaseFacts) -> list[tuple[str, str, str]]:
    told = company(facts)
    perturbed = "replaced by a value that stands for their group: see below"
    done = told.quasi_done() if facts.algorithm.truthful else perturbed
    rows: list[tuple[str, Sequence[str], str]] = [
        ("identifiers", columns_of(facts, "identifier"), "not released"),
        ("quasi-identifiers", columns_of(facts, "quasi"), done),
        (
            "sensitive",
            columns_of(facts, "sensitive"),
            told.sensitive_done(facts.watched) + _coarse(facts, "sensitive"),
        ),
        ("other", columns_of(facts, "insensitive"), "kept as they are" + _coarse(facts, "insensitive")),
        ("not in the plan", facts.undeclared, "not released"),
    ]
    return [(role, _listed(names), what) for role, names, what in rows if names]


def _coarse(facts: ReleaseFacts, role: str) -> str:
    """Return, as the end of a sentence, which columns of a role are told coarsely, and how."""
    told = [
        f"{column.name}, told {column.told}"
        for column in facts.columns
        if column.role == role and column.told
    ]
    return f"; but {'; '.join(told)}" if told else ""


def _listed(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
