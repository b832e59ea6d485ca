"""Naive twins of the quality metrics, row by row.

A released row is a tuple of sets of ground values (what each released label may stand for), or None where the
row is suppressed; `heights` are the levels at which its labels stand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Cover = frozenset[str | None]


@dataclass(frozen=True)
class Attribute:
    domain: tuple[str | None, ...]
    height: int
    numeric: bool
    paths: tuple[tuple[str | None, ...], ...] = ()  # per value of the domain: its labels from ground to root


@dataclass(frozen=True)
class Case:
    attributes: tuple[Attribute, ...]
    original: list[tuple[str | None, ...]]
    released: list[tuple[Cover, ...] | None]
    levels: list[tuple[int, ...]]
    target: list[str]

    @property
    def kept(self) -> list[int]:
        return [i for i, row in enumerate(self.released) if row is not None]

    @property
    def suppressed(self) -> int:
        return len(self.original) - len(self.kept)

    def classes(self) -> dict[tuple[Cover, ...], list[int]]:
        groups: dict[tuple[Cover, ...], list[int]] = {}
        for i in self.kept:
            groups.setdefault(self.released[i], []).append(i)  # type: ignore[arg-type]
        return groups


def loss(case: Case) -> float:
    product = 1.0
    for j, attribute in enumerate(case.attributes):
        size = len(attribute.domain)
        if size == 1:
            continue
        shares = sum(1.0 if row is None else len(row[j]) / size for row in case.released)
        x = (shares / len(case.released) - 1 / size) / (1 - 1 / size)
        product *= (1 + x) ** (1 / len(case.attributes))
    return product - 1


def discernibility(case: Case) -> float:
    return sum(len(g) ** 2 for g in case.classes().values()) + case.suppressed * len(case.original)


def average_class_size(case: Case) -> float:
    return len(case.original) / (len(case.classes()) + (case.suppressed > 0))


def precision(case: Case) -> float:
    total = 0.0
    for j, attribute in enumerate(case.attributes):
        for i, row in enumerate(case.released):
            total += (
                1.0 if row is None else (case.levels[i][j] / attribute.height if attribute.height else 0.0)
            )
    return total / len(case.original) / len(case.attributes)


def classification(case: Case) -> float:
    wrong = case.suppressed
    for group in case.classes().values():
        wrong += len(group) - Counter(case.target[i] for i in group).most_common(1)[0][1]
    return wrong


def ambiguity(case: Case) -> float:
    everything = math.prod(len(a.domain) for a in case.attributes)
    return sum(everything if r is None else math.prod(map(len, r)) for r in case.released) / len(
        case.released
    )


def entropy(case: Case) -> float:
    shares = []
    for j in range(len(case.attributes)):
        n = len(case.original)
        total = Counter(row[j] for row in case.original)
        shown = Counter(case.released[i][j] for i in case.kept)  # type: ignore[index]
        pairs = Counter((case.original[i][j], case.released[i][j]) for i in case.kept)  # type: ignore[index]
        bits = lost = 0.0
        for i, row in enumerate(case.original):
            bits -= math.log2(total[row[j]] / n)
            released = case.released[i]
            if released is None:
                lost -= math.log2(total[row[j]] / n)
            else:
                lost -= math.log2(pairs[row[j], released[j]] / shown[released[j]])
        shares.append(lost / bits if bits else 0.0)
    return sum(shares) / len(shares)


def information_loss(case: Case) -> float:
    """Truta, Campan and Meyer, Definitions 9 and 10, record by record; a suppressed one loses 1 per attribute."""
    total = 0.0
    for row in case.released:
        for j, attribute in enumerate(case.attributes):
            if row is None:
                total += 1
            elif attribute.numeric:
                total += _size(row[j]) / (_size(frozenset(attribute.domain)) or 1)
            else:
                total += _tree_height(attribute, row[j]) / (_tree_height(attribute, None) or 1)
    return total


def _size(interval: Cover) -> float:
    numbers = [float(v) for v in interval if v is not None]
    return max(numbers) - min(numbers) if numbers else 0.0


def _tree_height(attribute: Attribute, cover: Cover | None) -> int:
    """The height of the subtree rooted in the lowest common ancestor of the values, or of the whole tree."""
    paths = dict(zip(attribute.domain, attribute.paths, strict=True))
    root = len(attribute.paths[0]) - 1
    members = list(paths) if cover is None else list(cover)
    at = (
        root
        if cover is None
        else next(level for level in range(root + 1) if len({paths[v][level] for v in members}) == 1)
    )
    label = paths[members[0]][at]
    below = [path[: at + 1] for path in paths.values() if path[at] == label]
    return max(sum(a != b for a, b in pairwise(path)) for path in below)


def kullback_leibler(p: Sequence[float], q: Sequence[float]) -> float:
    return sum(a * math.log2(a / b) if b else math.inf for a, b in zip(p, q, strict=True) if a)


def steps(case: Case) -> list[float]:
    """Per attribute, the mean levels climbed by released rows; the hierarchy's height where none is released."""
    if not case.kept:
        return [float(a.height or 1) for a in case.attributes]
    return [sum(case.levels[i][j] for i in case.kept) / len(case.kept) for j in range(len(case.attributes))]


def absolute_distance(case: Case) -> float:
    return sum(s for s, a in zip(steps(case), case.attributes, strict=True) if a.height)


def relative_distance(case: Case) -> float:
    return sum(s / (a.height or 1) for s, a in zip(steps(case), case.attributes, strict=True))


TWINS = {
    "loss": loss,
    "discernibility": discernibility,
    "average-class-size": average_class_size,
    "precision": precision,
    "classification": classification,
    "ambiguity": ambiguity,
    "entropy": entropy,
    "information-loss": information_loss,
    "min-absolute-distance": absolute_distance,
    "min-relative-distance": relative_distance,
    "max-distribution": lambda case: -len(case.classes()),
    "min-suppression": lambda case: case.suppressed,
}
