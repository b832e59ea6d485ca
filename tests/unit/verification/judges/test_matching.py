"""Row matching against brute force over all assignments."""

from __future__ import annotations

import tracemalloc
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

from kohort.hierarchy import AVAILABLE_BUILDERS, Hierarchy, build_hierarchy, meaning
from kohort.table import Column, Table
from kohort.verification.judges import judge_truth, match_rows
from kohort.verification.judges.matching import coverage, covering
from kohort.verification.judges.matching_kernels import saturate
from kohort.verification.judges.told_labels import ToldLabels

DIGITS = Hierarchy.from_rows("digit", [(str(d), "low" if d < 2 else "high", "*") for d in range(4)])
LABELS = ["0", "1", "2", "3", "low", "high", "*", "{0, 2}"]


def matchable(released: list[tuple[str, str]], original: list[tuple[str, str]]) -> bool:
    def stands_for(one: tuple[str, str], other: tuple[str, str]) -> bool:
        mask = meaning(DIGITS, one[0])
        return mask is not None and bool(mask[int(other[0])]) and one[1] == other[1]

    return any(
        all(stands_for(r, original[i]) for r, i in zip(released, order, strict=True))
        for order in permutations(range(len(original)), len(released))
    )


def table(rows: list[tuple[str, str]]) -> Table:
    return Table.from_arrow(pa.table({"digit": [r[0] for r in rows], "mark": [r[1] for r in rows]}))


def test_a_matching_is_found_exactly_when_one_exists() -> None:
    rng = np.random.default_rng(11)
    found = 0
    for _ in range(600):
        n = int(rng.integers(2, 6))
        original = [(str(rng.integers(4)), "ab"[rng.integers(2)]) for _ in range(n)]
        m = int(rng.integers(1, n + 1))
        released = [(LABELS[rng.integers(len(LABELS))], "ab"[rng.integers(2)]) for _ in range(m)]
        rows = match_rows(table(released), table(original), [DIGITS])
        assert (rows is not None) == matchable(released, original)
        if rows is not None:
            found += 1
            assert judge_truth(table(released), table(original), [DIGITS], rows).holds
    assert 50 < found < 550


def test_a_label_that_means_nothing_matches_nothing() -> None:
    assert match_rows(table([("about 2", "a")]), table([("2", "a")]), [DIGITS]) is None


def test_truth_fails_when_a_value_is_not_covered_or_a_row_is_used_twice() -> None:
    original = table([("0", "a"), ("3", "b")])
    assert judge_truth(table([("low", "a")]), original, [DIGITS], np.array([0])).holds
    assert not judge_truth(table([("high", "a")]), original, [DIGITS], np.array([0])).holds
    assert not judge_truth(table([("low", "b")]), original, [DIGITS], np.array([0])).holds
    assert not judge_truth(table([("low", "a"), ("low", "a")]), original, [DIGITS], np.array([0, 0])).holds


@pytest.mark.parametrize(
    ("starts", "edges", "supply", "room", "flow"),
    [
        ([0, 2, 3], [1, 0, 1], [1, 1], [1, 1], [0, 1, 1]),  # who stands in the way moves to the first tuple
        ([0, 2, 3], [1, 0, 1], [1, 4], [5, 3], [0, 1, 3]),  # no more is moved away than stands there
        ([0, 1, 2], [0, 0], [2, 2], [3], [2, 1]),  # there is no room for all
    ],
)
def test_a_flow_is_the_greatest_there_is(starts, edges, supply, room, flow):
    found = saturate(*(np.array(part, np.int64) for part in (starts, edges, supply, room)))
    assert found.tolist() == flow


@pytest.mark.parametrize("there", [[], [0], [1, 3], [0, 1, 2, 3]])
def test_a_label_covers_what_it_means_of_what_is_there(there: list[int]) -> None:
    column = Table.from_arrow(pa.table({"digit": LABELS}))["digit"]
    found = coverage(column, DIGITS, np.array(there, np.int64))
    assert found is not None
    for text, mask in zip(column.texts, found, strict=True):
        own = meaning(DIGITS, text)
        assert own is not None
        assert mask.tolist() == own[there].tolist()


def test_labels_over_a_wide_domain_take_no_memory_each() -> None:
    """Masks of the domain for each of a thousand labels took 6 GB."""
    size = 200_000
    wide = AVAILABLE_BUILDERS["intervals"](widths=[100, 1000], domain=[0, size - 1]).build("pay", ["7"], [1])
    labels = [f"[{i}, {size - 1 - i}]" for i in range(0, 20_000, 20)]
    released = Table.from_arrow(pa.table({"pay": labels}))
    original = Table.from_arrow(pa.table({"pay": [str(100_000 + i) for i in range(len(labels))]}))
    tracemalloc.start()
    assert match_rows(released, original, [wide]) is not None
    told = ToldLabels(wide, tuple(labels))
    assert len({told.meaning_of_span(text) for text in told.spans}) == len(labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(labels) * size // 4  # masks of the domain take four times as much


def test_what_labels_cover_takes_no_matrix() -> None:
    """Of as many labels as values, and of two that each cover a run of these: a matrix would have n² cells."""
    n = 3_000
    ages = build_hierarchy("age", {"kind": "intervals", "widths": [n // 2], "domain": [0, n - 1]}, ["1"], [1])
    for level in ages.levels[:2]:
        column = Column("age", np.zeros(0, np.int32), pa.array(level.labels))
        covering(column, ages)  # what is remembered of labels is not counted
        tracemalloc.start()
        cover = covering(column, ages)
        assert cover is not None
        assert cover.apart
        assert cover.label_of().tolist() == level.of_ground.tolist()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 300 * n
    assert covering(Column("age", np.zeros(0, np.int32), pa.array(["no label"])), ages) is None
