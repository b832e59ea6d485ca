"""k-map (Sweeney 2001): every released tuple fits at least k people of the population."""

from __future__ import annotations

from math import inf
from typing import Protocol

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.finding import Finding
from kohort.verification.judges.definitions.tally import numbered
from kohort.verification.judges.definitions.whole import Population


class Asked(Protocol):
    """The parameters."""

    k: int


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether every class fits k people, and how few one of them fits."""
    if len(counted) == 0:
        return Finding(True, inf)
    assert counted.population is not None
    assert counted.tuples is not None
    least = int(fitting(counted.tuples, counted.population).min())
    return Finding(least >= asked.k, float(least))


def fitting(tuples: IntArray, population: Population) -> IntArray:
    """Return how many people of the population each tuple of labels fits.

    Where no ground value lies under two labels, everybody is given theirs, and people are counted by them; else the whole
    population is looked through for each tuple.
    """
    if all(cover.apart for cover in population.covers):
        return _by_label(tuples, population)
    found = np.zeros(len(tuples), np.int64)
    for place, labels in enumerate(tuples.tolist()):
        fits = np.ones(len(population.people), np.bool_)
        for j, label in enumerate(labels):
            fits &= population.covers[j].marked(label)[population.tuples[:, j]]
        found[place] = _people(fits, population)
    return found


def _people(fits: BoolArray, population: Population) -> int:
    """Return how many people have one of the tuples that fit; whoever has several of them counts once."""
    if population.pairs is None:
        return int(population.people[fits].sum())
    which, person = population.pairs
    return len(np.unique(person[fits[which]]))


def _by_label(tuples: IntArray, population: Population) -> IntArray:
    shown = np.ones(len(population.people), np.bool_)
    theirs = []
    for j, cover in enumerate(population.covers):
        theirs.append(cover.label_of()[population.tuples[:, j]])
        shown &= theirs[-1] >= 0
    columns = [np.append(tuples[:, j], column[shown]) for j, column in enumerate(theirs)]
    number, n = numbered(columns)
    theirs_of, people = np.full(len(shown), -1), np.zeros(n, np.int64)
    theirs_of[shown] = number[len(tuples) :]
    if population.pairs is None:
        np.add.at(people, theirs_of[shown], population.people[shown])
    else:
        which, person = population.pairs
        found = theirs_of[which] >= 0
        once = np.unique(np.column_stack([theirs_of[which], person])[found], axis=0)
        np.add.at(people, once[:, 0], 1)
    return people[number[: len(tuples)]]
