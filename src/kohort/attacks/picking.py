"""How surely a pick among the records that fit somebody is right: the ways an intruder may pick, and their bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.matching import Lookup, Match
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import rare_margin
from kohort.classes import group

ANY = "any record that fits"
FEWEST = "a record of the fitting class with the fewest records"
NARROWEST = "a record of the narrowest fitting class"
ONE_ROW_EACH = "everybody had one row"  # what is supposed where nobody knows whose rows are whose


@dataclass(frozen=True, eq=False)
class Picks:
    """The chance of each person to be found by the best pick, and the most that any pick could reach."""

    how: str
    chances: FloatArray  # per person looked up
    bounds: FloatArray  # of anybody who knows no more, even in which class the person stands
    sizes: IntArray  # records that fit each
    margin: float  # of the mean chance, where knowledge is of somebody else
    ways: dict[str, float]  # the mean chance by every way of picking that was tried
    weights: IntArray  # how many people each stands for who is looked up
    singled: int  # different records that are all that fits somebody

    @property
    def n(self) -> int:
        """How many people are looked up."""
        return int(self.weights.sum())

    @property
    def success(self) -> float:
        """The mean chance."""
        return average(self.chances, self.weights)

    @property
    def at_most(self) -> float:
        """The mean bound."""
        return average(self.bounds, self.weights)

    def count(self, chosen: BoolArray) -> int:
        """Return how many people those chosen stand for."""
        return int(self.weights[chosen].sum())


def picks_of_members(lookup: Lookup, cases: IntArray, owners: IntArray) -> Picks:
    """Return how surely somebody who is known by row `cases[i]` of the people is found, whose row i of the release is.

    A pick is right if the record is one of the person's own. All records of a class look alike to whoever knows
    quasi-identifiers only, so nobody does better than the greatest share of own records in a fitting class.
    """
    match, n = lookup.match(), len(cases)
    place, own = _own_records(lookup.of_row, owners)
    first = np.concatenate(
        [[0], np.cumsum(np.bincount(place[:, 0], minlength=int(owners.max(initial=-1)) + 1))]
    )
    counts = np.diff(first)[owners]
    case_of = np.repeat(np.arange(n), counts)
    pair = np.arange(len(case_of)) - np.repeat(np.cumsum(counts) - counts, counts) + first[owners][case_of]
    fits = lookup.fits(cases[case_of], place[pair, 1])
    case_of, pair = case_of[fits], pair[fits]
    share = own[pair] / lookup.weights[place[pair, 1]]
    bounds = np.zeros(n)
    np.maximum.at(bounds, case_of, share)
    sizes = match.sizes[cases]
    ways = {ANY: np.bincount(case_of, own[pair], n) / np.maximum(sizes, 1)}
    picked = {ANY: sizes}
    if lookup.overlapping:
        by_breadth = _ranks(lookup.breadths(), lookup.weights)
        for how, found in ((FEWEST, match), (NARROWEST, lookup.match(ranks=by_breadth))):
            tuples = found.narrowest[cases]
            right = place[pair, 1] == tuples[case_of]
            ways[how] = np.bincount(case_of[right], share[right], n).astype(np.float64)
            picked[how] = np.where(tuples >= 0, lookup.weights[tuples], 0)
    best = max(ways, key=lambda how: float(ways[how].sum()))
    rows = np.bincount(owners)[owners]
    ones = np.ones(n, np.int64)
    margin = _margin(picked[best], rows, ones, len(lookup.of_row))
    means = {how: average(found, ones) for how, found in ways.items()}
    return Picks(best, ways[best], bounds, sizes, margin, means, ones, _singled(match, sizes, cases))


def picks_of_classes(lookup: Lookup) -> Picks:
    """Return the same where labels do not overlap and everybody has one row: a class is all that there is to know."""
    weights, n = lookup.weights, int(lookup.weights.sum())
    chances = 1 / np.maximum(weights, 1)
    margin = _margin(weights, np.ones(len(weights), np.int64), weights, n)
    return Picks(
        ANY,
        chances,
        chances,
        weights,
        margin,
        {ANY: average(chances, weights)},
        weights,
        int((weights == 1).sum()),
    )


def picks_at_most(lookup: Lookup, most: IntArray, weights: IntArray) -> Picks:
    """Return the same as a bound where nobody knows who is who; `most`: records of one person in each tuple."""
    ratio = most / np.maximum(lookup.weights, 1)
    match = lookup.match(ranks=np.unique(-ratio, return_inverse=True)[1].astype(np.int64))
    chances = np.where(match.narrowest >= 0, ratio[match.narrowest], 0.0) if len(ratio) else np.zeros(0)
    n = int(lookup.weights.sum())
    margin = _margin(match.sizes, np.full(len(match.sizes), most.max(initial=1)), weights, n)
    singled = _singled(match, match.sizes, np.arange(len(match.sizes)))
    return Picks(
        ANY, chances, chances, match.sizes, margin, {ANY: average(chances, weights)}, weights, singled
    )


def _singled(match: Match, sizes: IntArray, cases: IntArray) -> int:
    """Return how many different records are all that fits one of the people: several may have the same one."""
    return len(np.unique(match.narrowest[cases][sizes == 1]))


def most_of_one(lookup: Lookup, owners: IntArray | None) -> IntArray:
    """Return how many records of each tuple are one person's at most; one each where nobody has several."""
    most: IntArray = np.ones(len(lookup.tuples), np.int64)
    if owners is not None:
        place, own = _own_records(lookup.of_row, owners)
        np.maximum.at(most, place[:, 1], own)
    return most


def own_shares(lookup: Lookup, owners: IntArray) -> FloatArray:
    """Return the share of a person's own among the records that are as theirs is, for each record."""
    pairs, place = group(np.column_stack([owners, lookup.of_row]).astype(np.int32))
    own = np.bincount(place, minlength=len(pairs))
    return np.asarray(own[place] / lookup.weights[lookup.of_row])


def _own_records(of_row: IntArray, owners: IntArray) -> tuple[IntArray, IntArray]:
    """Return the pairs of a person and a tuple that hold records, by person, and how many."""
    pairs, place = group(np.column_stack([owners, of_row]).astype(np.int32))
    own = np.bincount(place, minlength=len(pairs))
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return pairs[order], own[order]


def _ranks(first: IntArray, then: IntArray) -> IntArray:
    place = np.unique(np.column_stack([first, then]), axis=0, return_inverse=True)[1]
    return np.asarray(place.reshape(-1), np.int64)


def _margin(picked: IntArray, rows: IntArray, weights: IntArray, n: int) -> float:
    """Return how far the mean chance strays where what is known is somebody else's: own records fall anywhere."""
    if not len(picked) or not n:
        return 0.0
    fitting = picked > 0
    worth = 1 / np.maximum(picked, 1)
    people = weights * rows * fitting
    return rare_margin(float(people.sum()) / n, float((people * worth).sum()) / n, int(weights.sum()))


def blind_pick(target: Target) -> float:
    """Return the chance of a blind pick: one record of all, or as many as a person has on average over rows."""
    n = max(target.n_records, 1)
    if target.owners is None:
        return 1 / n
    return float((np.bincount(target.owners).astype(np.float64) ** 2).sum()) / n**2


def average(chances: FloatArray, weights: IntArray) -> float:
    """Return the mean chance of people, of whom some are counted together."""
    return float((chances * weights).sum() / weights.sum()) if len(weights) and weights.sum() else 0.0
