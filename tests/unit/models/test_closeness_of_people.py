"""Distances where people have several rows, class by class, against the twins."""

import numpy as np
import pytest
from tests.reference import people as twin
from tests.reference.worlds import ORDER, PATHS, World, world

from kohort.models import TCloseness


def twins(found: World, column: str, distance: str) -> list[float]:
    table = found.table(column)
    occurring = {value for _, value in table}
    order = [value for value in ORDER[column] if value in occurring]
    paths = {value: PATHS[column][value] for value in occurring}
    measure = {
        "equal": lambda rows: twin.equal(rows, table),
        "ordered": lambda rows: twin.ordered(rows, table, order),
        "hierarchical": lambda rows: twin.hierarchical(rows, table, paths),
    }[distance]
    return [float(measure(rows)) for rows in found.rows(column)]


@pytest.mark.parametrize("column", ["disease", "income"])
@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_every_class_is_as_far_as_its_twin_says(distance: str, column: str) -> None:
    rng = np.random.default_rng(17)
    for _ in range(25):
        found = world(rng, 14, several=True)
        expected = twins(found, column, distance)
        model = TCloseness(0.3, column, distance).bind(found.reference)
        assert model.distances(found.classes).tolist() == pytest.approx(expected, abs=1e-12)
        assert model.achieved(found.classes) == pytest.approx(max(expected), abs=1e-12)
        alone = [len(twin.held(rows)) < 2 for rows in found.rows(column)]
        close = [d <= 0.3 + 1e-12 for d in expected]
        assert model.failing(found.classes).tolist() == [
            a or not c for a, c in zip(alone, close, strict=True)
        ]
