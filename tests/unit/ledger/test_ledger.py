"""The release ledger: against brute force on small worlds, its secrecy, and what happens when it cannot be used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from kohort.algorithms import Silent
from kohort.errors import InputError
from kohort.ledger import FILE, Entry, Ledger, ledger_path
from kohort.pipeline import make_release
from kohort.plan import Plan


def entry(
    people: list[str], classes: list[int], ills: list[str], k: int = 2, rows: list[str] | None = None
) -> Entry:
    persons = sorted(set(people))
    values = sorted(set(ills))
    return Entry(
        persons, np.array([persons.index(p) for p in people]), rows, np.array(classes),
        {"ill": (values, np.array([values.index(i) for i in ills]))}, k, (f"{k}-anonymity",), "digest",
    )  # fmt: skip


def compared(tmp_path: Path, old: Entry, new: Entry) -> tuple[int, int, int | None, int]:
    ledger = Ledger(tmp_path / FILE)
    ledger.record(old, tmp_path / "old")
    found = ledger.compare(new, tmp_path / "new")[0]
    return found.shared, found.below_k, found.smallest, found.single_value


def by_hand(old: Entry, new: Entry) -> tuple[int, int, int | None, int]:
    """The same for one row per person, by sets."""

    def world(e: Entry) -> tuple[dict[str, int], dict[int, set[str]]]:
        texts, codes = e.values["ill"]
        class_of = {e.persons[p]: int(c) for p, c in zip(e.person_of, e.class_of, strict=True)}
        ills: dict[int, set[str]] = {}
        for c, code in zip(e.class_of.tolist(), codes, strict=True):
            ills.setdefault(c, set()).add(str(texts[code]))
        return class_of, ills

    (a, ills_a), (b, ills_b) = world(old), world(new)
    both = set(a) & set(b)
    crowd = {p: sum(a[q] == a[p] and b[q] == b[p] for q in both) for p in both}
    single = [
        p for p in both
        if len(ills_a[a[p]] & ills_b[b[p]]) == 1 and len(ills_a[a[p]]) > 1 and len(ills_b[b[p]]) > 1
    ]  # fmt: skip
    below = sum(size < min(old.k, new.k) for size in crowd.values())
    return len(both), below, min(crowd.values(), default=None), len(single)


@pytest.mark.parametrize("seed", range(12))
def test_a_comparison_equals_sets_by_hand(seed, tmp_path):
    rng = np.random.default_rng(seed)

    def draw() -> Entry:
        people = [f"p{i}" for i in rng.permutation(14)[: int(rng.integers(3, 14))]]
        n = len(people)
        return entry(
            people,
            rng.integers(0, 3, n).tolist(),
            [str(i) for i in rng.integers(0, 4, n)],
            int(rng.integers(2, 5)),
        )

    old, new = draw(), draw()
    assert compared(tmp_path, old, new) == by_hand(old, new)


def test_the_same_release_again_gives_nobody_away(tmp_path):
    people = ["a", "b", "c", "d"]
    again = entry(people, [0, 0, 1, 1], ["flu", "cold", "flu", "hiv"])
    assert compared(tmp_path, again, again) == (4, 0, 2, 0)


def test_crossing_classes_leave_everybody_alone(tmp_path):
    people, ills = ["a", "b", "c", "d"], ["flu", "cold", "ulcer", "hiv"]
    assert compared(tmp_path, entry(people, [0, 0, 1, 1], ills), entry(people, [0, 1, 0, 1], ills)) == (
        4,
        4,
        1,
        4,
    )


def test_two_visits_of_one_person_are_not_crossed(tmp_path):
    """Ann and Bob come twice, each visit in its own class: the visits stay together in both releases."""
    people, visits = ["ann", "bob", "ann", "bob"], ["a1", "b1", "a2", "b2"]
    ills = ["flu", "cold", "ulcer", "hiv"]
    old = entry(people, [0, 0, 1, 1], ills, rows=visits)
    assert compared(tmp_path, old, entry(people, [5, 5, 7, 7], ills, rows=visits)) == (2, 0, 2, 0)


def test_one_visit_here_and_two_there_are_all_combined(tmp_path):
    old = entry(["ann", "bob", "cyd"], [0, 0, 0], ["flu", "cold", "hiv"])
    new = entry(
        ["ann", "ann", "bob", "cyd"],
        [1, 2, 1, 1],
        ["flu", "cold", "cold", "hiv"],
        rows=["a1", "a2", "b", "c"],
    )
    # Ann alone is in class 0 of the one and class 2 of the other
    assert compared(tmp_path, old, new)[:3] == (3, 1, 1)


def test_a_release_into_the_same_directory_replaces_the_earlier_one(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    one = entry(["a", "b"], [0, 0], ["flu", "cold"])
    assert ledger.record(one, tmp_path / "out") == 1
    assert ledger.compare(one, tmp_path / "out") == []
    assert ledger.record(one, tmp_path / "out") == 2
    assert [release["replaced"] for release in ledger.releases()] == [True, False]
    assert len(ledger.compare(one, tmp_path / "other")) == 1


def test_nothing_but_keyed_hashes_stands_in_the_file(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    ledger.record(
        entry(["Quixote-7311"] * 2 + ["Sancho-1605"], [0, 0, 0], ["leprosy-42", "flu", "flu"]),
        tmp_path / "out",
    )
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (b"Quixote", b"Sancho", b"leprosy"):
        assert secret not in written
    for path in tmp_path.iterdir():
        assert path.stat().st_mode & 0o077 == 0
    other = Ledger(tmp_path / "other.duckdb")
    other.record(entry(["Quixote-7311"], [0], ["flu"]), tmp_path / "out")
    keys = [(tmp_path / f"{name}.key").read_bytes() for name in (FILE, "other.duckdb")]
    assert keys[0] != keys[1]


PLAN = {
    "columns": {
        "name": "identifier",
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
        "ill": "sensitive",
    },
    "require": [{"model": "k-anonymity", "k": 2}],
}
PEOPLE = pa.table(
    {"name": list("abcdef"), "zip": ["11", "12", "13", "21", "22", "23"], "ill": list("xyzxyz")}
)


def save(directory: Path, **sections: object) -> dict[str, object]:
    release = make_release(PEOPLE, Plan(**PLAN, base=directory.parent, **sections), Silent())
    release.save(directory)
    return release.facts


def test_releases_are_recorded_where_the_plan_says_so_or_a_respondent_is_named(tmp_path):
    assert "ledger" not in save(tmp_path / "plain")
    assert not (tmp_path / FILE).exists()
    assert save(tmp_path / "one", input={"respondent": "name"})["ledger"]["compared"] == 0
    assert (tmp_path / FILE).exists()
    assert save(tmp_path / "two", input={"respondent": "name"})["ledger"]["compared"] == 1
    assert "ledger" not in save(tmp_path / "off", input={"respondent": "name"}, output={"ledger": ""})
    save(tmp_path / "named", output={"ledger": "books/mine.duckdb"})
    assert len(Ledger(tmp_path / "books" / "mine.duckdb").releases()) == 1
    assert len(Ledger(tmp_path / FILE).releases()) == 2


def test_the_public_side_does_not_tell_of_the_ledger(tmp_path):
    save(tmp_path / "one", output={"ledger": "mine.duckdb"})
    save(tmp_path / "two", output={"ledger": "mine.duckdb"})
    for name in ("manifest.json", "report.html"):
        text = (tmp_path / "two" / name).read_text(encoding="utf-8")
        assert "mine.duckdb" not in text
        assert "ledger" not in text
    audit = json.loads((tmp_path / "two.private" / "audit.json").read_text(encoding="utf-8"))
    assert audit["facts"]["ledger"]["shared"] == 6


def test_the_environment_names_the_ledger(tmp_path, monkeypatch):
    monkeypatch.setenv("KOHORT_LEDGER", str(tmp_path / "elsewhere.duckdb"))
    plan = Plan(**PLAN, input={"respondent": "name"})
    assert ledger_path(plan, tmp_path / "out") == tmp_path / "elsewhere.duckdb"
    told = Plan(**PLAN, output={"ledger": "mine.duckdb"}, base=tmp_path)
    assert ledger_path(told, tmp_path / "out") == tmp_path / "mine.duckdb"


def test_a_corrupt_ledger_is_said_and_does_not_lose_the_release(tmp_path):
    (tmp_path / FILE).write_bytes(b"this is no database" * 1000)
    with pytest.raises(InputError, match=r"stands in .*out, but it is not in the ledger"):
        save(tmp_path / "out", input={"respondent": "name"})
    assert (tmp_path / "out" / "table.csv").exists()
    audit = json.loads((tmp_path / "out.private" / "audit.json").read_text(encoding="utf-8"))
    assert audit["facts"]["ledger"]["compared"] is None
    with pytest.raises(InputError, match="cannot be read"):
        Ledger(tmp_path / FILE).releases()


def test_a_locked_ledger_is_said_and_does_not_lose_the_release(tmp_path):
    save(tmp_path / "first", input={"respondent": "name"})
    holder = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(tmp_path / FILE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(InputError, match="in use by another program"):
            save(tmp_path / "out", input={"respondent": "name"})
        other.stdin.close()
    assert (tmp_path / "out" / "table.csv").exists()
    save(tmp_path / "out", input={"respondent": "name"})
    assert len(Ledger(tmp_path / FILE).releases()) == 2


def test_a_lost_or_damaged_key_is_said(tmp_path):
    save(tmp_path / "first", input={"respondent": "name"})
    key = tmp_path / f"{FILE}.key"
    key.write_bytes(b"short")
    with pytest.raises(InputError, match="32 bytes"):
        save(tmp_path / "second", input={"respondent": "name"})
    os.remove(key)
    with pytest.raises(InputError, match="missing"):
        save(tmp_path / "third", input={"respondent": "name"})


def test_a_database_that_is_no_ledger_is_refused(tmp_path):
    import duckdb

    duckdb.connect(str(tmp_path / FILE)).close()
    with pytest.raises(InputError, match="cannot be read"):
        Ledger(tmp_path / FILE).releases()


def test_there_is_no_history_without_a_ledger(tmp_path):
    with pytest.raises(InputError, match="there is no ledger"):
        Ledger(tmp_path / FILE).releases()
