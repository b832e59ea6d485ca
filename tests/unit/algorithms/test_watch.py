"""The watch of a search: its clock, its token and what it tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.algorithms import Silent, Standing, watch
from kohort.algorithms.algorithm import relative_gap
from kohort.algorithms.watch import Watch, unwatched
from kohort.stopping import Stop

SCORES = st.floats(-1e12, 1e12, allow_nan=False)


@given(SCORES, SCORES)
def test_a_gap_is_a_share_and_nothing_only_at_the_bound(score: float, bound: float) -> None:
    gap = relative_gap(score, bound)
    assert 0 <= gap <= 1
    assert (gap == 0) == (score <= bound)


def test_a_gap_is_what_could_be_saved_of_the_score() -> None:
    assert relative_gap(4.0, 3.0) == 0.25
    assert relative_gap(-50.0, -100.0) == 0.5
    assert relative_gap(1.0, -1.0) == 1.0
    assert Standing(0.0, 4.0, 3.0).gap == 0.25
    assert Standing(0.0, 4.0).gap is None


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    times = {"now": 100.0, "compiling": 7.0}
    monkeypatch.setattr(watch, "monotonic", lambda: times["now"])
    monkeypatch.setattr(watch.kernel_time, "seconds", lambda: times["compiling"])
    return times


def test_the_clock_stands_still_while_kernels_are_compiled(clock: dict[str, float]) -> None:
    looking = Watch(Silent(), Stop(), 2.0)
    clock["now"], clock["compiling"] = 110.0, 16.0
    assert looking.elapsed == 1.0
    assert looking.left == 1.0
    assert not looking.over
    clock["now"] = 111.0
    assert looking.over
    assert looking.facts() == {"stopped": "time_limit"}


def test_once_over_always_over_and_the_first_reason_counts(clock: dict[str, float]) -> None:
    looking = Watch(Silent(), Stop(), 1.0)
    looking.stop.pull("interrupt")
    looking.stop.pull()
    assert looking.over
    clock["now"] += 5
    assert looking.facts(4.0, 3.0) == {"stopped": "interrupt", "bound": 3.0, "gap": 0.25}
    assert "it was interrupted before" in str(looking.unfinished("optimal"))


def test_what_is_not_known_is_not_told() -> None:
    looking = unwatched()
    assert not looking.over
    assert looking.left is None
    assert looking.facts(4.0, -float("inf")) == {}
    assert looking.facts(4.0, 5.0) == {"bound": 4.0, "gap": 0.0}


def test_kernels_that_are_compiled_are_counted() -> None:
    from numba import njit

    before = watch.kernel_time.seconds()
    njit(lambda x: x + 1)(1)
    assert watch.kernel_time.seconds() > before
