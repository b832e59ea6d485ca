"""`ContractError`, and what is demanded of the card of every item."""

from __future__ import annotations

import dataclasses

from kohort.card import Card


class ContractError(AssertionError):
    """An item does not keep what every item of its kind must."""


def demand(holds: bool, what: str) -> None:
    """Raise where something does not hold."""
    if not holds:
        raise ContractError(what)


def demand_card(kind: type) -> Card:
    """Return the card of an item, which must tell what users choose it by."""
    card = getattr(kind, "card", None)
    name = kind.__name__
    if not isinstance(card, Card):
        raise ContractError(f"{name}: card must be a kohort.card.Card")
    demand(
        bool(card.name) and card.name == card.name.lower(),
        f"{name}: the name on its card is what plans say: lower case",
    )
    demand(bool(card.summary) and "\n" not in card.summary, f"{name}: the summary on its card is one line")
    demand(
        dataclasses.is_dataclass(kind),
        f"{name}: it must be a dataclass, whose fields are what a plan may say",
    )
    parameters = getattr(kind, "__dataclass_params__", None)
    demand(
        bool(getattr(parameters, "frozen", False)), f"{name}: it must be frozen: what was checked once stays"
    )
    return card
