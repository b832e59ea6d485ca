"""Which columns are outcomes of a study: those beside a time of follow-up, of their own or of the whole table; and such times.

A time is one of follow-up where something that happens, a yes or no, stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from kohort.proposals.concepts import KEPT, concept_of, parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.words import DEATH, FOLLOW_UP, OUTCOME, RESULT

_HAPPENS = (OUTCOME, RESULT, DEATH)
_TIME, _INDICATORS = "t", ("c", "d", "e", "delta")  # as the literature writes them
_FROM_TO = (("start", "stop"), ("start", "end"), ("begin", "end"), ("entry", "exit"), ("tstart", "tstop"))
_YES_OR_NO = 3  # distinct values, missing ones too
_TO = ("to", "until", "till", "bis", "zum", "zur", "jusqua", "hasta", "fino", "tot")
_STEM = 3  # letters of what happened, in `dayslink` beside `linkstatus`


class Beside:
    """The columns of a table as what may stand beside one of them: looked through once, however many they are.

    >>> Beside(["dayslink", "linkstatus"]).follows("linkstatus"), Beside(["dayslink", "jobstatus"]).follows("jobstatus")
    (True, False)
    >>> Beside(["cmv", "time.to.cmv"]).has_time_of("cmv"), Beside(["arm", "time.to.alarm"]).has_time_of("arm")
    (True, False)
    """

    def __init__(self, names: Sequence[str], table: Sequence[Evidence] = ()) -> None:
        self._names, self._table = names, table

    @cached_property
    def events(self) -> list[str]:
        """The columns that say whether something happened to people: a yes or no whose name says so."""
        return [one.column.name for one in self._table if _happens(one)]

    @cached_property
    def letters(self) -> frozenset[str]:
        """The names in small letters."""
        return frozenset(name.casefold() for name in self._names)

    @cached_property
    def _times(self) -> list[str]:
        return [name for name in self._names if _is_time(name)]

    @cached_property
    def _called_after(self) -> dict[str, set[str]]:
        """The times that are called after something, by what that is."""
        found: dict[str, set[str]] = {}
        for name in self._names:
            for stem in _stems(name):
                if len(stem) >= _STEM:
                    found.setdefault(stem, set()).add(name)
        return found

    @cached_property
    def _from_to(self) -> list[Evidence]:
        either = {name for pair in _FROM_TO for name in pair}
        return [one for one in self._table if one.column.name.casefold() in either]

    def follows(self, name: str) -> bool:
        """Tell whether a time stands beside a column: one of the table, or one that is called after the same event."""
        if any(other != name for other in self._times[:2]):
            return True
        event = "".join(parts_of(name))
        return any(stem in event and called - {name} for stem, called in self._called_after.items())

    def has_time_of(self, name: str) -> bool:
        """Tell whether a time is called after the column itself: `time.to.cmv` beside `cmv`."""
        return bool(self._called_after.get("".join(parts_of(name)), set()) - {name})

    def are_timed_by(self, evidence: Evidence) -> bool:
        """Tell whether a column of numbers says when something happened, or how long people were watched for it.

        Its name says nothing but a time, or a time of an event beside it; or it and another column, which say from when
        till when, are in that order in every row.
        """
        name = evidence.column.name
        events = [event for event in self.events if event != name]
        if not events or not _is_a_time(evidence):
            return False
        said = {part.rstrip("0123456789") for part in parts_of(name)}
        if said == {_TIME}:
            return any(event.casefold() in _INDICATORS for event in events)
        if not said.isdisjoint(FOLLOW_UP) and all(_says_when(part) for part in said):
            return True
        return any(_is_time_of(name, event) for event in events) or any(
            _is_from_to(evidence, other) or _is_from_to(other, evidence) for other in self._from_to
        )


def is_indicator(evidence: Evidence, beside: Beside) -> bool:
    """Tell whether a column is the yes or no beside a time, by the letters that the literature has for both."""
    said = evidence.column.name.casefold() in _INDICATORS
    return said and _TIME in beside.letters and _is_yes_or_no(evidence)


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


@lru_cache(maxsize=KEPT)
def _stems(time: str) -> frozenset[str]:
    """Return what a time may be called after: its name without the word of time, and without `to`."""
    joined = "".join(part for part in parts_of(time) if part not in _TO)
    return frozenset(joined.removeprefix(word).removesuffix(word) for word in FOLLOW_UP) - {joined}
