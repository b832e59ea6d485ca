"""`Domain`: the labels of one level over the ground values, and what a chain of domains must be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.hierarchy.bounds import Bounds
from kohort.plurals import many
from kohort.table.blanks import blank

SUPPRESSED = "*"  # what stands for a value that is not told

Label = str | None  # None is the label of a missing value


@dataclass(frozen=True, eq=False)
class Domain:
    """The labels of one level, and the code of the label above each ground value."""

    labels: Sequence[Label]  # distinct
    of_ground: IntArray
    bounds: Sequence[Bounds | None] | None = None
    name: str | None = None


BoundsOf = Callable[[Domain, FloatArray], Sequence[Bounds | None]]


def domain_of(labels: Sequence[Label]) -> Domain:
    """Return the domain of the labels that stand above each ground value, in order of appearance."""
    code_of: dict[Label, int] = dict.fromkeys(labels, 0)
    distinct = list(code_of)
    code_of = {label: code for code, label in enumerate(distinct)}
    return Domain(distinct, np.fromiter(map(code_of.__getitem__, labels), np.int32, len(labels)))


def ground_domain(name: str, labels: Sequence[Label]) -> Domain:
    """Return level 0 of the ground values given, which must be distinct."""
    doubled = len(labels) - len(set(labels))
    if doubled:
        raise InputError(
            f"column {name!r}: {many(doubled, 'ground value stands', 'ground values stand')} in its hierarchy more than once; "
            "keep one row for each value",
            code="hierarchy.repeated-values",
            column=name,
            found=doubled,
        )
    return Domain(labels, np.arange(len(labels), dtype=np.int32))


def check_chain(name: str, domains: Sequence[Domain]) -> None:
    """Refuse a chain without values, with values or labels that stand in two places, or with several roots."""
    if not domains or not len(domains[0].of_ground):
        raise InputError(
            f"column {name!r}: its hierarchy holds no value; give it one row per ground value",
            code="hierarchy.empty",
            column=name,
        )
    ground = domains[0]
    if len(ground.labels) < len(ground.of_ground):
        raise InputError(
            f"column {name!r}: "
            f"{many(len(ground.of_ground) - len(ground.labels), 'ground value stands', 'ground values stand')} in its "
            "hierarchy more than once; keep one row for each value",
            code="hierarchy.repeated-values",
            column=name,
            found=len(ground.of_ground) - len(ground.labels),
        )
    for depth, domain in enumerate(domains):
        _demand_seen(name, depth, domain.labels)
    for depth, (low, high) in enumerate(pairwise(domains)):
        parent = np.empty(len(low.labels), np.int32)
        parent[low.of_ground] = high.of_ground
        torn = np.unique(low.of_ground[parent[low.of_ground] != high.of_ground])
        if len(torn):
            raise InputError(
                f"column {name!r}: {many(len(torn), f'label at level {depth} has', f'labels at level {depth} have')} more than one "
                f"parent at level {depth + 1} of its hierarchy; a label must be generalized in one way only",
                code="hierarchy.several-parents",
                column=name,
                level=depth,
                found=len(torn),
            )
    roots = used(domains[-1].of_ground)
    if roots > 1:
        raise InputError(
            f"column {name!r}: its hierarchy has {roots:,} roots; the last level must hold one label for "
            f"all values, such as {SUPPRESSED!r}",
            code="hierarchy.several-roots",
            column=name,
            found=roots,
        )


def used(codes: IntArray) -> int:
    """Return how many different codes there are."""
    return int(np.count_nonzero(np.bincount(codes)))


def _demand_seen(name: str, depth: int, labels: Sequence[Label]) -> None:
    """Refuse labels in which a reader sees nothing: they would be read as missing."""
    unseen = int(pc.sum(blank(pa.array(labels, pa.string()))).as_py() or 0)
    if unseen:
        raise InputError(
            f"column {name!r}: {many(unseen, 'blank label')} at level {depth} of its hierarchy, which is read as missing; "
            "name them, or leave them out: missing values have a place of their own",
            code="hierarchy.blank-labels",
            column=name,
            level=depth,
            found=unseen,
        )
