"""What is drawn by chance: the seed gives the same values again, and never the order, the groups or the pseudonyms."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.contract.test_algorithms import frame_for, plan_for
from tests.reference.few_steps import FEW_STEPS

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.algorithms.algorithm import Silent
from kohort.pipeline import make_release
from kohort.release.release import Release

SEED, SEEDS = 3, range(1000)  # the plan's own, and those that are tried
# They draw what is released from the operating system, so that no seed gives it again.
DRAWN = {"anatomy": "groups", "dp-mdav": "noise"}
ALL = [(name, engine) for name in ALGORITHMS for engine in ("memory", "duckdb")
       if engine == "memory" or algorithm(name).card.decides == "class"]  # fmt: skip
PAIRS = pytest.mark.parametrize(("name", "engine"), ALL)


def saved(name: str, engine: str, place: Path) -> pa.Table:
    """Return a release as it was written; `row` tells which row of the original each was, where that may be released."""
    frame, plan = frame_for(name), plan_for(name, SEED)
    if name in FEW_STEPS:  # by steps and not by time, so that the search is the same again
        recode = msgspec.structs.replace(plan.recode, options=FEW_STEPS[name])
        plan = replace(plan, recode=recode)
    if not algorithm(name).card.covers_all:  # which is released with nothing beside it
        frame = frame.append_column("row", pa.array([f"r{i}" for i in range(frame.num_rows)]))
        plan = replace(plan, columns={**plan.columns, "row": {"role": "insensitive", "allow_unique": True}})
    place.mkdir()
    pyarrow.csv.write_csv(frame, place / "table.csv")
    source = frame if engine == "memory" else place / "table.csv"
    out = Release.written(make_release(source, plan, Silent(), engine), place / "out").directory
    return pyarrow.csv.read_csv(out / "table.csv")


@PAIRS
def test_the_same_seed_gives_the_same_rows_and_no_seed_their_order(
    name: str, engine: str, tmp_path: Path
) -> None:
    """The attacker knows who is in the release and draws orders from every seed, the plan's own among them."""
    tables = [saved(name, engine, tmp_path / side) for side in "ab"]
    first, second = (list(zip(*table.to_pydict().values(), strict=True)) for table in tables)
    assert len(first) >= 8
    assert first != second
    if name not in DRAWN:
        assert Counter(reproduced(name, tables[0])) == Counter(reproduced(name, tables[1]))
    if "row" in tables[0].column_names:
        told = [int(row[1:]) for row in tables[0]["row"].to_pylist()]
        assert not any(told == guess for guess in guesses(sorted(told)))


def reproduced(name: str, table: pa.Table) -> list[tuple[Any, ...]]:
    """Return what is the same again of every row: of searches that look at single rows no more than they look at.

    Which of several people with equal quasi-identifiers is in which group is chance (`test_equal_rows.py`).
    """
    columns = table.column_names if algorithm(name).card.decides == "class" else plan_for(name).quasi
    return list(zip(*(table[column].to_pylist() for column in columns), strict=True))


def guesses(rows: list[int]) -> Iterator[list[int]]:
    """Draw orders of the rows as one would try: from every seed, and from the plan's own in other ways too."""
    for seed in SEEDS:
        yield np.random.default_rng(seed).permutation(rows).tolist()
    for stream in range(10):
        for start in ([SEED, stream], [stream, SEED]):
            yield np.random.default_rng(start).permutation(rows).tolist()
        child = np.random.SeedSequence(SEED).spawn(stream + 1)[-1]
        yield np.random.default_rng(child).permutation(rows).tolist()
    yield np.random.RandomState(SEED).permutation(rows).tolist()
    shuffled = list(rows)
    random.Random(SEED).shuffle(shuffled)
    yield shuffled


def test_the_attack_finds_an_order_that_a_seed_gave() -> None:
    """The control: what is drawn from a seed is found."""
    drawn = np.random.default_rng(42).permutation(50).tolist()
    assert drawn in list(guesses(list(range(50))))


# --- Anatomy -------------------------------------------------------------------------------------------------

N, L, VALUES = 600, 3, 6


def ill_people() -> pa.Table:
    rng = np.random.default_rng(9)
    held = ["flu", "gout", "hiv", "cough", "asthma", "ulcer"]  # unequally often: their turns differ
    ill = rng.permutation(np.repeat(held, [150, 130, 110, 90, 70, 50]))
    return pa.table({"who": [f"r{i}" for i in range(N)], "age": rng.integers(20, 60, N), "ill": ill})


def torn(seed: int) -> tuple[pa.Table, pa.Table]:
    plan = kohort.Plan(
        columns={"who": {"role": "insensitive", "allow_unique": True}, "age": "quasi", "ill": "sensitive"},
        require=[kohort.LDiversity(L, "ill")],
        recode={"algorithm": "anatomy", "seed": seed},  # type: ignore[arg-type]
    )
    release = kohort.anonymize(ill_people(), plan)
    return release.tables["table"].to_arrow(), release.tables["sensitive"].to_arrow()


def guessed(quasi: pa.Table, sensitive: pa.Table, seed: int, by_order: bool) -> dict[str, str]:
    """Guess who is ill of what by dealing again.

    The seed tells the attacker in which order records were dealt, by drawing it again or, where both come from one
    stream, by the order of the rows; and it tells in which order groups were. The records of a value then come in
    the order of the groups that hold it, so whoever comes next in a group has the value whose turn it is there.
    """
    groups = quasi["group"].to_pylist()
    generator = np.random.default_rng(seed)
    drawn = generator.permutation(len(groups))
    number = generator.permutation(max(groups)) + 1  # the group that was dealt first has number[0]
    turn_of = {int(group): turn for turn, group in enumerate(number)}
    turns: dict[str, list[int]] = {}
    for line in sensitive.to_pylist():
        turns.setdefault(line["ill"], []).extend([line["group"]] * line["count"])
    for held in turns.values():
        held.sort(key=turn_of.__getitem__)
    who = quasi["who"].to_pylist()
    place = {f"r{row}": turn for turn, row in enumerate(drawn)}
    order = range(len(who)) if by_order else sorted(range(len(who)), key=lambda i: place[who[i]])
    told = replayed([groups[i] for i in order], turns)
    return {who[i]: value for i, value in zip(order, told, strict=True)}


def replayed(groups: list[int], turns: dict[str, list[int]], most: int = 300) -> list[str]:
    """Return a value for each record in the order of dealing; many ways are followed while several are possible."""
    values = list(turns)
    ways: list[tuple[tuple[int, ...], list[str]]] = [((0,) * len(values), [])]
    for group in groups:
        on = [
            ((*at[:v], at[v] + 1, *at[v + 1 :]), [*told, value])
            for at, told in ways
            for v, value in enumerate(values)
            if turns[value][at[v] : at[v] + 1] == [group]
        ]
        if not on:  # nobody's turn: it was not dealt so; any value of the group is as good
            held = [value for value in values if group in turns[value]]
            on = [(at, [*told, held[len(told) % len(held)]]) for at, told in ways]
        ways = on[:most]
    return ways[0][1]


def right(told: dict[str, str]) -> float:
    truth = dict(zip(*(ill_people()[name].to_pylist() for name in ("who", "ill")), strict=True))
    return sum(truth[who] == value for who, value in told.items()) / len(truth)


@pytest.mark.parametrize("by_order", [False, True], ids=["by seed", "by order"])
def test_dealing_again_gains_nothing(by_order: bool) -> None:
    """A guess is right with 1 in l by chance; six deviations above that are a gain."""
    gains = [right(guessed(*torn(seed), seed, by_order)) for seed in range(6)]
    assert np.mean(gains) < 1 / L + 6 * np.sqrt((1 / L) * (1 - 1 / L) / (N * len(gains)))


@pytest.mark.parametrize("by_order", [False, True], ids=["by seed", "by order"])
def test_the_attack_breaks_a_dealing_from_the_seed(by_order: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: dealt from a known seed, and shuffled from the same, twice as many values are found."""
    from kohort.algorithms.buckets import dealing
    from kohort.algorithms.partition import grouped_search
    from kohort.recode.dealt import Dealing
    from kohort.release import publishing

    generator = np.random.default_rng(5)

    def permutation(n: int) -> np.ndarray:
        return np.arange(n) if n == VALUES else generator.permutation(n)  # ties were not drawn then

    monkeypatch.setattr(dealing, "permutation", permutation)
    monkeypatch.setattr(grouped_search, "dealing_of", lambda problem, **_: Dealing(np.arange(problem.n_rows)))
    monkeypatch.setattr(publishing, "shuffled", np.random.default_rng(5).permutation)
    assert right(guessed(*torn(5), 5, by_order)) > 0.6


# --- where chance comes from -----------------------------------------------------------------------------------

SRC = Path(kohort.__file__).parent
SEARCHES = SRC / "algorithms"  # what a search finds is released anyway
MEASURES = (
    "attacks/",
    "metrics/task_utility.py",
    "evidence/numbers.py",
    "demo/",
    "testing/",
)  # they decide nothing that is released


def test_only_searches_and_measures_draw_from_generators_that_can_be_started_again() -> None:
    drawing = {
        path
        for path in SRC.rglob("*.py")
        if "np.random." in path.read_text(encoding="utf-8") and SEARCHES not in path.parents
    }
    others = [str(path.relative_to(SRC)) for path in drawing]
    assert [name for name in others if not name.startswith(MEASURES)] == []
