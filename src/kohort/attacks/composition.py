"""The composition attack: several releases about the same people, each harmless, laid over each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.matching import BITS, Lookup, Match, lowest_bit, popcount
from kohort.attacks.people import known_across
from kohort.attacks.readable import unread
from kohort.attacks.side_by_side import same_order, side_by_side
from kohort.attacks.spelled_otherwise import unmatched
from kohort.attacks.target import Outside, Target, single_valued
from kohort.attacks.uncertainty import SHUFFLES, beside_shuffles, per_cent, up, wilson
from kohort.card import Card
from kohort.hierarchy import Label
from kohort.report.ledger import BY_COLUMN
from kohort.table import Column, Table


@dataclass(frozen=True)
class Composition:
    """Intersects the sensitive values that all releases leave open for each known person; exact.

    People are known by the outside table, or with the original by the quasi-identifiers of all releases.
    A person of whom one release leaves the values A open and another B has a value of A ∩ B: a single one is
    learnt for certain. A release that a person does not fit does not hold the person and says nothing; people who fit
    fewer than two are left out. Where the original is at hand a single value counts if it is the true one. Baseline:
    people with one candidate in one of the releases alone. Sensitive columns are looked at one by one: rows that carry
    several columns may be matched by these, which is not tried unless they stand in the same order.
    Control: with what is known of somebody else, where the
    value left is right as often as it occurs; or the other releases with their sensitive values shuffled, where, if
    truth is not known, a value that is left is right as often as one of the first release's is: the lesser of the two.

    Releases of as many rows in the same order are laid side by side, row by row, too: a finding of its own.

    Complexity: that of `linking`, for every release and its control.

    >>> from kohort.demo.ward import shared
    >>> releases = [shared(["flu", "gout"], ["cold", "flu"]), shared(["flu", "cold"], ["gout", "flu"])]
    >>> second = Target(releases[1], ("age",), ("ill",))
    >>> known = Outside(shared(["Ann"], ["Bob"]), on=("age",))
    >>> Composition().run(Target(releases[0], ("age",), ("ill",), others=(second,), outside=known))[0].success
    1.0

    References: S. Ganta et al., Composition attacks and auxiliary information in data privacy, 2008.
    """

    card: ClassVar[Card] = Card(
        "composition",
        "sensitive values that several releases together leave to one",
        guarantee="exact",
        paper="Ganta et al. 2008",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a second release, or people to look up in all of them."""
        if not target.others:
            return "a second release"
        people = known_across(target)
        if people is None:
            return "an outside table or the original"
        for release in (target, *target.others):
            reason = unread(release, _known_in(release, people))
            if reason:
                return reason
        return "" if _shared(target) else "a sensitive column that two of the releases hold"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return the columns whose values are known without any release, and that nobody is in two of them."""
        people = known_across(target)
        assert people is not None
        for number, release in enumerate((target, *target.others), 1):
            reason = unmatched(release, people, _known_in(release, people))
            if reason:
                return {"composition": reason if number == 1 else f"in release {number} {reason}"}
        fits = [
            Lookup.of(r, people.table, _known_in(r, people)).match().sizes > 0
            for r in (target, *target.others)
        ]
        if not (np.sum(fits, axis=0) > 1).any():
            return {"composition": "none of the people looked up fits two of the releases"}
        return single_valued("composition", target)

    def run(self, target: Target) -> list[Finding]:
        """Return the share of people whose value is left alone, for each sensitive column of two releases."""
        people = known_across(target)
        assert people is not None
        return [found for column in _shared(target) for found in _findings(target, people, column)]


def _shared(target: Target) -> list[str]:
    """Return the sensitive columns that the release and another one hold."""
    return [c for c in target.judged if any(c in other.judged for other in target.others)]


def _findings(target: Target, people: Outside, column: str) -> list[Finding]:
    releases = [target, *(other for other in target.others if column in other.judged)]
    labels = dict.fromkeys(label for release in releases for label in release.groups(column).labels)
    asked = _Asked(column, {label: code for code, label in enumerate(labels)}, _truth(target, column, labels))
    lookups = [Lookup.of(r, people.table, _known_in(r, people)) for r in releases]
    seen = _laid_over(lookups, asked)
    plain = _plain(lookups, asked, seen, people.on)
    found = [plain]
    for other in releases[1:]:
        if same_order(target, other, column):
            found.append(_aligned(target, other, people, asked, seen, plain.success))
    return found


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is asked of everybody: the column, the number of each value, and the true one as bits where it is known."""

    column: str
    code_of: Mapping[Label, int]
    truth: IntArray | None

    def right(self, left: IntArray) -> BoolArray:
        """Mark for whom one value is left, which is the true one where that is known."""
        single = popcount(left) == 1
        return single if self.truth is None else np.asarray(single & (left == self.truth).all(axis=1))


def _truth(target: Target, column: str, labels: Mapping[Label, None]) -> IntArray | None:
    """Return everybody's value as bits, where the people looked up are the original's."""
    if target.outside is not None or target.original is None or column not in target.original.columns:
        return None
    code_of = {label: code for code, label in enumerate(labels)}
    values = target.original[column]
    codes = np.array([code_of.get(text, -1) for text in values.texts], np.int64)[values.codes]
    bits = np.zeros((len(codes), max(1, -(-len(labels) // BITS))), np.int64)
    known = np.flatnonzero(codes >= 0)
    bits[known, codes[known] // BITS] = np.int64(1) << (codes[known] % BITS)
    return bits


def _plain(lookups: Sequence[Lookup], asked: _Asked, seen: _Seen, on: Sequence[str]) -> Finding:
    n, column = int(seen.several.sum()), asked.column
    single = seen.several & (popcount(seen.left) == 1)
    hits, alone = seen.several & asked.right(seen.left), seen.several & seen.alone
    generator = np.random.default_rng(20260101)
    draws = []
    for _ in range(SHUFFLES):
        others = [replace(look, target=mixed(look.target, column, generator)) for look in lookups[1:]]
        draws.append(_by_luck(asked, _laid_over([lookups[0], *others], asked), seen) / max(n, 1))
    elses = float((single * _frequency(lookups[0].target, asked, seen.left)).sum()) / max(n, 1)
    chance = beside_shuffles(elses, draws)
    share, before = hits.sum() / max(n, 1), alone.sum() / max(n, 1)
    found = f"{per_cent(float(share))}" if asked.truth is not None else f"at most {up(float(share))}"
    all_of_them = "both releases, the two" if len(lookups) == 2 else "several releases, all of them"
    return Finding(
        attack="composition",
        success=float(share),
        baseline=float(before),
        control=chance.control,
        interval=None if asked.truth is not None else wilson(int(hits.sum()), n),
        n=n,
        sentence=(
            f"Of the people known by {', '.join(on)} who fit {all_of_them} together give {column} away for {found}; each release "
            f"alone does so for {per_cent(before)}.{_beside(lookups, column, on)}"
        ),
        details={
            "column": column,
            "on": list(on),
            "releases": len(lookups),
            "singletons": int(single.sum()),
            "newly_learnt": int((hits & ~alone).sum()),
            "contradictions": int((seen.several & (popcount(seen.left) == 0)).sum()),
            "average_candidates": round(float(popcount(seen.left)[seen.several].mean()), 6) if n else None,
        },
        margin=max(chance.margin, 1 / max(n, 1)),
        spread=chance.spread,
        bound=asked.truth is None,
        certain=asked.truth is not None,
    )


def _beside(lookups: Sequence[Lookup], column: str, on: Sequence[str]) -> str:
    """Return what was not tried where releases have further columns in common, by which their rows may be matched."""
    shared = set.intersection(*(set(look.target.released.columns) for look in lookups)) - {column, *on}
    return f" {BY_COLUMN[:1].upper()}{BY_COLUMN[1:]}." if shared else ""


def _frequency(first: Target, asked: _Asked, left: IntArray) -> FloatArray:
    """Return how frequent the value is that is left to each person, in the first release; of the others it says nothing."""
    groups = first.groups(asked.column)
    shares = np.zeros(left.shape[1] * BITS)
    shares[[asked.code_of[label] for label in groups.labels]] = groups.priors / max(groups.n_records, 1)
    return shares[lowest_bit(left)]


def _by_luck(asked: _Asked, mixed: _Seen, seen: _Seen) -> float:
    """Return how many single values are right though what the other releases say was shuffled."""
    single = seen.several & asked.right(mixed.left)
    if asked.truth is not None:
        return float(single.sum())
    return float((single / np.maximum(seen.first, 1)).sum())


def _aligned(
    target: Target, other: Target, people: Outside, asked: _Asked, seen: _Seen, before: float
) -> Finding:
    """Return what two releases in the same order give away, row by row."""
    column, n = asked.column, int(seen.several.sum())
    names = (_known_in(target, people), _known_in(other, people))

    def given_away(order: IntArray | None) -> tuple[IntArray, FloatArray]:
        joined, known = side_by_side(target, other, people.table, names, order)
        left = Lookup.of(joined, known, joined.quasi).match(column, asked.code_of).candidates
        hits = seen.several & asked.right(left)
        luck = asked.truth is None and order is not None
        return left, hits / np.maximum(seen.first, 1) if luck else hits.astype(np.float64)

    generator = np.random.default_rng(20260101)
    rows = other.released.n_rows
    draws = [float(given_away(generator.permutation(rows))[1].sum()) / max(n, 1) for _ in range(SHUFFLES)]
    left, hits = given_away(None)
    share, single = float(hits.sum()) / max(n, 1), seen.several & (popcount(left) == 1)
    elses = float((single * _frequency(target, asked, left)).sum()) / max(n, 1)
    chance = beside_shuffles(elses, draws)
    found = per_cent(share) if asked.truth is not None else f"at most {up(share)}"
    return Finding(
        attack="composition",
        success=share,
        baseline=before,
        control=chance.control,
        interval=None,
        n=n,
        sentence=(
            f"The rows of two releases stand in the same order. Laid side by side, row by row, they give {column} away for "
            f"{found} of the people who fit both, against {per_cent(before)} where people are looked up in each. "
            "Release rows shuffled."
        ),
        details={"column": column, "by": "rows in the same order"},
        margin=max(chance.margin, 1 / max(n, 1)),
        spread=chance.spread,
        bound=asked.truth is None,
        certain=asked.truth is not None,
    )


@dataclass(frozen=True, eq=False)
class _Seen:
    """What releases leave of each known person."""

    several: BoolArray  # who fits two releases or more
    alone: BoolArray  # whose value one of them alone leaves
    left: IntArray  # candidates in all that they fit, as bits
    first: IntArray  # how many candidates the first release leaves


def _laid_over(lookups: Sequence[Lookup], asked: _Asked) -> _Seen:
    found = [lookup.match(asked.column, asked.code_of) for lookup in lookups]
    fits = np.array([match.sizes > 0 for match in found])
    left = _open(found[0], fits[0])
    for match, held in zip(found[1:], fits[1:], strict=True):
        left = left & _open(match, held)
    alone = [held & asked.right(match.candidates) for match, held in zip(found, fits, strict=True)]
    return _Seen(fits.sum(axis=0) > 1, np.logical_or.reduce(alone), left, found[0].n_candidates())


def _open(match: Match, held: BoolArray) -> IntArray:
    """Return the candidates of each person; all values where the release does not hold the person."""
    return np.asarray(match.candidates | np.where(held[:, None], 0, -1))


def _known_in(release: Target, people: Outside) -> tuple[str, ...]:
    return tuple(name for name in people.on if name in release.released.columns)


def mixed(second: Target, column: str, generator: np.random.Generator) -> Target:
    """Return a release with its sensitive values shuffled."""
    apart, held = second.apart, second.released
    if apart is not None and column in apart.told:
        lines = apart.told[column]
        mixed = lines._replace(values=_shuffled(lines.values, generator))
        return replace(second, apart=replace(apart, told={**apart.told, column: mixed}))
    table = Table({**held.columns, column: _shuffled(held[column], generator)}, held.n_rows)
    return replace(second, released=table)


def _shuffled(column: Column, generator: np.random.Generator) -> Column:
    return Column(column.name, generator.permutation(column.codes), column.values)
