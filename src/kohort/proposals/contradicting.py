"""What in a column's values speaks against the sensitive thing that its name says.

Such a column would be released as it is: codes of an office under a word of money, or names of parishes under one of faith,
would tell what others know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kohort.hierarchy.numerals import canonical
from kohort.proposals.concepts import parts_of
from kohort.proposals.evidence import Evidence
from kohort.proposals.spoken_of import says_people
from kohort.proposals.telling_cells import tell_where, tell_whom
from kohort.proposals.words import HOUSES_OF_BELIEF, MONEY, NAMED_SO, Concept

_ANSWERS = 5  # distinct words that may be answers
_DIGITS, _LONG, _FEW = (
    3,
    5,
    50,
)  # of a number that may be a code, of one of a place, and so many distinct ones at most
_ROUND = 10  # what amounts of money are often multiples of
_LONGEST = 40  # letters of an amount, or of a range of them
_NEARLY_ALL = 0.9  # of the distinct values
_YES = "0 1 2 yes no y n true false t f ja nein j oui non o si s sim nao nee tak nie ano ne nej kylla ei"
_YES_OR_NO = frozenset(_YES.split())
_SIGN = (
    r"(?:[<>≤≥=~+-]|under|over|below|above|up to|unter|über|bis|ab|more than|less than|[€$£]|eur|usd|chf|\s)*"
)
_DIGITS_OF = r"(?:[0-9]{1,3}(?:[.,' ][0-9]{3})+(?:[.,][0-9]{1,2})?|[0-9]+(?:[.,][0-9]{1,2})?)"
_NUMBER = rf"{_DIGITS_OF}\s*(?:k|m|tsd|mio|[€$£%]|eur|euro|usd|chf|gbp|pln|kč|kr)?\.?\s*"
_AMOUNT = re.compile(
    rf"{_SIGN}{_NUMBER}(?:(?:[-–—+]|to|bis|a|à|and more|or more|und mehr)\s*(?:[€$£]?\s*{_NUMBER})?)?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"[^0-9]*?([0-9]+(?:[.,' ][0-9]+)*)[^0-9.,]+([0-9]+(?:[.,' ][0-9]+)*)[^0-9]*")
_ZEROS = re.compile(r"0[0-9]")  # in front of a code, and of no amount


def contradiction(evidence: Evidence, concept: Concept, text: str) -> str:
    """Return what the values are where they cannot be what the name says, or hardly; "" where nothing speaks against it."""
    if says_yes_or_no(evidence) or (concept.name == MONEY and are_amounts(evidence)):
        return ""
    if evidence.has_phrases and len(evidence.told) > _ANSWERS:
        return "some of its values are phrases, which may name people"
    if tell_whom(evidence.told):
        return "some of its values may name people"
    if tell_where(evidence.told):
        return "its values look like addresses"
    if says_people(text):
        return "it says people, whom its values may stand for"
    if concept.name == MONEY:
        return _no_amounts(evidence)
    if concept.name in NAMED_SO:
        return "its values look like codes of something else" if _are_codes(evidence, _LONG) else ""
    if _are_codes(evidence, _LONG) or (evidence.is_code and not evidence.is_number):
        return "its values look like codes"
    if not HOUSES_OF_BELIEF.isdisjoint(parts_of(text)) and (evidence.is_wordy or _are_codes(evidence)):
        return "its values may be those of houses or bodies"
    return ""


def says_yes_or_no(evidence: Evidence) -> bool:
    """Tell whether a column has two answers at most, such as yes and no: no places, and no people."""
    return len(evidence.told) <= 2 and {canonical(text).casefold() for text in evidence.told} <= _YES_OR_NO


def _no_amounts(evidence: Evidence) -> str:
    """Return what the values are that stand under a word of money and are no amounts."""
    if evidence.is_number:
        return "its values look like codes" if _are_codes(evidence) else ""
    if evidence.is_code:
        return "its values look like codes"
    return "its values are no amounts" if len(evidence.told) > _ANSWERS and evidence.kind is None else ""


def are_amounts(evidence: Evidence) -> bool:
    """Tell whether nearly all values that are no plain numbers are amounts or ranges of them."""
    amounts = sum(1 for text in evidence.told if len(text) <= _LONGEST and _is_amount(text))
    ranges = [_ends(text) for text in evidence.told]
    apart = sum(1 for ends in ranges if ends) <= 1 or are_classes(evidence.told)
    return not evidence.is_number and apart and amounts >= _NEARLY_ALL * len(evidence.told)


def _is_amount(text: str) -> bool:
    return _AMOUNT.fullmatch(text) is not None and _ZEROS.match(text) is None


def are_classes(texts: Sequence[str]) -> bool:
    """Tell whether texts are ranges of numbers as classes are: from less to more, and no two of them overlap.

    >>> are_classes(["0-9", "10-19", "20-49", "50+"]), are_classes(["31-005", "31-510"]), are_classes(["1000-205", "4000-322"])
    (True, False, False)
    """
    found = sorted(ends for text in texts if (ends := _ends(text)))
    rising = all(low < high for low, high in found)
    apart = all(before[1] <= after[0] for before, after in pairwise(found))
    return 2 * len(found) > len(texts) and rising and apart and not any(map(_ZEROS.match, texts))


def _ends(text: str) -> tuple[float, float] | None:
    """Return the ends of a range of numbers; None where a text is none."""
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        return None
    low, high = (re.sub(r"[.,' ](?=[0-9]{3}\b)", "", end).replace(",", ".") for end in found.groups())
    return float(low), float(high)


def _are_codes(evidence: Evidence, digits: int = _DIGITS) -> bool:
    """Say whether numbers are few, whole, of so many digits at least, of one length and mostly not round, as no amounts are."""
    if not evidence.is_whole or not 1 < len(evidence.told) <= _FEW:
        return False
    numbers = [str(int(float(text))) for text in evidence.told]
    uneven = sum(1 for number in numbers if int(number) % _ROUND)
    return len({*map(len, numbers)}) == 1 and len(numbers[0]) >= digits and uneven > len(numbers) / 2
