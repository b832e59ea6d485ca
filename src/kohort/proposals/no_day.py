"""Dates that stand for want of one: 1900-01-01 and the like, which programs fill in and nobody else has.

As with numbers, only what is known here is ever proposed, so that no proposal quotes a date that says something about a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import numpy as np

from kohort.arrays import IntArray

_FILLED_IN = tuple(
    (day - date(1970, 1, 1)).days
    for day in (date(1899, 12, 30), date(1899, 12, 31), date(1900, 1, 1), date(1901, 1, 1), date(1970, 1, 1), date(2099, 12, 31))
)  # fmt: skip
_TWICE = 2  # rows at least: a single one may be a person's
_APART = 5 * 365  # days to the nearest other date
_PILED, _TIMES = 5, 3  # rows at least, and times as many as of any other date, of one that is not apart


def days_of_nothing(days: Mapping[str, int], rows: Mapping[str, int]) -> list[str]:
    """Return the dates that seem to stand for want of one: apart from all others, or in many more rows than any.

    `days` are the dates as days since 1970, `rows` in how many rows each stands.

    >>> days = {"1900-01-01": -25567, "1984-05-02": 5235, "1991-07-09": 7859}
    >>> days_of_nothing(days, {"1900-01-01": 3, "1984-05-02": 1, "1991-07-09": 1})
    ['1900-01-01']
    """
    texts, at = list(days), np.array(list(days.values()), np.int64)
    counts = np.array([rows[text] for text in texts], np.int64)
    known = np.isin(at, _FILLED_IN)
    if known.all():
        return []
    return [
        texts[i] for i in np.flatnonzero(known) if _is_meant(at[i], counts[i], at[~known], counts[~known])
    ]


def _is_meant(day: int, rows: int, others: IntArray, counts: IntArray) -> bool:
    apart = int(np.abs(others - day).min()) > _APART
    return (apart and rows >= _TWICE) or rows >= max(_PILED, _TIMES * int(counts.max()))
