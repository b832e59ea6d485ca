"""What is read off keys in order is what counting rows one by one says, wherever pieces end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import duckdb
import numpy as np
import pytest

from kohort.verification.judges import tally as tallies
from kohort.verification.judges.tally import Key, Tally, Tallying, TallyTooLargeError

Row = tuple[int, ...]
SIZES = {"town": 3, "age": 2, "ill": 5, "ward": 1, "hours": 9}
KEY = Key(("town", "age"), ("ill", "ward", "hours"), SIZES)


def drawn(chance: Random, rows: int) -> list[Row]:
    return [tuple(int(chance.random() ** 2 * size) for size in SIZES.values()) for _ in range(rows)]


def key_of(row: Row) -> int:
    told = 0
    for name, code in zip(SIZES, row, strict=True):
        told = told << KEY.bits([name]) | code
    return told


def tallied(chance: Random, written: list[Row], original: list[Row] | None, room: int | None = None) -> Tally:
    """Count keys that come in pieces of any length."""
    sided = [2 * key_of(row) for row in written] + [2 * key_of(row) + 1 for row in original or ()]
    keys = np.array(sorted([*sided, *([-1] if original else [])]), np.int64)  # -1: no label covers it
    tallying = Tallying(KEY, ["ill", "hours"], original is not None, room)
    start = 0
    while start < len(keys):
        end = start + chance.randint(1, 9)
        tallying.add(keys[start:end])
        start = end
    return tallying.counted()


@pytest.mark.parametrize("sparse", [0, 8])
def test_all_that_is_counted_is_what_rows_say(monkeypatch: pytest.MonkeyPatch, sparse: int) -> None:
    monkeypatch.setattr(tallies, "SPARSE", sparse)
    chance = Random(1)
    for rows in (1, 2, 7, 40, 150):
        written = drawn(chance, rows)
        found = tallied(chance, written, None)
        classes = Counter(row[:2] for row in written)
        labels = [tuple(own) for own in found.labels.tolist()]
        assert dict(zip(labels, found.rows.tolist(), strict=True)) == classes
        for name, held in found.held.items():
            place = list(SIZES).index(name)
            told = {
                (labels[owner], value): n
                for owner, value, n in zip(*(own.tolist() for own in held), strict=True)
            }
            assert told == Counter((row[:2], row[place]) for row in written)
        for number in range(4):
            for names in combinations(KEY.carried, number):
                places = [list(SIZES).index(name) for name in names]
                equal = Counter((row[:2], *(row[place] for place in places)) for row in written)
                assert found.alone[frozenset(names)] == sum(n == 1 for n in equal.values()), names
        assert (found.true, found.n_written, found.n_original) == (None, rows, 0)


def test_what_is_told_more_often_than_it_is_true_is_found() -> None:
    chance, seen = Random(2), Counter[bool]()
    for _ in range(60):
        original = drawn(chance, chance.randint(2, 30))
        written = chance.sample(original, chance.randint(1, len(original)))
        if chance.random() < 0.5:
            written[0] = chance.choice(original)
        found = tallied(chance, written, original)
        assert found.true is (Counter(written) <= Counter(original))
        assert (found.n_written, found.n_original) == (len(written), len(original) + 1)
        labels = [tuple(own) for own in found.labels.tolist()]
        assert dict(zip(labels, found.rows.tolist(), strict=True)) == Counter(row[:2] for row in written)
        seen[bool(found.true)] += 1
    assert min(seen[True], seen[False]) > 5


@pytest.mark.parametrize("more", [0, 1])
def test_pairs_of_many_columns_are_left_to_who_asks(more: int) -> None:
    many = tuple(f"c{i}" for i in range(tallies.PAIRED + more))
    tallying = Tallying(Key((), many, dict.fromkeys(many, 2)), [], False, None)
    tallying.add(np.arange(0, 20, 2))
    found = tallying.counted()
    assert {len(names) for names in found.alone} == {0, 1, len(many)} | ({2} if not more else set())
    assert (found.labels.shape, found.rows.tolist()) == ((1, 0), [10])


def test_keys_are_asked_for_in_the_narrowest_type() -> None:
    places = {"a": "3", "b": "NULL"}
    for size, kind in ((2**30, "UINTEGER"), (2**31 - 1, "UINTEGER"), (2**31, "BIGINT")):
        asked = Key(("a",), (), {"a": size}).sql(places, 1)
        assert asked.endswith(f"::{kind}")
        [[found]] = duckdb.sql(f"SELECT {asked}").fetchall()
        assert Key.told(np.array([found])).tolist() == [7]
    [[unknown]] = duckdb.sql(f"SELECT {Key(('a', 'b'), (), {'a': 4, 'b': 1}).sql(places, 1)}").fetchall()
    assert Key.told(np.array([unknown])).tolist() == [-1]


def test_a_key_has_room_for_its_columns() -> None:
    assert Key(("a",), ("b",), {"a": 2**29, "b": 2**31}).fits
    assert not Key(("a",), ("b",), {"a": 2**29, "b": 2**31 + 1}).fits


def test_what_takes_too_much_room_is_not_counted_here() -> None:
    written = drawn(Random(3), 40)
    taken = tallied(Random(4), written, None)
    lines = sum(len(held.owner) for held in taken.held.values())
    room = len(taken.rows) * tallies.PER_CLASS + lines * tallies.PER_LINE
    assert tallied(Random(4), written, None, room).n_written == 40
    with pytest.raises(TallyTooLargeError):
        tallied(Random(4), written, None, room - 1)


@pytest.mark.parametrize(("allowed", "fits"), [(3, True), (2, False)])
def test_a_class_of_too_many_rows_that_differ_is_not_held(
    allowed: int, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tallies, "MOST_RUNS", allowed)
    tallying = Tallying(KEY, [], False, None)
    rows = [2 * key_of((1, 1, ill, 0, 0)) for ill in (0, 2, 2, 4)]
    if fits:
        tallying.add(np.array(rows))
        assert tallying.counted().n_written == 4
    else:
        with pytest.raises(TallyTooLargeError):
            tallying.add(np.array(rows))
