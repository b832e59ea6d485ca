"""Judges a release from its own cells; shares nothing with what made it."""

from kohort.verification.counts import judge_counts
from kohort.verification.judged import Judged
from kohort.verification.level_bounds import judge_level_bounds
from kohort.verification.matching import match_rows
from kohort.verification.open_ends import judge_open_ends
from kohort.verification.promises import judge_promises, own_reference, released_classes, with_guards
from kohort.verification.shape import judge_shape
from kohort.verification.suppression import judge_suppression
from kohort.verification.told import Told, told_of
from kohort.verification.truth import judge_truth
from kohort.verification.two_tables import ONE_ROW, judge_two_tables
from kohort.verification.verdict import Verdict

__all__ = [
    "ONE_ROW",
    "Judged",
    "Told",
    "Verdict",
    "judge_counts",
    "judge_level_bounds",
    "judge_open_ends",
    "judge_promises",
    "judge_shape",
    "judge_suppression",
    "judge_truth",
    "judge_two_tables",
    "match_rows",
    "own_reference",
    "released_classes",
    "told_of",
    "with_guards",
]
