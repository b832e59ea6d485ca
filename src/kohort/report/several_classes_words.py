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
    """Return what the holder is to know of people whose classes, each as promised, leave too few values together."""
    return [
        f"{column}: promises about values are kept class by class, and for {left_by(found)}: {KNOWING}, "
        f"{'knows it or has' if found.single else 'has'} fewer left than a class holds; release one row per person, or let the "
        "quasi-identifiers be the same in all rows of a person where the value is the same in all"
        for column, found in told.items()
        if found.below or found.single or found.beyond
    ]


def left_by(found: Across) -> str:
    """Return for how many people their classes leave fewer values than promised, and for how many a single one."""
    of = f"of {many(found.people, 'person', 'people')} with rows in several classes"
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
