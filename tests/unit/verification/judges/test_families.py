"""Rows are compared within families of labels only: those that overlap, over others too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.thinned import many

from kohort.hierarchy import Hierarchy
from kohort.table import Table
from kohort.verification.judges import match_rows, matching_kernels
from kohort.verification.judges.matching import families

DIGITS = Hierarchy.from_rows("digit", [(str(i), "low" if i < 5 else "high", "*") for i in range(10)])


def naive(mask: Any) -> list[set[int]]:
    """Return, for each label, the labels that it overlaps, over others too."""
    found = [{i} | {k for k in range(len(mask)) if (mask[i] & mask[k]).any()} for i in range(len(mask))]
    for _ in mask:
        found = [set().union(*(found[k] for k in own)) for own in found]
    return found


@many(seed=range(60))
def test_families_are_the_labels_that_overlap_over_others_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mask = rng.random((int(rng.integers(1, 9)), int(rng.integers(1, 12)))) < rng.choice([0.05, 0.15, 0.4])
    of_label, of_ground = families(mask)
    for i, own in enumerate(naive(mask)):
        assert {k for k in range(len(mask)) if of_label[k] == of_label[i]} == own
    for ground, family in enumerate(of_ground.tolist()):
        covering = np.flatnonzero(mask[:, ground])
        assert set(of_label[covering].tolist()) == ({family} if len(covering) else set())
        assert len(covering) or family not in of_label


def test_rows_are_compared_with_those_they_stand_for_only_where_labels_do_not_overlap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One step per original tuple, not one per pair of tuples: all pairs would be far too many of a large table."""
    compared, kernel = [], matching_kernels.candidates

    def counted(left: Any, right: Any, masks: Any, n_same: int) -> Any:
        starts, edges = kernel(left, right, masks, n_same)
        pairs = sum(int((right[:, :n_same] == row[:n_same]).all(axis=1).sum()) for row in left)
        compared.append((pairs, len(edges), len(right)))
        return starts, edges

    monkeypatch.setattr(matching_kernels, "candidates", counted)
    original = Table.from_arrow(pa.table({"digit": [str(i % 10) for i in range(40)], "ill": ["a", "b"] * 20}))
    for told in ("low", "high"), ("*", "*"), ("low", "5"):
        cells = [told[0] if i % 10 < 5 else told[1] for i in range(40) if told[1] != "5" or i % 10 < 6]
        ills = ["ab"[i % 2] for i in range(40) if told[1] != "5" or i % 10 < 6]
        assert (
            match_rows(Table.from_arrow(pa.table({"digit": cells, "ill": ills})), original, [DIGITS])
            is not None
        )
    assert all(pairs == edges <= tuples for pairs, edges, tuples in compared)
    assert len(compared) == 3
