"""Numbers as people write them: a decimal comma or point, and marks between the thousands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

Decimal: TypeAlias = Literal[".", ","]  # the sign in front of a fraction

_MARKS = (" ", "\u00a0", "\u2009", "\u202f", "'", "\u2019")  # between thousands, whatever the decimal sign
_MINUS = "\u2212"


def _pattern(decimal: Decimal) -> str:
    """Return what a number is that has a mark or, where that is no point, a decimal sign; one mark throughout."""
    fraction, sign = rf"{re.escape(decimal)}[0-9]+", f"[-+{_MINUS}]?"
    grouped = "|".join(
        rf"[1-9][0-9]{{0,2}}(?:{re.escape(mark)}[0-9]{{3}})+" for mark in (_other(decimal), *_MARKS)
    )
    plain = "" if decimal == "." else rf"|(?:0|[1-9][0-9]*)?{fraction}"
    return rf"^{sign}(?:(?:{grouped})(?:{fraction})?{plain})$"


def _other(decimal: Decimal) -> str:
    return "," if decimal == "." else "."


_PATTERNS: Mapping[Decimal, str] = {".": _pattern("."), ",": _pattern(",")}
_COMPILED = {decimal: re.compile(pattern) for decimal, pattern in _PATTERNS.items()}


def is_national(text: str, decimal: Decimal) -> bool:
    """Tell whether a text is a number in that style which is not one as it stands, or another one.

    >>> [is_national(text, ",") for text in ("1.234,50", "1.234", "0,5", ",5", "1234", "01,5", "1.5", "1.23.456")]
    [True, True, True, True, False, False, False, False]
    """
    return _COMPILED[decimal].match(text) is not None


def plain_number(text: str, decimal: Decimal) -> str:
    """Return a national number as it is written everywhere: `1.234,50` → `1234.50`."""
    whole, _, fraction = text.replace(_MINUS, "-").partition(decimal)
    sign = whole[:1] if whole[:1] in ("-", "+") else ""
    digits = "".join(filter(str.isdigit, whole)) or "0"
    return f"{sign}{digits}.{fraction}" if fraction else f"{sign}{digits}"


def plain_numbers(texts: pa.Array, decimal: Decimal) -> pa.Array:
    """Return texts with every national number among them as a plain one; the others as they are.

    Cell by cell: what one cell becomes says nothing about another.
    """
    found = pc.fill_null(pc.match_substring_regex(texts, _PATTERNS[decimal]), False)
    changed = [plain_number(text, decimal) for text in texts.filter(found).to_pylist()]
    return pc.replace_with_mask(texts, found, pa.array(changed, pa.string())) if changed else texts
