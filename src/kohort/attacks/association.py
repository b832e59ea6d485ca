"""Association covers: which sensitive values several views together leave open for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.attacks.distance import PERTURBED, perturbed
from kohort.attacks.finding import Finding
from kohort.attacks.matching import match_people
from kohort.attacks.people import known_people
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import wilson
from kohort.card import Card
from kohort.errors import InputError
from kohort.table import Table


@dataclass(frozen=True)
class Association:
    """Counts the sensitive values that an outside table and the release together leave open per person; exact.

    The outside table is a view with identities, the release one with sensitive values; what they share is read
    by its meaning. A cover of one value is a disclosure. `association_cover` does the same for any number of
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
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a sensitive column, or a view with people."""
        if not target.judged:
            return "a sensitive column"
        people = known_people(target)
        if people is None:
            return "an outside table or the original"
        return PERTURBED if perturbed(target, people.on) else ""

    def run(self, target: Target) -> list[Finding]:
        """Return the share of people whose cover is a single value."""
        return [_finding(target, column) for column in target.judged]


def _finding(target: Target, column: str) -> Finding:
    people = known_people(target)
    assert people is not None
    match = match_people(target, people.table, people.on, column)
    covers, found, weights = match.n_candidates(), match.sizes > 0, people.weights
    n, single = int(weights[found].sum()), int(weights[covers == 1].sum())
    smallest = int(covers[found].min()) if n else 0
    groups = target.groups(column)
    return Finding(
        attack="association-cover",
        success=single / max(n, 1),
        baseline=float(np.count_nonzero(groups.priors) == 1),
        control=_expected(groups.priors, match.sizes[found], weights[found]),
        interval=wilson(single, n),
        n=n,
        sentence=(
            f"Laying the release over what is known by {', '.join(people.on)} leaves a single value of {column} for "
            f"{single / max(n, 1):.1%} of the people whom it fits; the fewest values left for anybody are {smallest}."
        ),
        details={"column": column, "smallest_cover": smallest, "single": single, "interval": "Wilson"},
    )


def _expected(priors: IntArray, sizes: IntArray, weights: IntArray) -> float:
    """Return the share of single-valued covers if match sets were drawn from the release at random."""
    shares = priors / max(priors.sum(), 1)
    distinct, place = np.unique(sizes, return_inverse=True)
    counts = np.bincount(place.reshape(-1), weights, minlength=len(distinct))
    alike = np.array([(shares**size).sum() for size in distinct.tolist()])
    return float((alike * counts).sum() / max(counts.sum(), 1))


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
