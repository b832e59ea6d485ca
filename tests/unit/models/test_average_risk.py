"""Average risk against plain loops: rows, people, and people of several classes."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from tests.reference.models import written

from kohort.classes import classes_of_rows
from kohort.models import AverageRisk
from kohort.models.average_risk import exact_risk, in_several_classes, risks_of_people

RISKS = (0.2, 0.25, 0.3, 1 / 3, 0.5, 0.6, 1.0)


def risk_of(crowds: list[set[int]]) -> Fraction:
    """Each person once, at the smallest of their classes."""
    people = set().union(*crowds)
    return sum((Fraction(1, min(len(c) for c in crowds if p in c)) for p in people), Fraction(0)) / len(
        people
    )


def failing(crowds: list[set[int]], risk: float) -> list[bool]:
    """Leave the smallest classes out, equal sizes together, until the rest keeps it."""
    for least in sorted({len(crowd) for crowd in crowds}):
        if risk_of([crowd for crowd in crowds if len(crowd) >= least]) <= written(risk):
            return [len(crowd) < least for crowd in crowds]
    return [True] * len(crowds)


@pytest.mark.parametrize("several", [False, True])
def test_classes_are_left_out_as_loops_say(several: bool) -> None:
    chance, seen = Random(3), set()
    for _ in range(250):
        n = chance.randint(2, 14)
        rows = sorted(chance.randrange(chance.randint(1, 5)) for _ in range(n))
        rows = [sorted(set(rows)).index(row) for row in rows]
        who = [chance.randrange(n) if several else i for i in range(n)]
        classes = classes_of_rows(np.array(rows, np.int32)[:, None], {}, np.array(who))[0]
        crowds = [{p for p, row in zip(who, rows, strict=True) if row == c} for c in range(len(classes))]
        shared = sum(map(len, crowds)) > len(set().union(*crowds))
        assert in_several_classes(classes) is shared
        risk = chance.choice(RISKS)
        model = AverageRisk(risk)
        expected = failing(crowds, risk)
        assert model.failing(classes).tolist() == expected, (crowds, risk)
        assert model.holds(classes) is not any(expected)
        assert model.achieved(classes) == pytest.approx(float(risk_of(crowds)), rel=1e-12)
        if shared:
            sizes, risks = risks_of_people(classes)
            for size, found in zip(sizes, risks, strict=True):
                true = risk_of([crowd for crowd in crowds if len(crowd) >= size])
                assert found == pytest.approx(float(true), rel=1e-12)
                assert exact_risk(classes, size) == true
        seen.add((shared, any(expected)))
    assert len(seen) == (4 if several else 2)


def test_rows_without_people_are_in_one_class_each() -> None:
    classes = classes_of_rows(np.array([[0], [0], [1]], np.int32), {})[0]
    assert not in_several_classes(classes)
    assert AverageRisk(0.67).failing(classes).tolist() == [False, False]
    assert AverageRisk(0.66).failing(classes).tolist() == [False, True]
    assert AverageRisk(0.5).failing(classes).tolist() == [False, True]
    assert AverageRisk(0.49).failing(classes).tolist() == [True, True]
