"""What classes of several releases leave, against every assignment of values to columns."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.joins import Told, left
from tests.thinned import many

from kohort.classes import natural_join_kernels
from kohort.classes.joined_tuples import Relation
from kohort.classes.natural_join import Joined
from kohort.classes.schemes import circular, connected

COLUMNS = (0, 1, 2, 3)


def draw(rng: np.random.Generator) -> tuple[list[tuple[int, ...]], list[list[list[tuple[int, ...]]]]]:
    """The schemes of a release, and for each of two classes the tuples of each scheme."""
    order = rng.permutation(COLUMNS)[: int(rng.integers(1, 5))]
    cut = int(rng.integers(1, len(order) + 1))
    schemes = [tuple(sorted(map(int, order[:cut]))), *((int(c),) for c in order[cut:])]
    classes = [
        [
            [tuple(map(int, rng.integers(0, 3, len(s)))) for _ in range(int(rng.integers(1, 6)))]
            for s in schemes
        ]
        for _ in range(2)
    ]
    return schemes, classes


def relations(number: int, release: tuple) -> list[Relation]:
    schemes, classes = release
    found = []
    for i, scheme in enumerate(schemes):
        class_of = np.concatenate([np.full(len(held[i]), c) for c, held in enumerate(classes)])
        found.append(
            Relation.of(number, scheme, class_of, np.array([t for held in classes for t in held[i]]))
        )
    return found


def told(release: tuple, at: int) -> list[Told]:
    schemes, classes = release
    return [
        Told([{str(c): str(v) for c, v in zip(scheme, t, strict=True)} for t in classes[at][i]])
        for i, scheme in enumerate(schemes)
    ]


@many(seed=range(150))
def test_the_join_leaves_what_some_assignment_holds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    releases = [draw(rng) for _ in range(int(rng.integers(1, 5)))]
    joined = Joined([r for number, release in enumerate(releases) for r in relations(number, release)])
    vectors = rng.integers(-1, 2, (6, len(releases)))
    vectors = vectors[(vectors >= 0).any(axis=1)]
    found = joined.left(range(len(releases)), vectors, COLUMNS)
    for v, vector in enumerate(vectors):
        known = [told(release, c) for release, c in zip(releases, vector, strict=True) if c >= 0]
        held = {c for parts in known for part in parts for row in part.rows for c in row}
        for column, answer in found.items():
            if str(column) in held:
                expected = left(known, tuple(sorted(held)), str(column))
                assert answer.number[v] == len(expected[0])
                assert answer.number[v] != 1 or {str(answer.value[v])} in expected
                assert not answer.given_up[v]


def triangle() -> Joined:
    """Three columns, two in each release, that agree in pairs and not altogether, but for one tuple."""
    pairs = np.array([[0, 1], [1, 0], [2, 2]])
    return Joined(
        [Relation.of(i, scheme, np.zeros(3), pairs) for i, scheme in enumerate([(0, 1), (1, 2), (0, 2)])]
    )


def test_tuples_that_agree_in_pairs_only_are_dropped() -> None:
    (found,) = triangle().left(range(3), np.zeros((1, 3), np.int64), [0]).values()
    assert (found.number[0], found.value[0], found.given_up[0]) == (1, 2, False)


def test_what_is_too_much_to_try_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(natural_join_kernels, "STEPS", 2)
    plain = natural_join_kernels.join
    monkeypatch.setattr(natural_join_kernels, "join", getattr(plain, "py_func", plain))
    (found,) = triangle().left(range(3), np.zeros((1, 3), np.int64), [0]).values()
    assert (found.number[0], found.given_up[0]) == (3, True)


@pytest.mark.parametrize(
    ("schemes", "round_about"),
    [
        ([(0, 1)], False),
        ([(0, 1), (2,)], False),
        ([(0, 1), (1, 2), (0, 2), (0, 1, 2)], False),
        ([(0, 1), (1, 2), (2, 3), (0, 3)], True),
        ([(0, 1), (1, 2), (0, 2), (4, 5)], True),
    ],
)
def test_which_schemes_go_round_in_a_circle(schemes: list[tuple[int, ...]], round_about: bool) -> None:
    assert circular(schemes) == round_about


def test_parts_are_connected_over_others() -> None:
    parts = connected([frozenset({0, 1}), frozenset({4}), frozenset(), frozenset({2, 3}), frozenset({1, 2})])
    assert sorted(map(sorted, parts)) == [[0, 1, 2, 3], [4]]
