"""`Bounds`: where the numbers or dates under a label begin and end, as declared, and how that is spelled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """The ends of an interval as they are written; None where it has no end.

    They are declared where a hierarchy is built (widths, a domain, a period of the calendar, a level file) and
    never computed from the values that occur. Labels are spelled from them.
    """

    low: str | None
    high: str | None
    low_in: bool = True  # whether the end itself belongs to it
    high_in: bool = True

    @property
    def open(self) -> bool:
        """Whether it goes on without end: what is top- or bottom-coded."""
        return self.low is None or self.high is None

    def holds(self, least: float, greatest: float, position: Callable[[str], float]) -> bool:
        """Tell whether all positions from `least` to `greatest` lie within."""
        above = self.low is None or _reaches(position(self.low), least, self.low_in)
        return above and (self.high is None or _reaches(greatest, position(self.high), self.high_in))


def spelled(first: Bounds, last: Bounds) -> str | None:
    """Return the interval from where `first` begins to where `last` ends; None where it has no end at all.

    >>> spelled(Bounds("20", "24"), Bounds("35", "39")), spelled(Bounds("85", "89"), Bounds("90", None))
    ('[20, 39]', '>=85')
    """
    if first.low is None and last.high is None:
        return None
    if first.low is None:
        return f"<{'=' * last.high_in}{last.high}"
    if last.high is None:
        return f">{'=' * first.low_in}{first.low}"
    return f"{'[' if first.low_in else '('}{first.low}, {last.high}{']' if last.high_in else ')'}"


def read_interval(text: str) -> Bounds | None:
    """Return the ends of an interval that `spelled` could have spelled; None where it could not."""
    for sign, low, inside in (
        (">=", True, True),
        (">", True, False),
        ("<=", False, True),
        ("<", False, False),
    ):
        if text.startswith(sign):
            end = text.removeprefix(sign)
            return Bounds(end, None, low_in=inside) if low else Bounds(None, end, high_in=inside)
    if text[:1] not in ("[", "(") or text[-1:] not in ("]", ")"):
        return None
    first, comma, last = text[1:-1].partition(", ")
    return Bounds(first, last, text[0] == "[", text[-1] == "]") if comma else None


def _reaches(low: float, high: float, inside: bool) -> bool:
    return low <= high if inside else low < high
