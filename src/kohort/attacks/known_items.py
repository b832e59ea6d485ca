"""The attack that k^m-anonymity is about: somebody known to hold some items is looked up in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kohort.arrays import BitArray, FloatArray, IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.uncertainty import bootstrap, per_cent, rare_margin, up
from kohort.hierarchy import Hierarchy
from kohort.plan import Plan
from kohort.plurals import many
from kohort.preparation.sources import reread
from kohort.sets.baskets import Baskets
from kohort.sets.held_items import HeldItems
from kohort.sets.judges import ToldSets, told_sets
from kohort.sets.original import original_sets, promises_of
from kohort.sets.set_rules import set_column
from kohort.sets.set_sources import read_sets

SEED = 2008  # of the people who are looked up, where not all are: figures are the same in every run
PEOPLE = 2_000


def known_items(released: Any, original: Any, plan: Plan) -> list[Finding]:
    """Run the attack on released sets (a frame, or a path), once for the m of every promise of the plan."""
    name, column = set_column(plan)
    told = told_sets(reread(released), name, column.written_separator)
    true = original_sets(read_sets(original, plan)[0], plan)
    return [
        link_by_items(told, true.held, true.hierarchy, m) for m in sorted({p.m for p in promises_of(plan)})
    ]


def link_by_items(told: ToldSets, held: HeldItems, hierarchy: Hierarchy, m: int) -> Finding:
    """Return how surely people are found by the m items they hold that fewest others hold, or all if they hold fewer.

    A released set fits where it has a label over each known item. The intruder picks one of those that fit, so success
    is the mean of 1 / |crowd|, 0 where nothing fits: exact, for the person's own set is among them, but for the
    people looked up where not all are. Baseline: picking blindly. Control: the same picks with what is known of
    somebody else; they are right as often as blind ones, if anything fits.
    """
    lookup = _Lookup.of(told, held, hierarchy)
    known = _rarest(held, m)
    crowds = np.array([lookup.crowd(items) for items in known], np.int64)
    chances, counts = np.unique(_chances(crowds), return_counts=True)
    sampled, blind = len(crowds) < int((held.baskets.sizes > 0).sum()), 1 / max(told.sets.n_people, 1)
    fitting = float((crowds > 0).mean()) if len(crowds) else 0.0
    smallest = int(crowds[crowds > 0].min()) if (crowds > 0).any() else None
    success = float(_chances(crowds).mean()) if len(crowds) else 0.0
    return Finding(
        attack="known items",
        success=success,
        baseline=blind,
        control=blind * fitting if len(crowds) else None,
        interval=bootstrap(chances, counts) if sampled else None,
        n=len(crowds),
        sentence=_sentence(smallest, crowds, m, success, sampled),
        details={
            "m": m,
            "people_matched": int((crowds > 0).sum()),
            "unique": int((crowds == 1).sum()),
            "smallest_crowd": smallest,
            "control": "what is known of somebody else",
        },
        margin=rare_margin(len(crowds) * blind * fitting, len(crowds) * blind * success, len(crowds)),
    )


@dataclass(frozen=True, eq=False)
class _Lookup:
    """Which released sets have a label over an item."""

    over: dict[int, list[int]]  # item -> released labels over it
    rows: list[BitArray]  # label -> the released sets that have it, as packed bits

    @classmethod
    def of(cls, told: ToldSets, held: HeldItems, hierarchy: Hierarchy) -> _Lookup:
        over: dict[int, list[int]] = {item: [] for item in range(len(held.items))}
        ground = hierarchy.encode(held.items, held.counts())
        for code, label in enumerate(told.labels):
            for level in hierarchy.levels:
                if label in level.code_of:
                    covered = np.flatnonzero(level.of_ground[ground] == level.code_of[label])
                    for item in covered.tolist():
                        over[item].append(code)
                    break
        return cls(over, [_bits(told.sets, code) for code in range(len(told.labels))])

    def crowd(self, items: IntArray) -> int:
        """Return how many released sets fit somebody who holds these items."""
        fitting: BitArray | None = None
        for item in items.tolist():
            rows = [self.rows[label] for label in self.over[item]]
            if not rows:
                return 0
            either = np.bitwise_or.reduce(rows)
            fitting = either if fitting is None else fitting & either
        return 0 if fitting is None else int(np.bitwise_count(fitting).sum())


def _bits(sets: Baskets, label: int) -> BitArray:
    marks = np.zeros(sets.n_people, np.bool_)
    marks[sets.people[sets.items == label]] = True
    return np.packbits(marks)


def _rarest(held: HeldItems, m: int) -> list[IntArray]:
    """Return what is known of each person looked up: the m items held that fewest others hold."""
    baskets, counts = held.baskets, held.baskets.counts(len(held.items))
    people = np.flatnonzero(baskets.sizes)
    if len(people) > PEOPLE:
        people = np.random.default_rng(SEED).choice(people, PEOPLE, replace=False)
    sets = [baskets.items[baskets.starts[i] : baskets.starts[i + 1]] for i in people.tolist()]
    return [items[np.argsort(counts[items], kind="stable")[:m]] for items in sets]


def _chances(crowds: IntArray) -> FloatArray:
    return np.where(crowds > 0, 1 / np.maximum(crowds, 1), 0.0)


def _sentence(smallest: int | None, crowds: IntArray, m: int, success: float, sampled: bool) -> str:
    if smallest is None:
        return "Nobody who is known by what they hold fits any released set."
    items = "item" if m == 1 else f"{m} items"
    unique, n = int((crowds == 1).sum()), len(crowds)
    crowd = (
        f"{per_cent(unique / n)} of the people known by their rarest {items} are singled out: exactly one released set fits them"
        if unique
        else f"Nobody known by their rarest {items} is singled out: at least {smallest:,} released sets fit each"
    )
    drawn = f" Estimated from {many(n, 'person', 'people')} drawn at random." if sampled else ""
    worst = up(1 / smallest)
    right = f"Picking one of those that fit is right in {per_cent(success)} of the cases, and for none of them in more than {worst}"
    return f"{crowd}. {right}.{drawn}"
