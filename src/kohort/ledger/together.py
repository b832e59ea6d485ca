"""What several releases about the same people give away together.

Whoever knows the class of a person p in every release that holds p sees p among the people who stand in all those
releases, in the same classes: crowd(p) = |{q : class_r(q) = class_r(p) for all r that hold p}|; and knows that
what p's rows tell occurs in every one of these classes: left(p) is the natural join of the tuples they hold
(`kohort.classes.natural_join`), and of one sensitive column the values in it. Classes are those of an intruder who knows
all columns that any of the releases calls quasi, wherever they are told (`kohort.ledger.known_outside`).

People with several rows are followed in every way that rows may go together, and the least of all ways counts: a bound.
Others are in a crowd only by a way that is one row's for sure: who stands in the same classes by two different rows is
nobody to hide among. A way along which no value is left is one that nobody can have gone, and tells nothing of values
where another is possible. Of which people counted a way, or somebody's in their crowd, is not known to be one row's
(`unsure`) is told beside the counts.

References: De Capitani di Vimercati et al., k-anonymity: from theory to applications, 2023, section 4.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kohort.classes import group
from kohort.ledger.followed import People
from kohort.ledger.held import Held
from kohort.ledger.known_outside import known_outside, laid_open
from kohort.ledger.recognised import recognised
from kohort.ledger.renamed import unpaired, unpaired_quasi
from kohort.ledger.world import World


@dataclass(frozen=True)
class Together:
    """How a new release goes together with all earlier ones; `new_…` counts what it adds to each side alone."""

    shared: int  # people who stand in an earlier release too
    smallest: int | None  # the smallest crowd of any of them
    below_k: int  # people whose crowd is smaller than a release that holds them promised
    new_below_k: int
    single_value: int  # people with one value left of a sensitive attribute
    new_single_value: int
    below_l: int  # people with fewer values left than a release that holds them promised
    new_below_l: int
    uncombined: int  # people with too many rows or tuples to combine: they count as if they stood alone
    by_column: tuple[int, ...]  # earlier releases of which it is not known what rows tell side by side
    unsure: int  # people counted below k, with one value or below l: their rows, or their crowd's, may go together otherwise
    unlike: (
        int  # columns that releases tell in unlike forms: followed by exact values, so that counts are bounds
    )
    disagreeing: int  # people of whom the releases tell nothing that agrees in all columns
    unpaired: int = (
        0  # columns that rows of one release tell, and another not, which tells others: renamed, perhaps
    )
    unpaired_quasi: int = 0  # so of columns that one release calls quasi, and others that nobody does
    changing: int | None = (
        None  # the column that by itself tells nothing that agrees of most of the disagreeing
    )
    changing_of: int = 0  # of how many
    laid_open: int = 0  # people of this release only, given away to whoever knows what the others call quasi
    laid_open_before: int = (
        0  # so people of the earlier ones only, to whoever knows what this one calls quasi
    )


def compose(new: Held, earlier: Sequence[Held]) -> Together:
    """Return what a new release and all earlier ones give away together of the people in the new one.

    People are taken by the set R of releases that hold them: their crowds are the groups of equal class vectors
    over R, of everybody who stands in all of R. Time grows with people × observed sets R.
    """
    releases, last = recognised([*earlier, new]), len(earlier)
    people_of = People(releases)
    world = World(releases, people_of, laid_open(releases, known_outside(releases)))
    sides = (releases[:last], range(last)), (releases[last:], [last])
    worlds = [world.known_to(known_outside(side), those) for side, those in sides]
    asked = np.flatnonzero(people_of.present[:, last])
    patterns, pattern_of = group(people_of.present[asked].astype(np.int32))
    totals = np.zeros(9, np.int64)
    smallest: int | None = None
    unsure = 0
    otherwise: set[int] = set()
    alone_in: set[int] = set()
    met: set[int] = set()
    changing: Counter[int] = Counter()
    for number, pattern in enumerate(patterns):
        those = tuple(np.flatnonzero(pattern).tolist())
        if those == (last,):
            continue
        people = asked[pattern_of == number]
        asked_for, forms = world.sensitive(those), world.unlike(those)
        sights = world.intruders(those)
        now = world.seen(those, people, asked_for, sights, forms)
        # By what they tell: where forms are unlike, too few are found, and so too many by the combination only.
        before = worlds[0].seen(those[:-1], people, asked_for, sights)
        alone = worlds[1].seen((last,), people, asked_for, [one for one in sights if not one.filled_in])
        changing.update(world.changing(those, now))
        otherwise |= forms
        alone_in |= unpaired([releases[j] for j in those])
        met |= {*those}
        ways = (world.ways_in(worlds[0], those, now.ways), world.ways_in(worlds[1], those, now.ways))
        totals += now.counts(before, alone, ways)
        unsure += int(now.unsure().sum())
        least = now.smallest()
        smallest = least if smallest is None else min(smallest, least)
    below, new_below, single, new_single, few, new_few, shared, uncombined, disagreeing = map(int, totals)
    apart = tuple(held.number for held in earlier if held.is_by_column)
    counted = (below, new_below, single, new_single, few, new_few)
    names = len(alone_in), len(unpaired_quasi(releases, [releases[j] for j in sorted(met)]))
    only = ~people_of.present[:, last], ~np.asarray(people_of.present[:, :last].any(axis=1))
    opened = [
        world.opened(known_outside(side), those, some)
        for (side, those), some in zip(sides, only, strict=True)
    ]
    most = max(changing.items(), key=lambda found: found[1], default=(None, 0))
    return Together(
        shared,
        smallest,
        *counted,
        uncombined,
        apart,
        unsure,
        len(otherwise),
        disagreeing,
        *names,
        *most,
        *reversed(opened),
    )
