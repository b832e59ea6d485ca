"""What the releases of a ledger tell, as relations that can be joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.classes.joined_tuples import Relation

Part = Mapping[str, IntArray]  # columns of equal length


def relations_of(told: Sequence[tuple[Part, Part]]) -> list[Relation]:
    """Return the relations of releases, from what each tells of every sensitive attribute and row by row.

    An attribute that stands in no row, or of a release that was recorded before rows were, is a relation by itself.
    """
    everything = [part["value"] for both in told for part in both]
    numbers = np.unique(np.concatenate(everything), return_inverse=True)[1]
    parts = iter(np.split(numbers, np.cumsum([len(values) for values in everything])[:-1]))
    found: list[Relation] = []
    for release, (contents, lines) in enumerate(told):
        apart, rows = next(parts), next(parts)
        known = np.unique(lines["attribute"])
        if len(known):
            order = np.lexsort((lines["attribute"], lines["line"]))
            classes = lines["class"][order][:: len(known)]
            columns = tuple(known.tolist())
            found.append(Relation.of(release, columns, classes, rows[order].reshape(-1, len(known))))
        for attribute in np.setdiff1d(contents["attribute"], known).tolist():
            here = contents["attribute"] == attribute
            found.append(Relation.of(release, (attribute,), contents["class"][here], apart[here][:, None]))
    return found
