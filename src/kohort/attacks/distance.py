"""Distance-based record linkage: people are looked up among perturbed records by nearness."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.people import known_people, made_up
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import bootstrap
from kohort.card import Card
from kohort.classes import group
from kohort.hierarchy import meaning
from kohort.hierarchy.numerals import numbers_of
from kohort.table import Table

PERTURBED = "generalized values; this release is perturbed"  # what attacks by meaning lack


@dataclass(frozen=True)
class Distance:
    """Links every known person to the nearest records, where released values are not generalizations.

    Means of microaggregation and noisy values cover nobody's value, so people are not looked up by meaning but
    by distance: numbers scaled by their standard deviation, other values same or not. The intruder picks one
    of the records at the least distance. Success is the mean of 1 / their number: an upper bound, reached if the
    person's own record is always among the nearest. Baseline: picking a record blindly. Control: people made
    up by shuffling each column. People × released tuples.

    Complexity: distinct people × distinct released tuples × columns.

    >>> from kohort.attacks.target import Outside
    >>> import pyarrow as pa
    >>> means = Table.from_arrow(pa.table({"age": [32, 32, 55]}))
    >>> voters = Outside(Table.from_arrow(pa.table({"age": [31, 34, 57]})), on=("age",))
    >>> round(Distance().run(Target(means, ("age",), outside=voters, truthful=False))[0].success, 3)
    0.667

    References: J. Domingo-Ferrer, V. Torra, A quantitative comparison of disclosure control methods, 2001.
    """

    card: ClassVar[Card] = Card(
        "distance-linking",
        "people found among perturbed records by nearness",
        guarantee="an upper bound",
        paper="Domingo-Ferrer and Torra 2001",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: perturbed values, and somebody to look up."""
        people = known_people(target)
        if people is None:
            return "an outside table or the original"
        return "" if perturbed(target, people.on) else "perturbed values; this release generalizes"

    def run(self, target: Target) -> list[Finding]:
        """Return how surely people are found."""
        people = known_people(target)
        assert people is not None
        chances = _chances(target, people.table, people.on)
        strangers = _chances(target, made_up(people), people.on)
        values, counts = np.unique(chances, return_counts=True)
        success = float(chances.mean()) if len(chances) else 0.0
        crowd = round(1 / float(chances.max())) if len(chances) else 0
        return [
            Finding(
                attack="distance-linking",
                success=success,
                baseline=1 / max(target.released.n_rows, 1),
                control=float(strangers.mean()) if len(strangers) else 0.0,
                interval=bootstrap(values, counts),
                n=len(chances),
                sentence=(
                    f"Whoever looks for people known by {', '.join(people.on)} among the nearest records is right in at most "
                    f"{success:.1%} of the cases; the fewest records at the least distance are {crowd:,}."
                ),
                details={"on": list(people.on), "smallest_match_set": crowd, "interval": "bootstrap"},
            )
        ]


def perturbed(target: Target, on: Iterable[str]) -> bool:
    """Tell whether released values are not generalizations: as told, or as a value without meaning shows."""
    return not target.truthful or any(
        meaning(target.hierarchies[name], text) is None
        for name in on
        if name in target.hierarchies
        for text in target.released[name].texts
    )


def _chances(target: Target, people: Table, on: tuple[str, ...]) -> FloatArray:
    from kohort.attacks.linking_kernels import nearest

    persons, records, numeric = _matrices(target, people, on)
    place, first = _distinct(records)
    weights = np.bincount(place, minlength=len(first)).astype(np.int64)
    person_of, someone = _distinct(persons)
    sizes, _ = nearest(persons[someone], records[first], numeric, weights)
    return np.asarray(1 / np.maximum(sizes, 1))[person_of]


def _matrices(target: Target, people: Table, on: tuple[str, ...]) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return people and records as numbers: standardised where all are numbers, else codes."""
    left, right, numeric = [], [], []
    for name in on:
        one, other = people[name], target.released[name]
        texts = tuple(dict.fromkeys((*one.texts, *other.texts)))
        numbers = numbers_of(texts)
        told = numbers is not None and not np.isnan(numbers).any()
        scale = np.arange(len(texts), dtype=np.float64) if numbers is None or not told else numbers
        code_of = {text: code for code, text in enumerate(texts)}
        values = [scale[[code_of[text] for text in column.texts]][column.codes] for column in (one, other)]
        spread = float(values[1].std()) or 1.0
        left.append(values[0] / spread if told else values[0])
        right.append(values[1] / spread if told else values[1])
        numeric.append(told)
    return (
        np.ascontiguousarray(np.column_stack(left)),
        np.ascontiguousarray(np.column_stack(right)),
        np.array(numeric, np.bool_),
    )


def _distinct(matrix: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the number of each row among the distinct ones, and where each of these first stands."""
    codes = [np.unique(column, return_inverse=True)[1] for column in matrix.T]
    distinct, place = group(np.column_stack(codes).astype(np.int32))
    first = np.zeros(len(distinct), np.int64)
    first[place[::-1]] = np.arange(len(place))[::-1]
    return place, first
