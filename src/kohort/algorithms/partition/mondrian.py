"""`mondrian`: strict multidimensional partitioning (LeFevre, DeWitt and Ramakrishnan)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.partition.search import Release, search
from kohort.card import Card
from kohort.errors import InputError
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class Mondrian:
    """Cut the space of quasi-identifiers into boxes that do not overlap, each of which keeps every promise.

    The region with all records is cut in two along its widest attribute (range of the values in it, as a
    share of the range in the table; ties go to the greater range in its own unit, then to the later
    attribute), at the value nearest the median for which both parts keep all promises; so are the parts,
    until no region can be cut. Equal values are never separated.

    Options
    - `split`: `order` cuts every attribute along its order (numbers by value, others in the leaf order of
      the hierarchy); `hierarchy` divides attributes that are not numbers by the children of the lowest
      node above the region's values instead, all parts of which must keep the promises.
    - `release`: `span` tells intervals of numbers and dates that have a grid, and of all other values the lowest
      common ancestor; `ancestor` tells that of all.
    - `tight`: False lets the ends of intervals lie on the cuts or at the ends of labels of level 1; True shrinks them to
      the values present, which tells the extreme values of each group; refused where values are not declared.

    Cuts lie on the grid of the hierarchies (`kohort.hierarchy.grid`), never at a value that happens to occur.

    Guarantee: every group keeps every promise and no group can be cut further. Groups are disjoint boxes.
    The search runs on distinct tuples with their counts: O(m·q) per depth for m tuples, about log2(n/k)
    deep. Departures from the paper: all attributes are tried before a region is left as it is, and not
    only the median but every value, nearest first, where a cut that leaves room for one group of k fewer
    counts as k records further away; both lower discernibility and loss at no cost. With models other than
    k-anonymity all regions try a cut at a time and are judged together.

    Complexity: O(m·q) per depth for m distinct tuples of q attributes, about log2(n/k) deep.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("mondrian")))
    >>> counted(release.table)
    {('[30, 36]', '94138'): 2, ('[37, 52]', '941**'): 2, ('[53, 59]', '94142'): 2}

    References: LeFevre, K., DeWitt, D., Ramakrishnan, R. Mondrian multidimensional k-anonymity. ICDE 2006.
    De Capitani di Vimercati, S., et al. k-Anonymity: From Theory to Applications. TDP 16, 2023, 3.1.
    """

    split: Literal["order", "hierarchy"] = "order"
    release: Release = "span"
    tight: bool = False

    card: ClassVar = Card(
        "mondrian",
        "cuts the table into disjoint boxes at medians, widest attribute first, while every box keeps the promises",
        guarantee="every group keeps every promise; where the search ends by itself, no group can be cut further",
        taxonomy="CG_",
        way="boxes of records, halved in turn",
        decides="class",
        work=65,
        paper="LeFevre et al. 2006",
        bounds=("min_level", "max_level"),
        regions=True,
    )

    def __post_init__(self) -> None:
        if self.split not in ("order", "hierarchy"):
            raise InputError(
                f"mondrian: split is {self.split!r}; it must be order or hierarchy",
                code="algorithm.wrong-option",
                algorithm="mondrian",
                option="split",
                value=self.split,
                allowed=("order", "hierarchy"),
            )
        if self.release not in ("span", "ancestor"):
            raise InputError(
                f"mondrian: release is {self.release!r}; it must be span or ancestor",
                code="algorithm.wrong-option",
                algorithm="mondrian",
                option="release",
                value=self.release,
                allowed=("span", "ancestor"),
            )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the boxes."""
        return search(
            problem,
            progress,
            self.card,
            relaxed=False,
            by_tree=self.split == "hierarchy",
            release=self.release,
            tight=self.tight,
        )
