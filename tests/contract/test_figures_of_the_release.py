"""What a metric tells follows from the released table, the hierarchies and how many are left out, whatever algorithm made it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.contract.test_level_bounds import ROWS, SPECIAL, VARIANTS, K, covered, paths_of

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.card import ONE_TABLE
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy
from kohort.preparation import quasi_hierarchies
from kohort.table import Table

Path_ = tuple[str | None, ...]
TELLING = [n for n in ALGORITHMS if (card := algorithm(n).card).truthful and card.layout == ONE_TABLE]
CASES = [(name, variant) for name in TELLING for variant in VARIANTS.get(name, [{}])]
IDS = [f"{name}{i}" for i, (name, _) in enumerate(CASES)]
TREE = {"trade": {"food": ["cook", "baker"], "wood": ["joiner"]}, "care": ["nurse", "vet"], "none": "none"}
LEVELS = {
    "file": "a;A;*\nb;B;*\nc;B;*\nd;d;*\n",
    "climbing": "a;a;*\nb;a;*\nc;c;*\n",  # a value that is also the label of more values
    "crossing": "a;b;*\nb;c;*\n",  # one that is also the label of another one
}
VALUES: dict[str, list[Any]] = {
    "age": [3, 4, 17, 22, 56, 98, None],
    "pay": [100, 150, 1210, 4000],
    "zip": ["94138", "94139", "94141", "01234"],
    "job": ["cook", "baker", "joiner", "nurse", "none", None],
    "born": ["1980-01-03", "1980-01-30", "1980-05-01", "1999-12-31"],
    "file": ["a", "b", "c", "d"],
    "climbing": ["a", "b", "c"],
    "crossing": ["a", "b"],
    "told": ["a"],
    "only": ["7"],
    "flag": ["f", "m"],
}


def hierarchies(folder: Path) -> dict[str, dict[str, Any]]:
    files = {name: folder / f"{name}.csv" for name in LEVELS}
    for name, path in files.items():
        path.write_text(LEVELS[name])
    return {
        "age": {"kind": "intervals", "widths": [5, 10, 40], "domain": [0, 99]},
        "pay": {"kind": "intervals", "widths": [100, 1000]},
        "zip": {"kind": "mask", "length": 5},
        "job": {"kind": "tree", "tree": TREE},
        "born": {"kind": "dates", "levels": ["month", "year"]},
        **{name: {"kind": "file", "path": str(path), "header": False} for name, path in files.items()},
        "told": {"kind": "tree", "tree": {"X": ["a"]}},
        "only": {"kind": "mask", "length": 1},
        "flag": {"kind": "suppress"},
    }


def drawn(
    rng: np.random.Generator, name: str, variant: dict[str, Any], kinds: dict[str, dict[str, Any]]
) -> tuple[pa.Table, dict[str, Any]]:
    rows = ROWS.get(name, 24)
    names = [str(n) for n in rng.permutation(list(kinds))[: rng.integers(1, 4)]]
    columns: dict[str, Any] = {"ill": {"role": "insensitive"}}
    held = {"ill": ["x"] * rows}
    for column in names:
        columns[column] = {"role": "quasi", "hierarchy": kinds[column]}
        if rng.random() < 0.3:
            columns[column]["min_level"] = 1
        elif rng.random() < 0.3:
            columns[column]["max_level"] = 1
        held[column] = [VALUES[column][i] for i in rng.integers(0, len(VALUES[column]), rows)]
    special = SPECIAL.get(name, {})
    recode = {"algorithm": name, "max_suppression": float(rng.choice([0.0, 0.3, 1.0]))} | special
    recode["options"] = special.get("options", {}) | variant
    return pa.table(held), {
        "columns": columns,
        "require": [{"model": "k-anonymity", "k": K.get(name, 2)}],
        "recode": recode,
        "output": {"ledger": ""},
    }


def place(
    paths: list[Path_], label: str | None, allowed: tuple[int, int | None] = (0, None), at: int | None = None
) -> tuple[set[str | None], int]:
    """Return the values that a label may stand for, and the level at which it stands: the lowest that has it, for all of them.

    Of a column that is told at one level, that is its labels' level.
    """
    if at is not None:
        return {path[0] for path in paths if path[at] == label}, at
    low, high = allowed[0], len(paths[0]) if allowed[1] is None else allowed[1] + 1
    told = {path[0] for path in paths if label in path[low:high]}  # by a plan that allows these levels
    values = told if told and label != "*" else covered(paths, label)
    levels = range(len(paths[0]))
    if label == "*":
        return values, levels[-1]
    own = [level for level in levels if {p[0] for p in paths if p[level] == label} == values]
    above = [level for level in levels if len({p[level] for p in paths if p[0] in values}) == 1]
    return values, min(own or above)


def renamed(paths: list[Path_], values: set[str | None], level: int) -> int:
    """Return the height of the tree below what stands above some values at a level; labels repeated upwards are one node."""
    label = next(path[level] for path in paths if path[0] in values)
    below = [path[: level + 1] for path in paths if path[level] == label]
    return max(sum(a != b for a, b in pairwise(path)) for path in below)


def left_open(hierarchy: Hierarchy, paths: list[Path_], label: str | None) -> float:
    """Return what a label loses by Truta's Definition 9."""
    values, level = place(paths, label, hierarchy.allowed)
    root = len(paths[0]) - 1
    if hierarchy.numbers is None:
        return renamed(paths, values, level) / max(renamed(paths, {p[0] for p in paths}, root), 1)
    told = [float(value) for value in values if value is not None]
    every = [float(path[0]) for path in paths if path[0] is not None]
    if told and None in values:
        return 1.0
    return (max(told) - min(told)) / (max(every) - min(every)) if told and max(every) > min(every) else 0.0


def told_of(
    rows: list[tuple[str | None, ...]], n: int, known: tuple[Hierarchy, ...], at: dict[str, int]
) -> dict[str, float]:
    """Return every figure of a released table, from its cells and the levels of its columns; n are the rows of the original."""
    m, lost = len(known), n - len(rows)
    every = [paths_of(hierarchy) for hierarchy in known]
    sizes, heights = [len(paths) for paths in every], [len(paths[0]) - 1 for paths in every]
    places = [
        {
            label: place(paths, label, known[j].allowed, at.get(known[j].name))
            for label in {row[j] for row in rows}
        }
        for j, paths in enumerate(every)
    ]
    covers = [[len(places[j][row[j]][0]) for j in range(m)] for row in rows]
    steps = [sum(places[j][row[j]][1] for row in rows) for j in range(m)]
    mean = [s / len(rows) if rows else h for s, h in zip(steps, heights, strict=True)]
    groups = Counter(rows)
    loss = 1.0
    for j, size in enumerate(sizes):
        share = (sum(own[j] for own in covers) / size + lost) / n
        loss *= (1 + ((share - 1 / size) / (1 - 1 / size) if size > 1 else 0.0)) ** (1 / m)
    return {
        "loss": loss - 1,
        "precision": sum((s / max(h, 1) + lost) / n for s, h in zip(steps, heights, strict=True)) / m,
        "min-absolute-distance": sum(mean),
        "min-relative-distance": sum(s / max(h, 1) for s, h in zip(mean, heights, strict=True)),
        "ambiguity": (sum(map(prod, covers)) + lost * prod(sizes)) / n,
        "information-loss": sum(
            left_open(h, paths, row[j])
            for row in rows
            for j, (h, paths) in enumerate(zip(known, every, strict=True))
        )
        + m * lost,
        "discernibility": sum(size**2 for size in groups.values()) + n * lost,
        "average-class-size": n / (len(groups) + (lost > 0)),
        "max-distribution": -len(groups),
        "min-suppression": lost,
    }


def in_words(hierarchy: Hierarchy, labels: set[str | None]) -> Hierarchy:
    """Return the hierarchy in the spelling that a release took."""
    words = [*(spelling.hierarchy for spelling in hierarchy.spellings), hierarchy]
    return max(words, key=lambda own: sum(any(x in level.code_of for level in own.levels) for x in labels))


def check(name: str, variant: dict[str, Any], seed: int, count: int, folder: Path) -> int:
    rng, released = np.random.default_rng([seed, CASES.index((name, variant))]), 0
    kinds = hierarchies(folder)
    for _ in range(count):
        frame, asked = drawn(rng, name, variant, kinds)
        try:
            release = kohort.anonymize(frame, asked)
        except (InfeasibleError, InputError):
            continue
        released += 1
        known = quasi_hierarchies(Table.from_arrow(frame), release.plan)
        columns = [release.table.column(hierarchy.name).to_pylist() for hierarchy in known]
        rows = [
            tuple(None if cell is None else str(cell) for cell in row) for row in zip(*columns, strict=True)
        ]
        known = tuple(in_words(h, {row[j] for row in rows}) for j, h in enumerate(known))
        expected = told_of(rows, frame.num_rows, known, release.levels if algorithm(name).card.levels else {})
        if not {"climbing", "crossing"}.isdisjoint(h.name for h in known):
            del expected[
                "information-loss"
            ]  # one height of a tree in which a label is its own ancestor, nobody defines
        assert expected.keys() <= release.losses.keys()
        found = {metric: release.losses[metric] for metric in expected}
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9), (asked["columns"], asked["recode"])
    return released


@pytest.mark.parametrize(("name", "variant"), CASES, ids=IDS)
def test_every_figure_is_that_of_the_released_table(
    name: str, variant: dict[str, Any], tmp_path: Path
) -> None:
    check(name, variant, 1, 5, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(("name", "variant"), CASES, ids=IDS)
def test_every_figure_is_that_of_the_released_table_on_many(
    name: str, variant: dict[str, Any], tmp_path: Path
) -> None:
    assert check(name, variant, 2, 60, tmp_path) > 5
