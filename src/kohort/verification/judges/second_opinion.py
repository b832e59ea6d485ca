"""What a promise's own definition says of classes, and what it is told of the whole table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kohort.classes import Classes
from kohort.models import Attribute, PrivacyModel, Reference
from kohort.third_parties import package_of
from kohort.verification.judges.definitions import Counted, Finding, Whole, definition_of
from kohort.verification.judges.definitions.tally import Entries


def second_opinion(model: PrivacyModel, counted: Counted) -> Finding | None:
    """Return what a model's definition says; of another package's model what its own `judge` does, None where it has none."""
    judge = _second_judge(model)
    return None if judge is None else judge(counted)


def judges_itself(model: PrivacyModel) -> bool:
    """Whether there is nobody but the model itself to say if its promise is kept."""
    return _second_judge(model) is None


def _second_judge(model: PrivacyModel) -> Callable[[Counted], Finding] | None:
    definition = None if package_of(type(model)) else definition_of(model.card.name)
    if definition is not None:
        return partial(definition, model)
    judge: Callable[[Counted], Finding] | None = getattr(model, "judge", None)
    return judge


def counted_classes(classes: Classes, reference: Reference) -> Counted:
    """Return classes of rows that are told in public, as the definitions take them."""
    values = {
        name: Entries(held.owners, held.values, held.counts) for name, held in classes.sensitive.items()
    }
    wholes = {name: whole_of(attribute) for name, attribute in reference.attributes.items()}
    return Counted(classes.rows, classes.sizes, values, wholes=wholes)


def whole_of(attribute: Attribute) -> Whole:
    """Return what is known of a column over the whole table, as the definitions take it."""
    pairs = None if attribute.pairs is None else (attribute.pairs.person, attribute.pairs.value)
    return Whole(attribute.labels, attribute.totals, pairs, attribute.hierarchy, attribute.ground)
