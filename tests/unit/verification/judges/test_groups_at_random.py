"""The judges of two tables against plain loops, over random groups with random tampering."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pyarrow as pa

from kohort.models import GroupPromise
from kohort.table import Table
from kohort.verification.judges.counts import judge_counts
from kohort.verification.judges.group_contents import GroupContents
from kohort.verification.judges.two_tables import judge_groups

Row = tuple[str, int]  # age, group
Line = tuple[int, str | None, int]  # group, disease, count
VALUES = ("a", "b", "c", None)


def two_tables(rows: list[Row], lines: list[Line]) -> tuple[Table, Table]:
    quasi = pa.table({"age": pa.array([r[0] for r in rows]), "group": pa.array([r[1] for r in rows])})
    sensitive = pa.table(
        {
            "group": pa.array([line[0] for line in lines]),
            "disease": pa.array([line[1] for line in lines], pa.string()),
            "count": pa.array([line[2] for line in lines]),
        }
    )
    return Table.from_arrow(quasi), Table.from_arrow(sensitive)


def drawn(chance: Random) -> tuple[list[tuple[str, str | None]], list[Row], list[Line], list[int]]:
    """Return an original, its two tables as they should be, and the original row of each row."""
    n = chance.randint(2, 8)
    original = [(str(chance.randint(1, 4)), chance.choice(VALUES)) for _ in range(n)]
    origin = chance.sample(range(n), n)
    rows = [(original[i][0], chance.choice((3, 5, 8))) for i in origin]
    counted = Counter((group, original[i][1]) for (_, group), i in zip(rows, origin, strict=True))
    lines = [(group, value, count) for (group, value), count in counted.items()]
    chance.shuffle(lines)
    return original, rows, lines, origin


def tampered(rows: list[Row], lines: list[Line], chance: Random) -> tuple[list[Row], list[Line]]:
    rows, lines = list(rows), list(lines)
    at, line = chance.randrange(len(rows)), chance.randrange(len(lines))
    group, value, count = lines[line]
    kind = chance.randrange(6)
    if kind == 0:
        rows[at] = (rows[at][0], chance.choice((3, 5, 8, 9)))
    elif kind == 1:
        lines[line] = (group, value, count + chance.choice((-1, 1)))
    elif kind == 2:
        lines[line] = (group, chance.choice((*VALUES, "x")), count)
    elif kind == 3:
        lines.append((group, value, 1))
    elif kind == 4:
        other = chance.randrange(len(lines))
        lines[line], lines[other] = (
            (group, lines[other][1], count),
            (lines[other][0], value, lines[other][2]),
        )
    return rows, lines


def groups_expected(rows: list[Row], lines: list[Line], l: int, least: int) -> list[bool]:  # noqa: E741
    groups = {g for _, g in rows} | {g for g, _, _ in lines}
    sizes = {g: sum(group == g for _, group in rows) for g in groups}
    told = {g: sum(max(c, 0) for group, _, c in lines if group == g) for g in groups}
    once = len({(g, v) for g, v, _ in lines}) == len(lines) and all(c > 0 for _, _, c in lines)
    most = {g: max((max(c, 0) for group, _, c in lines if group == g), default=0) for g in groups}
    return [
        True,
        once and sizes == told,
        all(most[g] * l <= told[g] for g in groups),
        *([] if least == 1 else [all(min(sizes[g], told[g]) >= least for g in groups)]),
    ]


def known_expected(
    original: list[tuple[str, str | None]], rows: list[Row], lines: list[Line], origin: list[int]
) -> bool:
    true = Counter((g, original[i][1]) for (_, g), i in zip(rows, origin, strict=True))
    said: Counter[tuple[int, str | None]] = Counter()
    for g, v, c in lines:
        said[g, v] += max(c, 0)
    return true == +said


def unknown_expected(original: list[tuple[str, str | None]], rows: list[Row], lines: list[Line]) -> bool:
    said: Counter[tuple[int, str | None]] = Counter()
    for g, v, c in lines:
        said[g, v] += max(c, 0)
    totals: Counter[str | None] = Counter()
    for (_, v), c in said.items():
        totals[v] += c
    if +totals != Counter(v for _, v in original):
        return False
    needed: Counter[tuple[int, str | None]] = Counter()
    for age, g in rows:
        likes = {v for a, v in original if a == age}
        if len(likes) == 1:
            needed[g, likes.pop()] += 1
    return all(said[key] >= n for key, n in needed.items())


def test_the_judges_say_what_loops_say() -> None:
    chance, seen = Random(5), Counter[str]()
    for _ in range(500):
        original, rows, lines, origin = drawn(chance)
        rows, lines = tampered(rows, lines, chance)
        torn = GroupPromise("disease", chance.choice((1, 2, 3)), chance.choice((1, 2, 3)))
        quasi, sensitive = two_tables(rows, lines)
        told = GroupContents.of(quasi, sensitive, "disease")
        judged = [verdict.holds for verdict in judge_groups(told, torn)]
        expected = groups_expected(rows, lines, torn.l, torn.least)
        assert judged == expected, (rows, lines, torn)
        source = Table.from_arrow(
            pa.table(
                {"age": [a for a, _ in original], "disease": pa.array([v for _, v in original], pa.string())}
            )
        )
        known = judge_counts(quasi, sensitive, "disease", source, np.array(origin)).holds
        assert known is known_expected(original, rows, lines, origin), (original, rows, lines, origin)
        unknown = judge_counts(quasi, sensitive, "disease", source, None).holds
        assert unknown is unknown_expected(original, rows, lines), (original, rows, lines)
        seen.update([f"groups {all(judged)}", f"known {known}", f"unknown {unknown}"])
    assert len(seen) == 6
    assert min(seen.values()) > 20, seen
