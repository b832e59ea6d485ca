"""The records nearest to each known person, where values are perturbed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.attacks.matching import label_of
from kohort.attacks.target import Target
from kohort.classes import group
from kohort.hierarchy.numerals import numbers_of
from kohort.table import Column, Table


@dataclass(frozen=True, eq=False)
class Nearness:
    """The records at the least distance from each person, and the chance that one of them is the person's."""

    sizes: IntArray
    chances: FloatArray  # empty where it is not known whose the records are

    @property
    def fewest(self) -> int:
        """The fewest records at the least distance from anybody."""
        return int(self.sizes.min()) if len(self.sizes) else 0


def nearness(target: Target, people: Table, on: tuple[str, ...], rows: IntArray | None) -> Nearness:
    """Return the nearest records of everybody; of people `rows`, whose record each released one is, how many are theirs."""
    from kohort.attacks.linking_kernels import nearest

    persons, records, numeric = _matrices(target, people, on)
    place, first = _distinct(records)
    weights = np.bincount(place, minlength=len(first)).astype(np.int64)
    person_of, someone = _distinct(persons)
    sizes, least = nearest(persons[someone], records[first], numeric, weights)
    found = sizes[person_of]
    if rows is None:
        return Nearness(found, np.zeros(0))
    case_of, record = _own_records(np.arange(len(rows)) if target.owners is None else target.owners)
    steps = persons[rows[case_of]] - records[record]
    far = np.where(numeric, steps**2, steps != 0).sum(axis=1)
    there = far <= least[person_of][rows[case_of]] + 1e-9
    own = np.bincount(case_of[there], minlength=len(rows))
    return Nearness(found[rows], np.asarray(own / np.maximum(found[rows], 1)))


def _own_records(owners: IntArray) -> tuple[IntArray, IntArray]:
    """Return every record beside all records of the same person."""
    order, counts = np.argsort(owners, kind="stable"), np.bincount(owners)
    first = np.cumsum(counts) - counts
    case_of = np.repeat(np.arange(len(owners)), counts[owners])
    ends = np.cumsum(counts[owners])
    within = np.arange(len(case_of)) - np.repeat(ends - counts[owners], counts[owners])
    return case_of, order[first[owners[case_of]] + within]


def _matrices(target: Target, people: Table, on: tuple[str, ...]) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return people and records as numbers: standardised where all are numbers, else codes that are the same or not."""
    left, right, numeric = [], [], []
    for name in on:
        one, other = people[name], target.released[name]
        numbers = _numbers(one, other)
        person, record = _codes(target, one, name) if numbers is None else numbers
        left.append(person)
        right.append(record)
        numeric.append(numbers is not None)
    return (
        np.ascontiguousarray(np.column_stack(left)),
        np.ascontiguousarray(np.column_stack(right)),
        np.array(numeric, np.bool_),
    )


def _numbers(one: Column, other: Column) -> tuple[FloatArray, FloatArray] | None:
    """Return the numbers of people and of records, scaled by the spread of the latter; None where some are none."""
    texts = tuple(dict.fromkeys((*one.texts, *other.texts)))
    numbers = numbers_of(texts)
    if numbers is None or np.isnan(numbers).any():
        return None
    number_of = dict(zip(texts, numbers.tolist(), strict=True))
    person, record = (
        np.array([number_of[text] for text in column.texts], np.float64)[column.codes]
        for column in (one, other)
    )
    spread = float(record.std()) or 1.0
    return person / spread, record / spread


def _codes(target: Target, one: Column, name: str) -> tuple[FloatArray, FloatArray]:
    """Return codes that are the same where the released label stands for the person's value; where labels overlap, is it."""
    other = target.released[name]
    label = label_of(target, one, name)
    if label is None:
        code_of = {text: code for code, text in enumerate(other.texts)}
        label = np.array([code_of.get(text, -1) for text in one.texts], np.int64)[one.codes]
    return label.astype(np.float64), other.codes.astype(np.float64)


def _distinct(matrix: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the number of each row among the distinct ones, and where each of these first stands."""
    codes = [np.unique(column, return_inverse=True)[1] for column in matrix.T]
    distinct, place = group(np.column_stack(codes).astype(np.int32))
    first = np.zeros(len(distinct), np.int64)
    first[place[::-1]] = np.arange(len(place))[::-1]
    return place, first
