"""Average risk: over all records, the mean chance of naming the right person is at most a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.models.demand import Demand
from kohort.models.model import Monotone, Reference
from kohort.models.plain_words import Counted, per_cent
from kohort.models.sensitive import number
from kohort.models.threshold import at_least, at_most, rational
from kohort.typed import Share


@dataclass(frozen=True)
class AverageRisk:
    """The mean of 1/|class| over respondents, classes / respondents, is at most `risk`.

    Where people have rows in several classes, each counts once, with the smallest of their classes.

    This is a promise about the table, not about each class by itself. Where it is broken, the smallest
    classes are marked, equal sizes together, until the rest keeps it: where each person has one class, no other
    choice of equally many classes leaves a lower average. Combined with other models it must be judged on the classes that
    those leave (`classwise` is False), which is what `Problem.failing` does.

    Complexity: the sizes of the classes are sorted; where people have rows in several classes, the (class, person) entries.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "cold"], ["flu", "cold", "gout", "gout"])
    >>> round(AverageRisk(0.4).bind(table).achieved(classes), 3)
    0.333

    References: Dankar, El Emam. A method for evaluating marketer re-identification risk. PAIS 2010: the marketer's
    risk, where the table is all that he links with. El Emam. Guide to the de-identification of personal health
    information. CRC Press 2013.
    """

    risk: Share

    card: ClassVar = Card(
        "average-risk",
        "the average chance of re-identifying a record is at most a threshold",
        guarantee="who picks a person of their smallest class for everybody is right for at most that share of them on average; "
        "single people may stand alone",
        paper="Dankar and El Emam 2010",
        counts="people",
        classwise=False,
    )

    def __post_init__(self) -> None:
        number("average-risk", "risk", self.risk, above=0, most=1)

    @property
    def monotone(self) -> Monotone:
        """Merging makes nobody's smallest class smaller; what must be suppressed where it fails may grow."""
        return Monotone.GENERALIZATION

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"average risk of at most {self.risk:g}"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        if counted == "rows":
            return (
                f"who guesses for every row which one of its {crowd} it is will be right for at most {per_cent(self.risk)} of them "
                "on average; single rows may stand alone"
            )
        return (
            f"who guesses for everybody which person of their smallest {crowd} they are is right for at most "
            f"{per_cent(self.risk)} of them on average; single people may stand alone"
        )

    @property
    def reads(self) -> frozenset[str]:
        """No sensitive attribute is looked at."""
        return frozenset()

    @property
    def demand(self) -> Demand:
        """Nothing of a single class: small ones are made up for by large ones."""
        return Demand()

    def bind(self, reference: Reference) -> AverageRisk:  # noqa: ARG002
        """Return self: the table is judged by itself."""
        return self

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the smallest classes without which the average risk is met; none where it is met as it is."""
        if in_several_classes(classes):
            sizes, risks = risks_of_people(classes)

            def settle(i: int) -> bool:
                return exact_risk(classes, sizes[i]) <= rational(self.risk)

            met = np.flatnonzero(at_least(-risks, -float(self.risk), settle))
        else:
            sizes, counts = np.unique(classes.sizes, return_counts=True)
            kept = np.cumsum(counts[::-1])[::-1]
            people = np.cumsum((sizes * counts)[::-1])[::-1]
            met = np.flatnonzero(at_most(kept, people, rational(self.risk)))
        return classes.sizes < (sizes[met[0]] if len(met) else np.iinfo(np.int64).max)

    def achieved(self, classes: Classes) -> float:
        """Return the average risk."""
        if len(classes) == 0:
            return -inf
        if in_several_classes(classes):
            return float(exact_risk(classes, 0))  # whatever the order of the classes
        return len(classes) / float(classes.sizes.sum())

    def holds(self, classes: Classes) -> bool:
        """Whether the average risk is at most the threshold."""
        return not self.failing(classes).any()


def in_several_classes(classes: Classes) -> bool:
    """Whether some person has rows in more than one class."""
    if classes.respondents is None:
        return False
    present = np.bincount(classes.respondents.values, minlength=1)
    return bool(present.max() > 1)


def risks_of_people(classes: Classes) -> tuple[IntArray, FloatArray]:
    """Return the sizes of classes, ascending, and the average risk of the people in classes of at least each size.

    A person is found most easily in the smallest of their classes that is left.
    """
    assert classes.respondents is not None
    sizes, step = np.unique(classes.sizes, return_inverse=True)
    person, place = classes.respondents.values, step.reshape(-1)[classes.respondents.owners]
    order = np.lexsort((place, person))
    person, place = person[order], place[order]
    first = np.append(True, person[1:] != person[:-1])
    before = np.where(first, -1, np.append(-1, place[:-1]))  # up to here a smaller class of theirs is left
    risk, people = np.zeros(len(sizes) + 1), np.zeros(len(sizes) + 1)
    for change, begin in ((1, before + 1), (-1, place + 1)):
        risk += change * np.bincount(begin, 1 / sizes[place], minlength=len(risk))
        people += change * np.bincount(begin, place > before, minlength=len(people))
    return sizes, np.cumsum(risk)[:-1] / np.cumsum(people)[:-1]


def exact_risk(classes: Classes, least: int) -> Fraction:
    """Return the average risk of the people in classes of at least `least` people, as a fraction."""
    left = classes.kept(classes.sizes >= least)
    assert left.respondents is not None
    smallest = np.full(left.respondents.size, np.iinfo(np.int64).max)
    np.minimum.at(smallest, left.respondents.values, left.sizes[left.respondents.owners])
    sizes, people = np.unique(smallest[np.unique(left.respondents.values)], return_counts=True)
    terms = (Fraction(n, size) for size, n in zip(sizes.tolist(), people.tolist(), strict=True))
    return sum(terms, Fraction(0)) / int(people.sum())
