"""`Verdict`: what the verifier says of one promise."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kohort.facts.promises import VerdictFacts


@dataclass(frozen=True)
class Verdict:
    """Whether a promise holds in the bytes that were written; None where that cannot be told from them."""

    promise: str
    holds: bool | None
    achieved: float | None = None
    note: str = ""
    package: str = ""  # whose code judged it, where that is not Kohort's own
    in_itself: float | None = None  # against the release's own distribution: not what the promise bounds

    def facts(self) -> VerdictFacts:
        """Return the verdict as JSON spells it; whole numbers as such."""
        return VerdictFacts(
            self.promise, _plain(self.achieved), self.holds, self.said, _plain(self.in_itself)
        )

    @property
    def said(self) -> str:
        """The note, and whose code judged the promise where that is not Kohort's own."""
        return "; ".join(
            filter(None, (self.note, f"judged by the package {self.package}" if self.package else ""))
        )


def _plain(number: float | None) -> float | int | None:
    if number is None or not math.isfinite(number):
        return None
    return int(number) if float(number).is_integer() else float(number)
