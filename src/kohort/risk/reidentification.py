"""The chance that a person is named: prosecutor, journalist and marketer.

The prosecutor knows that the person is in the table and faces the f people of their class, or its rows, of which
the person may have several (`picking`). The journalist does not know it, and faces the F people of the population
who share the combination. The marketer wants to name as many people as possible, and names of each class f/F
rightly; of its rows, those of whoever has most. Each figure is what the best intruder with quasi-identifiers reaches.

References: El Emam, Dankar. Protecting privacy using k-anonymity. JAMIA 15(5), 2008. Dankar, El Emam. A method for
evaluating marketer re-identification risk. PAIS 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.classes import Classes
from kohort.models.threshold import at_most, rational
from kohort.risk.crowds import Crowds, crowds
from kohort.risk.picking import Shares, exposed, most_rows, shares_of_rows, shares_of_sizes

# Limits in use: 1/20 and 1/11 for public releases, 1/5 and 1/3 among trusted recipients.
THRESHOLDS = (Fraction(1, 20), Fraction(1, 11), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2))


@dataclass(frozen=True)
class Risk:
    """A risk over all people."""

    highest: float
    average: float
    people: int
    at_highest: int  # people who bear the highest risk


def prosecutor(classes: Classes) -> Risk:
    """Return the risk of people who are known to be in the table: 1 over the size of their crowd."""
    return _risk(crowds(classes))


def row_picker(classes: Classes) -> Risk:
    """Return the risk of the same people where one of the rows of a class is picked: their share of these."""
    return _borne(shares_of_rows(classes))


def either_picker(classes: Classes) -> Risk:
    """Return the risk of the same people where of each a row or a person is picked, whichever is likelier to be right.

    On average that is more than either pick is for everybody: some are found by their rows, others among few people.
    """
    return _borne(exposed(classes))


def picker_of_sizes(sizes: IntArray, classes: IntArray) -> Risk:
    """Return the same risk where a row is a person, from the sizes that classes have and how many have each."""
    return _borne(shares_of_sizes(sizes, classes))


def journalist(classes: Classes, population: IntArray) -> Risk:
    """Return the risk of people who may or may not be in the table.

    `population` is the number of people of the population that fit each class. A class for which the population
    table holds fewer people than the table itself is taken with the table's.
    """
    faced = _faced(classes, population)
    if len(faced) == 0:
        return Risk(0.0, 0.0, 0, 0)
    weights = classes.sizes
    least = faced.min()
    return Risk(
        float(1 / least),
        float((weights / faced).sum() / weights.sum()),
        int(weights.sum()),
        int(weights[faced == least].sum()),
    )


def marketer(classes: Classes, population: IntArray | None = None) -> float:
    """Return the share of rows that someone who links the whole table names rightly, on average.

    With a population he picks one of its people for each of the table's; without, he calls all rows of a class
    by the name of whoever has most of them.
    """
    if len(classes) == 0:
        return 0.0
    if population is None:
        return float(most_rows(classes).sum() / classes.n_rows)
    return float((classes.sizes / _faced(classes, population)).sum() / classes.sizes.sum())


def at_risk(
    found: Shares, thresholds: Sequence[float | Fraction] = THRESHOLDS
) -> dict[float | Fraction, int]:
    """Return, per threshold, how many people bear a higher risk than it: 1/5 is not above 1/5."""
    return {t: int(found.people[~at_most(found.held, found.of, rational(t))].sum()) for t in thresholds}


def distribution(classes: Classes) -> list[dict[str, int | float]]:
    """Return how many classes and people there are by size of crowd, on a doubling grid from 1.

    Each entry says: crowds of `least` to `most` people, so that one of these picked is the right one with a
    chance of at most `risk`.
    """
    found = crowds(classes)
    if found.total == 0:
        return []
    step = np.floor(np.log2(found.sizes)).astype(np.int64)
    class_step = np.floor(np.log2(classes.sizes)).astype(np.int64)
    return [
        {
            "least": 2**s,
            "most": 2 ** (s + 1) - 1,
            "risk": 1 / 2**s,
            "classes": int((class_step == s).sum()),
            "people": int(found.people[step == s].sum()),
        }
        for s in range(int(max(step.max(), class_step.max())) + 1)
    ]


def _risk(found: Crowds) -> Risk:
    if found.total == 0:
        return Risk(0.0, 0.0, 0, 0)
    average = float((found.people / found.sizes).sum() / found.total)
    return Risk(float(1 / found.sizes[0]), average, found.total, int(found.people[0]))


def _borne(shares: Shares) -> Risk:
    if shares.total == 0:
        return Risk(0.0, 0.0, 0, 0)
    chances = shares.held / shares.of
    highest = chances.max()
    average = float((shares.people * chances).sum() / shares.total)
    return Risk(float(highest), average, shares.total, int(shares.people[chances == highest].sum()))


def _faced(classes: Classes, population: IntArray) -> FloatArray:
    return np.maximum(population, classes.sizes).astype(np.float64)
