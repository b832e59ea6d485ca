"""Whom an intruder knows."""

from __future__ import annotations

import numpy as np

from kohort.attacks.target import Outside, Target
from kohort.table import Column, Table


def known_people(target: Target) -> Outside | None:
    """Return whom the intruder knows: an outside table, or everybody in the original by quasi-identifiers."""
    if target.outside is not None:
        return target.outside
    if target.original is None:
        return None
    on = tuple(name for name in target.quasi if name in target.original.columns)
    return Outside(target.original, on) if on else None


def made_up(people: Outside) -> Table:
    """Return people who do not exist: each column of the known ones shuffled by itself."""
    generator = np.random.default_rng(20260101)
    mixed = [
        Column(name, generator.permutation(people.table[name].codes), people.table[name].values)
        for name in people.on
    ]
    return Table.of(mixed, people.table.n_rows)
