"""The judge of a release in two tables: it reads nothing but the tables."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.table import Table
from kohort.verification.verdict import Verdict


def judge_anatomy(
    quasi: Table,
    sensitive: Table,
    column: str,
    l: int,  # noqa: E741
    k: int = 1,
    group: str = "group",
    count: str = "count",
) -> list[Verdict]:
    """Judge the two tables of Anatomy as they were written.

    `quasi` holds a row per record with its `group`; `sensitive` a row per (group, value of `column`) with how
    many records of the group hold it. Judged: the column stands in one table only; both tables speak of the
    same groups, and of equally many records in each; each (group, value) stands once, with a count above
    zero; no value is more than 1/l of its group; every group holds at least k records. Figures, not values,
    are told.
    """
    for table, needed in ((quasi, [group]), (sensitive, [group, column, count])):
        missed = [name for name in needed if name not in table.columns]
        if missed:
            raise InputError(f"anatomy: a released table misses the column {', '.join(map(repr, missed))}")
    torn = column not in quasi.columns and set(sensitive.columns) == {group, column, count}
    one, other = _numbers(quasi, group), _numbers(sensitive, group)
    counts = _numbers(sensitive, count)
    names = np.union1d(one, other)
    sizes = np.bincount(np.searchsorted(names, one), minlength=len(names))
    owner = np.searchsorted(names, other)
    told = np.bincount(owner, counts, minlength=len(names)).astype(np.int64)
    pairs = owner * (len(sensitive[column].values) + 1) + sensitive[column].codes
    once = len(np.unique(pairs)) == len(pairs) and bool((counts > 0).all())
    most = np.zeros(len(names), np.int64)
    np.maximum.at(most, owner, counts)
    apart = int((sizes != told).sum())
    reached = float((told[told > 0] // np.maximum(most[told > 0], 1)).min()) if (told > 0).any() else 0.0
    verdicts = [
        Verdict("the sensitive column stands apart", torn),
        Verdict(
            "both tables tell the same groups and sizes",
            apart == 0 and once,
            note="" if apart == 0 and once else f"{apart:,} of {len(names):,} groups differ",
        ),
        Verdict(f"no value has more than 1/{l} of a group", bool((most * l <= told).all()), reached),
    ]
    if k > 1:
        least = int(sizes.min()) if len(sizes) else 0
        verdicts.append(Verdict(f"groups of at least {k} records", least >= k, float(least)))
    return verdicts


def _numbers(table: Table, name: str) -> IntArray:
    """Return a column of whole numbers row by row."""
    texts = table[name].texts
    try:
        numbers = np.array([int(str(text)) for text in texts], np.int64)
    except ValueError:
        raise InputError(
            f"anatomy: the column {name!r} of a released table must hold whole numbers"
        ) from None
    return np.asarray(numbers[table[name].codes])
