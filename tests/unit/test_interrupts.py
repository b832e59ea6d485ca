"""Signals whose exception is dropped on the way are raised once more where a search looks, and nowhere else."""

from __future__ import annotations

import signal
from contextlib import suppress

import pytest

from kohort.algorithms.watch import Watch, unwatched
from kohort.interrupts import (
    ENDING,
    StoppedError,
    heed_signals,
    leave_at_once,
    stop_on_signals,
    uninterrupted,
)

LOOKS = {
    "heed_signals": lambda _: heed_signals(),
    "over": lambda watch: watch.over,
    "update": lambda watch: watch.update("at it"),
    "tell": lambda watch: watch.tell("at it"),
}


def dropped(number: signal.Signals) -> None:
    with suppress(KeyboardInterrupt, StoppedError):
        signal.raise_signal(number)


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
@pytest.mark.parametrize("look", LOOKS)
def test_what_was_dropped_is_raised_at_every_look(number: signal.Signals, look: str) -> None:
    watch: Watch = unwatched()
    with stop_on_signals():
        LOOKS[look](watch)  # nothing came so far
        dropped(number)
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt if number == signal.SIGINT else StoppedError):
                LOOKS[look](watch)
    assert not watch.stop.pulled  # an interrupt is no wish for the best so far
    LOOKS[look](watch)  # whoever calls next is not told of it


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_the_handlers_are_as_before(number: signal.Signals) -> None:
    before = [signal.getsignal(number) for number in ENDING]
    with stop_on_signals():
        dropped(number)
    assert [signal.getsignal(number) for number in ENDING] == before
    with stop_on_signals():
        leave_at_once()  # an end without a signal
    assert [signal.getsignal(number) for number in ENDING] == before


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_once_it_stands_no_signal_of_the_command_line_says_otherwise(number: signal.Signals) -> None:
    before = [signal.getsignal(number) for number in ENDING]
    with stop_on_signals():
        with uninterrupted(for_good=True):
            signal.raise_signal(number)
        signal.raise_signal(number)  # in the moment after
        heed_signals()
    assert [signal.getsignal(number) for number in ENDING] == before


def test_in_python_interrupts_are_heard_again() -> None:
    with uninterrupted(for_good=True):
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
