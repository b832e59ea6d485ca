"""Which columns are outcomes of a study: those beside a time of follow-up, of their own or of the whole table."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.proposals.concepts import parts_of
from kohort.proposals.words import FOLLOW_UP

_STEM = 3  # letters of what happened, in `dayslink` beside `linkstatus`


def is_followed_up(name: str, names: Sequence[str]) -> bool:
    """Tell whether a time stands beside a column: one of the table, or one that is called after the same event.

    >>> is_followed_up("linkstatus", ["dayslink", "linkstatus"]), is_followed_up("jobstatus", ["dayslink", "jobstatus"])
    (True, False)
    """
    return any(_is_time(other) or _is_time_of(other, name) for other in names if other != name)


def _is_time(name: str) -> bool:
    return not FOLLOW_UP.isdisjoint(part.rstrip("0123456789") for part in parts_of(name))


def _is_time_of(time: str, name: str) -> bool:
    joined, event = "".join(parts_of(time)), "".join(parts_of(name))
    stems = (joined.removeprefix(word).removesuffix(word) for word in FOLLOW_UP)
    return any(stem != joined and len(stem) >= _STEM and stem in event for stem in stems)
