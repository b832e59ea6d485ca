"""What classes tell about sensitive values."""

from __future__ import annotations

from kohort.facts import TableFacts
from kohort.facts.figures import Diversity
from kohort.report.blocks import Block, table, text
from kohort.report.company import company
from kohort.report.words import count, number, percent, unbounded

MADE_SURE = (
    "as many as are made sure of whichever of theirs is taken for each person, of which there may be more"
)


def sensitive_values(facts: TableFacts) -> list[Block]:
    """Return the diversity of every sensitive column in its worst class."""
    rows = [
        (
            name,
            count(told.distinct_l),
            number(told.entropy_l),
            number(told.t["equal"]),
            percent(told.alpha),
            f"{count(told.homogeneous)} ({percent(told.homogeneous_share)})",
        )
        for name, told in facts.sensitive.items()
    ]
    if not rows:
        return []
    name, names = company(facts).name, company(facts).names
    more = [_more(column, told) for column, told in facts.sensitive.items()]
    return [
        text(
            f"Being one of many does not hide a value that the whole {name} shares. Each figure is of the {name} that is worst "
            f"in it: distinct l, how many different values it holds{_whichever(facts.counted)}; entropy l, as how "
            "many equally frequent values its values are "
            "uncertain; t, how far their distribution is from the whole table's (0 alike, 1 as far as can be; every two values "
            f"equally far apart); the largest share of its {facts.counted} with one value. Last, the {facts.counted} in {names} "
            "with a single value."
        ),
        table(
            ("column", "distinct l", "entropy l", "t", f"largest share of {facts.counted}", "single-valued"),
            rows,
            (1, 2, 3, 4, 5),
        ),
        table(
            ("column", "recursive c for l = 2", "t ordered", "t hierarchical", "β", "δ"),
            more,
            (1, 2, 3, 4, 5),
            caption="More figures: recursive diversity, other distances, β-likeness, δ-disclosure",
        ),
        text(
            "Recursive c: how many times as frequent as all others together the most frequent value is; a promise with l = 2 takes "
            "a greater c. t ordered, t hierarchical: values are as far apart as their ranks, or their places in "
            "the hierarchy; – where none is at hand, and texts that nobody put in an order have no ranks. β: by "
            f"which multiple of its share in the whole table a value's share grows in a {name}. δ: the greatest "
            "|ln| of the one share "
            f"over the other, ∞ where a {name} lacks a value."
        ),
    ]


def _whichever(counted: str) -> str:
    """Return how values are counted of people who have several."""
    return f", {MADE_SURE}" if counted == "people" else ""


def _more(column: str, told: Diversity) -> tuple[str, ...]:
    return (
        column,
        unbounded(told.recursive_c),
        number(told.t.get("ordered")),
        number(told.t.get("hierarchical")),
        unbounded(told.beta),
        unbounded(told.delta),
    )
