"""What released tables show everybody of a promise; what only their holder can judge is said to be judged by him."""

from __future__ import annotations

from kohort.classes import Classes
from kohort.errors import InputError, VerificationError
from kohort.models import PrivacyModel, Reference, scale_of
from kohort.third_parties import package_of
from kohort.verification.judges.definitions import Finding
from kohort.verification.judges.promises import asks_population, judged_by, made_by
from kohort.verification.judges.second_opinion import counted_classes, second_opinion
from kohort.verification.judges.verdict import Verdict

BY_HOLDER = "checked by the holder against the original"
BY_POPULATION = "checked by the holder against the population"
IN_ITSELF = "{}promised is the figure against the original, which the holder checked"
BY_PEOPLE = "checked by the holder, who knows which rows are one person's"


def shown_in(classes: Classes, model: PrivacyModel, reference: Reference) -> Verdict:
    """Return the verdict on a promise in classes that everybody sees; `reference` is the release's own distribution."""
    return judged_by(model, _shown(classes, model, reference))


def _shown(classes: Classes, model: PrivacyModel, reference: Reference) -> Verdict:
    try:
        bound = model.bind(reference)
        found = Finding(bound.holds(classes), bound.achieved(classes))
    except InputError:  # it takes a population, a level file or a guard
        return Verdict(model.label, True, note=BY_POPULATION if asks_population(model) else BY_HOLDER)
    second = second_opinion(model, counted_classes(classes, reference))
    if second is not None and not found.agrees(second):
        raise disagreement(model)
    # what another package's model looked up in the release may be what it promises of the original
    if model.card.compares or (bound is not model and package_of(type(model))):
        scale = scale_of(bound)
        note = IN_ITSELF.format(f"{scale}; " if scale else "")
        return Verdict(model.label, True, note=note, in_itself=found.achieved)
    if bound is not model and not _declared(model, reference):
        return Verdict(model.label, True, note=BY_HOLDER)
    return Verdict(model.label, found.holds, found.achieved)


def _declared(model: PrivacyModel, reference: Reference) -> bool:
    """Whether no hierarchy that a model may look at depends on values, of which some may have been left out."""
    read = [reference.attributes[name] for name in model.reads if name in reference.attributes]
    return all(attribute.hierarchy is None or attribute.hierarchy.declared for attribute in read)


def disagreement(model: PrivacyModel) -> VerificationError:
    """Return what is said where a model and its definition tell different things of what everybody sees."""
    package = package_of(type(model))
    return VerificationError(
        f"{model.label}: what is told of it in public is not what its definition says; nothing was released: the two judges of "
        f"{made_by(model)} disagree, which is a bug, please report it with the plan",
        code="verify.failed",
        **({"package": package} if package else {}),
    )
