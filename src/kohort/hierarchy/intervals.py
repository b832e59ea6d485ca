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
from kohort.hierarchy.spelling import Spelling

Number = int | float
_MOST_UNITS = 2**62
_GREATEST = 1e15  # intervals are counted in 64-bit units
_MOST_DECIMALS = 12
_MOST_GROUND = 1_000_000  # values of a declared domain


@dataclass(frozen=True)
class Intervals:
    """Each level has intervals of one width, counted from `origin`; each width is a multiple of the last.

    Everything below `low` is `<low` and everything from `high` on is `>=high` at every level, the ground
    included: such a number is never told, whoever shares it. A `domain` of two numbers declares the least
    and the greatest value possible: intervals end there, every whole number in it is a ground value where
    the column holds whole numbers only, and a value outside is an error. Ends never come from the data.
    Whole numbers are labelled `20-39` (`-9 to -5` below zero), others `[20, 40)`; which of the two follows
    from the values that are released, unless `decimals` declares it: then no value with more of them is
    accepted. Interval ends are computed exactly, in units of the finest decimal.

    Complexity: linear in the ground values × levels; with a domain of whole numbers, all of them are ground values.

    >>> ages = Intervals([10, 20], domain=(20, 59)).build("age", ["31", "52"], [1, 1])
    >>> [level.labels for level in ages.levels[1:]]
    [('20-29', '30-39', '40-49', '50-59'), ('20-39', '40-59'), ('*',)]

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 3: domain
    and value generalization hierarchies.
    """

    widths: list[Number]
    origin: Number = 0
    low: Number | None = None
    high: Number | None = None
    domain: list[Number] | None = None
    decimals: int | None = None

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
        self._check_decimals(name, texts, counts, written)
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
        ground, values, coded = grid.coded(ground, values)
        scale = replace(grid.scale(values), coded=coded, open_ended=grid.open_ended)

        def built(grid: _Grid, scale: Scale) -> Hierarchy:
            levels = [
                replace(grid.level(values, own), name=f"{width} wide")
                for own, width in zip(grid.widths, self.widths, strict=True)
            ]
            return finished(name, ground, levels, None in texts, scale, grid.open_ends())

        plainer = grid.in_whole_numbers(self)
        if plainer is None:
            return built(grid, scale)
        spelling = Spelling(_is_whole, lambda: built(plainer, scale))
        return built(grid, replace(scale, spellings=(spelling,)))

    def _options(self) -> list[Number]:
        ends = [end for end in (self.low, self.high) if end is not None]
        return [*self.widths, self.origin, *(self.domain or []), *ends]

    def _check_decimals(
        self, name: str, texts: Sequence[Label], counts: Sequence[int], written: Sequence[str]
    ) -> None:
        if self.decimals is None:
            return
        if not 0 <= self.decimals <= _MOST_DECIMALS:
            raise InputError(
                f"column {name!r}: hierarchy.decimals is {self.decimals}; it must be 0 to {_MOST_DECIMALS}",
                code="hierarchy.wrong-option",
                column=name,
                option="decimals",
                value=self.decimals,
                least=0,
                most=_MOST_DECIMALS,
            )
        fits = [decimals_of([text]) <= self.decimals for text in written]
        refuse(name, texts, counts, fits, f"has more than the {self.decimals} decimals of hierarchy.decimals")

    def _check_size(self, name: str, ends: tuple[int, int]) -> None:
        size = ends[1] - ends[0] + 1
        if size > _MOST_GROUND:
            raise InputError(
                f"column {name!r}: hierarchy.domain holds {size:,} whole numbers and each would be a ground value; "
                f"at most {_MOST_GROUND:,} are possible: leave domain out, or give open ends as low and high",
                code="hierarchy.wrong-option",
                column=name,
                option="domain",
                found=size,
                most=_MOST_GROUND,
            )

    def _check(self, name: str) -> None:
        where = f"column {name!r}: hierarchy."
        if not all(map(isfinite, self._options())):
            raise InputError(
                f"{where}widths, origin, low, high and domain must be finite numbers",
                code="hierarchy.wrong-option",
                column=name,
            )
        if max(map(abs, self._options())) > _GREATEST:
            raise InputError(
                f"{where}widths, origin, low, high and domain must be within ±{_GREATEST:g}",
                code="hierarchy.wrong-option",
                column=name,
                most=_GREATEST,
            )
        if not self.widths or min(self.widths) <= 0:
            raise InputError(
                f"{where}widths must be numbers above 0, such as [5, 10, 20]; found {self.widths}",
                code="hierarchy.wrong-option",
                column=name,
                option="widths",
                value=self.widths,
            )
        for narrow, wide in pairwise(self.widths):
            if wide <= narrow or _exact(wide) % _exact(narrow):
                raise InputError(
                    f"{where}widths: {wide} is not a multiple of {narrow}; every interval must lie within one "
                    "interval of the next level: each width a multiple of the one before",
                    code="hierarchy.wrong-option",
                    column=name,
                    option="widths",
                    value=self.widths,
                )
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise InputError(
                f"{where}low is {self.low} and high is {self.high}; low must be less than high",
                code="hierarchy.wrong-option",
                column=name,
                option="low",
                value=self.low,
            )
        if self.domain is not None and (len(self.domain) != 2 or self.domain[0] >= self.domain[1]):
            raise InputError(
                f"{where}domain must be the least and the greatest value, such as [0, 120]",
                code="hierarchy.wrong-option",
                column=name,
                option="domain",
                value=self.domain,
            )


def _trouble(texts: Sequence[str]) -> str:
    """Return what is wrong with texts that are not numbers."""
    if all(is_number(text.replace(".", "").replace(",", ".")) for text in texts):
        return "is a number with a decimal comma, where a point is needed (1234.5, not 1.234,5)"
    return "is not a number"


@dataclass(frozen=True)
class _Grid:
    """The numbers of a plan in whole units of 10^-decimals."""

    decimals: int
    step: int  # from one number to the next where all are whole, else 0: ends are excluded
    widths: tuple[int, ...]
    origin: int
    low: int | None  # everything below is one label
    high: int | None  # everything from here on is one label
    ends: tuple[int, int] | None  # declared, both included

    @classmethod
    def of(cls, plan: Intervals, ground: Sequence[str]) -> _Grid:
        decimals = max(decimals_of([*map(_written, plan._options()), *ground]), plan.decimals or 0)
        if max(map(abs, map(_exact, plan._options()))) * 10**decimals > _MOST_UNITS:
            raise InputError(
                "hierarchy: widths, origin, low, high or domain are too large for numbers of so many decimals; round the "
                "column, or choose widths that are nearer to each other",
                code="hierarchy.wrong-option",
            )

        def units(option: Number) -> int:
            return int(_exact(option) * 10**decimals)

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
        return self.step > 0

    def in_whole_numbers(self, plan: Intervals) -> _Grid | None:
        """Return the grid as it is for the whole numbers among the values; None where it is that, or has other ends."""
        if self.whole or plan.decimals is not None or decimals_of([*map(_written, plan._options())]):
            return None
        return replace(self, step=10**self.decimals)

    @property
    def open_ended(self) -> bool:
        return self.low is not None or self.high is not None

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
        pitch = Decimal(self._spelled(self.origin)), Decimal(self._spelled(self.widths[0]))
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


def _is_whole(text: str) -> bool:
    return not is_number(text) or not decimals_of([plain(text)])  # what lies beyond an end is no number


def _exact(number: Number) -> Fraction:
    return Fraction(_written(number))  # 0.1 as written, not as stored


def _written(number: Number) -> str:
    return plain(str(number))
