"""What every hierarchy over numbers demands of the texts of a table and the numbers of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

from kohort.errors import InputError
from kohort.hierarchy.builder import refuse, told
from kohort.hierarchy.domain import Label
from kohort.hierarchy.numerals import decimals_of, is_number, plain

GREATEST = 1e15  # intervals are counted in 64-bit units
_MOST_DECIMALS = 12


def within_reach(numbers: Iterable[float]) -> bool:
    """Tell whether all numbers of a plan are finite, and small enough to be counted."""
    return all(isfinite(number) and abs(number) <= GREATEST for number in numbers)


def written_numbers(name: str, texts: Sequence[Label], counts: Sequence[int]) -> tuple[list[str], list[str]]:
    """Return the values that are not missing, which must be numbers, and these without exponents."""
    ground = told(texts)
    numbers = [is_number(text) for text in ground]
    strange = [text for text, fine in zip(ground, numbers, strict=True) if not fine]
    refuse(name, texts, counts, numbers, _trouble(strange))
    return ground, [plain(text) for text in ground]


def check_decimals(
    name: str,
    decimals: int | None,
    texts: Sequence[Label],
    counts: Sequence[int],
    written: Sequence[str],
) -> None:
    """Refuse values with more decimals than declared."""
    if decimals is None:
        return
    if not 0 <= decimals <= _MOST_DECIMALS:
        raise InputError(
            f"column {name!r}: hierarchy.decimals is {decimals}; it must be 0 to {_MOST_DECIMALS}",
            code="hierarchy.wrong-option",
            column=name,
            option="decimals",
            value=decimals,
            least=0,
            most=_MOST_DECIMALS,
        )
    fits = [decimals_of([text]) <= decimals for text in written]
    refuse(name, texts, counts, fits, f"has more than the {decimals} decimals of hierarchy.decimals")


def is_whole(text: str) -> bool:
    """Tell whether a ground value has no decimals; what lies beyond an open end is no number and has none."""
    return not is_number(text) or not decimals_of([plain(text)])


def _trouble(texts: Sequence[str]) -> str:
    """Return what is wrong with texts that are not numbers."""
    if all(is_number(text.replace(".", "").replace(",", ".")) for text in texts):
        return "is a number with a decimal comma, where a point is needed (1234.5, not 1.234,5)"
    return "is not a number"
