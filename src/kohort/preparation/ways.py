"""The ways of recoding that can be set side by side: the plan's own, and those that algorithms declare."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from kohort.algorithms import AVAILABLE_ALGORITHMS, algorithm
from kohort.card import ONE_TABLE, Card
from kohort.errors import InputError
from kohort.plan import Plan
from kohort.preparation.algorithm_choice import algorithm_of


@dataclass(frozen=True)
class Way:
    """One way of recoding, and whether it is the plan's own."""

    card: Card
    own: bool = False

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self.card.name

    @property
    def words(self) -> str:
        """How it recodes."""
        return self.card.way or self.card.summary

    def of(self, plan: Plan) -> Plan:
        """Return the plan that goes this way; what it says of rows that may be left out stays.

        Refuses a way whose figures would not be comparable: of perturbed values a measure of generalization tells nothing,
        and what is released in several tables hides something else.
        """
        if not self.card.truthful or self.card.layout != ONE_TABLE:
            raise InputError(
                f"{self.algorithm}: its release cannot be measured as those of the other ways are, for its values are perturbed "
                "or stand in several tables; make it with kohort anonymize, and read its report",
                code="algorithm.recoding",
                algorithm=self.algorithm,
            )
        return plan if self.own else going(plan, self.algorithm)


def going(plan: Plan, name: str) -> Plan:
    """Return the plan with another algorithm, and no more rows left out than it allows."""
    recode = plan.recode
    allowed = recode.max_suppression if recode.suppress in (None, "tuple") else 0
    other = replace(
        recode, algorithm=name, generalize=None, suppress=None, options={}, max_suppression=allowed
    )
    return dataclasses.replace(plan, recode=other)


def ways_of(plan: Plan, n_rows: int, names: Sequence[str] | None = None) -> list[Way]:
    """Return the plan's own way and those named; where none are, those that declare how they recode."""
    own = Way(algorithm_of(plan, n_rows).card, own=True)
    cards = [algorithm(name).card for name in names] if names is not None else _declared()
    other = [Way(card) for card in cards if card.name != own.algorithm or plan.recode.options]
    return [own, *other]


def _declared() -> list[Card]:
    return [kind.card for kind in AVAILABLE_ALGORITHMS.usable().values() if kind.card.way]
