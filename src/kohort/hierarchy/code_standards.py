"""How codes are made that many tables hold: which parts they have, and what is kept of them level by level."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase

from kohort.hierarchy.code_levels import Path


@dataclass(frozen=True)
class CodeStandard:
    """A kind of code: what it looks like, its named parts, and its levels with the label that each has."""

    codes: str  # what many of them are called
    looks: str  # completes "is not …"
    pattern: str
    labels: dict[str, str]  # level -> its label, by the parts
    digits: tuple[int, ...] = ()  # that a whole code may have, before its point where it has one
    lost: str = ""  # what is left of one whose zeros in front were lost, as spreadsheets lose them

    @property
    def levels(self) -> list[str]:
        """What the levels are called."""
        return list(self.labels)

    @cached_property
    def _matches(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.ASCII)

    def path(self, text: str) -> Path | None:
        """Return the labels above a code, the code itself where it lacks a part; None where it is no such code."""
        found = self._matches.fullmatch(capitals(text))
        if found is None:
            return None
        parts = found.groupdict()
        lacking = {f"{{{part}}}" for part, value in parts.items() if value is None}
        return tuple(
            text if any(part in label for part in lacking) else label.format_map(parts)
            for label in self.labels.values()
        )


_CAPITALS = str.maketrans(ascii_lowercase, ascii_uppercase)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def capitals(text: str) -> str:
    """Return a code in capitals. Letters beyond ASCII stay: no code has any, and the capitals of some (`ı`, `ß`) are in ASCII.

    >>> capitals("sw1a 1aa"), capitals("ı25"), capitals("ß1")
    ('SW1A 1AA', 'ı25', 'ß1')
    """
    return text.translate(_CAPITALS)


def with_zeros(text: str, digits: int) -> str:
    """Return a code of digits with the zeros in front that make it so long, counted before its point.

    >>> with_zeros("110", 4), with_zeros("1.11", 2), with_zeros("SW1A", 5)
    ('0110', '01.11', 'SW1A')
    """
    if not _NUMBER.fullmatch(text):
        return text
    front, point, rest = text.partition(".")
    return front.zfill(digits) + point + rest


_ZIP = r"(?P<first>\d)(?P<section>\d\d)(?P<delivery>\d\d)"
_ZIP3 = {"ZIP3": "{first}{section}*", "first digit": "{first}*"}

STANDARDS: dict[str, CodeStandard] = {
    "us-zip": CodeStandard("ZIP codes", "a ZIP code of five digits", _ZIP, _ZIP3, (5,), r"\d{3,4}"),
    "us-zip+4": CodeStandard(
        "ZIP codes, some of nine digits",
        "a ZIP code of five digits or of nine, such as 94138-2201",
        rf"{_ZIP}(?:-?\d{{4}})?",
        {"ZIP5": "{first}{section}{delivery}*", **_ZIP3},
    ),
    "uk-postcode": CodeStandard(
        "postcodes of the UK",
        "a postcode of the UK, such as SW1A 1AA",
        r"(?P<area>[A-Z]{1,2})(?P<district>\d[\dA-Z]?)(?: ?(?P<sector>\d)[A-Z]{2})?",
        {"sector": "{area}{district} {sector}*", "district": "{area}{district} *", "area": "{area}*"},
    ),
    "fr-postcode": CodeStandard(
        "postal codes of France",
        "a postal code of France, of five digits, with or without F- or FR-",
        r"(?:FR?[- ])?(?=\d{5}$)(?P<department>9[78]\d|\d\d)\d+",
        {"département": "{department}*"},
        (5,),
        r"\d{4}",
    ),
    "de-postcode": CodeStandard(
        "postal codes of Germany",
        "a postal code of Germany, of five digits, with or without D- or DE-",
        r"(?:DE?[- ])?(?P<zone>\d)(?P<region>\d)(?P<area>\d)\d\d",
        {"three digits": "{zone}{region}{area}*", "region": "{zone}{region}*", "zone": "{zone}*"},
        (5,),
        r"\d{4}",
    ),
    "nace": CodeStandard(
        "codes of NACE",
        "a code of NACE, such as 62.01",
        r"[A-V]?(?P<division>\d\d)(?:\.?(?P<group>\d)\d?)?",
        {"group": "{division}.{group}*", "division": "{division}*"},
        (4, 2),
        r"[1-35-9]\d\d|[1-35-9]\.\d{1,2}",  # divisions 01 to 03 and 05 to 09
    ),
    "isco": CodeStandard(
        "codes of ISCO",
        "a code of ISCO, of one to four digits",
        r"(?P<major>\d)(?:(?P<sub>\d)(?:(?P<minor>\d)\d?)?)?",
        {
            "minor group": "{major}{sub}{minor}*",
            "sub-major group": "{major}{sub}*",
            "major group": "{major}*",
        },
        (4,),
        r"[1-3]10|100",  # the armed forces: 0110, 0210, 0310, in ISCO-88 0100; as groups of three digits there are none such
    ),
}
