"""Row matching against augmenting paths in plain Python, with several hierarchies and carried columns."""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa
import pytest

from kohort.hierarchy import Hierarchy
from kohort.table import Table
from kohort.verification.judges import judge_truth, match_rows

PATHS = {
    "one": {"a": {"a", "x", "*"}, "b": {"b", "x", "*"}, "c": {"c", "y", "*"}},
    "two": {"0": {"0", "even", "*"}, "1": {"1", "odd", "*"}, "2": {"2", "even", "*"}, "3": {"3", "odd", "*"}},
}
HIERARCHIES = [
    Hierarchy.from_rows("one", [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")]),
    Hierarchy.from_rows(
        "two", [("0", "even", "*"), ("2", "even", "*"), ("1", "odd", "*"), ("3", "odd", "*")]
    ),
]
Row = dict[str, str]


def table(rows: list[Row], names: list[str]) -> Table:
    return Table.from_arrow(
        pa.table({name: pa.array([r[name] for r in rows], pa.string()) for name in names})
    )


def fits(released: Row, original: Row) -> bool:
    return all(
        label in PATHS[name][original[name]] if name in PATHS else label == original[name]
        for name, label in released.items()
    )


def matchable(released: list[Row], original: list[Row]) -> bool:
    owner: dict[int, int] = {}

    def placed(i: int, tried: set[int]) -> bool:
        for j in range(len(original)):
            if j not in tried and fits(released[i], original[j]):
                tried.add(j)
                if j not in owner or placed(owner[j], tried):
                    owner[j] = i
                    return True
        return False

    return all(placed(i, set()) for i in range(len(released)))


def drawn(chance: Random, carried: int) -> tuple[list[Row], list[Row]]:
    """Return a table and rows that mostly are true of some of it."""
    original = [
        {name: chance.choice(list(values)) for name, values in PATHS.items()}
        | {f"mark{j}": chance.choice("pqr") for j in range(carried)}
        for _ in range(chance.randint(1, 9))
    ]
    released = [
        {
            name: chance.choice(sorted(PATHS[name][value])) if name in PATHS else value
            for name, value in row.items()
        }
        for row in chance.sample(original, chance.randint(0, len(original)))
    ]
    if released and chance.random() < 0.6:
        row, name = chance.choice(released), chance.choice(list(released[0]))
        row[name] = chance.choice([other[name] for other in (*original, *released)])
    return original, released


@pytest.mark.parametrize("carried", [0, 1, 2])
def test_rows_are_matched_exactly_where_they_can_be(carried: int) -> None:
    chance, seen = Random(carried), [0, 0]
    names = [*PATHS, *(f"mark{j}" for j in range(carried))]
    for _ in range(400):
        original, released = drawn(chance, carried)
        one, other = table(released, names), table(original, names)
        rows = match_rows(one, other, HIERARCHIES)
        expected = matchable(released, original)
        assert (rows is not None) == expected, (released, original)
        seen[expected] += 1
        if rows is not None:
            assert judge_truth(one, other, HIERARCHIES, rows).holds
    assert min(seen) > 20


def test_many_candidates_are_all_kept() -> None:
    """More pairs that fit than the first array of them has room for."""
    rows = [{"one": "abc"[i % 3], "two": str(i % 4), "mark0": str(i)} for i in range(60)]
    names = ["one", "two"]
    distinct = [{"one": "*", "two": "*", "mark0": row["mark0"]} for row in reversed(rows)]
    found = match_rows(table(distinct, [*names, "mark0"]), table(rows, [*names, "mark0"]), HIERARCHIES)
    assert found is not None
    assert found.tolist() == list(reversed(range(60)))
    wide = Hierarchy.from_rows("one", [(str(i), "*") for i in range(40)])
    pairs = [f"{{{i}, {i + 1}}}" for i in range(39)]
    original = Table.from_arrow(pa.table({"one": [str(i) for i in range(40)]}))
    many = Table.from_arrow(pa.table({"one": pa.array([*pairs, "*"])}))
    matched = match_rows(many, original, [wide])
    assert matched is not None
    assert sorted(matched.tolist()) == list(range(40))
    sets = ["{" + ", ".join(str(j) for j in range(40) if j != i) + "}" for i in range(40)]
    all_but_one = match_rows(Table.from_arrow(pa.table({"one": sets})), original, [wide])
    assert all_but_one is not None
    assert (np.sort(all_but_one) == np.arange(40)).all()
    assert (all_but_one != np.arange(40)).all()
