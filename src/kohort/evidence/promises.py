"""The promises and the way of keeping them, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.algorithms import algorithm
from kohort.algorithms import guarantee_of as method_guarantee
from kohort.card import Card, where_it_ended
from kohort.facts.promises import Method, Promise
from kohort.models import PrivacyModel, guarantee_of
from kohort.models.plain_words import EACH_ROW, plainly
from kohort.plan import Plan
from kohort.third_parties import as_said_by, package_of
from kohort.verification.judges import Layout, layout

CLASS_BY_CLASS = (
    "kept in each class by itself; who knows several classes of a person with several rows, and that the value is the same in "
    "all, may rule out more by laying them over each other"
)


def method_facts(card: Card, options: Mapping[str, Any]) -> Method:
    """Return what is told of an algorithm with these options."""
    kind, guarantee = algorithm(card.name), method_guarantee(card.name, options)
    if package_of(kind) and not card.covers_all:  # noise is drawn whatever ends a search
        guarantee = where_it_ended(guarantee)
    return Method(
        name=card.name,
        summary=card.summary,
        taxonomy=card.taxonomy,
        truthful=card.truthful,
        torn=layout(card.layout).apart,
        covers_all=card.covers_all,
        paper=card.paper,
        guarantee=as_said_by(kind, guarantee),
        by_objective="objective" in card.heeds,
        leaves_out=card.leaves_out,
    )


def watched_by_promises(plan: Plan) -> tuple[str, ...]:
    """Return the sensitive columns that a promise is about."""
    return tuple(name for name in plan.sensitive if any(name in model.reads for model in plan.require))


def promise_facts(plan: Plan, published: Layout) -> tuple[Promise, ...]:
    """Return every promise with what it guarantees, in the words of what is published."""
    return tuple(
        Promise(
            promise=published.named(model.label),
            guarantee=as_said_by(type(model), published.said(_guarantee(plan, model))),
            paper=model.card.paper,
            plain=as_said_by(type(model), _plainly(plan, model, published)),
        )
        for model in plan.require
    )


def _plainly(plan: Plan, model: PrivacyModel, published: Layout) -> str:
    """Return a promise in a plain sentence; of values, that they are promised class by class where people may be in several."""
    said = plainly(model, published.said("class"), "rows" if plan.input.respondent is None else "people")
    more = f"; who knows several {published.said('classes')} of one person may learn more"
    return f"{said}{more}" if _scattered(plan, model) else said


def _guarantee(plan: Plan, model: PrivacyModel) -> str:
    """Return what follows from a promise, and of whom: of rows, where no respondent is named.

    Where people may stand in several classes, that values are promised class by class.
    """
    said = guarantee_of(model)
    if plan.input.respondent is None:
        return f"{said}; {EACH_ROW}"
    return f"{said}; {CLASS_BY_CLASS}" if _scattered(plan, model) else said


def _scattered(plan: Plan, model: PrivacyModel) -> bool:
    """Tell whether a promise is about values, and people may stand in several classes."""
    return plan.input.respondent is not None and model.card.counts == "values"
