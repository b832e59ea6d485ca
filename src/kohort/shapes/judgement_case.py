"""What is at hand when a written release is judged again, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from kohort.plan import Plan
from kohort.release.documents import SeenAudit
from kohort.verification.judges import Verdict


@dataclass(frozen=True, eq=False)
class Terms:
    """By what plan a release is judged, and what is known beside its files."""

    plan: Plan
    audit: SeenAudit | None  # where the holder's stands beside the release
    private: Path  # where it stands, or would
    original: Any  # as whoever asks names it: a path, or a frame
    vouched: bool  # whether somebody answers for the plan: the meaning of labels is not taken from strangers


class Findings(NamedTuple):
    """The verdicts on the cells of a release."""

    counts: list[Verdict]  # whether there is as much as was released
    promises: list[Verdict]
