"""Columns that follow from another one: its logarithm, its square, its classes. They tell what it tells, and have its role.

So does one that says whether another has a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from kohort.arrays import FloatArray
from kohort.hierarchy.numerals import is_number
from kohort.proposals.coarsening import fitting_coarseness
from kohort.proposals.evidence import Evidence
from kohort.proposals.fitting import fitting_hierarchy
from kohort.proposals.proposal import Proposal
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
    """
    numbers = {one.column.name: told for one in evidence if (told := _numbers(one)) is not None}
    columns = {one.column.name: one for one in evidence}
    return [_following(found, proposals, columns, numbers) for found in proposals]


def _following(
    found: Proposal,
    proposals: Sequence[Proposal],
    evidence: Mapping[str, Evidence],
    numbers: Mapping[str, FloatArray],
) -> Proposal:
    here = evidence[found.column]
    for other in proposals:
        if not _may_lead(other, found):
            continue
        classes = other.role is Role.QUASI and is_settled(here.column, evidence[other.column].column)
        if classes or follows(numbers.get(found.column), numbers.get(other.column)):
            return _led(found, here, other)
    whether = (other for other in proposals if _may_be_told_of(other, found))
    told_of = next((o for o in whether if says_whether(here.column, evidence[o.column].column)), None)
    return (
        found
        if told_of is None
        else _led(found, here, told_of, f"it says whether {told_of.column} has a value")
    )


def _may_lead(other: Proposal, found: Proposal) -> bool:
    """Say whether the role of another column, known by its name, would change this one's."""
    unfit = (
        found.role is Role.IDENTIFIER or found.distinct <= 1 or (found.role is other.role and found.decided)
    )
    if other.column == found.column or other.concept is None or not other.decided or unfit:
        return False
    if other.role is Role.QUASI:
        return True
    return (
        other.role is Role.SENSITIVE
        and found.concept is None
        and 2 * found.distinct > other.distinct > _CLASSES
    )


def _may_be_told_of(other: Proposal, found: Proposal) -> bool:
    """Say whether another column, known by its name and released, could lend its role to one that nothing is known of."""
    known = other.concept is not None and other.decided and other.role in (Role.QUASI, Role.SENSITIVE)
    return known and not found.decided


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
    pairs = np.unique(other.codes.astype(np.int64) * len(column.values) + column.codes)
    return len(pairs) == classes and rows - int(column.counts().max()) >= _BESIDE


def says_whether(column: Column, other: Column) -> bool:
    """Tell whether a column of two values says in which rows the other has one, and there are several of both."""
    has_one = np.array([text is not None for text in other.texts])[other.codes]
    if len(column.values) != 2 or not _BESIDE <= int(has_one.sum()) <= len(has_one) - _BESIDE:
        return False
    return bool((column.codes[has_one] == column.codes[has_one.argmax()]).all()) and bool(
        (column.codes[~has_one] != column.codes[has_one.argmax()]).all()
    )


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
