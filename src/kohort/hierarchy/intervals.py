"""Numbers in intervals of growing width: `37` → `35-39` → `30-39` → `20-39` → `*`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress, pairwise
from math import isfinite
from typing import ClassVar

import numpy as np

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.builder import finished, refuse
from kohort.hierarchy.domain import Label
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.interval_grid import IntervalGrid, Number, exact
from kohort.hierarchy.numerals import scaled
from kohort.hierarchy.scale import Scale
from kohort.hierarchy.spelling import Spelling
from kohort.hierarchy.written_numbers import GREATEST, check_decimals, is_whole, written_numbers
from kohort.plurals import many

MOST_GROUND = 1_000_000  # values of a declared domain


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
        told="in ranges of numbers",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the numbers of the table and of the declared domain."""
        self._check(name)
        ground, written = written_numbers(name, texts, counts)
        check_decimals(name, self.decimals, texts, counts, written)
        fine = IntervalGrid.of(self, written)
        units = scaled(written, fine.decimals)
        if fine.ends is not None:
            inside = (units >= fine.ends[0]) & (units <= fine.ends[1])
            refuse(name, texts, counts, inside.tolist(), f"is outside the domain {self.domain}")
        # A number beyond an open end is never told, and so are its decimals.
        grid = IntervalGrid.of(self, list(compress(written, fine.within(units).tolist())))
        coarser = 10 ** (fine.decimals - grid.decimals)
        values = units // coarser
        if grid.ends is not None and grid.whole:
            self._check_size(name, grid.ends)
            absent = np.setdiff1d(np.arange(grid.ends[0], grid.ends[1] + 1), values[units % coarser == 0])
            ground = ground + [str(value) for value in absent.tolist()]
            values = np.concatenate([values, absent])
        ground, values, coded = grid.coded(ground, values)
        scale = replace(grid.scale(values), coded=coded, open_ended=grid.open_ended)

        def built(grid: IntervalGrid, scale: Scale) -> Hierarchy:
            levels = [
                replace(grid.level(values, own), name=f"{width} wide")
                for own, width in zip(grid.widths, self.widths, strict=True)
            ]
            return finished(name, ground, levels, None in texts, scale, grid.open_ends())

        plainer = grid.in_whole_numbers(self)
        if plainer is None:
            return built(grid, scale)
        spelling = Spelling(is_whole, lambda: built(plainer, scale))
        return built(grid, replace(scale, spellings=(spelling,)))

    def told_numbers(self) -> list[Number]:
        """Return all numbers that the plan tells."""
        ends = [end for end in (self.low, self.high) if end is not None]
        return [*self.widths, self.origin, *(self.domain or []), *ends]

    def _check_size(self, name: str, ends: tuple[int, int]) -> None:
        size = ends[1] - ends[0] + 1
        if size > MOST_GROUND:
            raise InputError(
                f"column {name!r}: hierarchy.domain holds {many(size, 'whole number')} and each would be a ground value; "
                f"at most {MOST_GROUND:,} are possible: leave domain out, or give open ends as low and high",
                code="hierarchy.wrong-option",
                column=name,
                option="domain",
                found=size,
                most=MOST_GROUND,
            )

    def _check(self, name: str) -> None:
        where = f"column {name!r}: hierarchy."
        if not all(map(isfinite, self.told_numbers())):
            raise InputError(
                f"{where}widths, origin, low, high and domain must be finite numbers",
                code="hierarchy.wrong-option",
                column=name,
            )
        if max(map(abs, self.told_numbers())) > GREATEST:
            raise InputError(
                f"{where}widths, origin, low, high and domain must be within ±{GREATEST:g}",
                code="hierarchy.wrong-option",
                column=name,
                most=GREATEST,
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
            if wide <= narrow or exact(wide) % exact(narrow):
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
