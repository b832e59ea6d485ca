"""Numbers as they are written: which texts are numbers, and which spell the same one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from kohort.arrays import FloatArray, IntArray

_FOREIGN = re.compile(r"[^0-9+\-.eE\n]")  # float() would also take `1_000`, `inf`, ` 7 ` and other digits
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_WRITTEN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_LONGEST = (
    400  # signs: what is longer is no quantity that anybody measured, and costs whoever computes with it
)


def numbers_of(texts: Sequence[str | None]) -> FloatArray | None:
    """Return the texts as numbers, nan for missing; None unless all are finite numbers of a sensible length.

    `7` and `07` beside each other are codes and not numbers, and so are two numbers too long to be told apart; one
    number that is spelled in two ways (`0.0` and `-0.0`, `1.5` and `1.50`, `1000` and `1e3`) is that number.
    """
    told = [text for text in texts if text is not None]
    together = "\n".join(told)
    if not told or _FOREIGN.search(together) or max(map(len, told)) > _LONGEST:
        return None
    if ("e" in together or "E" in together) and not all(
        map(is_number, told)
    ):  # 1e-999999 is zero, but not as written
        return None
    try:
        numbers = np.fromiter((np.nan if t is None else float(t) for t in texts), np.float64, len(texts))
    except ValueError:
        return None
    finite = numbers[np.isfinite(numbers)]
    if len(finite) < len(told):
        return None
    return numbers if len(np.unique(finite)) == len(told) or not _torn(told, finite) else None


def _torn(texts: Sequence[str], numbers: FloatArray) -> bool:
    """Tell whether two texts are the same number in floating point but not as they are written."""
    written: dict[float, str] = {}
    return any(
        written.setdefault(number, form) != form
        for number, form in zip((numbers + 0.0).tolist(), map(_form, texts), strict=True)
    )


def _form(text: str) -> str:
    """Return a number without exponent, plus sign, sign of zero and the zeros that end its fraction."""
    short = plain(text).removeprefix("+")
    short = short.rstrip("0").rstrip(".") if "." in short else short
    return short.removeprefix("-") if not short.strip("-0.") else short


def shortest(number: str) -> str:
    """Return the one spelling of a number that nobody chose: no sign, zero or exponent that it does not need.

    >>> [shortest(text) for text in ("037", "+56", "3.7e1", "-0.0", ".50", "-01.0")]
    ['37', '56', '37', '0', '0.5', '-1']
    """
    form = _form(number)
    whole, point, fraction = form.removeprefix("-").partition(".")
    return "-" * form.startswith("-") + (whole.lstrip("0") or "0") + point + fraction


def canonical(text: str) -> str:
    """Return a number without the zeros that end its fraction: `39.0` → `39`; other texts as they are.

    Zeros at the front are kept: `01234` is a code and not the number `1234`.
    """
    if "." not in text or not _PLAIN.fullmatch(text):
        return text
    short = text.rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def is_number(text: str) -> bool:
    """Tell whether the text is a number: digits, perhaps a sign, a fraction and an exponent (`1e-05`)."""
    return len(text) <= _LONGEST and _WRITTEN.fullmatch(text) is not None


def plain(number: str) -> str:
    """Return a number without exponent."""
    return f"{Decimal(number):f}" if "e" in number or "E" in number else number


def decimals_of(texts: Sequence[str]) -> int:
    """Return the most decimals that any of the plain numbers has, zeros at the end not counted."""
    return max((len(text.partition(".")[2].rstrip("0")) for text in texts if "." in text), default=0)


def scaled(texts: Sequence[str], decimals: int) -> IntArray:
    """Return plain numbers of at most so many decimals as whole multiples of 10^-decimals, exactly.

    The array holds Python integers where a number does not fit into 64 bits.
    """
    parts = (text.partition(".") for text in texts)
    digits = [whole + part.rstrip("0").ljust(decimals, "0") for whole, _, part in parts]
    numbers = [int(digit) if digit.strip("+-") else 0 for digit in digits]  # `.0` leaves no digit
    widest = max(map(abs, numbers), default=0)
    return np.array(numbers, np.int64 if widest < 2**62 else object)
