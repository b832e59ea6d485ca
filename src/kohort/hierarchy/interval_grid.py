"""The numbers of a plan's intervals, reckoned exactly: in whole units of the finest decimal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Protocol

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.errors import InputError
from kohort.hierarchy.bounds import Bounds, spelled
from kohort.hierarchy.domain import Domain
from kohort.hierarchy.numerals import decimals_of, plain
from kohort.hierarchy.scale import Pitch, Scale

Number = int | float
_MOST_UNITS = 2**62


class Told(Protocol):
    """What a plan tells of intervals."""

    @property
    def widths(self) -> Sequence[Number]:
        """The width of each level's."""

    @property
    def origin(self) -> Number:
        """Where they are counted from."""

    @property
    def low(self) -> Number | None:
        """Everything below is one label."""

    @property
    def high(self) -> Number | None:
        """Everything from here on is one label."""

    @property
    def domain(self) -> Sequence[Number] | None:
        """The least and the greatest value."""

    @property
    def decimals(self) -> int | None:
        """How many a value may have."""

    def told_numbers(self) -> list[Number]:
        """Return all of these numbers but the decimals."""


@dataclass(frozen=True)
class IntervalGrid:
    """The numbers of a plan in whole units of 10^-decimals."""

    decimals: int
    step: int  # from one number to the next where all are whole, else 0: ends are excluded
    widths: tuple[int, ...]
    origin: int
    low: int | None  # everything below is one label
    high: int | None  # everything from here on is one label
    ends: tuple[int, int] | None  # declared, both included

    @classmethod
    def of(cls, plan: Told, ground: Sequence[str]) -> IntervalGrid:
        """Return the grid that is fine enough for a plan and the numbers of a table, as they are written."""
        decimals = max(decimals_of([*map(written, plan.told_numbers()), *ground]), plan.decimals or 0)
        if max(map(abs, map(exact, plan.told_numbers()))) * 10**decimals > _MOST_UNITS:
            raise InputError(
                "hierarchy: widths, origin, low, high or domain are too large for numbers of so many decimals; round the "
                "column, or choose widths that are nearer to each other",
                code="hierarchy.wrong-option",
            )

        def units(option: Number) -> int:
            return in_units(option, decimals)

        return cls(
            decimals=decimals,
            step=int(decimals == 0),
            widths=tuple(map(units, plan.widths)),
            origin=units(plan.origin),
            low=None if plan.low is None else units(plan.low),
            high=None if plan.high is None else units(plan.high),
            ends=None if plan.domain is None else (units(plan.domain[0]), units(plan.domain[1])),
        )

    @property
    def whole(self) -> bool:
        """Whether it holds whole numbers only."""
        return self.step > 0

    def in_whole_numbers(self, plan: Told) -> IntervalGrid | None:
        """Return the grid as it is for the whole numbers among the values; None where it is that, or has other ends."""
        if self.whole or plan.decimals is not None or decimals_of([*map(written, plan.told_numbers())]):
            return None
        return replace(self, step=10**self.decimals)

    @property
    def open_ended(self) -> bool:
        """Whether numbers beyond an end are told by that alone."""
        return self.low is not None or self.high is not None

    def within(self, values: IntArray) -> BoolArray:
        """Mark the numbers that are not beyond an open end."""
        inside = np.ones(len(values), np.bool_)
        if self.low is not None:
            inside &= values >= self.low
        if self.high is not None:
            inside &= values < self.high
        return inside

    def open_ends(self) -> dict[str, Bounds]:
        """Return the bounds of what lies beyond the ends, by their labels."""
        return {self._label(bounds): bounds for _, bounds in self._beyond()}

    def coded(self, ground: list[str], values: IntArray) -> tuple[list[str], IntArray, dict[str, str]]:
        """Return the ground values with one for all numbers beyond each end, and which texts that one stands for."""
        places = np.zeros(0, values.dtype)
        inside, coded = np.ones(len(values), np.bool_), dict[str, str]()
        for place, bounds in self._beyond():
            beyond = values <= place if bounds.low is None else values >= place
            coded |= dict.fromkeys((ground[i] for i in np.flatnonzero(beyond).tolist()), self._label(bounds))
            places = np.append(places, [place] * int(beyond.any()))
            inside &= ~beyond
        kept = [ground[i] for i in np.flatnonzero(inside).tolist()]
        return [*kept, *dict.fromkeys(coded.values())], np.append(values[inside], places), coded

    def _beyond(self) -> list[tuple[int, Bounds]]:
        """Return the number that stands for all beyond each end, and the bounds of these."""
        places = [] if self.low is None else [self.low - 1]
        places += [] if self.high is None else [self.high]
        return [(place, self._bounds(place, 1)) for place in places]

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

    def banded(self, values: IntArray, ends: Sequence[Number]) -> Domain:
        """Return the level of intervals from each of the ends to the next, and of what lies beyond the outermost."""
        marks = np.array([in_units(end, self.decimals) for end in ends], values.dtype)
        distinct, of_ground = np.unique(np.searchsorted(marks, values, side="right"), return_inverse=True)
        told = [None, *(self._spelled(int(mark)) for mark in marks)]
        last = [*(self._spelled(int(mark) - self.step) for mark in marks), None]
        bounds = [
            Bounds(told[place], last[place], high_in=self.whole or last[place] is None)
            if place
            else Bounds(None, self._spelled(int(marks[0])), high_in=False)
            for place in distinct.tolist()
        ]
        return Domain([*map(self._label, bounds)], of_ground.reshape(-1).astype(np.int32), bounds)

    def scale(self, values: IntArray) -> Scale:
        """Return the ground values as numbers, declared where the domain has whole numbers only."""
        units = 10**self.decimals
        try:
            numbers = np.array([value / units for value in values.tolist()], np.float64)
        except OverflowError:
            return Scale(declared=False, closed=False)
        if len(np.unique(numbers)) < len(
            np.unique(values)
        ):  # too long to be told apart: labels only, no measuring
            return Scale(declared=False, closed=False)
        pitch = None
        if self.widths:
            domain = None if self.ends is None else self.ends[1] - self.ends[0]
            low, high, reach = (
                None if told is None else Decimal(self._spelled(told))
                for told in (self.low, self.high, domain)
            )
            origin, width = (Decimal(self._spelled(told)) for told in (self.origin, self.widths[0]))
            pitch = Pitch(origin, width, low, high, reach)
        return Scale(numbers, declared=self.whole and self.ends is not None, closed=False, pitch=pitch)

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
            start, stop = max(start, self.ends[0]), min(stop, self.ends[1] + self.step)
        return Bounds(self._spelled(start), self._spelled(stop - self.step), high_in=closed or self.whole)

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


def in_units(number: Number, decimals: int) -> int:
    """Return a number of a plan in whole units of 10^-decimals."""
    return int(exact(number) * 10**decimals)


def exact(number: Number) -> Fraction:
    """Return a number of a plan as it is written."""
    return Fraction(written(number))  # 0.1 as written, not as stored


def written(number: Number) -> str:
    """Return the digits of a number of a plan."""
    return plain(str(number))
