"""Diagnoses of ICD-10: `I25.11` → `I25.-` → `I20-I25` → `chapter IX` → `*`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.code_levels import Path, coded_hierarchy
from kohort.hierarchy.code_standards import capitals
from kohort.hierarchy.domain import Label
from kohort.hierarchy.hierarchy import Hierarchy

LEVELS = ("category", "block", "chapter")
_CODE = re.compile(r"(?P<category>[A-Z]\d[\dA-Z])(?:\.?-|\.?[\dA-Z]{1,4}-?)?[+*!#†‡]?", re.ASCII)

# The first category of every chapter, in the order of the alphabet.
_CHAPTERS = {
    "A00": "I", "C00": "II", "D50": "III", "E00": "IV", "F00": "V", "G00": "VI", "H00": "VII", "H60": "VIII", "I00": "IX",
    "J00": "X", "K00": "XI", "L00": "XII", "M00": "XIII", "N00": "XIV", "O00": "XV", "P00": "XVI", "Q00": "XVII",
    "R00": "XVIII", "S00": "XIX", "U00": "XXII", "V00": "XX", "Z00": "XXI",
}  # fmt: skip
_BLOCKS = """
A00-A09 A15-A19 A20-A28 A30-A49 A50-A64 A65-A69 A70-A74 A75-A79 A80-A89 A92-A99 B00-B09 B15-B19 B20-B24 B25-B34 B35-B49 B50-B64
B65-B83 B85-B89 B90-B94 B95-B98 B99-B99 C00-C14 C15-C26 C30-C39 C40-C41 C43-C44 C45-C49 C50-C50 C51-C58 C60-C63 C64-C68 C69-C72
C73-C75 C76-C80 C81-C96 C97-C97 D00-D09 D10-D36 D37-D48 D50-D53 D55-D59 D60-D64 D65-D69 D70-D77 D80-D89 E00-E07 E10-E14 E15-E16
E20-E35 E40-E46 E50-E64 E65-E68 E70-E90 F00-F09 F10-F19 F20-F29 F30-F39 F40-F48 F50-F59 F60-F69 F70-F79 F80-F89 F90-F98 F99-F99
G00-G09 G10-G14 G20-G26 G30-G32 G35-G37 G40-G47 G50-G59 G60-G64 G70-G73 G80-G83 G90-G99 H00-H06 H10-H13 H15-H22 H25-H28 H30-H36
H40-H42 H43-H45 H46-H48 H49-H52 H53-H54 H55-H59 H60-H62 H65-H75 H80-H83 H90-H95 I00-I02 I05-I09 I10-I15 I20-I25 I26-I28 I30-I52
I60-I69 I70-I79 I80-I89 I95-I99 J00-J06 J09-J18 J20-J22 J30-J39 J40-J47 J60-J70 J80-J84 J85-J86 J90-J94 J95-J99 K00-K14 K20-K31
K35-K38 K40-K46 K50-K52 K55-K64 K65-K67 K70-K77 K80-K87 K90-K93 L00-L08 L10-L14 L20-L30 L40-L45 L50-L54 L55-L59 L60-L75 L80-L99
M00-M03 M05-M14 M15-M19 M20-M25 M30-M36 M40-M43 M45-M49 M50-M54 M60-M63 M65-M68 M70-M79 M80-M85 M86-M90 M91-M94 M95-M99 N00-N08
N10-N16 N17-N19 N20-N23 N25-N29 N30-N39 N40-N51 N60-N64 N70-N77 N80-N98 N99-N99 O00-O08 O10-O16 O20-O29 O30-O48 O60-O75 O80-O84
O85-O92 O94-O99 P00-P04 P05-P08 P10-P15 P20-P29 P35-P39 P50-P61 P70-P74 P75-P78 P80-P83 P90-P96 Q00-Q07 Q10-Q18 Q20-Q28 Q30-Q34
Q35-Q37 Q38-Q45 Q50-Q56 Q60-Q64 Q65-Q79 Q80-Q89 Q90-Q99 R00-R09 R10-R19 R20-R23 R25-R29 R30-R39 R40-R46 R47-R49 R50-R69 R70-R79
R80-R82 R83-R89 R90-R94 R95-R99 S00-S09 S10-S19 S20-S29 S30-S39 S40-S49 S50-S59 S60-S69 S70-S79 S80-S89 S90-S99 T00-T07 T08-T14
T15-T19 T20-T25 T26-T28 T29-T32 T33-T35 T36-T50 T51-T65 T66-T78 T79-T79 T80-T88 T90-T98 U00-U49 U82-U85 V01-V09 V10-V19 V20-V29
V30-V39 V40-V49 V50-V59 V60-V69 V70-V79 V80-V89 V90-V94 V95-V97 V98-V99 W00-W19 W20-W49 W50-W64 W65-W74 W75-W84 W85-W99 X00-X09
X10-X19 X20-X29 X30-X39 X40-X49 X50-X57 X58-X59 X60-X84 X85-Y09 Y10-Y34 Y35-Y36 Y40-Y59 Y60-Y69 Y70-Y82 Y83-Y84 Y85-Y89 Y90-Y98
Z00-Z13 Z20-Z29 Z30-Z39 Z40-Z54 Z55-Z65 Z70-Z76 Z80-Z99
"""


@dataclass(frozen=True)
class Icd10:
    """Diagnoses by category, block and chapter, or some of these.

    Codes are written with or without point, in capitals or not, with the marks of ICD-10-GM (`†`, `*`, `!`, `.-`). Blocks are
    those of the WHO's version of 2019. A category that it does not have, such as `C7A` of ICD-10-CM, stands for itself among
    the blocks and lies in the chapter of its letter. What is no code is refused; with `other` it stands under that label at every
    level above the ground.

    Complexity: linear in the distinct values × levels.

    >>> ills = Icd10().build("ill", ["I25.11", "I21", "J45"], [1, 1, 1])
    >>> [level.labels for level in ills.levels[1:]]
    [('I21.-', 'I25.-', 'J45.-'), ('I20-I25', 'J40-J47'), ('chapter IX', 'chapter X'), ('*',)]

    References: World Health Organization. International Statistical Classification of Diseases and Related Health Problems,
    10th revision, 2019. Chapters and blocks were compared one by one with public transcriptions of it: the chapters of
    dolibit/DoliMed (htdocs/cabinetmed/sql/icd10.sql), the blocks of the app am.therapy, both on GitHub.
    """

    levels: list[str] = field(default_factory=lambda: list(LEVELS))
    other: str | None = None

    card: ClassVar[Card] = Card(
        "icd10",
        "codes of ICD-10 by category, block and chapter",
        words=(("levels", "by {}"),),
        told="by groups of ICD-10",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the diagnoses of the table."""
        if not self.levels or self.levels != [level for level in LEVELS if level in self.levels]:
            raise InputError(
                f"column {name!r}: hierarchy.levels must be some of {', '.join(LEVELS)}, in this order",
                code="hierarchy.wrong-option",
                column=name,
                option="levels",
                allowed=list(LEVELS),
            )
        trouble = "is not a code of ICD-10, such as I25.1"
        return coded_hierarchy(name, texts, counts, self._path, self.levels, trouble, self.other)

    def _path(self, text: str) -> Path | None:
        found = _CODE.fullmatch(capitals(text))
        if found is None:
            return None
        labels = dict(zip(LEVELS, labels_of(found["category"]), strict=True))
        return tuple(labels[level] for level in self.levels)


def is_code(text: str) -> bool:
    """Tell whether a text has the form of a code."""
    return _CODE.fullmatch(capitals(text)) is not None


def labels_of(category: str) -> tuple[str, str, str]:
    """Return the labels of a category, its block and its chapter.

    >>> labels_of("X92"), labels_of("D49")
    (('X92.-', 'X85-Y09', 'chapter XX'), ('D49.-', 'D49.-', 'chapter II'))
    """
    own, (starts, ends) = f"{category}.-", _blocks()
    at = bisect_right(starts, category) - 1
    within = category[2].isdigit() and at >= 0 and starts[at] < ends[at] >= category
    first = list(_CHAPTERS)
    chapter = _CHAPTERS[first[bisect_right(first, category) - 1]]
    return own, f"{starts[at]}-{ends[at]}" if within else own, f"chapter {chapter}"


@cache
def _blocks() -> tuple[list[str], list[str]]:
    """Return the first and the last category of every block."""
    pairs = [block.split("-") for block in _BLOCKS.split()]
    return [first for first, _ in pairs], [last for _, last in pairs]
