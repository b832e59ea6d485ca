"""Which finer recodings were rejected for sensitive values alone, and whom that speaks about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.attacks.finer import parts
from kohort.attacks.target import Target
from kohort.classes import Classes, Pairs, classes_of_rows
from kohort.models import Attribute, PrivacyModel, Reference
from kohort.models.model import guards_of

VECTORS = 64  # finer ones that are looked at, the nearest first


@dataclass(frozen=True, eq=False)
class Rejected:
    """The rows of the original that rejected recodings speak about."""

    rows: BoolArray
    vectors: int | None  # finer vectors of levels that were looked at; None: classes were split one by one
    forbidden: int  # those that only sensitive values forbid

    @classmethod
    def nothing(cls, n: int) -> Rejected:
        """Return that nothing was rejected."""
        return cls(np.zeros(n, np.bool_), 0, 0)


def rejected(target: Target) -> Rejected:
    """Mark the people in classes that only promises about sensitive values kept from being split or released."""
    reference = _reference(target)
    models = [model.bind(reference) for model in target.promises if model.card.counts != "population"]
    blind = [model for model in models if not model.reads]
    seeing = [model for model in models if model.reads]
    if target.levels is not None and all(name in target.hierarchies for name in target.quasi):
        return _by_levels(target, blind, seeing)
    return _by_class(target, blind, seeing)


def _reference(target: Target) -> Reference:
    """Return what models may know of the original; of people, where some have several rows."""
    assert target.original is not None
    attributes, who = {}, target.original_owners
    several = who is not None and len(np.unique(who)) < len(who)
    for name in target.judged:
        column, hierarchy = target.original[name], target.hierarchies.get(name)
        ground = None if hierarchy is None else hierarchy.encode(column.texts)
        pairs = Pairs.of(who, column.codes, len(column.values))[0] if several and who is not None else None
        attributes[name] = Attribute(name, column.texts, column.counts(), hierarchy, ground, pairs)
    wishes = {name: target.original[name] for name in _guards(target)}
    return Reference(
        target.original.n_rows,
        attributes,
        guards={name: Attribute(name, column.texts, column.counts()) for name, column in wishes.items()},
        people=len(np.unique(who)) if several and who is not None else None,
    )


def _guards(target: Target) -> list[str]:
    """Return the columns that say what people want protected: read by promises, and never released."""
    assert target.original is not None
    told = {name for model in target.promises for name in guards_of(model)}
    return sorted(name for name in told if name in target.original.columns)


def _classes(
    target: Target, codes: IntArray, owners: IntArray | None, rows: IntArray | None = None
) -> tuple[Classes, IntArray]:
    """Return the classes of original rows (all, or some) with equal codes; in people, where some have several rows."""
    assert target.original is not None
    sensitive = {}
    for name in (*target.judged, *_guards(target)):
        column = target.original[name]
        sensitive[name] = (column.codes if rows is None else column.codes[rows], len(column.values))
    return classes_of_rows(codes.astype(np.int32), sensitive, owners)


def _failing(models: list[PrivacyModel], classes: Classes) -> BoolArray:
    failing = np.zeros(len(classes), np.bool_)
    for model in models:
        failing |= model.failing(classes)
    return failing


def _by_levels(target: Target, blind: list[PrivacyModel], seeing: list[PrivacyModel]) -> Rejected:
    assert target.original is not None
    assert target.levels is not None
    assert target.rows is not None
    vectors = _Vectors(target, blind, seeing)
    class_of = np.full(target.original.n_rows, -1, np.int64)
    class_of[target.rows] = target.class_of
    chosen = tuple(target.levels[name] for name in target.quasi)
    rows = vectors.judged(chosen).skewed & (class_of < 0)  # left out, though large enough
    open_class, looked, forbidden = np.zeros(target.n_classes, np.bool_), 0, 0
    for judged in vectors.below(chosen):
        looked += 1
        if judged.forbidden <= target.max_suppressed:
            continue  # it was not forbidden: another measure chose
        forbidden += 1
        rows |= judged.skewed
        held = class_of[judged.skewed]
        open_class[held[held >= 0]] = True
    rows[target.rows] |= open_class[target.class_of]
    return Rejected(rows, looked, forbidden)


@dataclass(frozen=True, eq=False)
class _Judged:
    """One vector of levels: how many rows it would leave out, and who stands in a class that only values forbid."""

    small: int  # rows in classes that other promises forbid
    forbidden: int  # rows in classes that any promise forbids
    skewed: BoolArray  # per original row


class _Vectors:
    """The vectors of levels of the original, judged by what looks at sensitive values and by what does not."""

    def __init__(self, target: Target, blind: list[PrivacyModel], seeing: list[PrivacyModel]) -> None:
        assert target.original is not None
        self._target, self._blind, self._seeing = target, blind, seeing
        self._hierarchies = [target.hierarchies[name] for name in target.quasi]
        columns = [target.original[name] for name in target.quasi]
        pairs = zip(self._hierarchies, columns, strict=True)
        self._grounds = [hierarchy.encode(column.texts)[column.codes] for hierarchy, column in pairs]

    def judged(self, levels: tuple[int, ...]) -> _Judged:
        """Judge the classes that a vector makes of the original."""
        told = zip(self._hierarchies, levels, self._grounds, strict=True)
        codes = np.column_stack([h.levels[at].of_ground[ground] for h, at, ground in told])
        classes, place = _classes(self._target, codes, self._target.original_owners)
        small, skewed = _failing(self._blind, classes), _failing(self._seeing, classes)
        rows = classes.rows
        return _Judged(int(rows[small].sum()), int(rows[small | skewed].sum()), (skewed & ~small)[place])

    def below(self, chosen: tuple[int, ...]) -> Iterator[_Judged]:
        """Yield the vectors below one that other promises allow, the nearest first; below one they forbid is none."""
        waiting, seen = [chosen], {chosen}
        while waiting and len(seen) <= VECTORS:
            levels = waiting.pop(0)
            for finer in _one_step_finer(levels):
                if finer in seen:
                    continue
                seen.add(finer)
                judged = self.judged(finer)
                if judged.small <= self._target.max_suppressed:
                    waiting.append(finer)
                    yield judged


def _one_step_finer(levels: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [(*levels[:j], level - 1, *levels[j + 1 :]) for j, level in enumerate(levels) if level]


def _by_class(target: Target, blind: list[PrivacyModel], seeing: list[PrivacyModel]) -> Rejected:
    assert target.original is not None
    assert target.rows is not None
    open_class = np.zeros(target.n_classes, np.bool_)
    for name in target.quasi:
        hierarchy = target.hierarchies.get(name)
        if hierarchy is None:
            continue
        column, released = target.original[name], target.released[name]
        ground = hierarchy.encode(column.texts)[column.codes][target.rows]
        finer = [parts(hierarchy, text) for text in released.texts]
        if any(part is None for part in finer):
            continue
        part_of = np.array(finer)[released.codes, ground]
        codes = np.column_stack([target.class_of, part_of])
        classes, _ = _classes(target, codes, target.owners, target.rows)
        owners = classes.codes[:, 0]
        small, skewed = _failing(blind, classes), _failing(seeing, classes)
        n_parts = np.bincount(owners, minlength=target.n_classes)
        any_small = np.bincount(owners, small, target.n_classes) > 0
        any_skewed = np.bincount(owners, skewed, target.n_classes) > 0
        open_class |= (n_parts > 1) & ~any_small & any_skewed
    rows = np.zeros(target.original.n_rows, np.bool_)
    rows[target.rows] = open_class[target.class_of]
    return Rejected(rows, None, 0)
