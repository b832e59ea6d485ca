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
    return Outside(target.original, on, counts=target.original_counts) if on else None


def made_up(people: Outside) -> Table:
    """Return people who do not exist: each column of the known ones shuffled by itself.

    Where these are counted, as many are drawn as there are distinct tuples, each column by its own frequencies.
    """
    generator = np.random.default_rng(20260101)
    if people.counts is not None:
        chosen = [
            generator.choice(people.table.n_rows, people.table.n_rows, p=people.counts / people.counts.sum())
            for _ in people.on
        ]
        drawn = [
            Column(name, people.table[name].codes[rows], people.table[name].values)
            for name, rows in zip(people.on, chosen, strict=True)
        ]
        return Table.of(drawn, people.table.n_rows)
    mixed = [
        Column(name, generator.permutation(people.table[name].codes), people.table[name].values)
        for name in people.on
    ]
    return Table.of(mixed, people.table.n_rows)
