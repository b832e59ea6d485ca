"""Values that say when: times, months of a year, quarters, weeks, and small numbers under a word of time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kohort.proposals.concepts import parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.value_words import KINDS

_MOST = 0.5  # of the distinct values
_FIRST, _LAST = 1900, 2040  # years that people of today have lived in
_CLOCK = 5  # distinct times at least
_ENOUGH = 30  # distinct times, below which fractions say nothing
_YEAR = r"(?:19|20)[0-9]{2}"
_MONTHS = "|".join(sorted(next(k.words for k in KINDS if k.name == "months").split(), key=len, reverse=True))
_FORMS = (
    r"[0-2]?[0-9][:h][0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?\s*(?:h|uhr|am|pm)?",  # 14:05
    r"[0-2]?[0-9]\.[0-5][0-9]\s*(?:h|uhr|am|pm)",  # 9.30 Uhr
    r"[0-2]?[0-9]\s?(?:h|uhr|am|pm|a\.m\.|p\.m\.)",
    rf"{_YEAR}[-/. ]?(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])[-/. ]{_YEAR}",  # 2021-03, 03/2021
    rf"(?:{_MONTHS})\.?[-/ ']*(?:{_YEAR}|[0-9]{{2}})|(?:{_YEAR}|[0-9]{{1,2}})\.?[-/ ]*(?:{_MONTHS})\.?",
    rf"[0-9]{{1,2}}\.?[-/ ]*(?:{_MONTHS})\.?[-/ ]*(?:{_YEAR}|[0-9]{{2}})",  # 4 Mar 2021
    rf"{_YEAR}[-/ ]?[qtks][1-4]|[qtks]\.?\s?[1-4][-/ ]?{_YEAR}",  # 2021Q3
    rf"(?:{_YEAR}[-/ ]?)?(?:w|kw|wk|week|sem|semaine|woche|uke|vecka)[-/. ]?[0-9]{{1,2}}(?:[-/ ]?{_YEAR})?",
    rf"(?:fy|ay|sy|sj|wise|sose|ws|ss)\s?[-/']?(?:{_YEAR}|[0-9]{{2}})(?:[-/][0-9]{{2,4}})?",
    rf"{_YEAR}(?:\s?[-/–]\s?(?:{_YEAR}|[0-9]{{2}})|s|er|'s)?",  # 2018/19, 1990s
    rf"{_YEAR}-[01][0-9]-[0-3][0-9].*",
    r"[0-3]?[0-9]\.[01]?[0-9]\.",  # 24.12.
)
_WHEN = re.compile("|".join(f"(?:{form})" for form in _FORMS))
# The numbers that a word of time stands for, where it is in the singular: months are counted, a month has a number.
_NUMBERED = {
    31: "day dayofmonth tag jour dia giorno dag dzien den",
    12: "month mon mth monat mois mes mese maand miesiac mesic manad maned moment",
    53: "week wk kw woche semaine semana settimana tydzien tyden vecka uke",
    24: "hour hr time stunde uhrzeit heure hora ora uur godz godzina hodina timme",
    60: "minute min minut minuto",
    7: "weekday wochentag dayofweek dow jourdelasemaine",
    4: "quarter qtr quartal trimestre kwartaal kwartal",
    99: "year yr jahr annee ano anno jaar rok ar date datum fecha data",
}
_MOST_OF = {word: most for most, words in _NUMBERED.items() for word in words.split()}


def tell_when(evidence: Evidence) -> bool:
    """Tell whether most values are times of the day, months or quarters of a year and the like; of numbers, all of them."""
    if not evidence.is_number:
        return are_moments(evidence.told)
    numbers = [float(told) for told in evidence.told]
    if evidence.is_whole:
        return len(numbers) > 1 and (all(_FIRST <= n <= _LAST for n in numbers) or _are_clock(numbers))
    fractions = [round(100 * (number % 1), 6) for number in numbers]
    clock = all(fraction < 60 and fraction == int(fraction) for fraction in fractions)
    return len(numbers) > _ENOUGH and clock and min(numbers) >= 0 and max(numbers) < 24


def _are_clock(numbers: Sequence[float]) -> bool:
    """Say whether whole numbers are hours and minutes run together: 830, 1415, and none that no clock shows."""
    shown = all(60 <= number < 2400 and number % 100 < 60 for number in numbers)
    return (
        shown and len(numbers) >= _CLOCK and max(numbers) > 1000 and any(number % 100 for number in numbers)
    )


def are_moments(texts: Iterable[str]) -> bool:
    """Tell whether most of these texts are times of the day, months or quarters of a year and the like.

    >>> are_moments(["2021-03", "2021-04"]), are_moments(["9:30", "14:05"]), are_moments(["Stage 2", "T1", "10 mg"])
    (True, True, False)
    """
    told = [text.strip().casefold() for text in texts]
    return bool(told) and sum(1 for text in told if _WHEN.fullmatch(text)) > _MOST * len(told)


def numbers_moments(evidence: Evidence, text: str) -> bool:
    """Tell whether the last word of a name is one of time, and all values are numbers that it has: a month from 1 to 12."""
    parts = parts_of(text)
    most = _MOST_OF.get(parts[-1].rstrip("0123456789")) if len(parts) > 1 else None
    if most is None or not evidence.is_whole or len(evidence.told) <= 2:
        return False
    return all(0 <= float(told) <= most for told in evidence.told)
