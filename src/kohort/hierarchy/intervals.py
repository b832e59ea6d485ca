"""Numbers in intervals of growing width: `37` → `35-39` → `30-39` → `20-39` → `*`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import ClassVar

import numpy as np

from kohort.arrays import IntArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.bounds import Bounds, spelled
from kohort.hierarchy.builder import finished, refuse, told
from kohort.hierarchy.hierarchy import Domain, Hierarchy, Label, Scale
from kohort.hierarchy.numerals import decimals_of, is_number, plain, scaled

Number = int | float
_MOST_UNITS = 2**62
_GREATEST = 1e15  # intervals are counted in 64-bit units
_MOST_GROUND = 1_000_000  # values of a declared domain


@dataclass(frozen=True)
class Intervals:
    """Each level has intervals of one width, counted from `origin`; each width is a multiple of the last.

    Everything below `low` is `<low` and everything from `high` on is `>=high` at every level above the
    ground. A `domain` of two numbers declares the least and the greatest value possible: intervals end
    there, every whole number in it is a ground value where the column holds whole numbers only, and a
    value outside is an error. Ends never come from the data. Whole numbers are labelled `20-39` (`-9 to
    -5` below zero), others `[20, 40)`. Interval ends are computed exactly, in units of the finest decimal.
    """

    widths: list[Number]
    origin: Number = 0
    low: Number | None = None
    high: Number | None = None
    domain: list[Number] | None = None

    card: ClassVar[Card] = Card(
        "intervals",
        "numbers in intervals of growing width, with open ends where asked",
        measures=True,
        words=(("widths", "{} wide"),),
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the numbers of the table and of the declared domain."""
        self._check(name)
        ground = told(texts)
        numbers = [is_number(text) for text in ground]
        refuse(
            name, texts, counts, numbers, _trouble([t for t, n in zip(ground, numbers, strict=True) if not n])
        )
        written = [plain(text) for text in ground]
        grid = _Grid.of(self, written)
        values = scaled(written, grid.decimals)
        if grid.ends is not None:
            inside = (values >= grid.ends[0]) & (values <= grid.ends[1])
            refuse(name, texts, counts, inside.tolist(), f"is outside the domain {self.domain}")
            if grid.whole:
                self._check_size(name, grid.ends)
                absent = np.setdiff1d(np.arange(grid.ends[0], grid.ends[1] + 1), values)
                ground = ground + [str(value) for value in absent.tolist()]
                values = np.concatenate([values, absent])
        levels = [
            replace(grid.level(values, own), name=f"{width} wide")
            for own, width in zip(grid.widths, self.widths, strict=True)
        ]
        return finished(name, ground, levels, None in texts, grid.scale(values))

    def _options(self) -> list[Number]:
        ends = [end for end in (self.low, self.high) if end is not None]
        return [*self.widths, self.origin, *(self.domain or []), *ends]

    def _check_size(self, name: str, ends: tuple[int, int]) -> None:
        size = ends[1] - ends[0] + 1
        if size > _MOST_GROUND:
            raise InputError(
                f"column {name!r}: hierarchy.domain holds {size:,} whole numbers and each would be a ground value; "
                f"at most {_MOST_GROUND:,} are possible: leave domain out, or give open ends as low and high"
            )

    def _check(self, name: str) -> None:
        where = f"column {name!r}: hierarchy."
        if not all(map(isfinite, self._options())):
            raise InputError(f"{where}widths, origin, low, high and domain must be finite numbers")
        if max(map(abs, self._options())) > _GREATEST:
            raise InputError(f"{where}widths, origin, low, high and domain must be within ±{_GREATEST:g}")
        if not self.widths or min(self.widths) <= 0:
            raise InputError(
                f"{where}widths must be numbers above 0, such as [5, 10, 20]; found {self.widths}"
            )
        for narrow, wide in pairwise(self.widths):
            if wide <= narrow or _exact(wide) % _exact(narrow):
                raise InputError(
                    f"{where}widths: {wide} is not a multiple of {narrow}; every interval must lie within one "
                    "interval of the next level: each width a multiple of the one before"
                )
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise InputError(f"{where}low is {self.low} and high is {self.high}; low must be less than high")
        if self.domain is not None and (len(self.domain) != 2 or self.domain[0] >= self.domain[1]):
            raise InputError(f"{where}domain must be the least and the greatest value, such as [0, 120]")


def _trouble(texts: Sequence[str]) -> str:
    """Return what is wrong with texts that are not numbers."""
    if all(is_number(text.replace(".", "").replace(",", ".")) for text in texts):
        return "is a number with a decimal comma, where a point is needed (1234.5, not 1.234,5)"
    return "is not a number"


@dataclass(frozen=True)
class _Grid:
    """The numbers of a plan in whole units of 10^-decimals."""

    decimals: int
    whole: bool
    widths: tuple[int, ...]
    origin: int
    low: int | None  # everything below is one label
    high: int | None  # everything from here on is one label
    ends: tuple[int, int] | None  # declared, both included

    @classmethod
    def of(cls, plan: Intervals, ground: Sequence[str]) -> _Grid:
        decimals = decimals_of([*map(_written, plan._options()), *ground])
        if max(map(abs, map(_exact, plan._options()))) * 10**decimals > _MOST_UNITS:
            raise InputError(
                "hierarchy: widths, origin, low, high or domain are too large for numbers of so many decimals; round the "
                "column, or choose widths that are nearer to each other"
            )

        def units(option: Number) -> int:
            return int(_exact(option) * 10**decimals)

        return cls(
            decimals=decimals,
            whole=decimals == 0,
            widths=tuple(map(units, plan.widths)),
            origin=units(plan.origin),
            low=None if plan.low is None else units(plan.low),
            high=None if plan.high is None else units(plan.high),
            ends=None if plan.domain is None else (units(plan.domain[0]), units(plan.domain[1])),
        )

    def level(self, values: IntArray, width: int) -> Domain:
        """Return the level of intervals of that width, their labels in ascending order."""
        index = (values - self.origin) // width
        starts = self.origin + index * width
        if self.low is not None:
            starts = np.where(values < self.low, self.low - 1, np.maximum(starts, self.low))
        if self.high is not None:
            starts = np.where(values >= self.high, self.high, starts)
        distinct, of_ground = np.unique(starts, return_inverse=True)
        bounds = [self._bounds(int(start), width) for start in distinct.tolist()]
        return Domain([*map(self._label, bounds)], of_ground.reshape(-1).astype(np.int32), bounds)

    def scale(self, values: IntArray) -> Scale:
        """Return the ground values as numbers, declared where the domain has whole numbers only."""
        units = 10**self.decimals
        try:
            numbers = np.array([value / units for value in values.tolist()], np.float64)
        except OverflowError:
            return Scale(declared=False)
        if len(np.unique(numbers)) < len(
            np.unique(values)
        ):  # too long to be told apart: labels only, no measuring
            return Scale(declared=False)
        pitch = Decimal(self._spelled(self.origin)), Decimal(self._spelled(self.widths[0]))
        return Scale(numbers, declared=self.whole and self.ends is not None, pitch=pitch)

    def _bounds(self, start: int, width: int) -> Bounds:
        """Return the ends of the interval that begins at `start`, within the open ends and the domain."""
        if self.low is not None and start < self.low:
            return Bounds(None, self._spelled(self.low), high_in=False)
        if self.high is not None and start >= self.high:
            return Bounds(self._spelled(self.high), None)
        stop = start - (start - self.origin) % width + width  # excluded
        if self.high is not None:
            stop = min(stop, self.high)
        closed = self.ends is not None and stop > self.ends[1]
        if self.ends is not None:
            start, stop = max(start, self.ends[0]), min(stop, self.ends[1] + self.whole)
        return Bounds(self._spelled(start), self._spelled(stop - self.whole), high_in=closed or self.whole)

    def _label(self, bounds: Bounds) -> str:
        if bounds.low == bounds.high:  # a single number, or nothing but the declared end
            return str(bounds.low)
        if bounds.open or not self.whole:
            return str(spelled(bounds, bounds))
        return f"{bounds.low}{' to ' if str(bounds.low).startswith('-') else '-'}{bounds.high}"

    def _spelled(self, units: int) -> str:
        """Return the number without zeros at the end of its fraction."""
        digits = str(abs(units)).rjust(self.decimals + 1, "0")
        whole, part = digits[: len(digits) - self.decimals], digits[len(digits) - self.decimals :].rstrip("0")
        return "-" * (units < 0) + whole + (f".{part}" if part else "")


def _exact(number: Number) -> Fraction:
    return Fraction(_written(number))  # 0.1 as written, not as stored


def _written(number: Number) -> str:
    return plain(str(number))
