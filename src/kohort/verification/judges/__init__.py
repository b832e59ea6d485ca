"""Judges a release from its own cells; shares nothing with what made it."""

from kohort.verification.judges.coarse_cells import judge_coarse, told_again
from kohort.verification.judges.contents import Contents, contents_of
from kohort.verification.judges.counts import judge_counts
from kohort.verification.judges.declared_columns import judge_shape
from kohort.verification.judges.judged import Judged
from kohort.verification.judges.layout import Asked, Layout, layout
from kohort.verification.judges.level_bounds import judge_level_bounds, left_blank
from kohort.verification.judges.matching import match_rows
from kohort.verification.judges.open_ends import judge_open_ends
from kohort.verification.judges.promises import judge_promises, own_reference, released_classes, with_guards
from kohort.verification.judges.suppression import judge_suppression
from kohort.verification.judges.truth import judge_truth
from kohort.verification.judges.two_tables import ONE_ROW, judge_two_tables
from kohort.verification.judges.verdict import Verdict

__all__ = [
    "ONE_ROW",
    "Asked",
    "Contents",
    "Judged",
    "Layout",
    "Verdict",
    "contents_of",
    "judge_coarse",
    "judge_counts",
    "judge_level_bounds",
    "judge_open_ends",
    "judge_promises",
    "judge_shape",
    "judge_suppression",
    "judge_truth",
    "judge_two_tables",
    "layout",
    "left_blank",
    "match_rows",
    "own_reference",
    "released_classes",
    "told_again",
    "with_guards",
]
