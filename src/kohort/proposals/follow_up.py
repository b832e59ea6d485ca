"""Which columns are outcomes of a study: those beside a time of follow-up, of their own or of the whole table; and such times.

A time is one of follow-up where something that happens, a yes or no, stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kohort.proposals.concepts import concept_of, parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.words import DEATH, FOLLOW_UP, OUTCOME, RESULT

_HAPPENS = (OUTCOME, RESULT, DEATH)
_TIME, _INDICATORS = "t", ("c", "d", "e", "delta")  # as the literature writes them
_FROM_TO = (("start", "stop"), ("start", "end"), ("begin", "end"), ("entry", "exit"), ("tstart", "tstop"))
_YES_OR_NO = 3  # distinct values, missing ones too
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


def events_of(evidence: Iterable[Evidence]) -> list[str]:
    """Return the columns that say whether something happened to people: a yes or no whose name says so."""
    return [one.column.name for one in evidence if _happens(one)]


def is_time_of_events(evidence: Evidence, events: Sequence[str], others: Iterable[Evidence]) -> bool:
    """Tell whether a column of numbers says when something happened, or how long people were watched for it.

    Its name says nothing but a time, or a time of one of the `events`; or it and another column, which say from when till
    when, are in that order in every row.
    """
    name = evidence.column.name
    beside = [event for event in events if event != name]
    if not beside or not _is_a_time(evidence):
        return False
    said = {part.rstrip("0123456789") for part in parts_of(name)}
    if said == {_TIME}:
        return any(event.casefold() in _INDICATORS for event in beside)
    if not said.isdisjoint(FOLLOW_UP) and all(_says_when(part) for part in said):
        return True
    return any(_is_time_of(name, event) for event in beside) or any(
        _is_from_to(evidence, other) or _is_from_to(other, evidence) for other in others
    )


def is_indicator(evidence: Evidence, names: Sequence[str]) -> bool:
    """Tell whether a column is the yes or no beside a time, by the letters that the literature has for both."""
    letters = {name.casefold() for name in names}
    return evidence.column.name.casefold() in _INDICATORS and _TIME in letters and _is_yes_or_no(evidence)


def _says_when(part: str) -> bool:
    return part in FOLLOW_UP or part in _TO or _is_happening(part)


def _is_happening(name: str) -> bool:
    concept = concept_of(name)
    return concept is not None and concept.name in _HAPPENS


def _happens(evidence: Evidence) -> bool:
    name = evidence.column.name
    return _is_yes_or_no(evidence) and (_is_happening(name) or name.casefold() in _INDICATORS)


def _is_yes_or_no(evidence: Evidence) -> bool:
    return 1 < evidence.distinct <= _YES_OR_NO


def _is_a_time(evidence: Evidence) -> bool:
    """Say whether the values may be times since something: numbers that are not negative, and neither codes nor years."""
    many = evidence.distinct > _YES_OR_NO
    return many and evidence.is_number and not evidence.is_years and all(float(t) >= 0 for t in evidence.told)


def _is_from_to(first: Evidence, last: Evidence) -> bool:
    """Say whether two columns are called from and to, and are in that order in every row that has both."""
    names = (first.column.name.casefold(), last.column.name.casefold())
    if names not in _FROM_TO or not (first.is_number and last.is_number):
        return False
    before, after = first.numbers, last.numbers
    both = ~(np.isnan(before) | np.isnan(after))
    return bool(both.any() and (before[both] <= after[both]).all())


def _is_time(name: str) -> bool:
    return not FOLLOW_UP.isdisjoint(part.rstrip("0123456789") for part in parts_of(name))


def _is_time_of(time: str, name: str) -> bool:
    event = "".join(parts_of(name))
    return any(len(stem) >= _STEM and stem in event for stem in _stems(time))


def _stems(time: str) -> set[str]:
    """Return what a time may be called after: its name without the word of time, and without `to`."""
    joined = "".join(part for part in parts_of(time) if part not in _TO)
    return {joined.removeprefix(word).removesuffix(word) for word in FOLLOW_UP} - {joined}
