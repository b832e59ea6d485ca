"""`Finding`: what an attack came to, beside what an intruder would reach without it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kohort.attacks.uncertainty import POWER, at_most
from kohort.facts.promises import Advice, AttackFacts


@dataclass(frozen=True)
class Finding:
    """The success of an attack, with its uncertainty, and what it means.

    `success`, `baseline` and `control` are on the same scale. `baseline` is what the intruder reaches without
    the release, or by chance; `control` is the same attack where nothing can be right by knowledge: with what is
    known of somebody else, or on values that were dealt anew. So success is below the control by chance only;
    `margin` is how far chance goes. No cell value is told.
    """

    attack: str
    success: float
    baseline: float
    control: float | None
    interval: tuple[float, float] | None  # 95 %, of `success`; None for exact counts
    n: int  # records or people that the attack was tried on
    sentence: str  # what it means, for a data protection officer
    details: Mapping[str, Any] = field(default_factory=dict)
    margin: float | None = None  # 95 %: how far chance alone takes `success` from `control`
    spread: float | None = None  # of chance around its mean, where that is not the control; else the margin
    measure: str = "share"  # or rank correlation
    bound: bool = False  # `success` is the most that this attack can reach, not what was counted
    certain: bool = False  # what `success` tells is true of these people, by chance or not
    promised: bool = False  # `success` is no more than the plan's promises let through
    advice: Advice | None = None  # what to change in the plan so that it is gone or smaller
    lessened: str = ""  # what makes it weaker, where there is no such advice
    partial: bool = False  # there are rises that it does not look for: no power is told

    @property
    def label(self) -> str:
        """The attack with what it was after, as a heading: one attack may have several findings."""
        parts = (self.details.get("column"), self.details.get("by"))
        after = "".join(f", {part}" for part in parts if part is not None)
        excluded = self.details.get("excluded")
        return f"{self.attack}{after}" + ("" if excluded is None else f", {excluded} ruled out")

    @property
    def smallest_effect(self) -> float | None:
        """The least rise over the control that the attack would have found four times in five; one hit at least.

        None: no rise that can exist would have been found so often, for chance reaches as far as success can.
        """
        if self.margin is None or not self.n or self.partial:
            return None
        control, spread = self.control or 0.0, self.margin if self.spread is None else self.spread
        over_control = self.margin + (POWER - 1) * spread
        over_baseline = self.baseline + POWER * spread - control
        rise = max(over_control, over_baseline, 1 / self.n)
        return rise if control + rise <= 1 else None

    @property
    def gained(self) -> bool:
        """Whether success is above both the baseline and the control by more than chance."""
        margin = self.margin or 0.0
        spread = margin if self.spread is None else self.spread
        return self.success > max(self.baseline + spread, (self.control or 0.0) + margin) + 1e-12

    @property
    def calls_for_action(self) -> bool:
        """Whether something is learnt, by more than chance or for certain, that no promise lets through."""
        return (self.gained or (self.certain and self.success > 0)) and not self.promised

    def facts(self) -> AttackFacts:
        """Return the finding as JSON spells it."""
        return AttackFacts(
            attack=self.attack,
            success=at_most(self.success) if self.bound else _plain(self.success),
            baseline=_plain(self.baseline),
            control=None if self.control is None else _plain(self.control),
            interval=None if self.interval is None else (_plain(self.interval[0]), _plain(self.interval[1])),
            n=self.n,
            sentence=self.sentence,
            details=dict(self.details),
            measure=self.measure,
            bound=self.bound,
            certain=self.certain and self.success > 0,
            margin=None if self.margin is None else _plain(self.margin),
            smallest_effect=None if self.smallest_effect is None else _plain(self.smallest_effect),
            gained=self.gained,
            promised=self.promised,
            advice=self.advice if self.calls_for_action else None,
            lessened=self.lessened if self.calls_for_action and self.advice is None else "",
        )


def _plain(number: float) -> float:
    return round(float(number), 6) if math.isfinite(number) else 0.0
