"""In what company people are: the sizes of classes, and the risk that follows from them."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from kohort.facts import TableFacts
from kohort.facts.figures import Risk, Sizes
from kohort.report.blocks import Block, row, table, text
from kohort.report.charts import HALF, Bar, bars
from kohort.report.company import company
from kohort.report.words import by_either, count, one_in, percent, span


def class_sizes(facts: TableFacts) -> list[Block]:
    """Return class sizes and the distribution of risk, each drawn and told."""
    told = company(facts)
    sizes, risk, whom = told.sizes(facts), facts.risk, facts.counted
    unit = "records" if whom == "records" else "rows"
    records = count(sum(step.records for step in sizes))
    pictures = [
        (_sizes(sizes, told.name), f"Of {records} {unit}, by the size of their {told.name} in {whom}")
    ]
    if risk is not None:
        people = count(risk.prosecutor.people)
        pictures.append(
            (_risks(risk), f"Of {people} {whom}, with a risk of being picked out{by_either(risk)} …")
        )
    return [
        text(told.explained(facts)),
        row(pictures),
        table(
            (f"{told.name} size in {facts.counted}", told.names, unit),
            [(span(s.least, s.most), count(s.classes), count(s.records)) for s in sizes],
            (1, 2),
            caption="Sizes as a table",
        ),
        *([] if risk is None else [_risk_table(risk, whom)]),
    ]


def _sizes(sizes: Sequence[Sizes], name: str) -> Markup:
    total = max(sum(step.records for step in sizes), 1)
    entries = [
        Bar(span(step.least, step.most), step.records / total, percent(step.records / total))
        for step in sizes
    ]
    return bars(f"Records by size of their {name}", entries, width=HALF)


def _risks(risk: Risk) -> Markup:
    entries = [Bar(f"above {one_in(line.above)}", line.share, percent(line.share)) for line in risk.at_risk]
    return bars("By risk", entries, most=1.0, width=HALF)


def _risk_table(risk: Risk, whom: str) -> Block:
    return table(
        (f"risk of being picked out{by_either(risk)}", whom, f"share of {count(risk.prosecutor.people)}"),
        [(f"above {one_in(line.above)}", count(line.people), percent(line.share)) for line in risk.at_risk],
        (1, 2),
        caption="Risk as a table",
    )
