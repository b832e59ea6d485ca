"""Stopped whenever and by whomever: a verified release with an honest gap, or an error that says so."""

from __future__ import annotations

import signal
import threading
from functools import cache
from itertools import count
from typing import Any

import pytest
from tests.contract.test_algorithms import frame_for, plan_for
from tests.thinned import dealt

import kohort
from kohort.algorithms import ALGORITHMS, Silent, Standing, watch
from kohort.algorithms.watch import Watch
from kohort.facts.release import of_table
from kohort.release.release import Release
from kohort.stopping import Stop

ENDLESS = {  # options with which a search does not end by itself within any test
    "annealing": {"coolings": 10**9},
    "hill-climbing": {"rounds": 10**9},
    "genetic": {"children": 10**9},
}
NAMED = (kohort.InfeasibleError, kohort.UnfinishedError)
PROVING = {"optimal", "mingen", "columns", "k-optimize"}
ONE_ACT = {  # which nothing cuts short, for k-anonymity or on tables as small as these
    "outliers", "univariate", "dp-mdav", "anatomy", "mondrian", "mondrian-relaxed", "cells-exact",
}  # fmt: skip


def unlimited(name: str, **recode: Any) -> kohort.Plan:
    """The battery's plan without a time limit, and with little suppression, so that there is something to search."""
    usual = {"recode.time_limit": recode.pop("time_limit", None), "recode.max_suppression": 0.05}
    return plan_for(name).with_settings(usual | recode)


class Puller(Silent):
    """Pulls the token at the n-th report, or raises KeyboardInterrupt there, as Ctrl-C in a watcher's code does."""

    def __init__(self, patience: int, raising: bool = False) -> None:
        super().__init__()
        self.patience, self.raising = patience, raising
        self.told: list[Standing] = []

    def update(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        standing: Standing | None = None,
    ) -> None:
        if standing is None:  # not of a search
            return
        self.told.append(standing)
        if len(self.told) == self.patience:
            if self.raising:
                raise KeyboardInterrupt
            self.stop.pull()


@cache
def least(name: str) -> float | None:
    """The least score, where the algorithm proves it when nobody stops it."""
    facts = kohort.anonymize(frame_for(name), unlimited(name)).facts
    return facts.score if facts.optimal else None


def check(release: Release, name: str) -> None:
    """Whatever stopped it: promises hold, the gap is a share, and nothing is called optimal that is not proved so."""
    assert all(verdict.holds for verdict in release.verdicts)
    facts = of_table(release.facts)
    search, score = facts.search, facts.score or 0.0
    if search.gap is not None:
        assert 0 <= search.gap <= 1
        assert search.bound is not None
        assert search.bound <= score + 1e-9
    if facts.optimal:
        assert search.stopped is None
    best = least(name) if name in PROVING else None
    if best is not None:
        assert score == pytest.approx(best) if facts.optimal else score >= best - 1e-9
        assert search.bound is None or search.bound <= best + 1e-9


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_token_pulled_before_the_start(name: str) -> None:
    stop = Stop()
    stop.pull()
    try:
        release = kohort.anonymize(frame_for(name), unlimited(name), stop=stop)
    except NAMED:
        assert name == "outliers"  # every other has something to release at once
        return
    check(release, name)
    assert name in ONE_ACT or release.facts.search.stopped == "asked" or release.facts.optimal


@pytest.mark.parametrize(
    ("name", "patience", "how"), dealt(ALGORITHMS, (1, 2, 5), ("pulled", "KeyboardInterrupt"), every=2)
)
def test_a_token_pulled_after_some_reports(name: str, patience: int, how: str) -> None:
    raising = how == "KeyboardInterrupt"
    puller = Puller(patience, raising)
    try:
        release = kohort.anonymize(frame_for(name), unlimited(name), puller)
    except NAMED:
        return
    check(release, name)
    assert release.facts.search.stopped in (None, "interrupt" if raising else "asked")


@pytest.mark.parametrize("looks", [1, 4, 30])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_deadline_by_a_clock_that_counts_looks(
    name: str, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()
    monkeypatch.setattr(watch, "monotonic", lambda: float(next(ticks)))
    monkeypatch.setattr(watch.kernel_time, "seconds", lambda: 0.0)
    try:
        release = kohort.anonymize(frame_for(name), unlimited(name, time_limit=float(looks)))
    except NAMED:
        return
    monkeypatch.undo()
    check(release, name)
    assert release.facts.search.stopped in (None, "time_limit")


@pytest.mark.parametrize("name", ENDLESS)
def test_an_endless_search_ends_when_another_thread_pulls(name: str) -> None:
    stop, searching = Stop(), threading.Event()

    class Watcher(Silent):
        def update(self, *told: object) -> None:
            if len(told) > 1 and told[-1] is not None:  # a search, and nothing before it
                searching.set()

    def pull() -> None:
        searching.wait()
        stop.pull()

    thread = threading.Thread(target=pull)
    thread.start()
    release = kohort.anonymize(
        frame_for(name), unlimited(name, **{"recode.options": ENDLESS[name]}), Watcher(), stop=stop
    )
    thread.join()
    check(release, name)
    assert release.facts.search.stopped == "asked"
    assert 0 <= release.facts.search.gap <= 1


@pytest.mark.parametrize("name", ENDLESS)
def test_the_first_interrupt_ends_the_search_and_the_second_everything(name: str) -> None:
    class Impatient(Silent):
        """Presses Ctrl-C at the first report of the search, and again so many reports of the pipeline later."""

        def __init__(self, again: bool) -> None:
            super().__init__()
            self.again = again

        def update(self, note: str, *told: object) -> None:
            searching = bool(told) and told[-1] is not None
            if searching and not self.stop.pulled:
                signal.raise_signal(signal.SIGINT)
            if self.again and note == "recoding the rows":
                signal.raise_signal(signal.SIGINT)

    plan = unlimited(name, **{"recode.options": ENDLESS[name]})
    release = kohort.anonymize(frame_for(name), plan, Impatient(again=False))
    check(release, name)
    assert release.facts.search.stopped == "interrupt"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        kohort.anonymize(frame_for(name), plan, Impatient(again=True))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_interrupt_in_the_search_is_not_swallowed() -> None:
    class Impatient(Silent):
        def update(self, *told: object) -> None:
            if told[-1] is not None and len(told) > 1:
                raise KeyboardInterrupt

    looking = Watch(Impatient(), Stop())
    looking.progress.stop = looking.stop
    looking.update("once")
    assert looking.stop.reason == "interrupt"
    with pytest.raises(KeyboardInterrupt):
        looking.update("twice")


@pytest.mark.parametrize("name", ALGORITHMS)
def test_progress_tells_how_the_search_stands(name: str) -> None:
    watcher = Puller(0)
    try:
        release = kohort.anonymize(frame_for(name), unlimited(name), watcher)
    except NAMED:
        assert name == "outliers"
        return
    assert name in ONE_ACT or watcher.told
    for standing in watcher.told:
        assert standing.elapsed >= 0
        assert standing.gap is None or 0 <= standing.gap <= 1
        if standing.best is not None and standing.bound is not None:
            assert standing.bound <= standing.best
    best = [standing.best for standing in watcher.told if standing.best is not None]
    assert name not in PROVING or release.facts.score <= min(best, default=float("inf")) + 1e-9


def test_a_frontier_ends_with_the_point_in_hand() -> None:
    plan = unlimited("annealing", **{"recode.options": ENDLESS["annealing"]})
    points = kohort.frontier(frame_for("annealing"), plan, "require.0.k", [2, 3, 5], Puller(1)).to_pylist()
    assert [point["value"] for point in points] == [2]
    assert points[0]["stopped"] == "asked"
    assert 0 <= points[0]["gap"] <= 1
