"""Every registered item says in its docstring what it promises, what it costs, where it comes from, and shows it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pydoc import locate

import pytest

from kohort.algorithms import ALGORITHMS
from kohort.attacks import ATTACKS
from kohort.engines import ENGINES, engine
from kohort.hierarchy import BUILDERS
from kohort.metrics import METRICS
from kohort.models import MODELS
from kohort.plan.rules import SHAPES, rules_of
from kohort.table.formats import READERS, WRITERS
from kohort.testing import ContractError, check_documented
from kohort.verification.judges.layout import LAYOUTS


def items() -> Iterator[tuple[str, type]]:
    for registry in (METRICS, BUILDERS, ATTACKS):
        yield from registry.items()
    yield from ((name, engine(name)) for name in ENGINES)
    for shape in SHAPES:
        rules = rules_of(shape)
        yield shape, type(rules)
        yield from rules.promises.items()
        yield from rules.algorithms().items()


@pytest.mark.parametrize("kind", [pytest.param(kind, id=name) for name, kind in items()])
def test_an_item_is_documented(kind: type) -> None:
    check_documented(kind)


def test_no_registry_is_left_out() -> None:
    named = {name for name, _ in items()}
    assert {*MODELS, *METRICS, *BUILDERS, *ATTACKS, *ALGORITHMS, *ENGINES, *SHAPES} <= named
    assert all(getattr(kind, "card", None) for name, kind in items() if name not in SHAPES)


@pytest.mark.parametrize("registry", [READERS, WRITERS, LAYOUTS], ids=["readers", "writers", "layouts"])
def test_formats_and_layouts_say_what_they_do(registry: Mapping[str, object]) -> None:
    for name, told in registry.items():
        item = locate(told.replace(":", ".")) if isinstance(told, str) else told
        first = (inspect.getdoc(item) or "").partition("\n")[0]
        assert first.rstrip().endswith((".", ":")), name


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
