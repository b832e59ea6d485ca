"""t-closeness where products pass 64 bits: no class is granted anything, and both judges agree."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from kohort.classes import Classes, Histogram
from kohort.hierarchy import Hierarchy
from kohort.models import TCloseness
from kohort.models.model import Attribute, Reference
from kohort.verification.judges.definitions.distances import DISTANCES
from kohort.verification.judges.definitions.exact import above, written
from kohort.verification.judges.definitions.tally import Entries
from kohort.verification.judges.definitions.whole import Whole

ILLS = ("a", "b", "c", "d")
HEADS = Hierarchy.from_rows("ill", [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*")])
MANY = 10**10  # people of one value in the table: products pass 64 bits


def judged(counts: list[list[int]], distance: str, t: float, size: int) -> tuple[list[bool], list[bool]]:
    """Which classes are farther than t: by the model, and by the definition."""
    totals = np.array([1, 2, 3, 4], np.int64) * size
    attribute = Attribute("ill", ILLS, totals, HEADS, HEADS.encode(ILLS))
    held = np.array(counts, np.int64)
    owners, values = np.nonzero(held)
    histogram = Histogram.of(owners, values.astype(np.int32), len(held), 4, held[owners, values])
    rows = held.sum(axis=1)
    classes = Classes(np.arange(len(held), dtype=np.int32)[:, None], (0,), rows, rows, {"ill": histogram})
    model = TCloseness(t, "ill", distance).bind(Reference(int(totals.sum()), {"ill": attribute}))
    whole = Whole(ILLS, totals, hierarchy=HEADS, ground=attribute.ground)
    work, unit = DISTANCES[distance](Entries(owners, values, held[owners, values]), totals, whole)
    return model.failing(classes).tolist(), above(work, unit, written(t)).tolist()


def exact_distance(counts: list[int], distance: str) -> Fraction:
    """The distance from 1 : 2 : 3 : 4 by hand."""
    apart = [Fraction(c, sum(counts)) - Fraction(i + 1, 10) for i, c in enumerate(counts)]
    if distance == "equal":
        return sum((max(one, Fraction(0)) for one in apart), Fraction(0))
    if distance == "ordered":
        return sum((abs(sum(apart[: i + 1], Fraction(0))) for i in range(4)), Fraction(0)) / 3
    heads = [apart[0] + apart[1], apart[2] + apart[3]]
    return (sum(max(o, Fraction(0)) for o in apart) + sum(max(o, Fraction(0)) for o in heads)) / 2


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_class_at_its_threshold_passes_and_one_record_more_fails_however_large_the_numbers_are(distance):
    size = 10**13  # of the class: one record more is a rise below 1e-12
    at_t = [3 * size, 2 * size, 3 * size, 2 * size]
    t = float(exact_distance(at_t, distance))
    assert written(t) == exact_distance(at_t, distance), "the threshold can be written"
    more, less = (
        [3 * size + 1, 2 * size, 3 * size, 2 * size - 1],
        [3 * size - 1, 2 * size, 3 * size, 2 * size + 1],
    )
    told = [exact_distance(counts, distance) > written(t) for counts in (at_t, more, less)]
    assert told == [False, True, False]
    by_model, by_definition = judged([at_t, more, less], distance, t, 10**14)
    assert by_model == by_definition == told


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("size", [1, 10**6, MANY, 10**17])
def test_both_judges_agree_at_every_size_of_the_table(distance, size):
    rng = np.random.default_rng(7)
    counts = rng.integers(0, 12, (60, 4))
    counts[:, 0] += 1
    for t in sorted({float(exact_distance(row.tolist(), distance)) for row in counts[:12]}):
        model, definition = judged(counts.tolist(), distance, t, size)
        told = [exact_distance(row.tolist(), distance) > written(t) for row in counts]
        alone = (counts.sum(axis=1) < 2).tolist()
        assert model == [one or lone for one, lone in zip(told, alone, strict=True)]
        assert definition == told
