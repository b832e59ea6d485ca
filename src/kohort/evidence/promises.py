"""The promises and the way of keeping them, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.algorithms import algorithm, guarantee_of
from kohort.card import Card
from kohort.facts.promises import Method, Promise
from kohort.models import PrivacyModel, in_groups
from kohort.plan import Plan
from kohort.third_parties import as_said_by


def method_facts(card: Card, options: Mapping[str, Any]) -> Method:
    """Return what is told of an algorithm with these options."""
    return Method(
        name=card.name,
        summary=card.summary,
        taxonomy=card.taxonomy,
        truthful=card.truthful,
        torn=card.torn,
        covers_all=card.covers_all,
        paper=card.paper,
        guarantee=as_said_by(algorithm(card.name), guarantee_of(card.name, options)),
    )


def promise_facts(plan: Plan, torn: bool) -> tuple[Promise, ...]:
    """Return every promise with what it guarantees."""
    return tuple(_promise(model, torn) for model in plan.require)


def _promise(model: PrivacyModel, torn: bool) -> Promise:
    """Return a promise in words; where a column is torn off it is about groups, and no class is meant."""
    guarantee = as_said_by(type(model), model.card.guarantee)
    return Promise(
        promise=in_groups(model.label) if torn else model.label,
        guarantee=guarantee.replace("classes", "groups").replace("class", "group") if torn else guarantee,
        paper=model.card.paper,
    )
