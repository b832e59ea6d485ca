"""What the classes of one person tell together, where people have rows in several."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.facts.figures import Across
from kohort.plurals import many
from kohort.report.words import count

LIKELIHOODS = (
    "how likely each value is after several classes is not measured, and may break the promise for others too"
)
KNOWING = "who knows all of a person's classes, and that the value is the same in all"


BEYOND = "every belief about what is left breaks a promise about likelihoods"


def laid_over(told: Mapping[str, Across]) -> list[str]:
    """Return what the holder is to know of people whose classes, each as promised, leave too few values together: once."""
    short = {column: found for column, found in told.items() if found.below or found.single or found.beyond}
    if not short:
        return []
    several = max(found.people for found in short.values())
    likely = any(found.beyond is not None for found in short.values())
    return [
        f"{many(several, 'person has', 'people have')} rows in several classes; laid over each other, these leave "
        f"{'; '.join(_left_of(column, found) for column, found in short.items())}. Promises about values are kept class by class: "
        f"this is open to {KNOWING}{f'; {LIKELIHOODS}' if likely else ''}. Release one row per person, or let the "
        "quasi-identifiers be the same in all rows of a person where the value is the same in all"
    ]


def _left_of(column: str, found: Across) -> str:
    """Return for how many people too few values of a column are left.

    >>> _left_of("illness", Across(people=9, least=3, below=4, single=2, beyond=None))
    '4 with fewer values of illness than the 3 promised, 2 of them with a single one'
    >>> _left_of("pay", Across(people=9, least=1, below=0, single=2, beyond=5))
    '2 with a single value of pay, 5 for whom every belief about what is left of pay breaks a promise about likelihoods'
    """
    single = f"{count(found.single)} with a single value of {column}" if found.single else ""
    if found.below:
        beside = f", {count(found.single)} of them with a single one" if found.single else ""
        single = f"{count(found.below)} with fewer values of {column} than the {found.least} promised{beside}"
    beyond = (
        f"{count(found.beyond)} for whom {BEYOND.replace('left', f'left of {column}')}"
        if found.beyond
        else ""
    )
    return ", ".join(filter(None, [single, beyond]))


def left_by(found: Across) -> str:
    """Return for how many people their classes leave fewer values than promised, and for how many a single one."""
    of = f"of {count(found.people)} people with rows in several classes"
    if not found.below and not found.single:
        return f"{count(found.beyond or 0)} {of} {BEYOND} ({LIKELIHOODS})"
    beyond = "" if found.beyond is None else f", for {count(found.beyond)} {BEYOND} ({LIKELIHOODS})"
    if not found.below:
        return f"{count(found.single)} {of} the classes share a single value{beyond}"
    single = f", for {count(found.single)} of them a single one" if found.single else ""
    return f"{count(found.below)} {of} the classes share fewer values than the {found.least} promised{single}{beyond}"


def nobody_by(found: Across) -> str:
    """Return that people's classes leave nobody too few values, where that was found."""
    few = (
        f"fewer values than the {found.least} promised"
        if found.least > 1
        else "a single value that none of them gives away alone"
    )
    beyond = "" if found.beyond is None else f"; {LIKELIHOODS}"
    return (
        f"the classes of {many(found.people, 'person who stands', 'people who stand')} in several, laid over each "
        f"other, leave nobody with {few} if the value is the same in all{beyond}"
    )
