"""Small random tables with sensitive columns, as classes and as plain rows side by side."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kohort.classes import Classes, Pairs, classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, Reference

Value = str | None
LABELS: dict[str, tuple[Value, ...]] = {
    "disease": ("flu", "cold", None, "cancer", "ulcer", "hiv"),
    "income": ("10", "9", "100", "20", None),
}
PATHS: dict[str, dict[Value, tuple[Value, ...]]] = {
    "disease": {
        "flu": ("flu", "lung", "mild", "*"),
        "cold": ("cold", "lung", "mild", "*"),
        "ulcer": ("ulcer", "belly", "mild", "*"),
        "cancer": ("cancer", "grave", "severe", "*"),
        "hiv": ("hiv", "grave", "severe", "*"),
        None: (None, None, None, "*"),
    },
    "income": {
        "9": ("9", "low", "*"),
        "10": ("10", "low", "*"),
        "20": ("20", "high", "*"),
        "100": ("100", "high", "*"),
        None: (None, None, "*"),
    },
}
# Domain order of the hierarchies: numbers by value, other values in leaf order, missing last.
ORDER: dict[str, tuple[Value, ...]] = {
    "disease": ("flu", "cold", "ulcer", "cancer", "hiv", None),
    "income": ("9", "10", "20", "100", None),
}
HIERARCHIES = {name: Hierarchy.from_rows(name, paths.values()) for name, paths in PATHS.items()}


@dataclass(frozen=True)
class World:
    """One table: its rows (class number, sensitive values) and the same as classes and reference."""

    class_of: list[int]
    values: dict[str, list[Value]]
    classes: Classes
    reference: Reference
    people: list[int] = field(default_factory=list)  # the person of each row, where people are named

    def rows(self, column: str) -> list[list[tuple[int, Value]]]:
        """The (person, value) of each class, row by row."""
        found: list[list[tuple[int, Value]]] = [[] for _ in range(len(self.classes))]
        for number, row in zip(self.class_of, self.table(column), strict=True):
            found[number].append(row)
        return found

    def table(self, column: str) -> list[tuple[int, Value]]:
        """The (person, value) of the whole table."""
        return list(zip(self.people, self.values[column], strict=True))

    def members(self, column: str) -> list[list[Value]]:
        """The sensitive values of each class."""
        found: list[list[Value]] = [[] for _ in range(len(self.classes))]
        for number, value in zip(self.class_of, self.values[column], strict=True):
            found[number].append(value)
        return found

    def merged(self, onto: np.ndarray) -> World:
        """The world after class i has become part of class onto[i]."""
        n = int(onto.max()) + 1
        classes = self.classes.merged(np.arange(n, dtype=np.int32)[:, None], onto)
        return World([int(onto[c]) for c in self.class_of], self.values, classes, self.reference, self.people)


def world(rng: np.random.Generator, most_rows: int = 24, several: bool = False) -> World:
    """Return a random table of up to six classes; some worlds are uniform, some skewed.

    Where people have `several` rows, these lie in any classes and hold any values.
    """
    n = int(rng.integers(2 if several else 1, most_rows))
    people = rng.integers(0, rng.integers(1, n), n) if several else None
    groups = rng.integers(0, rng.integers(1, 7), n)
    values, coded, attributes = {}, {}, {}
    for name, labels in LABELS.items():
        codes = rng.integers(0, rng.integers(1, len(labels) + 1), n)
        if rng.random() < 0.3:
            codes = np.minimum(codes, rng.integers(0, len(labels), n))
        used, codes = np.unique(codes, return_inverse=True)
        texts = tuple(labels[c] for c in used)
        values[name] = [texts[c] for c in codes]
        coded[name] = (codes.astype(np.int32), len(texts))
        pairs = None if people is None else Pairs.of(people, codes, len(texts))[0]
        attributes[name] = Attribute(
            name, texts, np.bincount(codes), HIERARCHIES[name], HIERARCHIES[name].encode(texts), pairs
        )
    classes, class_of = classes_of_rows(groups.astype(np.int32)[:, None], coded, people)
    number = None if people is None else len(np.unique(people))
    who = list(range(n)) if people is None else people.tolist()
    return World(class_of.tolist(), values, classes, Reference(n, attributes, people=number), who)


def random_merge(rng: np.random.Generator, n_classes: int) -> np.ndarray:
    """Return a random assignment of classes to coarser classes, every coarse class used."""
    onto = rng.integers(0, rng.integers(1, n_classes + 1), n_classes)
    return np.unique(onto, return_inverse=True)[1]
