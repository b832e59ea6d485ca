"""Whether released labels can be read by what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.attacks.target import Target
from kohort.hierarchy import Label, meaning
from kohort.hierarchy.numerals import is_number

PERTURBED = "generalized values; this release is perturbed"  # what attacks by meaning lack


def perturbed(target: Target, on: Sequence[str]) -> bool:
    """Tell whether released values are not generalizations: as told, or as a number without meaning shows."""
    return not target.truthful or any(is_number(str(text)) for name in on for text in _unread(target, name))


def unread(target: Target, on: Sequence[str]) -> str:
    """Return what attacks by meaning lack: that labels are perturbed, or that some cannot be read; nothing where they can."""
    if perturbed(target, on):
        return PERTURBED
    for name in on:
        if _unread(target, name):
            return (
                f"the values that {name} was generalized from: by those at hand some of its released labels mean nothing; name the "
                "original, or the plan whose folder has its hierarchies"
            )
    return ""


def _unread(target: Target, name: str) -> list[Label]:
    hierarchy = target.hierarchies.get(name)
    texts = () if hierarchy is None else target.released[name].texts
    return [text for text in texts if hierarchy is not None and meaning(hierarchy, text) is None]
