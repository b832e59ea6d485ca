"""Two releases whose rows stand in the same order, as one table."""

from __future__ import annotations

from math import sqrt

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks.target import Target
from kohort.table import Column, Table

ALIKE = 0.95  # of the rows must agree: a few may have been corrected in between
FAR = 5  # standard deviations above chance


def same_order(first: Target, second: Target, column: str) -> bool:
    """Say whether the rows of two releases stand in the same order, by a column that both tell row by row."""
    n = first.released.n_rows
    if n != second.released.n_rows or n < 2:
        return False
    if column not in first.released.columns or column not in second.released.columns:
        return False
    one, other = first.released[column], second.released[column]
    code_of = {text: code for code, text in enumerate(one.texts)}
    told = np.array([code_of.get(text, -1) for text in other.texts], np.int64)[other.codes]
    agree = float((told == one.codes).mean())
    shares = [np.bincount(codes[codes >= 0], minlength=len(code_of)) / n for codes in (one.codes, told)]
    chance = float((shares[0] * shares[1]).sum())
    return agree >= ALIKE and agree > chance + FAR * sqrt(chance * (1 - chance) / n)


def side_by_side(
    first: Target,
    second: Target,
    people: Table,
    on: tuple[tuple[str, ...], tuple[str, ...]],
    order: IntArray | None = None,
) -> tuple[Target, Table]:
    """Return both releases row by row, and people with what is known of them once for each.

    `order` puts the rows of the second in another order: what there is to find where the orders are not the same.
    """
    released, known, hierarchies = dict(first.released.columns), {}, dict(first.hierarchies)
    quasi = []
    for number, (release, names) in enumerate(zip((first, second), on, strict=True), 1):
        for name in names:
            told, column = f"{name} ({number})", release.released[name]
            codes = column.codes if number == 1 or order is None else column.codes[order]
            released[told] = Column(told, codes, column.values)
            known[told] = Column(told, people[name].codes, people[name].values)
            quasi.append(told)
            if name in release.hierarchies:
                hierarchies[told] = release.hierarchies[name]
    joined = Target(Table(released, first.released.n_rows), tuple(quasi), first.sensitive, hierarchies)
    return joined, Table(known, people.n_rows)
