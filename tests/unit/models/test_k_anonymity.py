"""k-anonymity by hand: the smallest case on either side of every bound."""

import numpy as np
import pytest

from kohort.classes import Classes, classes_of_rows
from kohort.errors import InputError
from kohort.models import KAnonymity, Monotone, Reference, bounds_linking


def classes(*sizes: int) -> Classes:
    rows = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)[:, None]
    return classes_of_rows(rows, {})[0]


@pytest.mark.parametrize(
    ("k", "sizes", "failing"),
    [(2, (2, 3), [False, False]), (3, (2, 3), [True, False]), (3, (4, 2), [False, True]), (2, (1,), [True])],
)
def test_a_class_smaller_than_k_fails(k: int, sizes: tuple[int, ...], failing: list[bool]) -> None:
    model = KAnonymity(k).bind(Reference(sum(sizes)))
    assert model.failing(classes(*sizes)).tolist() == failing
    assert model.holds(classes(*sizes)) is not any(failing)
    assert model.achieved(classes(*sizes)) == min(sizes)


def test_nothing_released_breaks_nothing() -> None:
    nothing = classes(2).kept(np.array([False]))
    assert KAnonymity(2).holds(nothing)
    assert KAnonymity(2).achieved(nothing) == float("inf")


@pytest.mark.parametrize("k", [1, 0, -3, True, 2.0, "2", None])
def test_k_must_be_a_whole_number_from_two(k: object) -> None:
    with pytest.raises(InputError, match="whole number of at least 2"):
        KAnonymity(k)  # type: ignore[arg-type]


def test_what_it_says_of_itself() -> None:
    model = KAnonymity(2)
    assert model.label == "2-anonymity"
    assert model.reads == frozenset()
    assert model.monotone == Monotone.GENERALIZATION | Monotone.SUPPRESSION
    assert bounds_linking(model) is True
    assert (model.demand.crowd, model.demand.least_size) == (2, 2)


@pytest.mark.parametrize(("k", "told"), [(2, "1 other"), (5, "4 others")])
def test_it_says_with_how_many_others_everybody_stands(k, told):
    said = KAnonymity(k).plainly("class")
    assert said == f"every class holds at least {k} people, so everybody shares theirs with at least {told}"
