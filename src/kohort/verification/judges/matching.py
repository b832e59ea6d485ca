"""Finds, for every released row, an original row that it can truthfully stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.classes import group
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.cover import Cover
from kohort.hierarchy.reading import covered
from kohort.table import Column, Table
from kohort.verification.judges.same_values import codes_among


def match_rows(released: Table, original: Table, hierarchies: Sequence[Hierarchy]) -> IntArray | None:
    """Return an original row for each released row, each used once; None where there is no such assignment.

    Rows may have been shuffled and left out, so this is a bipartite matching: a released row may stand for
    an original one if each quasi-identifier covers it and each other column is the same. Rows that are alike
    are matched together, by maximum flow over distinct tuples; exact, whatever the recoding was.
    """
    found = _tuples(released, original, hierarchies)
    if found is None:
        return None
    left, left_of, right, right_of, masks = found
    supply, room = (np.bincount(of, minlength=len(d)) for of, d in ((left_of, left), (right_of, right)))
    flow = _flow(left, supply, right, room, masks)
    return None if flow is None else _spread(flow, left_of, right_of)


def fits_of(
    released: Table, original: Table, hierarchies: Sequence[Hierarchy]
) -> tuple[IntArray, IntArray, IntArray, IntArray] | None:
    """Return the tuple of each released row and of each original one, and, as starts and targets, which may stand for which.

    None where a released cell means nothing that the original has.
    """
    found = _tuples(released, original, hierarchies)
    if found is None:
        return None
    left, left_of, right, right_of, masks = found
    order, starts, edges = _candidates(left, right, masks)
    return left_of, right_of, starts, order[edges]


def _tuples(
    released: Table, original: Table, hierarchies: Sequence[Hierarchy]
) -> tuple[IntArray, IntArray, IntArray, IntArray, list[BoolArray]] | None:
    """Return the distinct tuples of both sides with the tuple of each row, and what each label covers."""
    quasi = {hierarchy.name for hierarchy in hierarchies}
    carried = [column for column in released if column.name not in quasi]
    carried_codes = [_codes_as(column, original[column.name]) for column in carried]
    if any((codes < 0).any() for codes in carried_codes):
        return None
    masks, labels, grounds = [], [], []
    for hierarchy in hierarchies:
        source = original[hierarchy.name]
        there, place = np.unique(hierarchy.encode(source.texts), return_inverse=True)
        mask = coverage(released[hierarchy.name], hierarchy, there)
        if mask is None:
            return None
        masks.append(mask)
        labels.append(released[hierarchy.name].codes)
        grounds.append(place[source.codes])
    left, left_of = group(np.column_stack([*carried_codes, *labels]).astype(np.int32))
    right, right_of = group(
        np.column_stack([*(original[c.name].codes for c in carried), *grounds]).astype(np.int32)
    )
    return left, left_of, right, right_of, masks


def can_match(
    left: IntArray, left_counts: IntArray, right: IntArray, right_counts: IntArray, masks: list[BoolArray]
) -> bool:
    """Say whether there is an assignment as `match_rows` seeks it, of tuples that stand for so many rows each.

    Tuples begin with the codes of what must be the same, and end with a released label (left) and a ground code
    (right) for each of the `masks`.
    """
    sides = []
    for tuples, counts in ((left, left_counts), (right, right_counts)):
        distinct, place = group(tuples)
        sides += [distinct, np.bincount(place, counts, minlength=len(distinct))]
    return _flow(sides[0], sides[1], sides[2], sides[3], masks) is not None


class _Flow(NamedTuple):
    """How many rows of each released tuple go to which original tuple, these in `order`."""

    order: IntArray
    starts: IntArray
    edges: IntArray
    flow: IntArray


def _flow(
    left: IntArray, supply: IntArray, right: IntArray, room: IntArray, masks: list[BoolArray]
) -> _Flow | None:
    from kohort.verification.judges.matching_kernels import saturate

    order, starts, edges = _candidates(left, right, masks)
    supply = supply.astype(np.int64)
    flow = saturate(starts, edges, supply.copy(), room[order].astype(np.int64))
    return None if flow.sum() < supply.sum() else _Flow(order, starts, edges, flow)


def _candidates(
    left: IntArray, right: IntArray, masks: list[BoolArray]
) -> tuple[IntArray, IntArray, IntArray]:
    """Return an order of the right tuples and, as starts and places in that order, which of them each left one may stand for."""
    from kohort.verification.judges.matching_kernels import candidates

    n_carried = left.shape[1] - len(masks)
    same = [(left[:, :n_carried], right[:, :n_carried])]
    overlapping, tables = [], []
    for j, mask in enumerate(masks, start=n_carried):
        of_label, of_ground = families(mask)
        same.append((of_label[left[:, j], None], of_ground[right[:, j], None]))
        if len(np.unique(of_label)) < len(of_label):  # else a label covers its family and no other
            overlapping.append(j)
            tables.append(mask)
    keys = [np.concatenate(side, axis=1).astype(np.int32) for side in zip(*same, strict=True)]
    _, key = group(np.concatenate(keys))
    key = key.astype(np.int32)
    order = np.argsort(key[len(left) :], kind="stable")
    sought = np.column_stack([key[: len(left)], left[:, overlapping]]).astype(np.int32)
    offered = np.column_stack([key[len(left) :], right[:, overlapping]]).astype(np.int32)
    starts, edges = candidates(sought, offered[order], _stacked(tables), 1)
    return order, starts, edges


def families(mask: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the family of each label and of each ground value: labels that overlap, over others too, are of one family.

    What a label covers is of its family, so that rows are compared within families only: where labels do not overlap, as in
    a full-domain recoding, with no others than those they stand for. What no label covers is of a family of its own.
    """
    n_labels = len(mask)
    of_ground = np.full(mask.shape[1], n_labels, np.int64)
    for label, own in enumerate(mask):
        met = np.unique(of_ground[own])
        of_ground[own] = label
        for family in met[met < n_labels].tolist():
            of_ground[of_ground == family] = label
    some = mask.any(axis=1)
    first = mask.argmax(axis=1) if mask.shape[1] else np.zeros(n_labels, np.int64)
    of_label = np.arange(n_labels)
    of_label[some] = of_ground[first[some]]
    return of_label, of_ground


def _stacked(masks: list[BoolArray]) -> BoolArray:
    """Return masks of several sizes as one array."""
    height, width = (max((mask.shape[axis] for mask in masks), default=0) for axis in (0, 1))
    table = np.zeros((len(masks), height, width), np.bool_)
    for j, mask in enumerate(masks):
        table[j, : mask.shape[0], : mask.shape[1]] = mask
    return table


def _spread(found: _Flow, left_of: IntArray, right_of: IntArray) -> IntArray:
    """Expand the flow between distinct tuples to rows: both sides in the order of their tuples."""
    order, starts, edges, flow = found
    n_left, n_right = len(starts) - 1, len(order)
    position = np.empty(n_right, np.int64)
    position[order] = np.arange(n_right)
    right_of = position[right_of]
    owner = np.repeat(np.arange(n_left), np.diff(starts))
    left_rows = np.argsort(left_of, kind="stable")  # rows of released tuple 0, then 1, …; flow runs alike
    targets = np.repeat(edges, flow)
    by_target = np.argsort(targets, kind="stable")
    sources = np.argsort(right_of, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(right_of, minlength=n_right))])
    used = targets[by_target]
    rank = np.arange(len(used)) - np.concatenate([[0], np.cumsum(np.bincount(used, minlength=n_right))])[used]
    rows = np.empty(len(left_of), np.int64)
    rows[left_rows[by_target]] = sources[first[used] + rank]
    assert (np.repeat(owner, flow) == left_of[left_rows]).all()
    return rows


def _codes_as(column: Column, source: Column) -> IntArray:
    """Return the column's codes in the coding of `source`, -1 for values it does not have."""
    return np.asarray(codes_among(column.texts, source.texts)[column.codes])


def coverage(column: Column, hierarchy: Hierarchy, there: IntArray) -> BoolArray | None:
    """Return which of the ground values that are `there`, ascending, each released label covers; None where a label means nothing.

    Complexity: labels × values that are there, however many are declared.
    """
    found = np.zeros((len(column.texts), len(there)), np.bool_)
    for mask, text in zip(found, column.texts, strict=True):
        codes = covered(hierarchy, text)
        if codes is None:
            return None
        if len(codes) and codes[-1] - codes[0] + 1 == len(codes):  # a run
            mask[slice(*np.searchsorted(there, [codes[0], codes[-1] + 1]))] = True
        else:
            mask[np.isin(there, codes)] = True
    return found


def covering(column: Column, hierarchy: Hierarchy) -> Cover | None:
    """Return the ground values that each released label covers; None where a label means nothing."""
    codes = [covered(hierarchy, text) for text in column.texts]
    known = [own for own in codes if own is not None]
    return Cover(known, hierarchy.size) if len(known) == len(codes) else None
