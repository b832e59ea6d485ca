"""The risks of classes and what they tell of sensitive values, as facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from msgspec.structs import replace

from kohort.classes import Classes
from kohort.evidence.grain import significant_above
from kohort.evidence.plain import as_facts
from kohort.facts.figures import Across, Diversity, PersonRisk, Risk
from kohort.models import PrivacyModel, Reference, Room
from kohort.risk.audit import judged
from kohort.risk.several_classes import across


def risks_told(classes: Classes, reference: Reference) -> tuple[Risk, dict[str, Diversity]]:
    """Return the risk of being picked out, and per sensitive column what the worst class tells of it."""
    found = judged(classes, reference)
    told = {name: figures for name, figures in found["sensitive"].items() if figures}
    return as_facts(found["risk"], Risk), as_facts(told, dict[str, Diversity])


def across_told(
    classes: Classes, models: Sequence[PrivacyModel], reference: Reference, columns: Sequence[str]
) -> dict[str, Across]:
    """Return per sensitive column what people's classes leave together, where somebody stands in several."""
    found = {
        name: across(classes, name, _least(models, name), _rooms(models, name), reference.attributes[name])
        for name in columns
    }
    return as_facts({name: asdict(told) for name, told in found.items() if told}, dict[str, Across])


def _least(models: Sequence[PrivacyModel], column: str) -> int:
    """Return how many values a class promises to hold: where a promise is about the column, two at least."""
    gains = [gain.least for model in models for gain in model.demand.gains if gain.column == column]
    return max([1, *(2 for model in models if column in model.reads), *gains])


def _rooms(models: Sequence[PrivacyModel], column: str) -> list[Room]:
    """Return what promises about the likelihoods of a column need; of others than numbers of values nothing is known."""
    about = [model.demand for model in models if column in model.reads]
    rooms = (demand.room or (None if demand.gains else Room()) for demand in about)
    return [room for room in rooms if room is not None]


def rounded_up(rounded: Risk, risk: Risk, digits: int) -> Risk:
    """Return a rounded risk with its bounds to some digits, never less than they are; counts and shares stay."""
    return replace(
        rounded,
        prosecutor=_person_above(risk.prosecutor, digits),
        rows=None if risk.rows is None else _person_above(risk.rows, digits),
        either=None if risk.either is None else _person_above(risk.either, digits),
        marketer=significant_above(risk.marketer, digits),
    )


def _person_above(risk: PersonRisk, digits: int) -> PersonRisk:
    return replace(
        risk,
        highest=significant_above(risk.highest, digits),
        average=significant_above(risk.average, digits),
    )
