"""Numbers as people read them, and the words that depend on the release."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any

from kohort.facts import TableFacts
from kohort.facts.figures import Risk
from kohort.facts.promises import VerdictFacts
from kohort.facts.table_audit import Estimates

NAMED = 6  # columns in a sentence


def count(value: Any) -> str:
    """Return a whole number with thousands separated.

    >>> count(30162), count(None)
    ('30,162', '–')
    """
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else str(value)


def number(value: float | int | None) -> str:
    """Return a number with four significant digits.

    >>> number(0.24193), number(59199546.0), number(None), number(7.0394e8)
    ('0.2419', '59,199,546', '–', '703,940,000')
    """
    if value is None:
        return "–"
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:,.4g}"


def brief(value: float | None) -> str:
    """Return a number in few characters, for a heading.

    >>> brief(0.015623), brief(28.808), brief(7220555.0), brief(None)
    ('0.0156', '28.8', '7.22 M', '–')
    """
    if value is None:
        return "–"
    if abs(value) >= 1e6:
        return f"{value / 1e6:,.3g} M"
    return number(value if abs(value) >= 1000 else float(f"{value:.3g}"))


def unbounded(value: float | None) -> str:
    """Return a figure of which None says that no bound holds.

    >>> unbounded(None), unbounded(3.0)
    ('∞', '3')
    """
    return "∞" if value is None else number(value)


def percent(share: float | None) -> str:
    """Return a share in per cent, more finely where it is small; not all is never told as 100 %, nor some as 0 %.

    >>> percent(0.5), percent(0.0456), percent(0.00012), percent(1 / 11)
    ('50 %', '4.6 %', '0.012 %', '9.1 %')
    >>> percent(0.9987), percent(0.999999), percent(0.00000001)
    ('99.87 %', 'over 99.99 %', 'below 0.001 %')
    """
    if share is None:
        return "–"
    points = round(100 * share, 9) + 0.0  # no minus zero; 46 of 80 are 57.5, not 57.49999…
    if 99.5 <= points < 100:
        return f"{int(points * 100) / 100:g} %" if points < 99.99 else "over 99.99 %"
    if points >= 10 or points == 0 or float(points).is_integer():
        return f"{points:.0f} %"
    return "below 0.001 %" if 0 < points < 0.001 else f"{points:.2g} %"


def share_of(part: int, whole: int, noun: str = "") -> str:
    """Return a share beside what it is a share of.

    >>> share_of(495, 11697, "rows"), share_of(1, 4), share_of(0, 0)
    ('495 of 11,697 rows (4.2 %)', '1 of 4 (25 %)', '0 of 0 (–)')
    """
    of = f"{count(part)} of {count(whole)}{f' {noun}' if noun else ''}"
    return f"{of} ({percent(part / whole if whole else None)})"


def at_most(bound: float | None) -> str:
    """Return a bound in per cent with three digits, the last one rounded up: what is told holds.

    Behind the ninth digit stands what floating point made of the figure.

    >>> at_most(0.2), at_most(1 / 3), at_most(1 / 11), at_most(0.1 + 0.2), at_most(None)
    ('20 %', '33.4 %', '9.1 %', '30 %', '–')
    """
    if bound is None:
        return "–"
    points = Context(prec=9).create_decimal(repr(100 * float(bound)))
    told = Context(prec=3, rounding=ROUND_CEILING).plus(points)
    return f"{told.normalize():f} %"


def by_either(risk: Risk) -> str:
    """Return what is picked where people have several rows: a row or a person, whichever pick is likelier to be right."""
    return "" if risk.rows is None else ", a row or a person being picked, whichever is likelier to be right"


def one_in(share: float) -> str:
    """Return a limit in use, which is one over a number of people.

    >>> one_in(1 / 3), one_in(0.0909091)
    ('1 in 3', '1 in 11')
    """
    return f"1 in {round(1 / share)}"


def between(low: float, high: float) -> str:
    """Return the ends of an interval in per cent, rounded away from each other.

    >>> between(0.0344, 0.2101), between(1.0, 1.0)
    ('3.4 to 21.1 %', '100 to 100 %')
    """
    points = Context(prec=9).create_decimal(repr(100 * float(low)))
    least = Context(prec=2 if points < 100 else 3, rounding=ROUND_FLOOR).plus(points)
    return f"{least.normalize():f} to {at_most(high)}"


def span(low: int, high: int) -> str:
    """Return a range of whole numbers.

    >>> span(5, 7), span(5, 5)
    ('5 to 7', '5')
    """
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def short(said: str | None, most: int) -> str:
    """Return text cut to some characters.

    >>> short("Undergraduate", 6)
    'Under…'
    """
    told = said or ""
    return told if len(told) <= most else told[: most - 1] + "…"


def columns_of(facts: TableFacts, role: str) -> list[str]:
    """Return the names of the columns that have a role."""
    return [column.name for column in facts.columns if column.role == role]


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them, the last ones counted where they are many.

    >>> listed(["age"]), listed(["age", "sex", "zip"]), listed(list("abcdefghij"))
    ('age', 'age, sex and zip', 'a, b, c, d, e, f and 4 more columns')
    """
    more = len(names) - NAMED
    if more > 1:
        return f"{', '.join(names[:NAMED])} and {more:,} more columns"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]])) or "all columns"


def verdict_line(verdict: VerdictFacts) -> dict[str, Any]:
    """Return a verdict as a page shows it."""
    figures = [
        ("achieved", verdict.achieved),
        ("against the release's own distribution", verdict.in_itself),
    ]
    said = [f"{what} {number(figure)}" for what, figure in figures if figure is not None]
    return {
        "promise": verdict.promise,
        "holds": verdict.holds,
        "text": "; ".join([*said, *([verdict.note] if verdict.note else [])]),
    }


def estimates(told: Estimates) -> list[tuple[str, float | None]]:
    """Return the people unique in the population by every model."""
    return [("pitman", told.pitman), ("zayatz", told.zayatz), ("snb", told.snb)]
