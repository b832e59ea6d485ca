"""What the rows of a release show of promises to people, where it is not known which rows are one person's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kohort.models import PrivacyModel
from kohort.verification.judges.verdict import Verdict

PEOPLE_UNKNOWN = "not judged: rows were counted, and which are one person's the private audit alone tells, not the original"


def people_unknown(verdict: Verdict, models: Sequence[PrivacyModel]) -> Verdict:
    """Return the verdict without a claim about people: they may be fewer than the rows, never more.

    So a promise about numbers of people alone is broken where rows break it; shares of sensitive values among
    people may be anything. What is not a promise of the plan's stays as it is.
    """
    model = next((m for m in models if m.label == verdict.promise), None)
    if model is None:
        return verdict
    if model.reads:
        return Verdict(verdict.promise, None, note=PEOPLE_UNKNOWN)
    return numbers_unknown(verdict)


def numbers_unknown(verdict: Verdict) -> Verdict:
    """Return a verdict on a number of people: broken where already the rows are too few, else not judged."""
    return replace(verdict, holds=verdict.holds and None, note=verdict.note or PEOPLE_UNKNOWN)
