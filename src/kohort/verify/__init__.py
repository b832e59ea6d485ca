"""Judges a release from its own cells; shares nothing with what made it."""

from kohort.verify.matching import match_rows
from kohort.verify.promises import judge_promises, own_reference, released_classes
from kohort.verify.shape import judge_shape
from kohort.verify.truth import judge_truth
from kohort.verify.verdict import Verdict

__all__ = [
    "Verdict",
    "judge_promises",
    "judge_shape",
    "judge_truth",
    "match_rows",
    "own_reference",
    "released_classes",
]
