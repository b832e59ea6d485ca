"""`Hierarchy`: a chain of domains over one attribute's ground values (Samarati, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.domain import SUPPRESSED, BoundsOf, Domain, Label, check_chain, domain_of
from kohort.hierarchy.grid import Grid, finest_grid, wide_grid
from kohort.hierarchy.scale import (
    Marks,
    Pitch,
    Scale,
    by_value,
    days_in_order,
    leaf_order,
    scale_of,
    side_by_side,
)
from kohort.hierarchy.spelling import Spelling
from kohort.plurals import many


@dataclass(frozen=True, eq=False, repr=False)
class Level:
    """One domain of the chain."""

    labels: tuple[Label, ...]  # distinct
    of_ground: IntArray  # int32: ground code -> code at this level
    leaves: IntArray  # int64: ground values under each label
    bounds: tuple[Bounds | None, ...] | None = None  # of the numbers or dates under each label, as declared
    name: str | None = None  # what a level is called where its labels do not say: `5 wide`, `month`

    @cached_property
    def code_of(self) -> dict[Label, int]:
        """The code of each label."""
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def _runs(self) -> tuple[IntArray, IntArray]:
        """Ground codes label by label, and where each label begins among them."""
        return np.argsort(self.of_ground, kind="stable"), np.append(0, np.cumsum(self.leaves))

    def run(self, code: int) -> IntArray:
        """Return the ground codes under a label, ascending."""
        order, starts = self._runs
        return order[starts[code] : starts[code + 1]]

    @cached_property
    def bounded(self) -> tuple[tuple[int, Bounds], ...]:
        """The labels whose bounds are declared, by code."""
        return tuple((code, own) for code, own in enumerate(self.bounds or ()) if own is not None)


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """A validated value generalization hierarchy.

    Level 0 holds the ground values as declared, present in the table or not; the top level holds one
    label. Ground codes are in domain order: numbers by value; other values in leaf order, so that the
    values under any label stand side by side; a missing value (label None) last. A missing value keeps
    the label None up to the level below the top and is generalized to the root like every other value.
    Numbers under one label that do not stand side by side by value are codes: they are put in leaf order
    and `numbers` is None. One number may be spelled in several ways (`0.0`, `-0.0`): these are ground values of
    their own that lie at the same place.

    Where the ground values are not `declared`, they are what happens to occur in the table: then no set of them is
    listed and no interval ends at one.

    Where the hierarchy is `closed`, its labels and its height follow from the plan, but for a missing value. Otherwise the
    values that occur have a say, and what a plan names may not be refused for their sake: a plan is public, and that
    it was accepted would tell of those left out.

    Where the plan declares open ends, what lies beyond them is one ground value, `>=90` or `<18`, and `coded` tells
    which: no level tells such a number, not even the lowest.

    One text may be a label of several levels, for different values. Where the plan allows only the levels `allowed`, it means
    what it means at these, for whoever reads the plan; elsewhere it means all of them.
    """

    name: str
    levels: tuple[Level, ...]
    numbers: FloatArray | None = None  # ground values as numbers (nan for missing) where all are numbers
    days: IntArray | None = (
        None  # ground values as days since 1970-01-01 (anything for missing) where all are dates
    )
    declared: bool = True  # whether the plan names every ground value: a level file, a tree, a domain
    closed: bool = True  # whether no other value could join in: a level file, a tree
    pitch: Pitch | None = None  # where the cells of level 1 are counted from, and how wide they are
    coded: Mapping[str, str] = field(default_factory=dict)  # texts beyond an open end -> its ground value
    open_ended: bool = False  # whether the plan declares open ends: ground values are then texts
    spellings: tuple[Spelling, ...] = ()  # for fewer of the ground values, the fewest first
    marks: Marks = ()  # where the plan lists, for each level from 1 on, at which numbers its intervals end
    remembered: dict[str, Any] = field(default_factory=dict, init=False)  # what follows from all of it
    allowed: tuple[int, int | None] = (0, None)  # the least and the greatest level; None: up to the root

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

    @cached_property
    def codes(self) -> IntArray:
        """The ground codes, ascending; pieces of them take no memory."""
        codes = np.arange(self.size)
        codes.setflags(write=False)
        return codes

    @cached_property
    def grid(self) -> Grid | None:
        """The finest cells at which intervals of its numbers or dates may end; None where it has none."""
        return finest_grid(self)

    @cached_property
    def wide_grid(self) -> Grid | None:
        """The cells of level 1, or of the grid where that is coarser, by which groups are told."""
        return (
            None
            if self.grid is None
            else wide_grid(self, self.grid, max(self.grid.level, min(1, self.height)))
        )

    @property
    def listable(self) -> bool:
        """Whether sets of its ground values may be listed: words that the plan names, neither numbers nor dates."""
        return self.declared and self.numbers is None and self.days is None

    def lists(self, level: int) -> bool:
        """Return whether such sets may stand for labels of a level: above the ground, for labels under which nothing else can be.

        The `other` of an order may be more than the values that the plan names: a set of these would tell that it is not.
        """
        return self.listable and (level == 0 or self.closed)

    def level_names(self) -> list[str]:
        """Return what every level is called, from `exact` to `any value`."""
        names = [level.name or f"level {height}" for height, level in enumerate(self.levels)]
        if self.levels[-1].labels == (SUPPRESSED,):
            names[-1] = "any value"
        return ["exact", *names[1:]]

    def level_named(self, level: int) -> int | None:
        """Return the level that a plan means by a number: one above the top means the top.

        None where the plan could know better: there is no such level, whatever the table holds.
        """
        most = self.height + (self.ground[-1] is not None)  # a missing value may add a root
        return None if level < 0 or (self.closed and level > most) else min(level, self.height)

    def allows_star(self, low: int, high: int | None) -> bool:
        """Say whether a plan that asks for the levels from `low` to `high` lets a value be told as `*`; None: up to the root.

        It does where a label of these levels is spelled so, where the plan names a level above the top, and at the root of a
        closed hierarchy, which tells as little. The root of others may be `1980-1989`, for no other decade occurs: it tells more.
        """
        if high is None or high > self.height or (self.closed and high == self.height):
            return True
        return any(SUPPRESSED in level.code_of for level in self.levels[min(low, high) : high + 1])

    def step(self, low: int, high: int) -> IntArray:
        """Return the map from codes at level `low` to codes at level `high`."""
        table = np.empty(len(self.levels[low].labels), np.int32)
        table[self.levels[low].of_ground] = self.levels[high].of_ground
        return table

    def encode(self, texts: Sequence[Label], counts: Sequence[int] | IntArray | None = None) -> IntArray:
        """Return the ground code of each text.

        `counts` are the rows that hold each text, for the message where some are not covered.
        """
        codes = self.codes_of(texts)
        missed = codes < 0
        if missed.any():
            rows = "" if counts is None else f", in {many(int(np.asarray(counts)[missed].sum()), 'row')}"
            raise InputError(
                f"column {self.name!r}: its hierarchy misses {int(missed.sum()):,} of the "
                f"{len(codes):,} distinct values{rows}; add them to the hierarchy, one path to the root each",
                code="hierarchy.uncovered-values",
                column=self.name,
                found=int(missed.sum()),
            )
        return codes

    def codes_of(self, texts: Sequence[Label]) -> IntArray:
        """Return the ground code of each text, -1 for one that is not covered."""
        code_of = self.levels[0].code_of
        if self.coded:
            code_of = code_of | {text: code_of[label] for text, label in self.coded.items()}
        return np.fromiter((code_of.get(text, -1) for text in texts), np.int32, len(texts))

    def numerals(self) -> list[Label]:
        """Return the numbers that the ground values are reckoned with, as written: an open end counts as its end."""
        bounds = self.levels[0].bounds
        if bounds is None:
            return list(self.ground)
        ends = (None if own is None else own.low or own.high for own in bounds)
        return [text if end is None else end for text, end in zip(self.ground, ends, strict=True)]

    @classmethod
    def from_rows(
        cls, name: str, rows: Iterable[Sequence[Label]], bounds_of: BoundsOf | None = None
    ) -> Hierarchy:
        """Build from one row per ground value: its label at level 0, 1, … and at the root.

        `bounds_of` tells what labels say about the numbers under them.

        Checks that rows are equally long, no ground value stands twice, every label has exactly one
        parent, and there is exactly one root.
        """
        paths = list(rows)
        lengths = set(map(len, paths))
        if len(lengths) > 1:
            raise InputError(
                f"column {name!r}: the rows of its hierarchy have {min(lengths)} to {many(max(lengths), 'level')}; "
                "every row must have a label at every level",
                code="hierarchy.uneven-levels",
                column=name,
                least=min(lengths),
                most=max(lengths),
            )
        domains = [domain_of(column) for column in zip(*paths, strict=True)]
        check_chain(name, domains)  # before bounds are read off values that stand there twice
        scale = scale_of(domains[0].labels) if domains else Scale()
        if bounds_of is not None and scale.numbers is not None:
            domains[1:] = [replace(d, bounds=bounds_of(d, scale.numbers)) for d in domains[1:]]
        return cls.from_domains(name, domains, scale)

    @classmethod
    def from_domains(cls, name: str, domains: Sequence[Domain], scale: Scale | None = None) -> Hierarchy:
        """Build from one domain per level, each over the same ground values in the same order.

        The checks are those of `from_rows`. Ground values that are not numbers are put into the order of
        the labels above them, from the root down; so a domain's labels stand in the order given.
        """
        check_chain(name, domains)
        scale = scale or scale_of(domains[0].labels)
        numbers, order = scale.numbers, None
        if numbers is not None:
            order = by_value(numbers, domains[0].labels)
        if order is None or not side_by_side(domains, order):
            numbers, order = None, leaf_order(domains)
        return cls(
            name,
            tuple(_level(domain, order) for domain in domains),
            None if numbers is None else numbers[order],
            days_in_order(scale, [domains[0].labels[i] for i in order.tolist()], order),
            scale.declared,
            scale.closed,
            scale.pitch,
            scale.coded,
            scale.open_ended,
            scale.spellings,
            scale.marks,
        )


def _level(domain: Domain, order: IntArray) -> Level:
    """Return the level with its ground values in that order and its labels by first appearance."""
    of_ground = domain.of_ground[order]
    first = np.full(len(domain.labels), len(of_ground))
    first[of_ground[::-1]] = np.arange(len(of_ground))[::-1]  # the last assignment, to the first place, stays
    by_appearance = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(of_ground))]
    rank = np.empty(len(domain.labels), np.int32)
    rank[by_appearance] = np.arange(len(by_appearance), dtype=np.int32)
    codes = rank[of_ground]
    labels = tuple([domain.labels[i] for i in by_appearance.tolist()])
    bounds = None if domain.bounds is None else tuple([domain.bounds[i] for i in by_appearance.tolist()])
    return Level(labels, codes, np.bincount(codes, minlength=len(labels)), bounds, domain.name)
