"""`Finding`: what an attack came to, beside what an intruder would reach without it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kohort.facts.promises import AttackFacts


@dataclass(frozen=True)
class Finding:
    """The success of an attack, with its uncertainty, and what it means.

    `success`, `baseline` and `control` are on the same scale. `baseline` is what the intruder reaches without
    the release, or by chance; `control` is the same attack where there is nothing to find: on people who are
    not in the table, or on values that were shuffled. No cell value is told.
    """

    attack: str
    success: float
    baseline: float
    control: float | None
    interval: tuple[float, float] | None  # 95 %, of `success`
    n: int  # records or people that the attack was tried on
    sentence: str  # what it means, for a data protection officer
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The attack with what it was after, as a heading: one attack may have several findings."""
        column, excluded = self.details.get("column"), self.details.get("excluded")
        after = "" if column is None else f", {column}"
        return f"{self.attack}{after}" + ("" if excluded is None else f", {excluded} ruled out")

    def facts(self) -> AttackFacts:
        """Return the finding as JSON spells it."""
        return AttackFacts(
            attack=self.attack,
            success=_plain(self.success),
            baseline=_plain(self.baseline),
            control=None if self.control is None else _plain(self.control),
            interval=None if self.interval is None else (_plain(self.interval[0]), _plain(self.interval[1])),
            n=self.n,
            sentence=self.sentence,
            details=dict(self.details),
        )


def _plain(number: float) -> float:
    return round(float(number), 6) if math.isfinite(number) else 0.0
