"""Every registered item says in its docstring what it promises, what it costs, where it comes from, and shows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kohort.algorithms import ALGORITHMS, algorithm
from kohort.attacks import ATTACKS
from kohort.engines import ENGINES, engine
from kohort.hierarchy import BUILDERS
from kohort.metrics import METRICS
from kohort.models import MODELS
from kohort.plan.rules import SHAPES, rules_of
from kohort.testing import ContractError, check_documented


def items() -> Iterator[tuple[str, type]]:
    for registry in (MODELS, METRICS, BUILDERS, ATTACKS):
        yield from registry.items()
    yield from ((name, algorithm(name)) for name in ALGORITHMS)
    yield from ((name, engine(name)) for name in ENGINES)
    yield from ((name, type(rules_of(name))) for name in SHAPES)


@pytest.mark.parametrize("kind", [pytest.param(kind, id=name) for name, kind in items()])
def test_an_item_is_documented(kind: type) -> None:
    check_documented(kind)


class Whole:
    """All there is to say.

    Complexity: linear in the words.

    >>> 1 + 1
    2

    References: Whoever, W. On everything. 2020.
    """


def test_a_whole_docstring_passes() -> None:
    check_documented(Whole)


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("Complexity: linear", "linear"),
        ("Complexity: linear in the words.", "Complexity: "),
        ("References:", "See"),
        (">>> 1 + 1\n    2\n", ""),
        (">>> 1 + 1\n    2\n", ">>> two = 1 + 1\n"),
        ("    2\n", "    3\n"),
        (">>> 1 + 1", ">>> nobody_knows"),
        ("All there is to say.", "All there is to say"),
    ],
)
def test_what_is_missing_or_wrong_is_found(said: str, instead: str) -> None:
    text = Whole.__doc__ or ""
    assert said in text
    kind = type("Lacking", (), {"__doc__": text.replace(said, instead), "__module__": __name__})
    with pytest.raises(ContractError, match="Lacking"):
        check_documented(kind)
