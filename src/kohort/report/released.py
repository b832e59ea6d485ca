"""The columns and values of a release, as they stand in its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, row, table, text
from kohort.report.charts import HALF, Bar, bars
from kohort.report.words import count, percent, short, torn

LABEL = 30  # characters of a value
ROLES = {"quasi": "quasi", "sensitive": "sensitive", "insensitive": "other"}
# What is declared of a hierarchy, in words; what a kind does not declare is not said.
OPTIONS = {
    "widths": "{} wide",
    "levels": "by {}",
    "steps": "{} characters hidden",
    "keep": "the first {}",
}


def released_columns(public: Mapping[str, Any]) -> list[Block]:
    """Return every released column with its role, how it may have been generalized and what most rows hold."""
    rows = [
        (
            column["name"],
            ROLES.get(column["role"], column["role"]),
            _done(column, public),
            count(column.get("values")),
            _example(column),
        )
        for column in public["columns"]
    ]
    return [
        text(
            "Every column of the release, with the hierarchy that was declared for it. Which of its levels was needed is seen "
            "in the values."
        ),
        table(("column", "role", "released", "distinct values", "the most frequent"), rows, (3,)),
    ]


def distributions(public: Mapping[str, Any]) -> list[Block]:
    """Return the values that most rows share, drawn and told, of every quasi-identifier."""
    drawn = [column for column in public["columns"] if column.get("shown")]
    if not drawn:
        return []
    rows = [
        (column["name"], label, count(n), percent(n / _total(column)))
        for column in drawn
        for label, n in _entries(column)
    ]
    return [
        text(
            "Shares of the released rows. Shown are quasi-identifiers, of each the most frequent values that enough rows share; "
            "sensitive values stand in the table only."
        ),
        row([(_picture(column), _caption(column)) for column in drawn]),
        table(("column", "value", "rows", "share"), rows, (2, 3), caption="Values as a table"),
    ]


def _done(column: Mapping[str, Any], public: Mapping[str, Any]) -> str:
    if torn(public):
        apart = column["name"] == public["column"]
        return "told by groups, in a table of its own" if apart else "as it is"
    if column["role"] != "quasi":
        return "as it is"
    if not public["algorithm"]["truthful"]:
        return "replaced by a value of its group"
    return f"generalized where needed: {_hierarchy(column['hierarchy'])}"


def _hierarchy(spec: Mapping[str, Any]) -> str:
    told = [
        said.format(", ".join(map(str, spec[option])))
        for option, said in OPTIONS.items()
        if isinstance(spec.get(option), list)
    ]
    return ", ".join([str(spec["kind"]), *told])


def _example(column: Mapping[str, Any]) -> str:
    shown = column.get("shown") or []
    if not shown:
        return "–"
    most = max(shown, key=lambda entry: entry["rows"])
    return _value(most)


def _picture(column: Mapping[str, Any]) -> Any:
    total = _total(column)
    entries = [Bar(label, n / total, percent(n / total)) for label, n in _entries(column)]
    return bars(f"Values of {column['name']}", entries, width=HALF, label=LABEL)


def _entries(column: Mapping[str, Any]) -> list[tuple[str, int]]:
    told = [(_value(entry), entry["rows"]) for entry in column["shown"]]
    return [*told, ("others", column["others"])] if column["others"] else told


def _caption(column: Mapping[str, Any]) -> str:
    few = len(column["shown"]) < column["values"]
    return (
        f"{column['name']}: {len(column['shown'])} of {count(column['values'])} values"
        if few
        else column["name"]
    )


def _total(column: Mapping[str, Any]) -> int:
    return int(max(sum(entry["rows"] for entry in column["shown"]) + column["others"], 1))


def _value(entry: Mapping[str, Any]) -> str:
    return "missing" if entry["value"] is None else short(entry["value"], LABEL)
