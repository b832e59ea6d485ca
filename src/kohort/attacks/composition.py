"""The composition attack: several releases about the same people, each harmless, laid over each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.attacks.carried import involved
from kohort.attacks.composed import Asked, Looked, Open, Seen, composable, known_in, mixed
from kohort.attacks.finding import Finding
from kohort.attacks.matching import Lookup
from kohort.attacks.people import known_across
from kohort.attacks.readable import unread
from kohort.attacks.side_by_side import same_order, side_by_side
from kohort.attacks.spelled_otherwise import unmatched
from kohort.attacks.target import Outside, Target, single_valued
from kohort.attacks.uncertainty import SHUFFLES, beside_shuffles, per_cent, up, wilson
from kohort.card import Card

BY_COLUMN = "Other columns, by which rows could be followed too, were left out: there are too many rows for labels that overlap."


@dataclass(frozen=True)
class Composition:
    """Intersects the sensitive values that all releases leave open for each known person; exact.

    People are known by the outside table, or with the original by the quasi-identifiers of all releases.
    A person of whom one release leaves the rows A open and another B has one of A ⋈ B, the rows that agree on all columns
    beside quasi-identifiers that both tell: a single value in these is learnt for certain. Where none agree something was
    changed in between, and fewer columns are looked at (`kohort.classes.natural_join`, as the ledger does). A release that a
    person does not fit does not hold the person and says nothing; people who fit fewer than two are left out. Where the
    original is at hand a single value counts if it is the true one. Baseline: people with one candidate in one of the
    releases alone. Control: with what is known of somebody else, where the value left is right as often as it occurs; or
    the other releases with what their rows carry dealt to other rows, where, if truth is not known, a value that is left
    is right as often as one of the first release's is: the lesser of the two.

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
        looks_up="people in several releases",
        lessened="share one of the releases only, or release the same classes again",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a second release, or people to look up in all of them."""
        if not target.others:
            return "a second release"
        people = known_across(target)
        if people is None:
            return "an outside table or the original"
        for release in (target, *target.others):
            reason = unread(release, known_in(release, people))
            if reason:
                return reason
        return "" if composable(target, people.on) else "a sensitive column that two of the releases hold"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return the columns whose values are known without any release, and that nobody is in two of them."""
        people = known_across(target)
        assert people is not None
        for number, release in enumerate((target, *target.others), 1):
            reason = unmatched(release, people, known_in(release, people))
            if reason:
                return {"composition": reason if number == 1 else f"in release {number} {reason}"}
        fits = [
            Lookup.of(r, people.table, known_in(r, people)).match().sizes > 0
            for r in (target, *target.others)
        ]
        if not (np.sum(fits, axis=0) > 1).any():
            return {"composition": "none of the people looked up fits two of the releases"}
        return single_valued("composition", target)

    def run(self, target: Target) -> list[Finding]:
        """Return the share of people whose value is left alone, for each sensitive column of two releases."""
        people = known_across(target)
        assert people is not None
        columns = composable(target, people.on)
        return [found for column in columns for found in _findings(target, people, column)]


def _findings(target: Target, people: Outside, column: str) -> list[Finding]:
    everything = (target, *target.others)
    releases = [everything[j] for j in involved(everything, people.on, column)]
    asked, looked = Asked.of(releases, people, column), Looked(releases, people)
    seen = looked.seen(asked)
    plain = _plain(looked, asked, seen)
    found = [plain]
    for other in releases[1:]:
        if same_order(target, other, column):
            found.append(_aligned(target, other, people, asked, seen, plain.success))
    return found


def _plain(looked: Looked, asked: Asked, seen: Seen) -> Finding:
    n, column = int(seen.several.sum()), asked.column
    single = seen.several & (seen.left.number == 1)
    hits, alone = seen.several & asked.right(seen.left), seen.several & seen.alone
    generator = np.random.default_rng(20260101)
    first, *others = (look.target for look in looked.lookups)
    draws = []
    for _ in range(SHUFFLES):
        dealt = [mixed(other, asked.told_by(other), generator) for other in others]
        draws.append(_by_luck(asked, looked.seen(asked, [first, *dealt]), seen) / max(n, 1))
    elses = float((single * _frequency(first, asked, seen.left)).sum()) / max(n, 1)
    chance = beside_shuffles(elses, draws)
    share, before = hits.sum() / max(n, 1), alone.sum() / max(n, 1)
    found = f"{per_cent(float(share))}" if asked.truth is not None else f"at most {up(float(share))}"
    all_of_them = "both releases, the two" if len(looked.lookups) == 2 else "several releases, all of them"
    numbers = seen.left.number[seen.several]
    return Finding(
        attack="composition",
        success=float(share),
        baseline=float(before),
        control=chance.control,
        interval=None if asked.truth is not None else wilson(int(hits.sum()), n),
        n=n,
        sentence=(
            f"Of the people known by {', '.join(asked.on)} who fit {all_of_them} together give {column} away for {found}; each "
            f"release alone does so for {per_cent(before)}.{_followed(asked, seen)}"
        ),
        details={
            "column": column,
            "on": list(asked.on),
            "releases": len(looked.lookups),
            "followed": asked.followed if seen.joined else None,
            "singletons": int(single.sum()),
            "newly_learnt": int((hits & ~alone).sum()),
            "contradictions": int((numbers == 0).sum()),
            "average_candidates": round(float(numbers.mean()), 6) if n else None,
        },
        margin=max(chance.margin, 1 / max(n, 1)),
        spread=chance.spread,
        bound=asked.truth is None,
        certain=asked.truth is not None,
    )


def _followed(asked: Asked, seen: Seen) -> str:
    """Return by what other columns rows of the releases were matched, or that they were not."""
    if not asked.followed:
        return ""
    return f" Rows are followed by {', '.join(asked.followed)} too." if seen.joined else f" {BY_COLUMN}"


def _frequency(first: Target, asked: Asked, left: Open) -> FloatArray:
    """Return how frequent the value is that is left to each person, in the first release; of the others it says nothing."""
    groups, code_of = first.groups(asked.column), asked.codes[asked.column]
    shares = np.zeros(len(code_of))
    shares[[code_of[label] for label in groups.labels]] = groups.priors / max(groups.n_records, 1)
    return shares[np.where(left.number == 1, left.value, 0)]


def _by_luck(asked: Asked, dealt: Seen, seen: Seen) -> float:
    """Return how many single values are right though what the other releases say was dealt to other rows."""
    single = seen.several & asked.right(dealt.left)
    if asked.truth is not None:
        return float(single.sum())
    return float((single / np.maximum(seen.first, 1)).sum())


def _aligned(
    target: Target, other: Target, people: Outside, asked: Asked, seen: Seen, before: float
) -> Finding:
    """Return what two releases in the same order give away, row by row."""
    column, n = asked.column, int(seen.several.sum())
    names = (known_in(target, people), known_in(other, people))

    def given_away(order: IntArray | None) -> tuple[Open, FloatArray]:
        joined, known = side_by_side(target, other, people.table, names, order)
        found = Lookup.of(joined, known, joined.quasi).match(column, asked.codes[column])
        left = Open.of(found.candidates)
        hits = seen.several & asked.right(left)
        luck = asked.truth is None and order is not None
        return left, hits / np.maximum(seen.first, 1) if luck else hits.astype(np.float64)

    generator = np.random.default_rng(20260101)
    rows = other.released.n_rows
    draws = [float(given_away(generator.permutation(rows))[1].sum()) / max(n, 1) for _ in range(SHUFFLES)]
    left, hits = given_away(None)
    share, single = float(hits.sum()) / max(n, 1), seen.several & (left.number == 1)
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
