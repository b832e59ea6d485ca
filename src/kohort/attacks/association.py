"""Association covers: which sensitive values several views together leave open for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa

from kohort.arrays import FloatArray, IntArray
from kohort.attacks.advice import different_values
from kohort.attacks.finding import Finding
from kohort.attacks.homogeneity import one_value_chance
from kohort.attacks.matching import lowest_bit, match_people
from kohort.attacks.people import known_people
from kohort.attacks.readable import unread
from kohort.attacks.rows_of_people import laid_over, owners_of
from kohort.attacks.spelled_otherwise import unmatched
from kohort.attacks.target import Outside, Target, single_valued
from kohort.attacks.uncertainty import beside, chance_margin, per_cent
from kohort.card import Card
from kohort.errors import InputError
from kohort.table import Table


@dataclass(frozen=True)
class Association:
    """Counts the sensitive values that an outside table and the release together leave open per person; exact.

    The outside table is a view with identities, the release one with sensitive values; what they share is read
    by its meaning. A cover of one value is a disclosure. Control: with what is known of somebody else, or
    where values are dealt anew, the lesser of the two. Where it is known whose rows are whose, all rows of a person are
    laid over each other too: a finding of its own. `association_cover` does the same for any number of
    views that share values as they are spelled.

    Complexity: that of `linking`, with a bit for every sensitive value.

    >>> from kohort.attacks.target import Outside
    >>> from kohort.demo.ward import shared
    >>> release = shared(["flu", "flu"], ["flu", "cold", "gout"])
    >>> known = Outside(shared(["Ann"], ["Bob"]), on=("age",))
    >>> Association().run(Target(release, ("age",), ("ill",), outside=known))[0].success
    0.5

    References: C. Yao, X. S. Wang, S. Jajodia, Checking for k-anonymity violation by views, 2005.
    """

    card: ClassVar[Card] = Card(
        "association-cover",
        "people for whom the views together leave one sensitive value",
        guarantee="exact",
        paper="Yao et al. 2005",
        decides="class",
        looks_up="people",
        lessened="release fewer views that share columns, or leave the sensitive one out",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column, or a view with people."""
        if not target.judged:
            return "a sensitive column"
        people = known_people(target)
        if people is None:
            return "an outside table or the original"
        return unread(target, people.on)

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return the columns whose values are known without any view, and that nobody can fit."""
        people = known_people(target)
        assert people is not None
        reason = unmatched(target, people)
        return {"association-cover": reason} if reason else single_valued("association-cover", target)

    def run(self, target: Target) -> list[Finding]:
        """Return the share whose cover is a single value; of people with several rows by row, and by all rows of a person."""
        people = known_people(target)
        assert people is not None
        owners = owners_of(target, people)
        found = []
        for column in target.judged:
            found.append(_finding(target, people, column, "people" if owners is None else "rows of people"))
            if owners is not None:
                found.append(laid_over(self.card.name, target, people, owners, column))
        return found


def _finding(target: Target, people: Outside, column: str, looked_up: str) -> Finding:
    match = match_people(target, people.table, people.on, column)
    covers, found, weights = match.n_candidates(), match.sizes > 0, people.weights
    n, single = int(weights[found].sum()), int(weights[covers == 1].sum())
    smallest = int(covers[found].min()) if n else 0
    any_of = "anybody" if looked_up == "people" else "any row"
    groups = target.groups(column)
    left = _shares_left(match.candidates[covers == 1], groups.priors)
    elses = float((left * weights[covers == 1]).sum()) / max(n, 1)
    chance = beside(
        elses, *_by_chance(groups.priors, match.sizes[found], match.narrowest[found], weights[found])
    )
    return Finding(
        attack="association-cover",
        success=single / max(n, 1),
        baseline=float(np.count_nonzero(groups.priors) == 1),
        control=chance.control,
        interval=None,
        n=n,
        sentence=(
            f"Laying the release over what is known by {', '.join(people.on)} leaves a single value of {column} for "
            f"{per_cent(single / max(n, 1))} of the {looked_up} whom it fits; the fewest values left for {any_of} are {smallest}."
        ),
        details={"column": column, "smallest_cover": smallest, "single": single},
        margin=chance.margin,
        spread=chance.spread,
        certain=True,
        advice=different_values(target, column, least=2),
    )


def _shares_left(left: IntArray, priors: IntArray) -> FloatArray:
    """Return how frequent in the release the value is that is left, one bit in each row."""
    return np.asarray(priors[lowest_bit(left)] / max(priors.sum(), 1))


def _by_chance(priors: IntArray, sizes: IntArray, crowds: IntArray, weights: IntArray) -> tuple[float, float]:
    """Return the share of single-valued covers where values are dealt at random, and how far it strays.

    People of one crowd are found together, so a crowd is one trial.
    """
    distinct, of_size = np.unique(sizes, return_inverse=True)
    chances = np.array([one_value_chance(size, priors) for size in distinct.tolist()], np.float64)[of_size]
    place = np.unique(crowds, return_inverse=True)[1]
    people = np.bincount(place, weights).astype(np.float64)
    of_crowd = np.bincount(place, chances * weights) / np.maximum(people, 1)
    mean = float((chances * weights).sum() / weights.sum()) if len(chances) else 0.0
    return mean, chance_margin(of_crowd.astype(np.float64), people)


def association_cover(views: Sequence[Table], identity: str, protected: str) -> dict[str | None, int]:
    """Return, for each identity, how many protected values the natural join of the views associates with it.

    Views are joined on the columns they share, a missing value as a value; views that share nothing are
    combined in all ways. The join is made of distinct tuples of the columns that matter.

    >>> import pyarrow as pa
    >>> one = Table.from_arrow(pa.table({"name": ["Sue", "John"], "sex": ["F", "M"]}))
    >>> two = Table.from_arrow(pa.table({"sex": ["F", "F", "M"], "ill": ["flu", "cold", "flu"]}))
    >>> association_cover([one, two], "name", "ill")
    {'Sue': 2, 'John': 1}
    """
    for name in (identity, protected):
        if not any(name in view.columns for view in views):
            raise InputError(
                f"association cover: no view has the column {name!r}",
                code="table.unknown-column",
                column=name,
            )
    names = {name for view in views for name in view.columns}
    shared = {name for name in names if sum(name in view.columns for view in views) > 1}
    codes: dict[str, dict[str | None, int]] = {name: {} for name in shared | {identity, protected}}
    import duckdb

    connection = duckdb.connect()
    joined: list[str] = []
    seen: set[str] = set()
    for i, view in enumerate(views):
        kept = [name for name in view.names if name in codes]
        columns = {f"c{sorted(codes).index(name)}": _coded(view, name, codes[name]) for name in kept}
        connection.register(f"raw{i}", pa.table(columns or {"one": [1]}))
        on = [c for c in columns if c in seen]
        source = f"(SELECT DISTINCT * FROM raw{i}) v{i}"
        joined.append(
            source
            if not joined
            else f"JOIN {source} USING ({', '.join(on)})"
            if on
            else f"CROSS JOIN {source}"
        )
        seen |= set(columns)
    who, what = (f"c{sorted(codes).index(name)}" for name in (identity, protected))
    rows = connection.execute(
        f"SELECT {who}, count(DISTINCT {what}) FROM {' '.join(joined)} GROUP BY 1"
    ).fetchall()
    connection.close()
    found = dict(rows)
    return {text: found.get(code, 0) for text, code in codes[identity].items()}


def _coded(view: Table, name: str, code_of: dict[str | None, int]) -> pa.Array:
    column = view[name]
    codes = [code_of.setdefault(text, len(code_of)) for text in column.texts]
    return pa.array(np.array(codes, np.int64)[column.codes])
