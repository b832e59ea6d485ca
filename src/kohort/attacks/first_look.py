"""The attacks that need nothing but a release, for the report that is written with it."""

from __future__ import annotations

from kohort.attacks import ATTACKS, Outcome, attacked
from kohort.attacks.attacked_release import release_alone
from kohort.errors import InputError
from kohort.release.release import Release

MOST = 50_000  # released rows up to which nobody waits for it
LATER = "kohort attack RELEASE, which takes longer"


def first_look(release: Release) -> Outcome | None:
    """Return what whoever has nothing but the release learns from its classes; None where that is not looked at here.

    Attacks that look at single rows, or need more than the release, are told as not run: they take longer.
    """
    if "attack" not in release.plan.rules.offers or release.facts.released > MOST:
        return None
    try:
        target = release_alone(release)
    except InputError:  # an engine has the rows
        return None
    quick = [
        name for name, kind in ATTACKS.items() if kind.card.decides == "class" and not kind().lacks(target)
    ]
    outcome = attacked(target, release.plan, quick)
    return outcome._replace(lacking={name: LATER for name in ATTACKS if name not in quick})
