"""A hierarchy for codes, as a plan writes it: by the standard that name and values agree on, else by their first characters.

Numbers that stand for something else (an occupation, a region) are codes too: no interval of them means anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kohort.hierarchy.code_standards import STANDARDS, CodeStandard, capitals
from kohort.hierarchy.icd10 import is_code
from kohort.hierarchy.prefix import Prefix
from kohort.proposals.concepts import parts_of
from kohort.proposals.evidence import Evidence

POSTAL, _DIAGNOSIS = "a postal code", "a diagnosis or disease"
_NEARLY_ALL = 0.9  # of the distinct values
OTHER = {"other": "other"}  # whatever else a column holds, the plan is the same
# Which standards the words of a name may mean, the likeliest first.
_NAMED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("zip", "zipcode", "zip5"), ("us-zip", "us-zip+4")),
    **dict.fromkeys(("plz", "postleitzahl"), ("de-postcode",)),
    **dict.fromkeys(("codepostal", "cp"), ("fr-postcode",)),
    **dict.fromkeys(("nace", "nace2", "nacerev2"), ("nace",)),
    **dict.fromkeys(("isco", "isco08", "isco88", "isco68"), ("isco",)),
}
# Whose whole form nothing else has: codes of medicines (N06AB) begin with one letter and a zero, as no postcode of the UK does.
_BY_VALUES = {"uk-postcode": r"(?:[A-Z]{2}|[BEGLMNSW](?!0)).*\d[A-Z]{2}", "us-zip+4": r"\d{5}-?\d{4}"}
_PLACED = (
    POSTAL,
    None,
    "a place",
    "a street address",
    "a home",
    "an institution",
)  # what a name says of such codes
_FIVE = re.compile(r"[0-9]{5}")
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_NOMINAL = frozenset(
    (
        "a sex", "a nationality or country", "an ethnic origin", "a marital status", "an occupation", "a branch of industry",
        "a place", "an institution", "somebody who teaches, treats or advises",
        "a home", "a language", "a ward or clinic, and so often a diagnosis", "a belief or affiliation",
    )
)  # fmt: skip
# How words of quantities begin, and words of codes, whatever else a name says.
_COUNTED = ("hour", "hrs", "workhour", "exper", "wexp", "tenure", "seniority", "popul", "size", "number", "num", "count", "year",
            "yrs")  # fmt: skip
_CODES = frozenset(
    ("code", "codes", "cd", "kode", "cod", "codigo", "codice", "schlussel", "type", "typ", "fips", "naics", "sic", "soc", "nuts")
)  # fmt: skip


def fitting_codes(evidence: Evidence, concept: str | None) -> dict[str, Any] | None:
    """Return the hierarchy proposed for a column of codes; None where it is none."""
    by_standard = _standard(evidence, concept)
    if by_standard is not None:
        return by_standard
    if _are_diagnoses(evidence, concept):
        return {"kind": "icd10"} | OTHER
    if concept == POSTAL or (concept is None and _are_five_digits(evidence)):
        return _first_characters(evidence)
    return None


def _are_five_digits(evidence: Evidence) -> bool:
    """Tell whether all values are of five digits and mostly not round, as postal codes of most countries are.

    Where they are amounts, the first digits are intervals of them too.
    """
    uneven = _share(evidence, lambda text: not text.endswith("0"))
    return len(evidence.told) > 1 and uneven > 0.5 and all(map(_FIVE.fullmatch, evidence.told))


def is_nominal(evidence: Evidence, concept: str | None) -> bool:
    """Tell whether whole numbers stand for something else, by what the column's name says."""
    parts = parts_of(evidence.column.name)
    if not evidence.is_whole or any(part.startswith(word) for part in parts for word in _COUNTED):
        return False
    return concept in _NOMINAL or not _CODES.isdisjoint(parts)


def nominal_hierarchy(evidence: Evidence) -> dict[str, Any] | None:
    """Return the hierarchy of numbers that stand for something else; None where nothing is known of their digits."""
    return _first_characters(evidence) if evidence.distinct > 10 else None


def _standard(evidence: Evidence, concept: str | None) -> dict[str, Any] | None:
    """Return the hierarchy of the standard that name and values agree on, zeros filled up where some were lost."""
    parts = parts_of(evidence.column.name)
    words = {*parts, "".join(parts)}
    named = [standard for word in sorted(words & set(_NAMED)) for standard in _NAMED[word]]
    by_values = [name for name in _BY_VALUES if concept in _PLACED and _may_be(evidence, name, concept)]
    likely = [*named, *by_values]
    specs = [
        {"kind": "prefix", "standard": name} | OTHER | _padding(evidence, STANDARDS[name]) for name in likely
    ]
    return next(
        (spec for spec in specs if _share(evidence, Prefix(**_options(spec)).path) >= _NEARLY_ALL), None
    )


def _may_be(evidence: Evidence, standard: str, concept: str | None) -> bool:
    """Tell whether values have all parts of a standard, most of them unless the name says a postal code: E9 is also a grade of pay.

    Five digits alone are postal codes of many countries.
    """
    whole = re.compile(_BY_VALUES[standard])
    share = _share(evidence, lambda text: whole.fullmatch(capitals(text)))
    if concept == POSTAL:
        return share > 0 or standard == "uk-postcode"
    return share > 0.5


def _options(spec: dict[str, Any]) -> dict[str, Any]:
    return {option: value for option, value in spec.items() if option != "kind"}


def _padding(evidence: Evidence, standard: CodeStandard) -> dict[str, int]:
    """Return how many digits codes have with the zeros that some of them lost; nothing where none did, or it cannot be told.

    At least half are whole, none has a zero in front, and the shorter ones can be nothing but what is left of one. Codes behind
    the sign of a country are whole.
    """
    fronts = {text: len(text.partition(".")[0]) for text in evidence.told if _DIGITS.fullmatch(text)}
    digits = max(fronts.values(), default=0)
    short = [text for text, length in fronts.items() if length < digits]
    kept = any(text.startswith("0") for text in fronts)
    whole = not kept and digits in standard.digits and 2 * len(short) <= len(fronts)
    lost = whole and short and all(re.fullmatch(standard.lost, text) for text in short)
    return {"padded": digits} if lost else {}


def _are_diagnoses(evidence: Evidence, concept: str | None) -> bool:
    """Tell whether nearly all values are codes of ICD-10: by the column's name too, or most with the point that others lack."""
    if evidence.is_number or _share(evidence, is_code) < _NEARLY_ALL:
        return False
    return concept == _DIAGNOSIS or _share(evidence, lambda text: "." in text) > 0.5


def _first_characters(evidence: Evidence) -> dict[str, Any] | None:
    """Return the levels of codes that nearly all have the same length, of three to six characters."""
    lengths = [len(text) for text in evidence.told]
    usual = max(set(lengths), key=lengths.count, default=0)
    if not 3 <= usual <= 6 or lengths.count(usual) < _NEARLY_ALL * len(lengths):
        return None
    return {"kind": "prefix", "lengths": [*range(usual - 1, 0, -1)][-4:]}


def have_mixed_lengths(evidence: Evidence, but: float = 0.0) -> bool:
    """Tell whether codes are of several lengths, but for such a share: their first characters do not say the same then."""
    lengths = [len(text) for text in evidence.told]
    return max(map(lengths.count, set(lengths)), default=0) < (1 - but) * len(lengths)


def _share(evidence: Evidence, fits: Callable[[str], object]) -> float:
    """Return the share of the distinct values that fit; 0 where there is none."""
    return sum(1 for text in evidence.told if fits(text)) / max(len(evidence.told), 1)
