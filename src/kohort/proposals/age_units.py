"""In which unit ages are told: years, unless a name says months, weeks or days, or more than anybody lives."""

from __future__ import annotations

from typing import Any

import numpy as np

from kohort.proposals.concepts import parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.round_numbers import middle
from kohort.proposals.words import AGE

_OLDEST = 120  # years
# up to so many months: the widths, some months of small children, years of children, then as many years as where these are told
_WIDTHS = ((60, (3, 6, 12, 24)), (300, (6, 12, 60, 120)), (float("inf"), (12, 60, 120, 240)))
_GROWN, _HIGH = 300, 1080  # months from which on there are grown-ups, and 90 years
_SAID_MONTHS = (
    "month months mth mths mo mos monat monate monaten monats mois mes meses mese mesi maand maanden miesiac miesiace miesiecy "
    "mesic mesice mesicu manad manader maned maneder kuukausi kuukautta"
)
_SAID_SHORTER = (
    "week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane weken tydzien tygodnie day days tag "
    "tage tagen jour jours dia dias giorno giorni dag dagen dni dny hour hours stunde stunden"
)
_MONTHS, _SHORTER = frozenset(_SAID_MONTHS.split()), frozenset(_SAID_SHORTER.split())


def age_in_months(evidence: Evidence) -> dict[str, Any] | None:
    """Return the intervals of ages that are told in months, in round years where people are grown up; None where they are not."""
    if _MONTHS.isdisjoint(parts_of(evidence.column.name)) or not evidence.is_number:
        return None
    oldest = _oldest(evidence)
    widths = next(widths for most, widths in _WIDTHS if oldest <= most)
    ends = {"high": _HIGH} if oldest > _GROWN else {}
    return {"kind": "intervals", "widths": list(widths), "origin": 0, **ends}


def is_no_age_in_years(evidence: Evidence, concept: str | None) -> bool:
    """Tell whether ages are in a unit below years, by their name or by what most people would have lived to."""
    if concept != AGE:
        return False
    return not _SHORTER.isdisjoint(parts_of(evidence.column.name)) or _oldest(evidence) > _OLDEST


def _oldest(evidence: Evidence) -> float:
    """Return the age above which few are."""
    return middle(np.array([float(text) for text in evidence.told]), evidence.told_counts)[1]
