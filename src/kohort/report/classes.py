"""In what company people are: the sizes of classes, and the risk that follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, row, table, text
from kohort.report.charts import HALF, Bar, bars
from kohort.report.words import count, people, percent, span, torn


def class_sizes(facts: Mapping[str, Any]) -> list[Block]:
    """Return class sizes and the distribution of risk, each drawn and told."""
    name = "group" if torn(facts) else "class"
    pictures = [(_sizes(facts, name), f"Records by the size of their {name}")]
    if facts["risk"] is not None:
        pictures.append((_risks(facts), f"{people(facts).capitalize()} with a risk of being picked out …"))
    return [
        text(_explained(facts)),
        row(pictures),
        table(
            (f"{name} size", "classes" if name == "class" else "groups", "records"),
            [
                (span(s["from"], s["to"]), count(s["classes"]), count(s["records"]))
                for s in facts[f"{name}_sizes"]
            ],
            (1, 2),
            caption="Sizes as a table",
        ),
        *([] if facts["risk"] is None else [_risk_table(facts)]),
    ]


def _explained(facts: Mapping[str, Any]) -> str:
    if torn(facts):
        return (
            f"The rows of the first table are put into groups. The second table tells which values of {facts['column']} occur "
            "in each group and how often, but not whose they are. Groups hide nobody: the risk of being picked out is that of "
            "the exact quasi-identifiers in the first table, as of any table that is released as it is."
        )
    whom = people(facts)
    said = f"A class is the group of {whom} {'who' if whom == 'people' else 'that'} share all released quasi-identifiers. "
    if facts["risk"] is None:  # rows are counted, and one person may have several
        return f"{said}Whoever knows somebody's quasi-identifiers cannot tell their rows from the others of the class."
    return (
        f"{said}Whoever knows somebody's quasi-identifiers cannot tell them from the others of their class; the risk of "
        "picking the right one is one over the size of the class."
    )


def _sizes(facts: Mapping[str, Any], name: str) -> Any:
    steps = facts[f"{name}_sizes"]
    total = max(sum(step["records"] for step in steps), 1)
    entries = [
        Bar(span(step["from"], step["to"]), step["records"] / total, percent(step["records"] / total))
        for step in steps
    ]
    return bars(f"Records by size of their {name}", entries, width=HALF)


def _risks(facts: Mapping[str, Any]) -> Any:
    entries = [
        Bar(f"above {percent(line['above'])}", line["share"], percent(line["share"]))
        for line in facts["risk"]["at_risk"]
    ]
    return bars("People by risk", entries, most=1.0, width=HALF)


def _risk_table(facts: Mapping[str, Any]) -> Block:
    return table(
        ("risk of being picked out", people(facts), "share"),
        [
            (f"above {percent(line['above'])}", count(line["people"]), percent(line["share"]))
            for line in facts["risk"]["at_risk"]
        ],
        (1, 2),
        caption="Risk as a table",
    )
