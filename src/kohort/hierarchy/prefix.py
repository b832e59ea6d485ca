"""Codes told by their first parts: `94138-2201` → `94138*` → `941*` → `*`, `SW1A 1AA` → `SW1A 1*` → `SW1A *` → `SW*` → `*`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.code_levels import Path, coded_hierarchy
from kohort.hierarchy.code_standards import STANDARDS, CodeStandard, with_zeros
from kohort.hierarchy.domain import Label
from kohort.hierarchy.hierarchy import Hierarchy

LONGEST = 20  # digits of a code
Standard = Literal[
    "us-zip", "us-zip+4", "uk-postcode", "fr-postcode", "de-postcode", "nace", "isco"
]  # those of STANDARDS, for the schema


@dataclass(frozen=True)
class Prefix:
    """Each level keeps fewer parts of a code from its beginning, and says `*` for the rest.

    The parts are those of a `standard`, or `lengths` says how many characters are kept, such as `[5, 3]`; with a `separator`
    it counts what stands between these. A code that is shorter than what a level keeps stands for itself there. Unlike a
    `mask`, a label is no longer for long codes than for short ones, so nothing about it follows from other values.

    A value that is no code of the standard is refused; with `other` it stands under that label at every level above the
    ground. Codes of digits that lost the zeros in front, as spreadsheets lose them, are read with them where `padded` says how
    many digits they have, before a point where they have one: with `padded = 4` a `110` of ISCO is `0110`.

    | standard | levels |
    |---|---|
    | `us-zip` | ZIP3, first digit; of five digits |
    | `us-zip+4` | ZIP5, ZIP3, first digit; of five digits or nine |
    | `uk-postcode` | sector, district, area |
    | `fr-postcode` | département (three digits overseas); also behind `F-` or `FR-` |
    | `de-postcode` | three digits, region, zone; also behind `D-` or `DE-` |
    | `nace` | group, division; also written without point, or after the section's letter |
    | `isco` | minor, sub-major, major group |

    Complexity: linear in the distinct values × levels.

    >>> places = Prefix(standard="uk-postcode").build("home", ["SW1A 1AA", "SW1A 2AA", "M1 1AE"], [1, 1, 1])
    >>> [level.labels for level in places.levels[1:]]
    [('M1 1*', 'SW1A 1*', 'SW1A 2*'), ('M1 *', 'SW1A *'), ('M*', 'SW*'), ('*',)]

    References: US Postal Service, Publication 28; BS 7666-0:2006 for postcodes of the UK; NACE Rev. 2 (Regulation (EC) No
    1893/2006); ILO, International Standard Classification of Occupations, ISCO-08.
    """

    standard: Standard | None = None
    lengths: list[int] | None = None
    separator: str | None = None
    other: str | None = None
    padded: int | None = None

    card: ClassVar[Card] = Card(
        "prefix",
        "codes told by their first parts: postal codes, NACE, ISCO, or as many characters as asked",
        words=(("lengths", "first {} kept"),),
        told="by the first part of the code",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the values of the table."""
        self._check(name)
        if self.standard is not None:
            standard = STANDARDS[self.standard]
            return coded_hierarchy(
                name, texts, counts, self.path, standard.levels, self._trouble(standard, texts), self.other
            )
        lengths = self.lengths or []
        names = [f"first {length}" for length in lengths]
        return coded_hierarchy(name, texts, counts, self._path, names, "is not a code", self.other)

    def _trouble(self, standard: CodeStandard, texts: Sequence[Label]) -> str:
        """Return what is wrong with a value that is no code, and how zeros are read that were lost, where some may have been."""
        lost = any(text is not None and re.fullmatch(standard.lost or "(?!)", text) for text in texts)
        hint = f", unless it lost zeros in front: padded = {standard.digits[0]} reads them" if lost else ""
        return f"is not {standard.looks}{hint if self.padded is None else ''}"

    def path(self, text: str) -> Path | None:
        """Return the labels above a code of the standard; None where it is none."""
        return STANDARDS[str(self.standard)].path(with_zeros(text, self.padded or 0))

    def _path(self, told: str) -> Path:
        text = with_zeros(told, self.padded or 0)
        sign = self.separator or ""
        parts = text.split(sign) if sign else list(text)
        kept = [n for n in self.lengths or [] if n <= len(parts)]
        longer = len(self.lengths or []) - len(kept)
        return (*[text] * longer, *(sign.join(parts[:n]) + sign + "*" for n in kept))

    def _check(self, name: str) -> None:
        where = f"column {name!r}: hierarchy."
        if (self.standard is None) == (self.lengths is None):
            raise _wrong(
                name,
                "standard",
                f"{where}standard names how the codes are made, or {where.partition(': ')[2]}lengths says how many characters are "
                f"kept: give one of the two; the standards are {', '.join(STANDARDS)}",
            )
        if self.lengths is not None and (
            not self.lengths or self.lengths[-1] < 1 or any(a <= b for a, b in pairwise(self.lengths))
        ):
            raise _wrong(
                name,
                "lengths",
                f"{where}lengths must be descending numbers of characters to keep, such as [5, 3]; found {self.lengths}",
            )
        if self.padded is not None and not 2 <= self.padded <= LONGEST:
            raise _wrong(
                name,
                "padded",
                f"{where}padded is the number of digits that codes have with their zeros in front, from 2 to {LONGEST}; found "
                f"{self.padded}",
            )
        if self.separator is not None and (self.lengths is None or not self.separator):
            raise _wrong(
                name,
                "separator",
                f'{where}separator is the sign between the parts of a code, such as ".", and goes with lengths',
            )


def _wrong(name: str, option: str, what: str) -> InputError:
    return InputError(what, code="hierarchy.wrong-option", column=name, option=option)
