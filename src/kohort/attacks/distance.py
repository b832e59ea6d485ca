"""Distance-based record linkage: people are looked up among perturbed records by nearness."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.people import known_people
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import bootstrap, per_cent, rare_margin, up
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
    of the records at the least distance. Where it is known which record is whose, success is the share of right picks;
    otherwise the mean of 1 / their number: an upper bound for this intruder, reached if the person's own record is
    always among the nearest. Baseline: picking a record blindly. Control: the same with what is known of
    somebody else, which is right as often as a blind pick.

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
        guarantee="an upper bound for picking the nearest",
        paper="Domingo-Ferrer and Torra 2001",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: perturbed values, and somebody to look up."""
        people = known_people(target)
        if people is None:
            return "an outside table or the original"
        return "" if perturbed(target, people.on) else "perturbed values; this release generalizes"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return that all records are at the same place."""
        people = known_people(target)
        if people is not None and all(len(np.unique(target.released[name].codes)) < 2 for name in people.on):
            return {"distance-linking": "all records are at the same distance from everybody"}
        return {}

    def run(self, target: Target) -> list[Finding]:
        """Return how surely people are found."""
        people = known_people(target)
        assert people is not None
        known = target.outside is None and target.rows is not None
        near = _nearness(target, people.table, people.on, target.rows if known else None)
        chances, n = near.chances, len(near.chances)
        values, counts = np.unique(chances, return_counts=True)
        success = float(chances.mean()) if n else 0.0
        crowd, blind = int(near.sizes.min()) if n else 0, 1 / max(target.released.n_rows, 1)
        share = per_cent(success) if known else f"at most {up(success)}"
        one_each = " if everybody has one row" if target.scattered or target.owners is not None else ""
        return [
            Finding(
                attack="distance-linking",
                success=success,
                baseline=blind,
                control=blind,
                interval=None if target.outside is None else bootstrap(values, counts),
                n=n,
                sentence=(
                    f"Whoever looks for people known by {', '.join(people.on)} among the nearest records is right in "
                    f"{share} of the cases{one_each}; the fewest records at the least distance are {crowd:,}. Another "
                    "measure of distance may find more."
                ),
                details={"on": list(people.on), "smallest_match_set": crowd},
                margin=rare_margin(n * blind, float((1 / np.maximum(near.sizes, 1)).sum()) * blind, n),
                bound=not known,
            )
        ]


@dataclass(frozen=True, eq=False)
class _Nearness:
    """The records at the least distance from each person, and the chance that one of them is the person's."""

    sizes: IntArray
    chances: FloatArray


def perturbed(target: Target, on: Iterable[str]) -> bool:
    """Tell whether released values are not generalizations: as told, or as a value without meaning shows."""
    return not target.truthful or any(
        meaning(target.hierarchies[name], text) is None
        for name in on
        if name in target.hierarchies
        for text in target.released[name].texts
    )


def _nearness(target: Target, people: Table, on: tuple[str, ...], rows: IntArray | None) -> _Nearness:
    """Return the nearest records of everybody; of people `rows`, whose record each released one is, whether it is near."""
    from kohort.attacks.linking_kernels import nearest

    persons, records, numeric = _matrices(target, people, on)
    place, first = _distinct(records)
    weights = np.bincount(place, minlength=len(first)).astype(np.int64)
    person_of, someone = _distinct(persons)
    sizes, least = nearest(persons[someone], records[first], numeric, weights)
    found = sizes[person_of]
    if rows is None:
        return _Nearness(found, np.asarray(1 / np.maximum(found, 1)))
    steps = persons[rows] - records
    own = np.where(numeric, steps**2, steps != 0).sum(axis=1)
    there = own <= least[person_of][rows] + 1e-9
    return _Nearness(found[rows], np.where(there, 1 / np.maximum(found[rows], 1), 0.0))


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
