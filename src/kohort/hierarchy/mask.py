"""Codes whose characters are hidden one after the other: `53711` → `5371*` → `537**` → … → `*`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from kohort.arrays import IntArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.builder import finished, refuse, told
from kohort.hierarchy.domain import Domain, Label, domain_of
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.scale import Scale
from kohort.hierarchy.spelling import Spelling
from kohort.plurals import many

LONGEST = 1_000  # characters of a code
MOST_SIGNS = 4_000_000_000  # of all labels together; ten million codes of twenty have as many


@dataclass(frozen=True)
class Mask:
    """Each level hides more characters, from the right or from the left.

    `steps` are the numbers of characters hidden at the levels, by default 1, 2, … as long as more than
    `keep` stay (and at least one); then comes the root `*`. Values of unequal length are filled up with
    `char` on the side that is hidden to the length of the longest before they are masked: hidden from
    the right, `I10` and `I25.1` become `I10**` and `I25.*`, then `I10**` and `I25**`. So a level tells
    the first (or last) characters and never the length. A step that hides all there is, or more, is the
    root. Numbers of unequal length are better served by `intervals`. The longest is that of the values
    released, unless `length` declares it: then no longer value is accepted, and nothing about the levels
    follows from the table. A plan with `min_level` must declare it: a longer value of somebody left out would
    else be what level 1 hides a character of. Values of more than 1,000 characters are no codes: a level for each of
    their characters would be more than memory holds.

    Complexity: linear in the distinct values × levels.

    >>> zips = Mask(steps=[1, 3]).build("zip", ["94138", "94141"], [1, 1])
    >>> [level.labels for level in zips.levels]
    [('94138', '94141'), ('9413*', '9414*'), ('94***',), ('*',)]

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 3: domain
    and value generalization hierarchies.
    """

    char: str = "*"
    side: Literal["right", "left"] = "right"
    keep: int = 0
    steps: list[int] | None = None
    length: int | None = None

    card: ClassVar[Card] = Card(
        "mask",
        "characters of a code hidden from the right or the left, such as ZIP codes",
        height_by="length",
        words=(("steps", "{} characters hidden"),),
        told="with characters hidden at one end",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the values of the table."""
        ground = sorted(told(texts))  # codes, not quantities: their order is that of their characters
        lengths = sorted({len(text) for text in ground})
        longest = max([0, *lengths])
        if self.length is not None:
            longest = self._declared(name, texts, counts)
        self._check_room(name, texts, counts, longest)
        spellings = [] if self.length is not None else lengths[:-1]

        def built(spelled: int, others: tuple[Spelling, ...]) -> Hierarchy:
            levels = self._levels(name, ground, longest, spelled)
            return finished(
                name, ground, levels, None in texts, Scale(declared=False, closed=False, spellings=others)
            )

        others = [Spelling(_up_to(n), partial(built, n, ())) for n in spellings]
        return built(longest, tuple(others))

    def _check_room(self, name: str, texts: Sequence[Label], counts: Sequence[int], longest: int) -> None:
        """Refuse values too long to be codes, and labels that are more than memory holds: as long as the longest, at each level."""
        fits = [len(text) <= LONGEST for text in told(texts)]
        refuse(name, texts, counts, fits, f"is longer than {LONGEST:,} characters, and no code")
        signs = len(fits) * len(self._hidden(name, longest)) * longest
        if signs > MOST_SIGNS:
            raise InputError(
                f"column {name!r}: {many(len(fits), 'value')} of up to {many(longest, 'character')} have too many labels, "
                "one for each character that is hidden; say hierarchy.steps, such as [5, 10, 20], or give the column another role",
                code="hierarchy.unfit-values",
                column=name,
                option="steps",
            )

    def _levels(self, name: str, ground: list[str], longest: int, spelled: int) -> list[Domain]:
        """Return the levels, their labels as long as `spelled`: the length of the longest value that is released."""
        levels: list[Domain] = []
        labels, of_ground = ground, None
        for hidden in self._hidden(name, longest):
            shorter = longest - hidden
            domain = domain_of([self._masked(label, shorter, longest) for label in labels])
            of_ground = domain.of_ground if of_ground is None else domain.of_ground[of_ground]
            labels = [str(label) for label in domain.labels]
            shown = [*labels]
            if spelled < longest:
                shown = self._respelled(labels, ground, of_ground, shorter, spelled)
            levels.append(Domain(shown, of_ground, name=f"{hidden} hidden"))
        if levels:
            levels.append(Domain(["*"], levels[-1].of_ground * 0))
        return levels

    def _respelled(
        self, labels: list[str], ground: list[str], of_ground: IntArray, shown: int, spelled: int
    ) -> list[str]:
        """Return labels of `shown` characters as they are among values of at most `spelled`.

        Where as many are shown, a label that stands over one such value is that value.
        """
        if shown < spelled:
            return [self._masked(self._visible(label, shown), shown, spelled) for label in labels]
        alone = np.bincount(of_ground, minlength=len(labels)) == 1
        new = [*labels]
        for text, code in zip(ground, of_ground.tolist(), strict=True):
            if alone[code] and len(text) <= spelled:
                new[code] = text
        return new

    def _visible(self, label: str, shown: int) -> str:
        return label[:shown] if self.side == "right" else label[len(label) - shown :]

    def _declared(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> int:
        """Return the declared length, which no value may exceed."""
        assert self.length is not None
        if not 1 <= self.length <= LONGEST:
            raise InputError(
                f"column {name!r}: hierarchy.length is {self.length}; it must be from 1 to {LONGEST:,}",
                code="hierarchy.wrong-option",
                column=name,
                option="length",
                value=self.length,
                least=1,
                most=LONGEST,
            )
        fits = [len(text) <= self.length for text in told(texts)]
        refuse(
            name,
            texts,
            counts,
            fits,
            f"is longer than the {many(self.length, 'character')} of hierarchy.length",
        )
        return self.length

    def _masked(self, label: str, shown: int, longest: int) -> str:
        if self.side == "right":
            return label[:shown].ljust(longest, self.char)
        return label.rjust(longest, self.char)[longest - shown :].rjust(longest, self.char)

    def _hidden(self, name: str, longest: int) -> Sequence[int]:
        if len(self.char) != 1:
            raise InputError(
                f'column {name!r}: hierarchy.char must be one character, such as "*"',
                code="hierarchy.wrong-option",
                column=name,
                option="char",
            )
        if self.keep < 0:
            raise InputError(
                f"column {name!r}: hierarchy.keep is {self.keep}; it must be 0 or more",
                code="hierarchy.wrong-option",
                column=name,
                option="keep",
                value=self.keep,
                least=0,
            )
        if self.steps is None:
            return range(1, longest - max(self.keep, 1) + 1)
        if not self.steps or self.steps[0] < 1 or any(low >= high for low, high in pairwise(self.steps)):
            raise InputError(
                f"column {name!r}: hierarchy.steps must be ascending numbers of characters to hide, such as "
                "[1, 2, 3]",
                code="hierarchy.wrong-option",
                column=name,
                option="steps",
                value=self.steps,
            )
        if self.length is not None and self.steps[-1] > self.length - self.keep:
            raise InputError(
                f"column {name!r}: hierarchy.steps hides {many(self.steps[-1], 'character')} where hierarchy.length is "
                f"{self.length} and {self.keep} are to be kept",
                code="hierarchy.wrong-option",
                column=name,
                option="steps",
                value=self.steps,
            )
        # Hiding all of them, or more, is the root; refusing it would tell how long the longest value is.
        return [step for step in self.steps if step < longest and step <= longest - self.keep]


def _up_to(length: int) -> Callable[[str], bool]:
    return lambda text: len(text) <= length
