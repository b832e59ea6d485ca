"""What a plan asks for and an algorithm, by its own card, does not keep: refused by name, never ignored."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.algorithms import able
from kohort.algorithms.taxonomy import USUAL
from kohort.card import Card
from kohort.errors import InputError
from kohort.models import MODELS, PrivacyModel, sizes_decide
from kohort.models.of_people import OfPeople


def refuse_models(models: Sequence[PrivacyModel], card: Card) -> None:
    """Refuse promises that the algorithm cannot keep."""
    for model in models:
        if model.card.levels and not card.levels:
            raise InputError(
                f"[[require]] {model.card.name} needs an algorithm that generalizes whole columns to one level each, and "
                f'{card.name} does not; use algorithm = "{USUAL}"',
                code="algorithm.cannot-keep",
                algorithm=card.name,
                models=[model.label],
            )
    others = [model.label for model in models if not sizes_decide([model])]
    if card.keeps == "sizes" and others:
        kept = ", ".join(
            name for name, kind in MODELS.items() if kind.card.counts == "people" and kind.card.classwise
        )
        raise InputError(
            f"[recode] algorithm: {card.name} keeps {kept} only and cannot keep {', '.join(others)}; choose one that "
            f"does: {_others(card)}",
            code="algorithm.cannot-keep",
            algorithm=card.name,
            models=others,
        )


def refuse_people(respondent: str | None, models: Sequence[PrivacyModel], card: Card) -> None:
    """Refuse to count people where the algorithm counts records, or relies on what only single rows of people keep.

    Whether somebody has several rows is not asked: that a plan was accepted would tell it, of those who were left out too.
    """
    if respondent is None:
        return
    if card.respondents == "nobody":
        raise InputError(
            f"[input] respondent: {card.name} counts records, and the plan counts respondents; leave it out, or choose "
            f"one that counts them: {_others(card)}",
            code="algorithm.respondents",
            algorithm=card.name,
            section="input",
            option="respondent",
        )
    values = [model.label for model in models if isinstance(model, OfPeople)]
    if card.keeps == "monotone" and values:
        raise InputError(
            f"[recode] algorithm: {card.name} relies on promises that stay kept when a table is generalized further, which "
            f"{', '.join(values)} {'do' if len(values) > 1 else 'does'} not where people may have several rows; "
            f"use the algorithm {USUAL!r}",
            code="algorithm.cannot-keep",
            algorithm=card.name,
            models=values,
        )


def _others(card: Card) -> str:
    """Return the algorithms that recode alike and keep every promise, about people too."""
    return ", ".join(
        able(
            lambda other: (
                other.taxonomy == card.taxonomy and other.keeps == "all" and other.respondents == "several"
            )
        )
    )
