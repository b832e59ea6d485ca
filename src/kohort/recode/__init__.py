"""Decisions (levels, cuts, boxes, cells, groups) and their application to rows."""

from kohort.recode.decision import Decision, Solution
from kohort.recode.levels import Levels, decide_levels
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn

__all__ = ["Decision", "Levels", "Problem", "Recoded", "ReleasedColumn", "Solution", "decide_levels"]
