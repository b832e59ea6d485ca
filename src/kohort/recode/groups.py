"""Local recoding by groups: the rows of a group are released alike, each attribute under one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import classes_of_rows
from kohort.recode.labels import Extents, GroupLabels, label_extents, label_groups
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn


@dataclass(frozen=True, eq=False)
class Groups:
    """Every row of a group is released with the group's label of each attribute.

    Numbers and dates are told as intervals on the grid of their hierarchy, from the cell of level 1 that holds the
    least value of the group to the one that holds the greatest; so the ends tell no value of the group. Where the
    ground values themselves are the grid, `tight` lets intervals end there. Values that all records of a group share
    are told as they are, all others by the lowest label of the hierarchy above them: a list of those
    that occur would tell what one person has. A missing value is a value of the group like any other. Two
    groups that come out with equal labels everywhere are one class of the release.
    """

    group_of: IntArray  # (n_rows) any whole numbers; rows with the same one form a group
    kept: BoolArray  # (n_rows) rows that are released; a group is labelled by its kept rows only
    tight: bool = False

    def apply(self, problem: Problem) -> Recoded:
        """Label every group; rows x attributes, plus one step per distinct label."""
        group_of, n_groups = _numbered(self.group_of, self.kept)
        rows = np.flatnonzero(self.kept)
        columns = []
        for j, hierarchy in enumerate(problem.hierarchies):
            codes = np.zeros(problem.n_rows, np.int32)
            spelled = label_groups(hierarchy, problem.codes[rows, j], group_of, n_groups, self.tight)
            codes[rows] = spelled.codes[group_of]
            columns.append(ReleasedColumn.told(hierarchy, codes, spelled.labels))
        return Recoded(tuple(columns), self.kept)

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of groups and whether intervals end at the values in them."""
        return {"groups": _numbered(self.group_of, self.kept)[1], "tight": self.tight}


class GroupStyle(NamedTuple):
    """How groups are told that are known by their extents."""

    tight: bool = False

    def label(self, problem: Problem, j: int, low: IntArray, high: IntArray, extents: Extents) -> GroupLabels:  # noqa: ARG002
        """Return the label of groups in attribute j; they have no ends but those of what they hold."""
        return label_extents(problem.hierarchies[j], extents, self.tight)

    def facts(self) -> dict[str, Any]:
        """Return whether intervals end at the values in a group."""
        return {"tight": self.tight}


def _numbered(group_of: IntArray, kept: BoolArray) -> tuple[IntArray, int]:
    """Return the groups of the kept rows numbered 0, 1, … and how many there are."""
    distinct, numbered = np.unique(group_of[kept], return_inverse=True)
    return numbered.reshape(-1), len(distinct)


def failing_groups(problem: Problem, group_of: IntArray) -> BoolArray:
    """Mark the groups 0, 1, … of rows, none of them empty, that break a promise by themselves."""
    sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
    sensitive = {name: (values, sizes[name]) for name, values in problem.sensitive.items()}
    codes = group_of.astype(np.int32)[:, None]
    return problem.failing(classes_of_rows(codes, sensitive, problem.respondents)[0])
