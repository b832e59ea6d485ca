"""`Attribute`: the columns of a project, each defined once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from kohort.arx.elements import Element
from kohort.errors import InputError

Rows = tuple[tuple[str, ...], ...]
_MOST = 10_000
_ONCE = ("name", "type", "ref", "min", "max", "microAggregationFunction")


@dataclass(frozen=True)
class Attribute:
    """A column: its type, the levels it may be released at, and what else is said of it."""

    name: str
    type: str
    hierarchy: Rows | None  # rows of its level file
    least: str
    greatest: str
    microaggregated: str


def read_attributes(
    definition: Element, levels: Callable[[str], Rows | None], refusal: Callable[[str], InputError]
) -> tuple[Attribute, ...]:
    """Return the columns that a definition tells, with the `levels` of their references.

    A column that is told twice is refused: which of its roles is meant cannot be known, and the milder one would release it.
    """
    told = definition.all("assigment")
    if not told:
        raise refusal("it defines no attribute")
    if len(told) > _MOST:
        raise refusal(f"it defines more than {_MOST:,} attributes")
    if any(len(one.all(name)) > 1 for one in told for name in _ONCE):
        raise refusal("an attribute has two names, types, hierarchies or bounds")
    twice = [name for name, times in Counter(one.get("name") for one in told).items() if times > 1]
    if twice:
        raise refusal(f"it defines the attribute {twice[0][:100]!r} more than once, so its role is not known")
    return tuple(_attribute(one, levels) for one in told)


def _attribute(told: Element, levels: Callable[[str], Rows | None]) -> Attribute:
    return Attribute(
        name=told.get("name"),
        type=told.get("type"),
        hierarchy=levels(told.get("ref")) if told.get("ref") else None,
        least=told.get("min"),
        greatest=told.get("max"),
        microaggregated=told.get("microAggregationFunction"),
    )
