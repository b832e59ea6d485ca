"""What can be said in public of each promise: judged on the release where that can be, said to be checked where not."""

from __future__ import annotations

from kohort.facts.promises import VerdictFacts
from kohort.models import Reference
from kohort.plan import Plan
from kohort.verification.judges import Contents, Layout, Verdict
from kohort.verification.judges.declared_columns import PROMISE as SHAPE
from kohort.verification.judges.shown_to_all import BY_HOLDER
from kohort.verification.judges.truth import PROMISE as TRUTH


def public_verdicts(
    told: Contents, plan: Plan, reference: Reference, layout: Layout, truthful: bool
) -> tuple[VerdictFacts, ...]:
    """Return a verdict on every promise, as far as the released tables show it.

    Nothing is released that does not keep its promises. So what only the holder of the original can judge is
    said to be kept, and who said so; what the tables show is judged on them.
    """
    verdicts = layout.shown(told, plan.require, reference, plan.input.respondent is not None)
    verdicts.append(Verdict(SHAPE, sorted(told.names) == sorted(layout.declared(plan.released))))
    if truthful:
        verdicts.append(Verdict(TRUTH, True, note=BY_HOLDER))
    return tuple(verdict.facts() for verdict in verdicts)
