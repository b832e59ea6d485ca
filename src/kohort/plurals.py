"""`many`: a number beside what it counts, so that one is told as one wherever people read it."""

from __future__ import annotations


def many(number: int, noun: str, several: str | None = None) -> str:
    """Return a number of things; `several` where the plural has more than an s, a verb among it.

    >>> many(1, "column"), many(4_000, "column"), many(0, "class", "classes")
    ('1 column', '4,000 columns', '0 classes')
    >>> many(1, "row has", "rows have"), many(2, "row has", "rows have")
    ('1 row has', '2 rows have')
    """
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def people(number: int) -> str:
    """Return a number of people.

    >>> people(1), people(4)
    ('1 person', '4 people')
    """
    return many(number, "person", "people")
