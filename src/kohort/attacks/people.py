"""Whom an intruder knows."""

from __future__ import annotations

from kohort.attacks.target import Outside, Target


def known_people(target: Target) -> Outside | None:
    """Return whom the intruder knows: an outside table, or everybody in the original by quasi-identifiers."""
    if target.outside is not None:
        return target.outside
    if target.original is None:
        return None
    on = tuple(name for name in target.quasi if name in target.original.columns)
    return Outside(target.original, on, counts=target.original_counts) if on else None


def known_across(target: Target) -> Outside | None:
    """Return whom the intruder knows who lays releases over each other: by the quasi-identifiers of all of them.

    What one release calls sensitive nobody is taken to know because another calls it a quasi-identifier.
    """
    people = known_people(target)
    if people is None or target.original is None or target.outside is not None:
        return people
    sensitive = {name for release in (target, *target.others) for name in release.sensitive}
    more = (name for other in target.others for name in other.quasi if name not in sensitive)
    on = dict.fromkeys((*people.on, *(name for name in more if name in target.original.columns)))
    return Outside(target.original, tuple(on), counts=target.original_counts)
