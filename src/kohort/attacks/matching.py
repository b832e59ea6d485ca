"""Which released records can be a person's, by what the released values mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.attacks.target import Target
from kohort.classes import group
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label, meaning
from kohort.table import Column, Table

BITS = 63  # values per word of a candidate set


@dataclass(frozen=True, eq=False)
class Match:
    """What the release tells of each person of an outside table."""

    sizes: IntArray  # int64, released records that can be the person's
    candidates: (
        IntArray  # int64 (n_people, words), sensitive values of these records as bits; no words without
    )

    def n_candidates(self) -> IntArray:
        """Return the number of different sensitive values that each person can have."""
        return popcount(self.candidates)


def popcount(bits: IntArray) -> IntArray:
    """Return the number of bits set in each row."""
    spread = np.unpackbits(np.ascontiguousarray(bits).view(np.uint8), axis=1)
    return np.asarray(spread.sum(axis=1, dtype=np.int64))


def match_people(
    target: Target,
    people: Table,
    on: tuple[str, ...],
    sensitive: str | None = None,
    code_of: Mapping[Label, int] | None = None,
) -> Match:
    """Match every row of `people` with the released records that fit it on the columns `on`.

    A quasi-identifier fits if its released label covers the person's value; any other column if it is the
    same. A value that the hierarchy does not know fits only what is suppressed. `code_of` numbers the sensitive
    values where candidates of two releases are compared. People and records that are alike are matched once.
    Where labels do not overlap, people are looked up by label: time of the two tables; for other columns it is
    people × released tuples at worst.
    """
    columns = [_matched(target, people[name], name) for name in on]
    tuples, of_row = group(np.column_stack([target.released[name].codes for name in on]).astype(np.int32))
    persons, of_person = group(np.column_stack([c.person for c in columns]).astype(np.int32))
    weights = np.bincount(of_row, target.counts, minlength=len(tuples)).astype(np.int64)
    bits = _bits(target, of_row, len(tuples), sensitive, code_of)
    from kohort.attacks.linking_kernels import fit

    person_key, starts, order = _keyed(columns, persons, tuples)
    masked = [j for j, column in enumerate(columns) if column.mask is not None]
    sizes, union = fit(
        person_key,
        starts,
        order,
        np.ascontiguousarray(persons[:, masked], np.int32),
        np.ascontiguousarray(tuples[:, masked], np.int32),
        _stacked([columns[j].mask for j in masked]),
        weights,
        bits,
    )
    return Match(sizes[of_person], union[of_person])


@dataclass(frozen=True, eq=False)
class _Matched:
    """One column to match on: per person a code, and how released codes cover it."""

    person: IntArray  # int32 per row of the outside table
    label_of: IntArray | None  # person code -> the released code that covers it, -1 for none
    mask: BoolArray | None  # (released code, person code), where labels overlap


def _matched(target: Target, outside: Column, name: str) -> _Matched:
    released = target.released[name]
    hierarchy = target.hierarchies.get(name)
    ground: tuple[Label, ...] = outside.texts if hierarchy is None else hierarchy.ground
    code_of = {text: code for code, text in enumerate(ground)}
    strange = len(ground)  # what no label but `*` covers
    own = np.arange(strange) if hierarchy is None else hierarchy.codes_of(outside.texts)
    person = np.where(own < 0, strange, own).astype(np.int32)[outside.codes]
    covers = [_cover(hierarchy, code_of, text, strange) for text in released.texts]
    label_of = np.full(strange + 1, -1, np.int32)
    if sum(map(len, covers)) == len(np.unique(np.concatenate([*covers, np.zeros(0, np.int64)]))):
        for label, covered in enumerate(covers):
            label_of[covered] = label
        return _Matched(person, label_of, None)
    mask = np.zeros((len(covers), strange + 1), np.bool_)
    for label, covered in enumerate(covers):
        mask[label, covered] = True
    return _Matched(person, None, mask)


def _cover(hierarchy: Hierarchy | None, code_of: dict[Label, int], label: Label, strange: int) -> IntArray:
    if label == SUPPRESSED:
        return np.arange(strange + 1)
    if hierarchy is None:
        return np.array([code_of[label]] if label in code_of else [], np.int64)
    mask = meaning(hierarchy, label)
    return np.zeros(0, np.int64) if mask is None else np.flatnonzero(mask)


def _keyed(
    columns: list[_Matched], persons: IntArray, tuples: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Number the tuples by the columns whose labels do not overlap, and tell the number that fits each person."""
    plain = [j for j, column in enumerate(columns) if column.label_of is not None]
    told = [np.asarray(columns[j].label_of)[persons[:, j]] for j in plain]
    told = told or [np.zeros(len(persons), np.int32)]
    shown = tuples[:, plain] if plain else np.zeros((len(tuples), 1), np.int32)
    people = np.column_stack(told).astype(np.int32)
    _, place = group(np.concatenate([shown.astype(np.int32), people]))
    key_of_tuple, person_key = place[: len(tuples)], place[len(tuples) :].copy()
    person_key[(people < 0).any(axis=1)] = -1
    n_keys = int(place.max(initial=-1)) + 1
    starts = np.concatenate([[0], np.cumsum(np.bincount(key_of_tuple, minlength=n_keys))]).astype(np.int64)
    order = np.argsort(key_of_tuple, kind="stable").astype(np.int64)
    return np.ascontiguousarray(person_key, np.int64), starts, order


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
