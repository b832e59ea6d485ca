"""`Spelling`: other words for the same labels, where only some of the ground values are released.

How an interval or a masked code is spelled follows from the values there are: `20-29` for whole numbers and `[20, 30)` for
others, `537**` as long as the longest code. Whoever is left out must not show in that. So a hierarchy whose values call for
several spellings knows them all, and a release takes the one that its own values call for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kohort.arrays import BoolArray

if TYPE_CHECKING:
    from kohort.hierarchy.hierarchy import Hierarchy


@dataclass(frozen=True)
class Spelling:
    """The same hierarchy, code by code, with the labels that it would have over some of its ground values."""

    serves: Callable[[str], bool]  # whether a ground value may be among them
    build: Callable[[], Hierarchy]

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy in these words."""
        return self.build()


def spelled_for(hierarchy: Hierarchy, released: BoolArray) -> Hierarchy:
    """Return the hierarchy in the words that the ground values marked as `released` call for by themselves."""
    for spelling in hierarchy.spellings:
        texts = (text for text, told in zip(hierarchy.ground, released.tolist(), strict=True) if told)
        if all(text is None or spelling.serves(text) for text in texts):
            return spelling.hierarchy
    return hierarchy
