"""Texts that differ in nothing a reader would see: blanks, case, the width of letters, the spelling of a number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

from kohort.plurals import many

# What nobody sees: blanks, control and format characters, fillers, selectors of variants.
_UNSEEN = re.compile(
    r"[\s\x00-\x1f\x7f-\x9f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]+"
)
_NUMBER = re.compile(r"\+?(-?)0*(\d+)(?:\.(\d*?)0*)?$")
_POWER = re.compile(r"[+-]?\d+(?:\.\d*)?e[+-]?\d{1,3}$")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$")
_COMMA = re.compile(r"[+-]?\d*,\d+$")
_BARE = re.compile(r"([+-]?)\.(\d+)$")
# blanks, signs beyond ASCII, powers of ten, commas in numbers, numbers that begin with their point
_HARD = r"[^!-~]|^[+-]?\d+(?:\.\d*)?[eE][+-]?\d{1,3}$|^[+-]?[\d,.]*,[\d,.]*$|^[+-]?\.\d+$"


def plain_form(text: str) -> str:
    """Return a text without what a reader does not see or does not heed.

    That is blanks and format characters, case (`ß` is `ss`), compatible forms of letters, and how a number is
    spelled: `1`, `01`, `1.0`, `1,0` and `1e0` are one, dashes and digits of any script too. What differs in this form
    differs for everybody.

    >>> [plain_form(text) for text in ("P 1", "STRASSE", "Straße", "007", "7.0", "7,0", "1E+03", "1,000")]
    ['p1', 'strasse', 'strasse', '7', '7', '7', '1000', '1000']
    """
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    if not seen.isascii():
        seen = "".join(map(_plain_sign, seen))
        seen = unicodedata.normalize("NFKC", seen.casefold())
    seen = seen.casefold()
    if _THOUSANDS.match(seen):
        seen = seen.replace(",", "")
    elif _COMMA.match(seen):
        seen = seen.replace(",", ".")
    seen = _BARE.sub(r"\g<1>0.\2", seen) if _BARE.match(seen) else seen
    if _POWER.match(seen):
        seen = format(Decimal(seen), "f")
    return _valued(seen)


_NO_SIGN = {"Cf", "Cc", "Zs", "Zl", "Zp"}


def _plain_sign(sign: str) -> str:
    """Return a sign beyond ASCII as its plain one: nothing for what has no width, a dash, a digit."""
    kind = unicodedata.category(sign)
    if kind in _NO_SIGN:
        return ""
    if kind == "Pd" or sign == "\u2212":
        return "-"
    return str(unicodedata.digit(sign)) if kind == "Nd" else sign


def _valued(text: str) -> str:
    number = _NUMBER.match(text)
    if number is None:
        return text
    minus, whole, fraction = number.groups()
    value = f"{whole}.{fraction}" if fraction else whole
    return value if not value.strip("0.") else minus + value


def alike(values: pa.Array | pa.ChunkedArray) -> int:
    """Return how many of some distinct texts equal another one in their plain form.

    Nothing is merged: `P1` and `p1 ` may be two people. Columns of numbers and dates hold each value once.

    >>> alike(pa.array(["P1", "p1 ", "P2", "Ｐ２", "P3"]))
    4
    """
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        return 0
    counts = pc.value_counts(plain_forms(values)).field("counts")
    return int(pc.sum(pc.if_else(pc.greater(counts, 1), counts, 0)).as_py() or 0)


def plain_forms(values: pa.Array | pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the plain form of each of some texts, in any order; missing ones have none."""
    texts = values.drop_null()
    hard = pc.match_substring_regex(texts, _HARD)
    quick = pc.utf8_lower(
        pc.filter(texts, pc.invert(hard))
    )  # as `plain_form` does it, a hundred times faster
    quick = pc.replace_substring_regex(quick, r"^\+?(-?)0*(\d+)(?:\.(\d*?)0*)?$", r"\1\2.\3")
    quick = pc.replace_substring_regex(quick, r"^(-?\d+)\.$", r"\1")
    quick = pc.replace_substring_regex(quick, r"^-0$", "0")
    others = [plain_form(text) for text in pc.filter(texts, hard).to_pylist()]
    forms = [*_chunks(quick), pa.array(others, quick.type)]
    return pa.chunked_array(forms, quick.type)


def _chunks(values: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    return values.chunks if isinstance(values, pa.ChunkedArray) else [values]


def alike_warning(column: str, number: int, where: str = "") -> list[str]:
    """Return what is to be said of a respondent column with so many names alike: nothing for none."""
    if not number:
        return []
    return [
        f"{where}respondent column {column!r}: {many(number, 'name equals', 'names equal')} another one but for blanks, upper "
        "case, the form of letters "
        "or the spelling of a number, and count as people of their own; if they are the same people, every promise counts "
        "too many: clean the column first"
    ]


def alike_warnings(
    respondent: str | None,
    names_alike: int,
    sensitive: Mapping[str, pa.Array | pa.ChunkedArray],
) -> list[str]:
    """Return what is to be said of so many names of people alike, where a column holds them, and of sensitive values."""
    people = [] if respondent is None else alike_warning(respondent, names_alike)
    return people + [told for column, values in sensitive.items() for told in alike_values(column, values)]


def alike_values(column: str, values: pa.Array | pa.ChunkedArray) -> list[str]:
    """Return what is to be said of a sensitive column some of whose values a reader would take for the same."""
    number = alike(values)
    if not number:
        return []
    return [
        f"sensitive column {column!r}: {many(number, 'value equals', 'values equal')} another one but for blanks, upper "
        "case, the form of letters or "
        "the spelling of a number, and count as values of their own; a reader takes them for the same, so every promise "
        "of diversity counts too many: clean the column first"
    ]
