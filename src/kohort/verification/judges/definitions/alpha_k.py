"""(α, k)-anonymity (Wong et al. 2006): k respondents in every class, and no watched value in more than a share α of them."""

from __future__ import annotations

from math import inf
from typing import Protocol

import numpy as np

from kohort.table.texts import text_of
from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.exact import above, greatest_ratio, written
from kohort.verification.judges.definitions.finding import Finding


class Asked(Protocol):
    """The parameters; no values: all are watched."""

    alpha: float
    k: int
    columns: tuple[str, ...]
    values: tuple[str | None, ...]


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether all classes keep both parts, and the greatest share of a watched value; nobody is alone."""
    if len(counted) == 0:
        return Finding(True, -inf)
    kept, share = bool((counted.people >= max(asked.k, 2)).all()), 0.0
    texts = set(map(text_of, asked.values))
    for column in asked.columns:
        holding = counted.holding(column)
        many = holding.count
        if texts:
            watched = np.array([label in texts for label in counted.wholes[column].labels], np.bool_)
            many = np.where(watched[holding.value], many, 0)
        people = counted.people[holding.owner]
        kept &= not above(many, people, written(asked.alpha)).any()
        share = max(share, greatest_ratio(many, people))
    return Finding(kept, share)
