"""Columns that follow from another one: its logarithm, its square, its classes. They tell what it tells, and have its role.

So does one that says whether another has a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.hierarchy.numerals import is_number
from kohort.proposals.coarsening import fitting_coarseness
from kohort.proposals.evidence import Evidence
from kohort.proposals.fitting import fitting_hierarchy
from kohort.proposals.proposal import Proposal
from kohort.proposals.some_rows import SomeRows
from kohort.table import Column, Role

_BESIDE = 5  # rows at least without the usual value: fewer may follow by chance
_CLASSES = 10  # distinct values, of which half as many would be classes
_MANY = 20  # rows to a value on average: fewer may go with one value by chance
_BOTH = 0.9  # of the rows with a value that have the other one too


def with_followers(proposals: Sequence[Proposal], evidence: Sequence[Evidence]) -> list[Proposal]:
    """Return the proposals with the role of what they follow from.

    What follows from a quasi-identifier and would be kept as it is would tell it: it is one too. A number whose name says
    nothing has the role of the sensitive column that it follows from, unless it is but a few classes of that: those may be
    known to others (`employed`, where there is a wage).

    Complexity: linear in the cells, beside some hundred rows of every pair of columns and the pairs that agree in these.
    """
    seen = [Seen(found, here, _numbers(here)) for found, here in zip(proposals, evidence, strict=True)]
    leads = Leads.of(seen)
    return [_following(one, leads) for one in seen]


class Seen(NamedTuple):
    """A proposal, what it rests on, and the number of every row where all are numbers."""

    found: Proposal
    evidence: Evidence
    numbers: FloatArray | None


@dataclass(frozen=True, eq=False)
class Leads:
    """The columns that others may follow from, known by their names."""

    known: Sequence[Seen]
    classes: IntArray  # of each that may settle others, how many; else 0
    is_quasi: BoolArray
    distinct: IntArray
    rows: SomeRows
    whether: Mapping[bytes, Sequence[Proposal]]  # by the rows that have a value

    @classmethod
    def of(cls, seen: Sequence[Seen]) -> Leads:
        """Return those of a table."""
        known = [one for one in seen if _is_known(one.found)]
        whether: dict[bytes, list[Proposal]] = {}
        for found, here, _ in known:
            if (has_one := _rows_with_one(here.column)) is not None:
                whether.setdefault(_apart(has_one), []).append(found)
        classes = np.array([_classes(one) for one in known], np.int64)
        rows = SomeRows.of([(one.evidence.column, one.numbers) for one in known])
        is_quasi = np.array([one.found.role is Role.QUASI for one in known], np.bool_)
        distinct = np.array([one.found.distinct for one in known], np.int64)
        return cls(known, classes, is_quasi, distinct, rows, whether)

    def likely(self, here: Seen) -> Iterator[Seen]:
        """Yield those whose role would change that of a column and which it may follow from, as far as some rows tell."""
        if here.found.role is Role.IDENTIFIER or here.found.distinct <= 1:
            return
        column, among = here.evidence.column, np.flatnonzero(self._may_lead(here.found))
        may = self.rows.may_settle(column, among[self.classes[among] >= len(column.values)])
        if here.numbers is not None:
            may = np.union1d(may, self.rows.may_rise_with(here.numbers, among))
        yield from (self.known[i] for i in may.tolist())

    def _may_lead(self, found: Proposal) -> BoolArray:
        """Mark those whose role would change that of a column."""
        decided = {found.role} if found.decided else set()
        quasi = self.is_quasi if Role.QUASI not in decided else np.zeros(len(self.known), np.bool_)
        if Role.SENSITIVE in decided or found.concept is not None:
            fine = np.zeros(len(self.known), np.bool_)
        else:
            fine = ~self.is_quasi & (2 * found.distinct > self.distinct) & (self.distinct > _CLASSES)
        others = (
            np.array([one.found.column != found.column for one in self.known], np.bool_)
            if (quasi | fine).any()
            else quasi
        )
        return np.asarray((quasi | fine) & others)

    def told_by(self, here: Seen) -> Proposal | None:
        """Return the first of which an undecided column says whether it has a value."""
        column = here.evidence.column
        if here.found.decided or len(column.values) != 2:
            return None
        return next(iter(self.whether.get(_apart(column.codes == column.codes[0]), ())), None)


def _is_known(found: Proposal) -> bool:
    return found.concept is not None and found.decided and found.role in (Role.QUASI, Role.SENSITIVE)


def _classes(one: Seen) -> int:
    """Return how many values of a column could settle those of others; 0 where it may not."""
    told = one.found.role is Role.QUASI and one.evidence.rows >= _MANY * one.evidence.distinct
    return one.evidence.distinct if told else 0


def _following(here: Seen, leads: Leads) -> Proposal:
    found, column = here.found, here.evidence.column
    for other in leads.likely(here):
        classes = other.found.role is Role.QUASI and is_settled(column, other.evidence.column)
        if classes or follows(here.numbers, other.numbers):
            return _led(found, here.evidence, other.found)
    told_of = leads.told_by(here)
    if told_of is None:
        return found
    return _led(found, here.evidence, told_of, f"it says whether {told_of.column} has a value")


def _led(found: Proposal, evidence: Evidence, other: Proposal, how: str = "") -> Proposal:
    reason = f"{how or f'it follows from {other.column}'}, which is {other.role}"
    if other.role is Role.SENSITIVE:
        coarse = fitting_coarseness(evidence)
        return replace(
            found, role=other.role, reason=reason, confidence=other.confidence, hierarchy=None, coarse=coarse
        )
    hierarchy, _ = fitting_hierarchy(evidence, None)
    return replace(found, role=other.role, reason=reason, confidence="unsure", hierarchy=hierarchy, coarse={})


def is_settled(column: Column, other: Column) -> bool:
    """Tell whether each value of the other column, in many rows each, goes with a single one of this.

    So do classes of it, and a yes or no.
    """
    rows, classes = len(column.codes), len(other.values)
    if len(column.values) > classes or rows < _MANY * classes:
        return False
    one = np.zeros(classes, column.codes.dtype)
    one[other.codes] = column.codes
    return bool((one[other.codes] == column.codes).all()) and rows - int(column.counts().max()) >= _BESIDE


def _rows_with_one(column: Column) -> BoolArray | None:
    """Mark the rows in which a column has a value; None where there are not several of both."""
    if not column.values.null_count:
        return None
    has_one = np.array([text is not None for text in column.texts])[column.codes]
    return has_one if _BESIDE <= int(has_one.sum()) <= len(has_one) - _BESIDE else None


def _apart(rows: BoolArray) -> bytes:
    """Return the same for marks of the same rows or of all others, and another for any other marks."""
    return np.packbits(rows == rows[0]).tobytes()


def follows(these: FloatArray | None, those: FloatArray | None) -> bool:
    """Tell whether these numbers never fall where those rise, or never rise, and are one to each of those.

    Numbers are by row, not-a-number where there is none.

    >>> wage = np.arange(1.0, 31.0)
    >>> follows(np.log(wage), wage), follows(wage > 12, wage), follows(wage % 7, wage)
    (True, True, False)
    """
    if these is None or those is None:
        return False
    here = ~np.isnan(these)
    both = here & ~np.isnan(those)
    if both.sum() < max(_BOTH * here.sum(), 2 * _BESIDE):
        return False
    x, y = these[both].astype(np.float64), those[both]
    order = np.argsort(y, kind="stable")
    x, y = x[order], y[order]
    usual = int(np.unique(x, return_counts=True)[1].max())
    steps = np.diff(x)
    one_each = bool((steps[np.diff(y) == 0] == 0).all())
    return one_each and len(x) - usual >= _BESIDE and bool((steps >= 0).all() or (steps <= 0).all())


def _numbers(evidence: Evidence) -> FloatArray | None:
    """Return the number of every row; None where not all are numbers, or all are one."""
    texts = evidence.column.texts
    if evidence.distinct <= 1 or not evidence.is_number or not all(map(is_number, filter(None, texts))):
        return None
    return evidence.numbers
