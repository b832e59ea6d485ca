"""How codes are made that many tables hold: which parts they have, and what is kept of them level by level."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from kohort.hierarchy.code_levels import Path


@dataclass(frozen=True)
class CodeStandard:
    """A kind of code: what it looks like, its named parts, and its levels with the label that each has."""

    codes: str  # what many of them are called
    looks: str  # completes "is not …"
    pattern: str
    labels: dict[str, str]  # level -> its label, by the parts

    @property
    def levels(self) -> list[str]:
        """What the levels are called."""
        return list(self.labels)

    @cached_property
    def _matches(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.ASCII)

    def path(self, text: str) -> Path | None:
        """Return the labels above a code, the code itself where it lacks a part; None where it is no such code."""
        found = self._matches.fullmatch(text.upper())
        if found is None:
            return None
        parts = found.groupdict()
        lacking = {f"{{{part}}}" for part, value in parts.items() if value is None}
        return tuple(
            text if any(part in label for part in lacking) else label.format_map(parts)
            for label in self.labels.values()
        )


_ZIP = r"(?P<first>\d)(?P<section>\d\d)(?P<delivery>\d\d)"
_ZIP3 = {"ZIP3": "{first}{section}*", "first digit": "{first}*"}

STANDARDS: dict[str, CodeStandard] = {
    "us-zip": CodeStandard("ZIP codes", "a ZIP code of five digits", _ZIP, _ZIP3),
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
        "a postal code of France, of five digits",
        r"(?=\d{5}$)(?P<department>9[78]\d|\d\d)\d+",
        {"département": "{department}*"},
    ),
    "de-postcode": CodeStandard(
        "postal codes of Germany",
        "a postal code of Germany, of five digits",
        r"(?P<zone>\d)(?P<region>\d)(?P<area>\d)\d\d",
        {"three digits": "{zone}{region}{area}*", "region": "{zone}{region}*", "zone": "{zone}*"},
    ),
    "nace": CodeStandard(
        "codes of NACE",
        "a code of NACE, such as 62.01",
        r"[A-V]?(?P<division>\d\d)(?:\.?(?P<group>\d)\d?)?",
        {"group": "{division}.{group}*", "division": "{division}*"},
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
    ),
}
