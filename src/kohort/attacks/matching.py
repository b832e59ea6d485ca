"""Which released records can be a person's, by what the released values mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.attacks.target import Target
from kohort.classes import group
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label, meaning
from kohort.table import Column, Table

BITS = 63  # values per word of a candidate set
LAID_OUT = 1_000_000  # words of sets of tuples


@dataclass(frozen=True, eq=False)
class Match:
    """What the release tells of each person of an outside table."""

    sizes: IntArray  # int64, released records that can be the person's
    candidates: (
        IntArray  # int64 (n_people, words), sensitive values of these records as bits; no words without
    )
    narrowest: IntArray  # the released tuple that fits and has the least rank, -1 where none fits

    def n_candidates(self) -> IntArray:
        """Return the number of different sensitive values that each person can have."""
        return popcount(self.candidates)


@dataclass(frozen=True, eq=False)
class Fitting:
    """Which released tuples fit whom; people whom the same fit are of one class."""

    class_of: IntArray  # of each person; -1 where nothing fits
    owners: IntArray  # a class, and
    tuples: IntArray  # a tuple that fits it: all pairs


def popcount(bits: IntArray) -> IntArray:
    """Return the number of bits set in each row."""
    spread = np.unpackbits(np.ascontiguousarray(bits).view(np.uint8), axis=1)
    return np.asarray(spread.sum(axis=1, dtype=np.int64))


def lowest_bit(bits: IntArray) -> IntArray:
    """Return the number of the first bit that is set in each row; 0 where none is."""
    words = (bits != 0).argmax(axis=1)
    held = bits[np.arange(len(bits)), words]
    lowest = (held & -held).astype(np.uint64)
    return np.asarray(words * BITS + np.log2(np.maximum(lowest, 1)).astype(np.int64))


def match_people(
    target: Target,
    people: Table,
    on: tuple[str, ...],
    sensitive: str | None = None,
    code_of: Mapping[Label, int] | None = None,
) -> Match:
    """Match every row of `people` with the released records that fit it on the columns `on`."""
    return Lookup.of(target, people, on).match(sensitive, code_of)


@dataclass(frozen=True, eq=False)
class Lookup:
    """People beside the distinct tuples of a release, on the columns that are known of them.

    A quasi-identifier fits if its released label covers the person's value; any other column if it is the
    same. A value that the hierarchy does not know fits only what is suppressed. People and records that are alike
    are matched once. Where labels do not overlap, people are looked up by label: time of the two tables; for
    other columns it is people × released tuples at worst.
    """

    target: Target
    columns: list[_Matched]
    tuples: IntArray
    of_row: IntArray  # the tuple of each released row
    persons: IntArray
    of_person: IntArray  # the distinct person of each row of the outside table

    @classmethod
    def of(cls, target: Target, people: Table, on: tuple[str, ...]) -> Lookup:
        """Lay people beside a release."""
        columns = [_matched(target, people[name], name) for name in on]
        tuples, of_row = group(np.column_stack([target.released[name].codes for name in on]).astype(np.int32))
        persons, of_person = group(np.column_stack([c.person for c in columns]).astype(np.int32))
        return cls(target, columns, tuples, of_row, persons, of_person)

    @cached_property
    def weights(self) -> IntArray:
        """The records of each tuple."""
        return np.bincount(self.of_row, self.target.counts, minlength=len(self.tuples)).astype(np.int64)

    @property
    def overlapping(self) -> bool:
        """Whether labels overlap, so that several tuples may fit one person."""
        return any(column.mask is not None for column in self.columns)

    def breadths(self) -> IntArray:
        """Return the rank of each tuple by how many values its labels cover: the narrowest labels first."""
        logs = np.zeros(len(self.tuples))
        for j, column in enumerate(self.columns):
            logs += np.log(np.maximum(column.breadths, 1))[self.tuples[:, j]]
        return np.unique(np.round(logs, 9), return_inverse=True)[1].astype(np.int64)

    def match(
        self,
        sensitive: str | None = None,
        code_of: Mapping[Label, int] | None = None,
        ranks: IntArray | None = None,
    ) -> Match:
        """Match everybody; `code_of` numbers the sensitive values where candidates of two releases are compared."""
        bits = _bits(self.target, self.of_row, len(self.tuples), sensitive, code_of)
        sizes, union, narrowest = self._fit(bits, ranks)
        return Match(sizes[self.of_person], union[self.of_person], narrowest[self.of_person])

    def fitting(self) -> Fitting | None:
        """Return which tuples fit whom; None where labels overlap and there are too many to be laid out."""
        if not self.overlapping:
            narrowest = self._fit(np.zeros((len(self.tuples), 0), np.int64))[2]
            everything = np.arange(len(self.tuples))
            return Fitting(narrowest[self.of_person], everything, everything)
        if len(self.persons) * -(-len(self.tuples) // BITS) > LAID_OUT:
            return None
        each = np.arange(len(self.tuples))
        union = self._fit(_set_bits(each, each, len(each), len(each)))[1]
        sets, set_of = group(union)
        spread = np.unpackbits(sets.astype("<i8").view(np.uint8), axis=1, bitorder="little")
        held = spread.reshape(len(sets), -1, 64)[:, :, :BITS].reshape(len(sets), -1)
        owners, tuples = np.nonzero(held)
        nobody = np.bincount(owners, minlength=len(sets)) == 0
        class_of = np.where(nobody[set_of], -1, set_of)
        return Fitting(class_of[self.of_person], owners, tuples)

    def _fit(self, bits: IntArray, ranks: IntArray | None = None) -> tuple[IntArray, IntArray, IntArray]:
        """Return of each distinct person the records that fit, what these carry, and the tuple of least rank."""
        from kohort.attacks.linking_kernels import Carried, fit

        tuple_key, person_key = _keys(self.columns, self.persons, self.tuples)
        n_keys = max(int(tuple_key.max(initial=-1)), int(person_key.max(initial=-1))) + 1
        held = np.cumsum(np.bincount(tuple_key, minlength=n_keys))
        return fit(
            person_key,
            np.concatenate([[0], held]).astype(np.int64),
            np.argsort(tuple_key, kind="stable").astype(np.int64),
            *self._masked(),
            Carried(self.weights, bits, self.weights if ranks is None else ranks),
        )

    def kept_in_order(self, slack: int, order: IntArray | None = None) -> int:
        """Return how many released rows follow each other as the rows of the people do; see the kernel."""
        from kohort.attacks.linking_kernels import in_order

        tuple_key, person_key = _keys(self.columns, self.persons, self.tuples)
        shown = self.of_row if order is None else self.of_row[order]
        return int(
            in_order(
                np.ascontiguousarray(shown, np.int64),
                np.ascontiguousarray(self.of_person, np.int64),
                np.ascontiguousarray(tuple_key, np.int64),
                person_key,
                *self._masked(),
                slack,
            )
        )

    def _masked(self) -> tuple[IntArray, IntArray, BoolArray]:
        """Return the columns whose labels overlap: of people, of tuples, and which label covers which value."""
        masked = [j for j, column in enumerate(self.columns) if column.mask is not None]
        return (
            np.ascontiguousarray(self.persons[:, masked], np.int32),
            np.ascontiguousarray(self.tuples[:, masked], np.int32),
            _stacked([self.columns[j].mask for j in masked]),
        )

    def fits(self, people: IntArray, tuples: IntArray) -> BoolArray:
        """Say of pairs of a person and a tuple whether the tuple fits the person."""
        found = np.ones(len(people), np.bool_)
        persons = self.persons[self.of_person[people]]
        for j, column in enumerate(self.columns):
            found &= column.fits(persons[:, j], self.tuples[tuples, j])
        return found


@dataclass(frozen=True, eq=False)
class _Matched:
    """One column to match on: per person a code, and how released codes cover it."""

    person: IntArray  # int32 per row of the outside table
    label_of: IntArray | None  # person code -> the released code that covers it, -1 for none
    mask: BoolArray | None  # (released code, person code), where labels overlap
    breadths: IntArray  # released code -> how many values it covers

    def fits(self, person: IntArray, label: IntArray) -> BoolArray:
        """Say of pairs of a person's and a released code whether the label covers the value."""
        if self.mask is not None:
            return np.asarray(self.mask[label, person])
        return np.asarray(np.asarray(self.label_of)[person] == label)


def _matched(target: Target, outside: Column, name: str) -> _Matched:
    released = target.released[name]
    hierarchy = target.hierarchies.get(name)
    ground: tuple[Label, ...] = outside.texts if hierarchy is None else hierarchy.ground
    code_of = {text: code for code, text in enumerate(ground)}
    strange = len(ground)  # what no label but `*` covers
    own = np.arange(strange) if hierarchy is None else hierarchy.codes_of(outside.texts)
    person = np.where(own < 0, strange, own).astype(np.int32)[outside.codes]
    covers = [_cover(hierarchy, code_of, text, strange) for text in released.texts]
    breadths = np.array([len(covered) for covered in covers], np.int64)
    label_of = np.full(strange + 1, -1, np.int32)
    if sum(map(len, covers)) == len(np.unique(np.concatenate([*covers, np.zeros(0, np.int64)]))):
        for label, covered in enumerate(covers):
            label_of[covered] = label
        return _Matched(person, label_of, None, breadths)
    mask = np.zeros((len(covers), strange + 1), np.bool_)
    for label, covered in enumerate(covers):
        mask[label, covered] = True
    return _Matched(person, None, mask, breadths)


def label_of(target: Target, outside: Column, name: str) -> IntArray | None:
    """Return the released code that stands for each person's value, -1 where none does; None where labels overlap."""
    matched = _matched(target, outside, name)
    return None if matched.label_of is None else matched.label_of[matched.person]


def told_by(target: Target, outside: Column, name: str) -> bool:
    """Say whether a released label tells any value of a column from others; yes, where all labels stand for everything."""
    hierarchy, matched = target.hierarchies.get(name), _matched(target, outside, name)
    everything = 2 if hierarchy is None else max(hierarchy.size, 2)
    told = [
        code
        for code, text in enumerate(target.released[name].texts)
        if text != SUPPRESSED and (hierarchy is None or matched.breadths[code] < everything)
    ]
    missing = np.array([text is None for text in outside.texts], np.bool_)[outside.codes]
    values = np.unique(matched.person[~missing] if not missing.all() else matched.person)
    return not told or any(matched.fits(values, np.full(len(values), code)).any() for code in told)


def _cover(hierarchy: Hierarchy | None, code_of: dict[Label, int], label: Label, strange: int) -> IntArray:
    if label == SUPPRESSED:
        return np.arange(strange + 1)
    if hierarchy is None:
        return np.array([code_of[label]] if label in code_of else [], np.int64)
    mask = meaning(hierarchy, label)
    return np.zeros(0, np.int64) if mask is None else np.flatnonzero(mask)


def _keys(columns: list[_Matched], persons: IntArray, tuples: IntArray) -> tuple[IntArray, IntArray]:
    """Number the tuples by the columns whose labels do not overlap, and tell the number that fits each person."""
    plain = [j for j, column in enumerate(columns) if column.label_of is not None]
    told = [np.asarray(columns[j].label_of)[persons[:, j]] for j in plain]
    told = told or [np.zeros(len(persons), np.int32)]
    shown = tuples[:, plain] if plain else np.zeros((len(tuples), 1), np.int32)
    people = np.column_stack(told).astype(np.int32)
    _, place = group(np.concatenate([shown.astype(np.int32), people]))
    person_key = place[len(tuples) :].copy()
    person_key[(people < 0).any(axis=1)] = -1
    return place[: len(tuples)], np.ascontiguousarray(person_key, np.int64)


def _stacked(masks: list[BoolArray | None]) -> BoolArray:
    told = [mask for mask in masks if mask is not None]
    height, width = (max((mask.shape[i] for mask in told), default=1) for i in (0, 1))
    table = np.zeros((len(told), height, width), np.bool_)
    for j, mask in enumerate(told):
        table[j, : mask.shape[0], : mask.shape[1]] = mask
    return table


def _bits(
    target: Target,
    of_row: IntArray,
    n_tuples: int,
    sensitive: str | None,
    code_of: Mapping[Label, int] | None,
) -> IntArray:
    """Return which sensitive values occur with each released tuple, as bits."""
    if sensitive is None:
        return np.zeros((n_tuples, 0), np.int64)
    groups = target.groups(sensitive)
    if code_of is not None:
        groups = groups.relabelled(np.array([code_of[text] for text in groups.labels]), tuple(code_of))
    if sensitive not in target.told_apart:
        return _set_bits(of_row, groups.values, n_tuples, len(groups.labels))
    of_class = _set_bits(groups.owners, groups.values, groups.n_groups, len(groups.labels))
    bits = np.zeros((n_tuples, of_class.shape[1]), np.int64)
    np.bitwise_or.at(bits, of_row, of_class[target.class_of])
    return bits


def _set_bits(owners: IntArray, values: IntArray, n: int, size: int) -> IntArray:
    bits = np.zeros((n, max(1, -(-size // BITS))), np.int64)
    np.bitwise_or.at(bits, (owners, values // BITS), np.int64(1) << (values % BITS).astype(np.int64))
    return bits
