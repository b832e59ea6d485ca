"""`Judged`: what a reading of written tables came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kohort.verification.judges.contents import Contents
from kohort.verification.judges.verdict import Verdict


@dataclass(frozen=True)
class Judged:
    """The verdicts on written tables, and what the tables say: both from one reading of their bytes."""

    verdicts: list[Verdict]
    tell: Callable[[], Contents]  # raises where the tables are not those of a release
