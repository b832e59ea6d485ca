"""Codes whose characters are hidden one after the other: `53711` → `5371*` → `537**` → … → `*`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.builder import finished, told
from kohort.hierarchy.hierarchy import Domain, Hierarchy, Label, Scale, domain_of


@dataclass(frozen=True)
class Mask:
    """Each level hides more characters, from the right or from the left.

    `steps` are the numbers of characters hidden at the levels, by default 1, 2, … as long as more than
    `keep` stay (and at least one); then comes the root `*`. Values of unequal length are filled up with
    `char` on the side that is hidden to the length of the longest before they are masked: hidden from
    the right, `I10` and `I25.1` become `I10**` and `I25.*`, then `I10**` and `I25**`. So a level tells
    the first (or last) characters and never the length. Numbers of unequal length are better served by
    `intervals`.
    """

    char: str = "*"
    side: Literal["right", "left"] = "right"
    keep: int = 0
    steps: list[int] | None = None

    card: ClassVar[Card] = Card(
        "mask",
        "characters of a code hidden from the right or the left, such as ZIP codes",
        words=(("steps", "{} characters hidden"),),
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:  # noqa: ARG002
        """Return the hierarchy over the values of the table."""
        ground = sorted(told(texts))  # codes, not quantities: their order is that of their characters
        longest = max(map(len, ground), default=0)
        levels: list[Domain] = []
        labels, of_ground = ground, None
        for hidden in self._hidden(name, longest):
            shorter = longest - hidden
            domain = domain_of([self._masked(label, shorter, longest) for label in labels])
            of_ground = domain.of_ground if of_ground is None else domain.of_ground[of_ground]
            levels.append(Domain(domain.labels, of_ground, name=f"{hidden} hidden"))
            labels = [str(label) for label in domain.labels]
        if levels:
            levels.append(Domain(["*"], levels[-1].of_ground * 0))
        return finished(name, ground, levels, None in texts, Scale(declared=False))

    def _masked(self, label: str, shown: int, longest: int) -> str:
        if self.side == "right":
            return label[:shown].ljust(longest, self.char)
        return label.rjust(longest, self.char)[longest - shown :].rjust(longest, self.char)

    def _hidden(self, name: str, longest: int) -> Sequence[int]:
        if len(self.char) != 1:
            raise InputError(f'column {name!r}: hierarchy.char must be one character, such as "*"')
        if self.keep < 0:
            raise InputError(f"column {name!r}: hierarchy.keep is {self.keep}; it must be 0 or more")
        if self.steps is None:
            return range(1, longest - max(self.keep, 1) + 1)
        if not self.steps or self.steps[0] < 1 or any(low >= high for low, high in pairwise(self.steps)):
            raise InputError(
                f"column {name!r}: hierarchy.steps must be ascending numbers of characters to hide, such as "
                "[1, 2, 3]"
            )
        if self.steps[-1] > longest - self.keep:
            raise InputError(
                f"column {name!r}: hierarchy.steps hides {self.steps[-1]} characters where the longest value "
                f"has {longest} and {self.keep} are to be kept"
            )
        return [step for step in self.steps if step < longest]  # hiding all of them is the root
