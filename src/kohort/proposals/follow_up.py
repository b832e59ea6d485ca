"""Which columns are outcomes of a study: those beside a time of follow-up, of their own or of the whole table."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.proposals.concepts import parts_of
from kohort.proposals.words import FOLLOW_UP

_TO = ("to", "until", "till", "bis", "zum", "zur", "jusqua", "hasta", "fino", "tot")
_STEM = 3  # letters of what happened, in `dayslink` beside `linkstatus`


def is_followed_up(name: str, names: Sequence[str]) -> bool:
    """Tell whether a time stands beside a column: one of the table, or one that is called after the same event.

    >>> is_followed_up("linkstatus", ["dayslink", "linkstatus"]), is_followed_up("jobstatus", ["dayslink", "jobstatus"])
    (True, False)
    """
    return any(_is_time(other) or _is_time_of(other, name) for other in names if other != name)


def has_its_time(name: str, names: Sequence[str]) -> bool:
    """Tell whether a time is called after the column itself: `time.to.cmv` beside `cmv`.

    >>> has_its_time("cmv", ["cmv", "time.to.cmv"]), has_its_time("arm", ["arm", "time.to.alarm"])
    (True, False)
    """
    joined = "".join(parts_of(name))
    return len(joined) >= _STEM and any(joined in _stems(other) for other in names if other != name)


def _is_time(name: str) -> bool:
    return not FOLLOW_UP.isdisjoint(part.rstrip("0123456789") for part in parts_of(name))


def _is_time_of(time: str, name: str) -> bool:
    event = "".join(parts_of(name))
    return any(len(stem) >= _STEM and stem in event for stem in _stems(time))


def _stems(time: str) -> set[str]:
    """Return what a time may be called after: its name without the word of time, and without `to`."""
    joined = "".join(part for part in parts_of(time) if part not in _TO)
    return {joined.removeprefix(word).removesuffix(word) for word in FOLLOW_UP} - {joined}
