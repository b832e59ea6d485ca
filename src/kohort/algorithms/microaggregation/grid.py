"""`Grid`: the values that a column may be released with, as a plan declares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import cached_property
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy import Label
from kohort.hierarchy.numerals import is_number
from kohort.toml import toml_key

Number = int | float | str  # as a plan may write it; a text where a float has too few digits

MOST_DECIMALS = 30
GREATEST = Decimal(10) ** 30  # a bound, either way
_EXACT = Context(prec=200)  # more digits than any value within such bounds has on such a grid


@dataclass(frozen=True)
class Grid:
    """Whole multiples of 10^-decimals between two bounds, all of them declared; numbers are in these units.

    Every cell whatever has a place on it, so that nothing is refused, and nothing is told, for what a cell
    holds: a number outside stands at the nearest bound, one between two multiples at the nearest, and a
    missing value or a text that is no number where `missing` says.
    """

    least: int
    greatest: int
    decimals: int
    missing: int

    @property
    def width(self) -> int:
        """The farthest that one cell can be from another."""
        return self.greatest - self.least

    @cached_property
    def _ends(self) -> tuple[Decimal, Decimal]:
        return _number(self.least, self.decimals), _number(self.greatest, self.decimals)

    def place(self, text: Label) -> int:
        """Return where a cell stands.

        >>> Grid.declared("age", [0, 99], 0).place("44.5"), Grid.declared("age", [0, 99], 0).place("1e6")
        (44, 99)
        """
        number = _read(text)
        if number is None:
            return self.missing
        low, high = self._ends
        return _units(min(max(number, low), high), self.decimals)  # clamped first: then it has few digits

    def displaced(self, ground: Sequence[Label], records: IntArray) -> dict[str, int]:
        """Return how many records stand where `missing` says, and how many at a bound: for their holder only."""
        numbers, (low, high) = [_read(text) for text in ground], self._ends
        unread = np.array([number is None for number in numbers])
        outside = np.array([number is not None and not low <= number <= high for number in numbers])
        return {"unread": int(records[unread].sum()), "outside": int(records[outside].sum())}

    def clamped(self, units: int) -> int:
        """Return the nearest place on the grid."""
        return min(max(units, self.least), self.greatest)

    def spelled(self, units: int) -> str:
        """Return the number with exactly the declared decimals, so that its length tells nothing but its value.

        >>> Grid.declared("pay", [-5, 5], 2).spelled(-7)
        '-0.07'
        """
        whole, part = divmod(abs(units), 10**self.decimals)
        sign = "-" if units < 0 else ""
        return f"{sign}{whole}.{part:0{self.decimals}d}" if self.decimals else f"{sign}{whole}"

    @classmethod
    def declared(cls, name: str, bounds: Any, decimals: Any, missing: Any = None) -> Grid:
        """Return the grid that a plan declares; a missing value stands in the middle unless it says where."""
        if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= MOST_DECIMALS:
            raise InputError(
                f"dp-mdav: decimals of {name!r} must be a whole number from 0 to {MOST_DECIMALS}",
                code="algorithm.wrong-option",
                algorithm="dp-mdav",
                option="decimals",
                column=name,
                least=0,
                most=MOST_DECIMALS,
            )
        if not isinstance(bounds, list | tuple) or len(bounds) != 2:
            raise InputError(
                f"dp-mdav: the bounds of {name!r} must be two numbers, the least first",
                code="algorithm.wrong-option",
                algorithm="dp-mdav",
                option="bounds",
                column=name,
            )
        least, greatest = (_declared(f"a bound of {name!r}", bound, decimals) for bound in bounds)
        if least >= greatest:
            raise InputError(
                f"dp-mdav: the bounds of {name!r} must be two numbers, the least first",
                code="algorithm.wrong-option",
                algorithm="dp-mdav",
                option="bounds",
                column=name,
            )
        middle = (least + greatest) // 2
        told = middle if missing is None else _declared(f"missing of {name!r}", missing, decimals)
        if not least <= told <= greatest:
            raise InputError(
                f"dp-mdav: missing of {name!r} must lie within its bounds",
                code="algorithm.wrong-option",
                algorithm="dp-mdav",
                option="missing",
                column=name,
            )
        return cls(least, greatest, decimals, told)


def exact(what: str, told: Any) -> Decimal:
    """Return a number of a plan as it is written there: 0.1 is a tenth, not the float next to it."""
    if isinstance(told, int) and not isinstance(told, bool):
        return Decimal(told)
    text = repr(told) if isinstance(told, float) else told
    if not isinstance(text, str) or not is_number(text):
        raise InputError(
            f"dp-mdav: {what} must be a finite number",
            code="algorithm.wrong-option",
            algorithm="dp-mdav",
            option=what,
        )
    return Decimal(text)


def options_of(what: str, told: Any, names: tuple[str, ...]) -> Mapping[str, Any]:
    """Return an option that is told column by column, and refuse columns that there are not."""
    if not isinstance(told, Mapping):
        raise InputError(
            f"dp-mdav: {what} must name columns, as [recode.options.{what}] {toml_key(names[0])} = …",
            code="algorithm.wrong-option",
            algorithm="dp-mdav",
            option=what,
        )
    strangers = sorted(str(name) for name in told if name not in names)
    if strangers:
        raise InputError(
            f"dp-mdav: {what} names {', '.join(map(repr, strangers))}, which is no quasi-identifier; the "
            f"quasi-identifiers are: {', '.join(names)}",
            code="algorithm.unknown-column",
            algorithm="dp-mdav",
            option=what,
            columns=strangers,
            allowed=names,
        )
    return told


def _read(text: Label) -> Decimal | None:
    return Decimal(text) if text is not None and is_number(text) else None


def _declared(what: str, told: Any, decimals: int) -> int:
    number = exact(what, told)
    if number.copy_abs() > GREATEST:
        raise InputError(
            f"dp-mdav: {what} must lie within ±{GREATEST:.0e}",
            code="algorithm.wrong-option",
            algorithm="dp-mdav",
            option=what,
            most=float(GREATEST),
        )
    units = _units(number, decimals)
    if _number(units, decimals) != number:
        raise InputError(
            f"dp-mdav: {what} has more than the {decimals} decimals declared; declare more, or round it",
            code="algorithm.wrong-option",
            algorithm="dp-mdav",
            option=what,
            most=decimals,
        )
    return units


def _units(number: Decimal, decimals: int) -> int:
    """Return the nearest multiple of 10^-decimals, half to even, of a number within bounds."""
    unit = Decimal(1).scaleb(-decimals, _EXACT)
    return int(number.quantize(unit, ROUND_HALF_EVEN, _EXACT).scaleb(decimals, _EXACT))


def _number(units: int, decimals: int) -> Decimal:
    return Decimal(units).scaleb(-decimals, _EXACT)
