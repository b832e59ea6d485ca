"""The columns and values of a release, as they stand in its table."""

from __future__ import annotations

from markupsafe import Markup

from kohort.facts import Manifest
from kohort.facts.columns import ReleasedColumn, Shown
from kohort.plurals import many
from kohort.report.blocks import Block, row, table, text
from kohort.report.charts import HALF, Bar, bars
from kohort.report.company import company
from kohort.report.words import count, percent, short

LABEL = 30  # characters of a value
ROLES = {"quasi": "quasi", "sensitive": "sensitive", "insensitive": "other"}


def released_columns(public: Manifest) -> list[Block]:
    """Return every released column with its role, how it may have been generalized and what most rows hold."""
    told = company(public)
    rows = [
        (
            column.name,
            ROLES.get(column.role, column.role),
            told.done(public, column.name, column.role, column.declared),
            count(column.values),
            _example(column),
        )
        for column in public.columns
    ]
    return [
        text(
            "Every column of the release, with the hierarchy that was declared for it; what was needed of it is seen in the "
            "values. Of a quasi-identifier the most frequent value is named if enough rows share it, missing values apart."
        ),
        table(("column", "role", "released", "values that occur", "the most frequent"), rows, (3,)),
    ]


def distributions(public: Manifest) -> list[Block]:
    """Return the values that most rows share, drawn and told, of every quasi-identifier."""
    drawn = [column for column in public.columns if column.shown]
    if not drawn:
        return []
    rows = [
        (column.name, label, count(n), percent(n / _total(column)))
        for column in drawn
        for label, n in _entries(column)
    ]
    return [
        text(
            f"Shares of the {many(public.rows, 'released row')}. Shown are quasi-identifiers, of each the most "
            "frequent values that enough "
            "rows share; sensitive values stand in the table only."
        ),
        row([(_picture(column), _caption(column)) for column in drawn]),
        table(("column", "value", "rows", "share"), rows, (2, 3), caption="Values as a table"),
    ]


def _example(column: ReleasedColumn) -> str:
    told = [entry for entry in column.shown or () if entry.value is not None]
    return _value(max(told, key=lambda entry: entry.rows)) if told else "–"


def _picture(column: ReleasedColumn) -> Markup:
    total = _total(column)
    entries = [Bar(label, n / total, percent(n / total)) for label, n in _entries(column)]
    return bars(f"Values of {column.name}", entries, width=HALF, label=LABEL)


def _entries(column: ReleasedColumn) -> list[tuple[str, int]]:
    told = [(_value(entry), entry.rows) for entry in column.shown or ()]
    return [*told, ("others", column.others)] if column.others else told


def _caption(column: ReleasedColumn) -> str:
    shown, values = len(column.shown or ()), column.values or 0
    return f"{column.name}: {shown} of {count(values)} values" if shown < values else column.name


def _total(column: ReleasedColumn) -> int:
    return max(sum(entry.rows for entry in column.shown or ()) + (column.others or 0), 1)


def _value(entry: Shown) -> str:
    return "missing" if entry.value is None else short(entry.value, LABEL)
