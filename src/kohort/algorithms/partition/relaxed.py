"""`mondrian-relaxed`: multidimensional partitioning that may separate equal values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.partition.search import Release, search
from kohort.card import Card
from kohort.errors import InputError
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class MondrianRelaxed:
    """Cut the records into groups of k to 2k - 1 whose boxes may overlap at their ends.

    As `mondrian`, on records. A region is first cut between two values where that costs no group (as many
    groups of k fit into both parts as into the region) and leaves at least a twentieth of the records on
    either side; attributes are tried from the widest, values from the median. Where there is no such cut
    the records are halved along the widest attribute, and those that hold the value in the middle are dealt
    to both parts in proportion, tuple by tuple. So every region of 2k records or more whose values differ
    is cut, and a value that many share does not end up in one large class.

    Options `release` and `tight` as in `mondrian`.

    Guarantee: every group keeps every promise. For k-anonymity alone a group has at most 2k - 1 records,
    unless its records are all alike; groups that are released alike are one class.
    O(n·q) per depth for n records. Departures from the paper: clean cuts are preferred, halves are rounded
    to multiples of k, and ties are dealt in proportion instead of as they come.

    Complexity: O(n·q) per depth for n records of q attributes, about log2(n/k) deep.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("mondrian-relaxed")))
    >>> counted(release.table)
    {('[30, 36]', '94138'): 2, ('[37, 52]', '941**'): 2, ('[53, 59]', '94142'): 2}

    References: LeFevre, K., DeWitt, D., Ramakrishnan, R. Mondrian multidimensional k-anonymity. ICDE 2006.
    """

    release: Release = "span"
    tight: bool = False

    by_cells: ClassVar = True  # it sees tuples by the cells of their grid
    card: ClassVar = Card(
        "mondrian-relaxed",
        "cuts the table into groups of k to 2k - 1 at medians; records with the median value go to either side",
        guarantee="every group keeps every promise; under k-anonymity groups hold at most 2k - 1 unequal records",
        taxonomy="CG_",
        decides="row",
        paper="LeFevre et al. 2006",
        bounds=("min_level", "max_level"),
    )

    def __post_init__(self) -> None:
        if self.release not in ("span", "ancestor"):
            raise InputError(
                f"mondrian-relaxed: release is {self.release!r}; it must be span or ancestor",
                code="algorithm.wrong-option",
                algorithm="mondrian-relaxed",
                option="release",
                value=self.release,
                allowed=("span", "ancestor"),
            )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the groups."""
        return search(
            problem, progress, self.card, relaxed=True, by_tree=False, release=self.release, tight=self.tight
        )
