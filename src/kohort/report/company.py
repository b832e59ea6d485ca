"""`Company`: what a report says differently where people are told in classes, in groups or however else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import NoneType
from typing import Any, Protocol

from kohort.facts import TableFacts
from kohort.facts.figures import Risk, Sizes
from kohort.facts.head import Apart
from kohort.facts.promises import AttackFacts
from kohort.report.blocks import Block, Figure
from kohort.report.in_classes import InClasses
from kohort.report.in_groups import InGroups


class Company(Protocol):
    """What a way of publishing says of itself, wherever a page speaks of the company that people are in."""

    @property
    def name(self) -> str:
        """What one is called: class, group."""

    @property
    def names(self) -> str:
        """What several are called."""

    @property
    def caveat(self) -> str:
        """What is added where a risk of being picked out is named."""

    @property
    def scored(self) -> bool:
        """Whether the objective says what such a release lost."""

    def number(self, facts: TableFacts) -> int:
        """Return how many there are."""

    def sizes(self, facts: TableFacts) -> Sequence[Sizes]:
        """Return how large they are."""

    def explained(self, facts: TableFacts) -> str:
        """Return what they are, and what follows from their size."""

    def plainly(self, facts: TableFacts) -> str:
        """Return what one is, for a reader who never heard of any."""

    def where(self, facts: TableFacts) -> str:
        """Return the end of a sentence that begins with the rows that are released."""

    def protection(self, facts: TableFacts) -> list[Figure]:
        """Return the key figures of what protects people."""

    def smallest(self, facts: TableFacts) -> list[Figure]:
        """Return the key figure of the smallest, where people hide in them."""

    def picked_out(self, risk: Risk, whom: str) -> list[Figure]:
        """Return the key figures of the risk of being picked out."""

    def notices(self, facts: TableFacts, attacks: Sequence[AttackFacts]) -> list[Block]:
        """Return what must not be overlooked."""

    def cautions(self, facts: TableFacts) -> list[str]:
        """Return what must not be overlooked, in a line each, for a terminal."""

    def done(self, facts: TableFacts, name: str, role: str, declared: str) -> str:
        """Return how a column is released, in the row of a table."""

    def quasi_done(self) -> str:
        """Return what was done to quasi-identifiers."""

    def sensitive_done(self, watched: Sequence[str]) -> str:
        """Return what was done to sensitive columns, of which promises bound those `watched`."""

    def bounded(self) -> str:
        """Return what the promises bound."""

    def singling_out(self, facts: TableFacts) -> str:
        """Return the answer to WP216's first question."""

    def linkability(self, facts: TableFacts) -> str:
        """Return the answer to WP216's second question."""

    def approach(self, facts: TableFacts) -> str:
        """Return how people are protected, in a few words; rows that are left out apart."""

    def risk(self, risk: Risk) -> str:
        """Return the risk that remains, in a sentence."""


# what a decision's publication tells of its classes (`kohort.recode.publication`) -> how pages speak of them
COMPANIES: Mapping[type[object], Callable[[Any], Company]] = {
    NoneType: lambda _: InClasses(),
    Apart: InGroups,
}


def company(facts: TableFacts) -> Company:
    """Return how the people of a release are told, as what was published says of itself."""
    return COMPANIES[type(facts.apart)](facts.apart)
