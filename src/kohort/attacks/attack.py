"""What an attack is."""

from __future__ import annotations

from typing import ClassVar, Protocol, runtime_checkable

from kohort.attacks.finding import Finding
from kohort.attacks.target import Target
from kohort.card import Card


@runtime_checkable
class Attack(Protocol):
    """One attack of the literature, run against a release.

    Implementations are frozen dataclasses whose fields are the intruder's means.
    """

    card: ClassVar[Card]

    def lacks(self, target: Target) -> str:
        """Return what the attack needs and the target does not have, in words; empty where it can run."""

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return why the attack cannot gain here whatever was released, by the label of what it would be after.

        The name of the attack stands for all that it would be after. A reason is the end of a sentence that begins
        with "not applicable, because".
        """

    def run(self, target: Target) -> list[Finding]:
        """Return what the attack finds: one finding, or one per sensitive column or strength."""
