"""What can be said in public of each promise: judged on the release where that can be, said to be checked where not."""

from __future__ import annotations

from dataclasses import replace

from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.facts.promises import VerdictFacts
from kohort.models import GroupPromise, PrivacyModel, Reference, in_groups
from kohort.models.segments import maxima
from kohort.plan import Plan
from kohort.verification.judges import ONE_ROW, Verdict
from kohort.verification.judges.contents import Contents
from kohort.verification.judges.group_contents import GROUP
from kohort.verification.judges.promises import judged_by
from kohort.verification.judges.shape import PROMISE as SHAPE
from kohort.verification.judges.truth import PROMISE as TRUTH
from kohort.verification.judges.two_tables import no_more_than

BY_HOLDER = "checked by the holder against the original"
IN_ITSELF = "in the release itself; checked by the holder against the original"
BY_PEOPLE = "checked by the holder, who knows which rows are one person's"


def public_verdicts(
    told: Contents, plan: Plan, reference: Reference, card: Card, torn: GroupPromise | None
) -> tuple[VerdictFacts, ...]:
    """Return a verdict on every promise, as far as the released tables show it.

    Nothing is released that does not keep its promises. So what only the holder of the original can judge is
    said to be kept, and who said so; what the tables show is judged on them.
    """
    if torn is not None and told.groups is not None:
        verdicts = _of_groups(told.groups, plan, reference, torn)
    elif plan.input.respondent is not None:
        verdicts = [judged_by(model, Verdict(model.label, True, note=BY_PEOPLE)) for model in plan.require]
    else:
        verdicts = [judged_by(model, _judged(model, reference, told.classes)) for model in plan.require]
    verdicts.append(Verdict(SHAPE, sorted(told.names) == sorted(_declared(told, plan))))
    if card.truthful:
        verdicts.append(Verdict(TRUTH, True, note=BY_HOLDER))
    return tuple(verdict.facts() for verdict in verdicts)


def _of_groups(groups: Classes, plan: Plan, reference: Reference, torn: GroupPromise) -> list[Verdict]:
    """Return the verdicts on promises about groups; they are to people with one row."""
    verdicts = [judged_by(model, _judged(model, reference, groups)) for model in plan.require]
    verdicts = [replace(verdict, promise=in_groups(verdict.promise)) for verdict in verdicts]
    held = groups.sensitive[torn.column]
    most = maxima(held.starts, held.counts)
    verdicts.append(Verdict(no_more_than(torn.l), bool((most * torn.l <= groups.rows).all())))
    if plan.input.respondent is not None:
        verdicts.append(Verdict(ONE_ROW, True, note=BY_PEOPLE))
    return verdicts


def _judged(model: PrivacyModel, reference: Reference, classes: Classes) -> Verdict:
    try:
        bound = model.bind(reference)
        achieved = bound.achieved(classes)
    except InputError:  # it takes a population, a level file or a guard
        return Verdict(model.label, True, note=BY_HOLDER)
    if bound is not model:
        return Verdict(model.label, True, achieved, IN_ITSELF)
    return Verdict(model.label, bound.holds(classes), achieved)


def _declared(told: Contents, plan: Plan) -> tuple[str, ...]:
    return plan.released if told.torn is None else (*(n for n in plan.released if n != told.torn), GROUP)
