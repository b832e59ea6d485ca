"""Which of several people with equal quasi-identifiers is in which group: chance, whoever stood first in the original."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.contract.test_algorithms import SMALL, frame_for, plan_for

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.algorithms.equal_rows import dealing_of
from kohort.engines import DEFAULT, Wanted, opened
from kohort.engines.preparing import prepare
from kohort.table import Table

BY_ROW = [
    name
    for name in ALGORITHMS
    if algorithm(name).card.decides == "row" and not algorithm(name).card.covers_all
]
PARTING = {"mondrian-relaxed", "mdav", "v-mdav", "anatomy"}  # surely, in some of the tables below
RUNS = 12
DIVERSE = {"mondrian-relaxed", "k-member", "greedy-pk", "enhanced-pk", "mdav", "v-mdav"}


def crowded(name: str, seed: int) -> pa.Table:
    """Return a table most of whose rows are of a few tuples, each row with its number."""
    n = SMALL.get(name, 24)
    frame = frame_for(name, seed)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(np.append(np.repeat([0, 1], [n // 2, n // 6]), np.arange(2, n))[:n])
    table = frame.take(pa.array(rows))
    told = [("flu", "cold", "asthma", "gout")[i] for i in rng.integers(0, 4, n)]
    table = table.set_column(table.column_names.index("ill"), "ill", pa.array(told))
    return table.append_column("row", pa.array([f"r{i}" for i in range(n)]))


def numbered(name: str, diverse: bool = False) -> kohort.Plan:
    plan = plan_for(name)
    columns = {**plan.columns, "row": {"role": "insensitive", "allow_unique": True}}
    require = [*plan.require, *([kohort.LDiversity(l=2, column="ill")] if diverse else [])]
    recode: Any = plan.recode
    if name in {"mdav", "v-mdav", "univariate"}:
        recode = {"algorithm": name, "options": {"decimals": 1}}
    if name == "forest":
        recode = {"algorithm": name, "options": {"generalize": True}}
    return kohort.Plan(columns=columns, require=require, recode=recode, output={"ledger": ""})  # type: ignore[arg-type]


def told_of(release: kohort.Release, plan: kohort.Plan) -> dict[str, tuple[Any, ...]]:
    """Return what is told of every row: its labels, and with whom it stands apart where groups are numbered."""
    table = release.tables["table"].to_arrow()
    quasi = list(zip(*(table[name].to_pylist() for name in plan.quasi), strict=True))
    rows = table["row"].to_pylist()
    if "group" in table.column_names:
        groups = table["group"].to_pylist()
        others = {g: tuple(sorted(r for r, h in zip(rows, groups, strict=True) if h == g)) for g in groups}
        quasi = [(*tuple_, others[g]) for tuple_, g in zip(quasi, groups, strict=True)]
    return dict(zip(rows, quasi, strict=True))


def equals(table: pa.Table, plan: kohort.Plan) -> list[str]:
    """Return the rows of the most frequent tuple."""
    tuples = list(zip(*(table[name].to_pylist() for name in plan.quasi), strict=True))
    most = Counter(tuples).most_common(1)[0][0]
    return [f"r{i}" for i, found in enumerate(tuples) if found == most]


@pytest.mark.parametrize("name", BY_ROW)
def test_no_two_releases_part_equal_rows_in_the_same_way(name: str) -> None:
    """Whoever makes the release again from the same table and plan learns nothing of where an equal row went."""
    parted = False
    for seed in range(3):
        table, plan = crowded(name, seed), numbered(name)
        alike = equals(table, plan)

        def way() -> tuple[Any, ...]:
            told = told_of(kohort.anonymize(table, plan), plan)  # noqa: B023 - called before the next table
            return tuple(told.get(row) for row in alike)  # noqa: B023

        first = way()
        if len(set(first)) > 1:  # one of at least 5 ways would have to come twelve times
            parted = True
            assert any(way() != first for _ in range(RUNS - 1))
    if name in PARTING:
        assert parted, "a table that parts nothing tests nothing"


@pytest.mark.parametrize("diverse", [False, True], ids=["k", "k and l"])
@pytest.mark.parametrize("name", [name for name in BY_ROW if name != "anatomy"])
def test_what_is_told_of_equal_rows_does_not_follow_who_stood_first(name: str, diverse: bool) -> None:
    """People with equal quasi-identifiers stand in another order: the labels, and the values by label that promises read, are the same."""
    if diverse and name not in DIVERSE:
        return
    for seed in range(3):
        table, plan = crowded(name, seed), numbered(name, diverse)
        shown = [*plan.quasi, *(["ill"] if diverse else [])]
        found = []
        for other in (table, exchanged(table, plan, seed)):
            try:
                release = kohort.anonymize(other, plan)
            except kohort.InfeasibleError as nothing:
                found.append(Counter([nothing.code]))
                continue
            assert all(verdict.holds for verdict in release.verdicts)
            told = release.tables["table"].to_arrow().select(shown).to_pydict()
            found.append(Counter(zip(*told.values(), strict=True)))
        assert found[0] == found[1]


def exchanged(table: pa.Table, plan: kohort.Plan, seed: int) -> pa.Table:
    """Return the table with rows of equal tuples in another order among themselves."""
    tuples = list(zip(*(table[name].to_pylist() for name in plan.quasi), strict=True))
    rng, order = np.random.default_rng(seed), np.arange(table.num_rows)
    for found in set(tuples):
        places = [i for i, own in enumerate(tuples) if own == found]
        order[places] = rng.permutation(places)
    return table.take(pa.array(order))


def test_each_of_equal_rows_is_as_likely_anywhere() -> None:
    """In 60 releases the first of twelve equal rows is told as any other is; by order it was in one group always."""
    table, plan = crowded("mondrian-relaxed", 1), numbered("mondrian-relaxed")
    alike = equals(table, plan)
    releases = [told_of(kohort.anonymize(table, plan), plan) for _ in range(60)]
    labels = Counter(release[row] for release in releases for row in alike)
    assert len(labels) > 1
    for label, times in labels.items():
        share = times / (60 * len(alike))
        for row in alike:
            often = sum(release[row] == label for release in releases)
            assert abs(often - 60 * share) < 6 * np.sqrt(60 * share * (1 - share)) + 2


@pytest.mark.parametrize("people", [None, "person"])
def test_a_dealing_exchanges_equal_rows_only(people: str | None) -> None:
    """Tuples stay where they were, and every row stands somewhere; so do all rows of a person."""
    rng = np.random.default_rng(3)
    n = 60
    table = pa.table(
        {
            "person": [f"p{i}" for i in rng.integers(0, 25, n)],
            "age": rng.integers(30, 34, n),
            "ill": [("flu", "cold", "gout")[i] for i in rng.integers(0, 3, n)],
        }
    )
    plan = kohort.Plan(
        columns={"age": "quasi", "ill": "sensitive", **({"person": "identifier"} if people else {})},
        require=[kohort.KAnonymity(2), kohort.LDiversity(l=2, column="ill")],
        **({"input": {"respondent": people}} if people else {}),  # type: ignore[arg-type]
    )
    problem = prepare(opened(DEFAULT, Table.from_arrow(table), Wanted.by(plan)), plan)
    dealings = [dealing_of(problem) for _ in range(8)]
    seen = set()
    for dealing in dealings:
        assert sorted(dealing.order.tolist()) == list(range(n))
        dealt = dealing.of(problem)
        assert (dealt.class_of == problem.class_of).all()
        assert (dealing.order[dealing.places] == np.arange(n)).all()
        seen.add(dealt.sensitive["ill"].tobytes())
    assert len(seen) == 1  # what a search looks at is the same again
    assert people or len({dealing.order.tobytes() for dealing in dealings}) > 1
