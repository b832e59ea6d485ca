"""Cases of which `make test` tries some and `make trust` all, where they come by the same code; and many that are looked at as a few tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import pytest

TOGETHER = 20


def thinned(cases: Iterable[Any], kept: Callable[[int, Any], bool]) -> list[Any]:
    """Return the cases, those that are not kept, by their number and themselves, as long ones; a tuple is several arguments."""
    return [
        case
        if kept(i, case)
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for i, case in enumerate(cases)
    ]


def dealt(*axes: Iterable[Any], every: int) -> list[Any]:
    """Return all combinations; kept is one in so many, dealt so that every value of every axis is met, by turns with the others'.

    What depends on one value of one axis is found by them; what depends on a combination is what the long form is for.
    """
    lists = [list(axis) for axis in axes]
    assert sum(len(axis) >= every for axis in lists) > 1, "some value would not be met"
    places = [sum(place) for place in product(*(range(len(axis)) for axis in lists))]
    return thinned(product(*lists), lambda i, _: places[i] % every == 0)


def many(**cases: Sequence[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a test be run for each value of its one argument, twenty to an item: reporting one takes longer than most that it looks at.

    What fails says for which value it did. Not for a test that skips: the others of its item would be skipped, too.
    """
    ((name, values),) = cases.items()

    def told_for_each(test: Callable[..., None]) -> Callable[..., None]:
        def items(first: int) -> None:
            for value in values[first : first + TOGETHER]:
                try:
                    test(value)
                except BaseException as failed:
                    failed.add_note(f"{test.__name__}: {name} = {value!r}")
                    raise

        items.__name__, items.__doc__, items.__module__ = test.__name__, test.__doc__, test.__module__
        return pytest.mark.parametrize("first", range(0, len(values), TOGETHER))(items)

    return told_for_each
