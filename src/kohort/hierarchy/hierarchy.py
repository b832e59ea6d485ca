"""`Hierarchy`: a chain of domains over one attribute's ground values (Samarati, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError

SUPPRESSED = "*"  # what stands for a value that is not told

Label = str | None  # None is the label of a missing value


@dataclass(frozen=True, eq=False)
class Level:
    """One domain of the chain."""

    labels: tuple[Label, ...]  # distinct
    of_ground: IntArray  # int32: ground code -> code at this level
    leaves: IntArray  # int64: ground values under each label

    @cached_property
    def code_of(self) -> dict[Label, int]:
        """The code of each label."""
        return {label: code for code, label in enumerate(self.labels)}


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A validated value generalization hierarchy.

    Level 0 holds the ground values as declared, present in the table or not; the top level holds one
    label. Ground codes are in domain order: numbers by value; other values in leaf order, so that the
    values under any label stand side by side; a missing value (label None) last. A missing value keeps
    the label None up to the level below the top and is generalized to the root like every other value.
    """

    name: str
    levels: tuple[Level, ...]
    numbers: FloatArray | None = None  # ground values as numbers (nan for missing) where all are numbers

    @property
    def height(self) -> int:
        """The number of generalization steps from ground to root."""
        return len(self.levels) - 1

    @property
    def size(self) -> int:
        """The number of ground values."""
        return len(self.levels[0].labels)

    @property
    def ground(self) -> tuple[Label, ...]:
        """The ground values in domain order."""
        return self.levels[0].labels

    def step(self, low: int, high: int) -> IntArray:
        """Return the map from codes at level `low` to codes at level `high`."""
        table = np.empty(len(self.levels[low].labels), np.int32)
        table[self.levels[low].of_ground] = self.levels[high].of_ground
        return table

    def encode(self, texts: Sequence[Label], counts: Sequence[int] | IntArray | None = None) -> IntArray:
        """Return the ground code of each text.

        `counts` are the rows that hold each text, for the message where some are not covered.
        """
        code_of = self.levels[0].code_of
        codes = np.array([code_of.get(text, -1) for text in texts], np.int32)
        missed = codes < 0
        if missed.any():
            rows = "" if counts is None else f", in {int(np.asarray(counts)[missed].sum()):,} rows"
            raise InputError(
                f"column {self.name!r}: its hierarchy misses {int(missed.sum()):,} of the "
                f"{len(codes):,} distinct values{rows}; add them to the hierarchy, one path to the root each"
            )
        return codes

    @classmethod
    def from_rows(cls, name: str, rows: Iterable[Sequence[Label]]) -> Hierarchy:
        """Build from one row per ground value: its label at level 0, 1, … and at the root.

        Checks that rows are equally long, no ground value stands twice, every label has exactly one
        parent, and there is exactly one root.
        """
        paths = [tuple(row) for row in rows]
        _validate(name, paths)
        numbers = _numbers([path[0] for path in paths])
        order = _domain_order(paths, numbers)
        paths = [paths[i] for i in order]
        levels = tuple(_level([path[depth] for path in paths]) for depth in range(len(paths[0])))
        return cls(name, levels, None if numbers is None else numbers[order])


def _validate(name: str, paths: list[tuple[Label, ...]]) -> None:
    if not paths:
        raise InputError(f"column {name!r}: its hierarchy holds no value; give it one row per ground value")
    lengths = {len(path) for path in paths}
    if len(lengths) > 1:
        raise InputError(
            f"column {name!r}: the rows of its hierarchy have {min(lengths)} to {max(lengths)} levels; "
            "every row must have a label at every level"
        )
    grounds = [path[0] for path in paths]
    if len(set(grounds)) < len(grounds):
        raise InputError(
            f"column {name!r}: {len(grounds) - len(set(grounds))} ground values stand in its hierarchy more "
            "than once; keep one row for each value"
        )
    for depth in range(len(paths[0]) - 1):
        parents: dict[Label, Label] = {}
        torn = {p[depth] for p in paths if parents.setdefault(p[depth], p[depth + 1]) != p[depth + 1]}
        if torn:
            raise InputError(
                f"column {name!r}: {len(torn)} labels at level {depth} of its hierarchy have more than one "
                f"parent at level {depth + 1}; a label must be generalized in one way only"
            )
    roots = {path[-1] for path in paths}
    if len(roots) > 1:
        raise InputError(
            f"column {name!r}: its hierarchy has {len(roots)} roots; the last level must hold one label for "
            f"all values, such as {SUPPRESSED!r}"
        )


def _numbers(grounds: Sequence[Label]) -> FloatArray | None:
    try:
        numbers = np.array([np.nan if text is None else float(text) for text in grounds])
    except ValueError:
        return None
    finite = [text is None or np.isfinite(number) for text, number in zip(grounds, numbers, strict=True)]
    return numbers if all(finite) and not np.isnan(numbers).all() else None


def _domain_order(paths: list[tuple[Label, ...]], numbers: FloatArray | None) -> list[int]:
    if numbers is not None:
        return [int(i) for i in np.argsort(numbers, kind="stable")]  # nan, the missing value, sorts last
    seen: list[dict[Label, int]] = [{} for _ in paths[0]]
    for path in paths:
        for depth, label in enumerate(path):
            seen[depth].setdefault(label, len(seen[depth]))

    def place(i: int) -> tuple[tuple[bool, int], ...]:
        return tuple((label is None, seen[d][label]) for d, label in reversed(list(enumerate(paths[i]))))

    return sorted(range(len(paths)), key=place)


def _level(labels: Sequence[Label]) -> Level:
    codes: dict[Label, int] = {}
    of_ground = np.array([codes.setdefault(label, len(codes)) for label in labels], np.int32)
    return Level(tuple(codes), of_ground, np.bincount(of_ground, minlength=len(codes)))
