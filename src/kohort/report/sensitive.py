"""What classes tell about sensitive values."""

from __future__ import annotations

from kohort.facts import TableFacts
from kohort.facts.figures import Diversity
from kohort.report.blocks import Block, table, text
from kohort.report.company import company
from kohort.report.words import count, number, percent, unbounded


def sensitive_values(facts: TableFacts) -> list[Block]:
    """Return the diversity of every sensitive column in its worst class."""
    rows = [
        (
            name,
            count(told.distinct_l),
            number(told.entropy_l),
            number(told.t["equal"]),
            percent(told.alpha),
            percent(told.homogeneous_share),
        )
        for name, told in facts.sensitive.items()
    ]
    if not rows:
        return []
    name, names = company(facts).name, company(facts).names
    more = [_more(column, told) for column, told in facts.sensitive.items()]
    return [
        text(
            f"Being one of many does not hide a value that the whole {name} shares. For the worst {name}: how many different "
            f"values it holds (plainly, and by entropy); how far its distribution is from the whole table's (t, from 0 to 1); "
            f"the largest share of one value. Last, the share of all records in {names} with a "
            "single value."
        ),
        table(
            ("column", "distinct l", "entropy l", "t", "largest share", "single-valued"),
            rows,
            (1, 2, 3, 4, 5),
        ),
        table(
            ("column", "recursive c for l = 2", "t ordered", "t hierarchical", "β", "δ"),
            more,
            (1, 2, 3, 4, 5),
            caption="More figures: recursive diversity, other distances, β-likeness, δ-disclosure",
        ),
    ]


def _more(column: str, told: Diversity) -> tuple[str, ...]:
    return (
        column,
        unbounded(told.recursive_c),
        number(told.t.get("ordered")),
        number(told.t.get("hierarchical")),
        unbounded(told.beta),
        unbounded(told.delta),
    )
