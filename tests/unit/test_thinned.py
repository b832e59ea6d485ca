"""What is kept of crossed cases meets every value of every axis, and nothing is lost: the others are long ones."""

from itertools import product

import pytest
from tests.thinned import dealt, many


@pytest.mark.parametrize(("sizes", "every"), [((7, 3), 3), ((2, 5, 4), 4), ((3, 3), 1), ((27, 8, 2), 2)])
def test_every_value_of_every_axis_is_met(sizes: tuple[int, ...], every: int) -> None:
    found = dealt(*map(range, sizes), every=every)
    kept = [case for case in found if not hasattr(case, "marks")]
    long = [case.values for case in found if hasattr(case, "marks")]
    assert sorted(kept + long) == sorted(product(*map(range, sizes)))
    assert [len({case[axis] for case in kept}) for axis in range(len(sizes))] == list(sizes)
    assert len(kept) <= len(found) // every + len(found) // sizes[0]


def test_of_many_that_fail_one_is_named_and_a_test_has_each_once() -> None:
    seen: list[int] = []

    @many(seed=range(45))
    def found(seed: int) -> None:
        seen.append(seed)
        assert seed != 41

    (mark,) = found.pytestmark  # type: ignore[attr-defined]
    for first in mark.args[1][:-1]:
        found(first)
    with pytest.raises(AssertionError) as failed:
        found(mark.args[1][-1])
    assert failed.value.__notes__ == ["found: seed = 41"]
    assert seen == list(range(42))


def test_axes_too_short_to_meet_everything_are_refused() -> None:
    with pytest.raises(AssertionError, match="would not be met"):
        dealt("ab", range(9), every=3)
