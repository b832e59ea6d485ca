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
