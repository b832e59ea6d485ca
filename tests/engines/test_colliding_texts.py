"""Texts that DuckDB's own hash takes for one another are told apart by the judge on disk."""

from __future__ import annotations

import random
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from tests.engines.conftest import Written, people, plan_of

import kohort
from kohort import Plan
from kohort.table.reading import read_released
from kohort.table.writing import write_table
from kohort.verification.judges.keyed_digest import keyed_digests

BITS, ODD, LENGTH, SEED = (1 << 64) - 1, 0xD6E8FEB86659FD93, 0xC6A4A7935BD1E995, 0xE17A1465
PLAIN = b"abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def steps(text: bytes) -> int:
    """Return what DuckDB's hash of a text comes to before its last, invertible steps."""
    state = SEED ^ (len(text) * LENGTH & BITS)
    for at in range(0, len(text), 8):
        state = (state ^ int.from_bytes(text[at : at + 8], "little")) * ODD & BITS
    return state


def twin(text: str, rng: random.Random) -> str:
    """Return another printable text of the same hash; its length must be a multiple of 8, and 16 or more."""
    told = text.encode()
    before = told[:-16]
    state = SEED ^ (len(told) * LENGTH & BITS)
    for at in range(0, len(before), 8):
        state = (state ^ int.from_bytes(before[at : at + 8], "little")) * ODD & BITS
    wanted = steps(told) * pow(ODD, -1, 1 << 64) & BITS
    while True:
        first = bytes(rng.choice(PLAIN) for _ in range(8))
        last = ((state ^ int.from_bytes(first, "little")) * ODD & BITS ^ wanted).to_bytes(8, "little")
        if all(33 <= sign < 127 and sign not in b'",' for sign in last):
            return (before + first + last).decode()


def notes(rows: int) -> list[str]:
    return [f"seen by Dr {('Brown', 'Jones', 'Adams')[i % 3]}, bed {i % 90 + 10}" for i in range(rows)]


@pytest.fixture(scope="module")
def forged() -> dict[str, str]:
    """Return a false text for every true one, of the same hash."""
    rng = random.Random(5)
    found = {text: twin(text, rng) for text in sorted(set(notes(400)))}
    with duckdb.connect() as connection:
        for text, other in found.items():
            assert connection.execute("SELECT hash(?) = hash(?)", [text, other]).fetchone() == (True,)
    return found


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_other_texts_of_the_same_hash_are_found(
    written: Written, tmp_path: Path, forged: dict[str, str], suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kohort.table.typed_source.FEW", 10)  # so that texts are kept as they are
    table = people(4).append_column("note", pa.array(notes(400)))
    source = written(table, suffix)
    told = plan_of().to_dict()
    told["columns"]["note"] = {"role": "insensitive"}
    plan = Plan.from_dict(told | {"input": {"path": str(source)}})
    kohort.anonymize(source, plan).save(tmp_path / "out")
    released = read_released(tmp_path / "out" / "table.csv").to_arrow()
    lies = pa.array([forged[text] for text in released["note"].to_pylist()])
    place = tmp_path / f"forged{suffix}"
    for cells, true in ((released["note"], True), (lies, False)):
        at = released.column_names.index("note")
        write_table(released.set_column(at, "note", cells), place)
        verdicts = kohort.verify(place, plan, original=source, engine="duckdb")
        assert [v.holds for v in verdicts if v.promise.startswith("truthful")] == [true]


def test_digests_tell_rows_apart_that_differ_in_anything(forged: dict[str, str]) -> None:
    """Texts of one hash, a missing text and any that is spelled, and codes that are exchanged."""
    text, other = next(iter(forged.items()))
    rows = [(1, 2, text), (2, 1, text), (1, 2, other), (1, 2, None), (1, 2, ""), (1, 2, "="), (0, 0, None)]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE told (a INTEGER, b INTEGER, t VARCHAR)")
        connection.executemany("INSERT INTO told VALUES (?, ?, ?)", rows)
        for _ in range(3):
            for digest in keyed_digests(["a", "b"], ["t"]):
                found = connection.execute(
                    f"SELECT count(DISTINCT {digest}), count({digest}) FROM told"
                ).fetchone()
                assert found == (len(rows), len(rows))


@pytest.mark.parametrize(("numbers", "texts"), [(65, 0), (400, 400), (2000, 1)])
def test_rows_of_very_many_columns_are_told_apart(numbers: int, texts: int) -> None:
    """DuckDB ends at expressions of a thousand levels; every column counts all the same."""
    names = [f"n{i}" for i in range(numbers)]
    words = [f"t{i}" for i in range(texts)]
    changed = [0, numbers // 2, numbers - 1, numbers, numbers + texts - 1][: 5 if texts else 3]
    rows = pa.table(
        {name: pa.array([7 + (at == i) for at in [-1, *changed]]) for i, name in enumerate(names)}
        | {name: pa.array([f"x{at == numbers + i}" for at in [-1, *changed]]) for i, name in enumerate(words)}
    )
    with duckdb.connect() as connection:
        connection.register("told", rows)
        for digest in keyed_digests(names, words):
            found = connection.execute(f"SELECT count(DISTINCT {digest}) FROM told").fetchone()
            assert found == (1 + len(set(changed)),)


def test_keys_are_drawn_anew() -> None:
    assert len({digest for _ in range(4) for digest in keyed_digests(["a"], ["t"])}) == 8
