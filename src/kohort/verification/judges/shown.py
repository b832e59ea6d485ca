"""What released tables show everybody of a promise; what only their holder can judge is said to be judged by him."""

from __future__ import annotations

from kohort.classes import Classes
from kohort.errors import InputError
from kohort.models import PrivacyModel, Reference
from kohort.verification.judges.promises import judged_by
from kohort.verification.judges.verdict import Verdict

BY_HOLDER = "checked by the holder against the original"
IN_ITSELF = "in the release itself; checked by the holder against the original"
BY_PEOPLE = "checked by the holder, who knows which rows are one person's"


def shown_in(classes: Classes, model: PrivacyModel, reference: Reference) -> Verdict:
    """Return the verdict on a promise in classes that everybody sees; `reference` is the release's own distribution."""
    return judged_by(model, _shown(classes, model, reference))


def _shown(classes: Classes, model: PrivacyModel, reference: Reference) -> Verdict:
    try:
        bound = model.bind(reference)
        achieved = bound.achieved(classes)
    except InputError:  # it takes a population, a level file or a guard
        return Verdict(model.label, True, note=BY_HOLDER)
    if bound is not model:
        return Verdict(model.label, True, achieved, IN_ITSELF)
    return Verdict(model.label, bound.holds(classes), achieved)
