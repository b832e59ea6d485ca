"""The attacks that need nothing but a release, for the private report that is written with it."""

from __future__ import annotations

from msgspec.structs import replace

from kohort.attacks import ATTACKS, attacked
from kohort.attacks.attacked_release import release_alone
from kohort.errors import InputError
from kohort.release.draft import Draft
from kohort.release.published import Facts

MOST = 50_000  # released rows up to which nobody waits for it
LATER = "kohort attack RELEASE, which takes longer"


def looked_at(draft: Draft, facts: Facts) -> Facts:
    """Return the facts with what whoever has nothing but the release learns from its classes; as they are where nobody looks.

    Attacks that look at single rows, or need more than the release, are told as not run: they take longer.
    """
    if "attack" not in draft.plan.rules.offers or facts.released > MOST:
        return facts
    try:
        target = release_alone(draft)
    except InputError:  # an engine has the rows
        return facts
    quick = [
        name for name, kind in ATTACKS.items() if kind.card.decides == "class" and not kind().lacks(target)
    ]
    outcome = attacked(target, draft.plan, quick)
    return replace(
        facts,
        attacks=tuple(replace(finding.facts(), attack=finding.label) for finding in outcome.found),
        attacks_not_applicable=outcome.not_applicable,
        attacks_not_run={name: LATER for name in ATTACKS if name not in quick},
    )
