"""`Judged`: what a reading of written tables came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kohort.verification.told import Told
from kohort.verification.verdict import Verdict


@dataclass(frozen=True)
class Judged:
    """The verdicts on written tables, and what the tables say: both from one reading of their bytes."""

    verdicts: list[Verdict]
    tell: Callable[[], Told]  # raises where the tables are not those of a release
