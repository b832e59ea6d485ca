"""Numbers between declared ends that need not be equally far apart: `37` → `20-49` → `<100` → `*`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import ClassVar

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.builder import finished
from kohort.hierarchy.domain import Label
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.interval_grid import IntervalGrid, Number, written
from kohort.hierarchy.numerals import scaled
from kohort.hierarchy.scale import Marks, Scale
from kohort.hierarchy.spelling import Spelling
from kohort.hierarchy.written_numbers import GREATEST, check_decimals, is_whole, within_reach, written_numbers


@dataclass(frozen=True)
class Bands:
    """Each level lists the numbers at which its intervals end, ascending; the ends of a level are among those of the one below.

    For amounts that are many and small or few and great, where intervals of one width hold nearly everybody or nobody.
    An interval begins with the end that it is told by and stops before the next. What lies below the first end of the first
    level, or from its last one on, is `<10` or `>=5000` at every level, the ground included: such a number is never told,
    whoever shares it. Labels are spelled as those of `intervals` are, and `decimals` declares the same.

    Complexity: linear in the distinct values × levels.

    >>> paid = Bands([[10, 20, 50, 100], [10, 50]]).build("paid", ["3", "12", "61", "70"], [1, 1, 1, 1])
    >>> [level.labels for level in paid.levels]
    [('<10', '12', '61', '70'), ('<10', '10-19', '50-99'), ('<10', '10-49', '>=50'), ('*',)]

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 3: domain
    and value generalization hierarchies.
    """

    ends: list[list[Number]]
    decimals: int | None = None

    card: ClassVar[Card] = Card(
        "bands",
        "numbers between declared ends, close where people are many and far apart where they are few",
        measures=True,
        open_by="ends",
        words=(("ends", "ends at {}"),),
        told="in ranges of numbers",
    )
    widths: ClassVar[Sequence[Number]] = ()  # what intervals of one width are told by
    origin: ClassVar[Number] = 0
    domain: ClassVar[Sequence[Number] | None] = None

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the numbers of the table."""
        self._check(name)
        ground, written = written_numbers(name, texts, counts)
        check_decimals(name, self.decimals, texts, counts, written)
        grid = IntervalGrid.of(self, written)
        ground, values, coded = grid.coded(ground, scaled(written, grid.decimals))
        scale = replace(grid.scale(values), coded=coded, open_ended=True, marks=self._marks())

        def built(grid: IntervalGrid, scale: Scale) -> Hierarchy:
            levels = [replace(grid.banded(values, ends), name=f"{len(ends) + 1} bands") for ends in self.ends]
            return finished(name, ground, levels, None in texts, scale, grid.open_ends())

        plainer = grid.in_whole_numbers(self)
        if plainer is None:
            return built(grid, scale)
        return built(grid, replace(scale, spellings=(Spelling(is_whole, lambda: built(plainer, scale)),)))

    @property
    def low(self) -> Number:
        """The first of all ends: everything below is one label."""
        return self.ends[0][0]

    @property
    def high(self) -> Number:
        """The last of all ends: everything from here on is one label."""
        return self.ends[0][-1]

    def told_numbers(self) -> list[Number]:
        """Return all numbers that the plan tells."""
        return list(self.ends[0])

    def _marks(self) -> Marks:
        return tuple(tuple(Decimal(written(end)) for end in level) for level in self.ends)

    def _check(self, name: str) -> None:
        where = f"column {name!r}: hierarchy.ends"
        if not self.ends or len(self.ends[0]) < 2 or not all(self.ends):
            raise _wrong(name, f"{where} must list at least two ends for the first level, and one or more for each of the others, "
                               "such as [[10, 20, 50, 100], [10, 100]]")  # fmt: skip
        if not within_reach(end for level in self.ends for end in level):
            raise _wrong(name, f"{where} must be finite numbers within ±{GREATEST:g}")
        if any(low >= high for level in self.ends for low, high in pairwise(level)):
            raise _wrong(name, f"{where}: the ends of a level must ascend, such as [10, 20, 50, 100]")
        for depth, (fine, coarse) in enumerate(pairwise(self.ends), 2):
            if not set(coarse) < set(fine):
                raise _wrong(name, f"{where}: those of level {depth} must be some of those of level {depth - 1} and fewer, so that "
                                   "every interval lies within one of the next level")  # fmt: skip


def _wrong(name: str, what: str) -> InputError:
    return InputError(what, code="hierarchy.wrong-option", column=name, option="ends")
