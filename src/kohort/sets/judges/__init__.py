"""Judge released sets from what was written; share no counting, no cut and no spelling with what made them."""

from kohort.sets.judges.judge import (
    COLUMNS,
    MEANING,
    SPELLING,
    TRUTH,
    OriginalSets,
    ToldSets,
    judge_sets,
    told_sets,
)

__all__ = ["COLUMNS", "MEANING", "SPELLING", "TRUTH", "OriginalSets", "ToldSets", "judge_sets", "told_sets"]
