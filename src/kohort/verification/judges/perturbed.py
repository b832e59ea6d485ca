"""`Perturbation`: what the verifier can know of quasi-identifiers that are told by averages or with noise.

Such values are true of nobody, so that no row can be matched with an original one. What is known is which values the plan's
rounding can write, and what averages of the original's rows can be: each fault shows that something is invented. That there
is none does not show that averages are those of groups of these people, so that it is not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group
from kohort.hierarchy import Hierarchy, Label
from kohort.table import Column, Table
from kohort.verification.judges.verdict import Verdict

PROMISE = "perturbed values come from the original"
UNKNOWN = "not judged: it takes the original table to tell"
NO_NUMBER = "column {!r} holds a value that is no number of the declared form"
TWO_RULES = "column {!r} holds numbers that are not all written by one rule"

# on an algorithm's card -> "module:Class", imported when asked for
PERTURBATIONS: dict[str, str] = {
    "": "kohort.verification.judges.perturbed:Unknown",
    "averages": "kohort.verification.judges.averages:Averages",
    "noise": "kohort.verification.judges.noise:Noise",
}


@dataclass(frozen=True, eq=False)
class Told:
    """What is compared of quasi-identifiers: released tuples with their rows, and how often the original has each value."""

    names: tuple[str, ...]
    texts: Mapping[str, Sequence[Label]]  # released, by code
    tuples: IntArray  # (tuples, columns) codes of released texts, no two alike
    rows: IntArray  # of each tuple
    hierarchies: tuple[Hierarchy, ...]  # of the columns, in their order
    ground: Mapping[str, IntArray]  # how many original rows have each ground value
    one_row_each: bool  # nobody has several rows
    crowd: int  # people of a group at the least

    def used(self, j: int) -> tuple[list[Label], IntArray, IntArray]:
        """Return the released values of a column, and in how many rows and in how many tuples each stands."""
        codes, place = np.unique(self.tuples[:, j], return_inverse=True)
        texts = self.texts[self.names[j]]
        rows = np.bincount(place, self.rows).astype(np.int64)
        return [texts[code] for code in codes.tolist()], rows, np.bincount(place)


@dataclass(frozen=True, eq=False)
class RowsTold:
    """The same, for whoever made the release and so knows which original row each released row is."""

    columns: tuple[Column, ...]  # released
    hierarchies: tuple[Hierarchy, ...]
    ground: tuple[IntArray, ...]  # per column: the ground value of the original row of each released row
    one_row_each: bool
    crowd: int


class Perturbation(Protocol):
    """A way in which values are perturbed, as the options of an algorithm tell it."""

    unshown: str  # what the original does not show of such values

    @classmethod
    def of(cls, algorithm: object) -> Perturbation:
        """Return the way of an algorithm, by its options."""

    def fault(self, told: Told) -> str:
        """Return what cannot come from the original; nothing where all may."""

    def fault_of_rows(self, told: RowsTold) -> str:
        """Return what cannot come from the rows for which it stands; nothing where all may."""


def perturbation(name: str) -> type[Perturbation]:
    """Return the way of that name."""
    module, attribute = PERTURBATIONS[name].split(":")
    found: type[Perturbation] = getattr(import_module(module), attribute)
    return found


@dataclass(frozen=True)
class Unknown:
    """A way that nobody but its algorithm knows: one of another package."""

    unshown = "not judged: how this algorithm perturbs quasi-identifiers is known to itself alone"

    @classmethod
    def of(cls, algorithm: object) -> Unknown:  # noqa: ARG003
        """Return it."""
        return cls()

    def fault(self, told: Told) -> str:  # noqa: ARG002
        """Return nothing."""
        return ""

    def fault_of_rows(self, told: RowsTold) -> str:  # noqa: ARG002
        """Return nothing."""
        return ""


def judge_perturbed(way: Perturbation, told: Told | None) -> Verdict:
    """Return what is wrong of perturbed values beside the original, or that nothing is, which does not show that they are true."""
    if told is None:
        return Verdict(PROMISE, None, note=UNKNOWN)
    fault = way.fault(told)
    return Verdict(PROMISE, False if fault else None, note=fault or way.unshown)


def judge_perturbed_rows(way: Perturbation, told: RowsTold) -> Verdict:
    """Return whether perturbed values are those of their rows, where it is known which these are."""
    fault = way.fault_of_rows(told)
    return Verdict(PROMISE, not fault, note=fault)


def distinct_tuples(released: Table, names: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return the distinct released tuples of some columns, and the rows of each."""
    tuples, place = group(np.column_stack([released[name].codes for name in names]).astype(np.int32))
    return tuples, np.bincount(place, minlength=len(tuples))


def ground_counts(column: Column, hierarchy: Hierarchy) -> IntArray:
    """Return how many rows of an original column have each ground value."""
    codes = hierarchy.encode(column.texts)
    return np.bincount(codes, column.counts(), minlength=hierarchy.size).astype(np.int64)
