"""`initials`: a text, then its first letter, then nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.card import Card
from kohort.hierarchy import Domain, Hierarchy, Label
from kohort.hierarchy.builder import finished, refuse, told


@dataclass(frozen=True)
class Initials:
    """The values as they are, then their first letter; `upper` writes it large.

    Complexity: linear in the distinct values.

    >>> [level.labels for level in Initials().build("job", ["cook", "clown", "nurse"], [1, 1, 1]).levels]
    [('clown', 'cook', 'nurse'), ('C', 'N'), ('*',)]

    References: none; it is a toy.
    """

    upper: bool = True

    card: ClassVar = Card("initials", "a text, then its first letter", paper="none")

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy; every value must begin with a letter."""
        held = told(texts)
        refuse(name, texts, counts, [text[:1].isalpha() for text in held], "begins with no letter")
        ground = sorted(held)
        first = [text[0].upper() if self.upper else text[0].lower() for text in ground]
        labels = sorted(set(first))
        of_ground = np.array([labels.index(letter) for letter in first], np.int32)
        return finished(name, ground, [Domain(labels, of_ground)], None in texts)
