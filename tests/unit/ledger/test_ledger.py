"""The release ledger: what counts as released, its secrecy, its key and seal, and what happens when it cannot be used."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from msgspec import to_builtins

import kohort
from kohort.algorithms import Silent
from kohort.errors import InfeasibleError, InputError
from kohort.ledger import FILE, Entry, Ledger, Together, connection, ledger_path
from kohort.ledger.file import Book, _digest
from kohort.ledger.forms import BY_CLASS, Exact
from kohort.ledger.keys import SIZE, draft_path, key_path
from kohort.pipeline import make_release
from kohort.plan import Plan
from kohort.release.release import Release, TogetherWarning
from kohort.sharing import mark_as_shared


def entry(
    people: list[str], classes: list[int], ills: list[str], k: int = 2, respondent: str | None = "name"
) -> Entry:
    persons, values = sorted(set(people)), sorted(set(ills))
    return Entry(
        respondent, (persons, np.array([persons.index(p) for p in people])), {}, np.array(classes),
        {"ill": (values, np.array([values.index(i) for i in ills]))}, {}, k, {}, (f"{k}-anonymity",), "digest",
    )  # fmt: skip


def beside(made: Entry, **columns: list[str]) -> Entry:
    """The same release, whose rows tell further columns."""
    coded = {name: (sorted(set(told)), told) for name, told in columns.items()}
    more = {name: (texts, np.array([texts.index(t) for t in told])) for name, (texts, told) in coded.items()}
    return replace(made, together={**made.values, **more})


CROSSED = (
    entry(list("abcd"), [0, 0, 1, 1], list("wxyz")),
    entry(list("abcd"), [0, 1, 0, 1], list("wxyz")),
)


def seen(ledger: Ledger, new: Entry) -> Together:
    found = ledger.compare(new).together
    assert found is not None
    return found


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A ledger with one release."""
    made = Ledger(tmp_path / FILE)
    made.record(CROSSED[0], tmp_path / "out")
    return made


SPELLINGS = [
    ["1", "2", "3", "4"],
    ["1.0", "2.0", "3.0", "4.0"],
    ["0001", " 2", "3\u200b", "+4"],
    ["\uff11", "2.", "3e0", "4.000"],
]
NAMES = [
    ["Groß", "Weiß", "Ana 1", "X"],
    ["GROSS", "WEISS", "ana1", "x"],
    ["groẞ", "We\u00adiss", "ANA\u00a01", "x\ufe0f"],
]


@pytest.mark.parametrize("ways", [SPELLINGS, NAMES])
def test_people_are_known_again_however_their_ids_are_spelled(tmp_path, ways):
    for i, before in enumerate(ways):
        for j, after in enumerate(ways):
            made = Ledger(tmp_path / f"{i}-{j}.duckdb")
            made.record(entry(before, [0, 0, 1, 1], list("wxyz")), tmp_path / "out")
            assert seen(made, entry(after, [0, 1, 0, 1], list("wxyz"))).below_k == 4, (before, after)


def test_releases_whose_ids_were_kept_in_another_form_are_not_compared(tmp_path, monkeypatch):
    """Before, `1` and `1.0` were two people: nobody would be found, and all would seem fine."""
    made = Ledger(tmp_path / FILE)
    with monkeypatch.context() as before:
        before.setattr(Entry, "named_by", Entry.named_before)
        made.record(CROSSED[0], tmp_path / "out")
    found = made.compare(CROSSED[1])
    assert found.compared == ()
    assert "earlier version" in found.not_compared[1]


def test_a_release_counts_until_it_is_withdrawn_also_when_its_directory_was_used_again(ledger, tmp_path):
    again = CROSSED[0]
    assert ledger.record(again, tmp_path / "out") == 2
    assert ledger.compare(CROSSED[1]).compared == (1, 2)
    assert seen(ledger, CROSSED[1]).below_k == 4
    ledger.withdraw(1)
    assert ledger.compare(CROSSED[1]).compared == (2,)
    ledger.withdraw(2)
    assert ledger.compare(CROSSED[1]).together is None
    assert [release["withdrawn"] for release in ledger.releases()] == [True, True]
    with pytest.raises(InputError, match="there is no release 7; there are: 1, 2"):
        ledger.withdraw(7)


def test_forgotten_people_are_gone_and_said_not_to_be_compared(ledger):
    ledger.forget(1)
    found = ledger.compare(CROSSED[1])
    assert found.together is None
    assert "forgotten" in found.not_compared[1]
    with duckdb.connect(str(ledger.path), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM members").fetchall() == [(0,)]
    ledger.withdraw(1)
    assert ledger.compare(CROSSED[1]).not_compared == {}


@pytest.mark.parametrize("respondent", [None, "ssn"])
def test_what_cannot_be_compared_is_said(ledger, respondent, tmp_path):
    other = entry(list("abcd"), [0, 1, 0, 1], list("wxyz"), respondent=respondent)
    assert set(ledger.compare(other).not_compared) == {1}
    ledger.record(other, tmp_path / "other")
    found = ledger.compare(CROSSED[1])
    assert found.compared == (1,)
    assert set(found.not_compared) == {2}


def test_people_are_recognised_however_their_ids_are_written(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    ledger.record(entry(["P1", "P2", "P3", "P4"], [0, 0, 1, 1], list("wxyz")), tmp_path / "out")
    written = entry([" p1", "P2 ", "Ｐ3", "p4\t"], [0, 1, 0, 1], list("wxyz"))
    assert seen(ledger, written).shared == 4


def test_a_person_under_two_spellings_hides_nobody(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    twice = entry(["P1", "p1"], [0, 0], ["x", "y"])
    ledger.record(twice, tmp_path / "out")
    assert seen(ledger, twice).smallest == 1


def test_nothing_but_keyed_hashes_stands_in_the_file(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    told = entry(["Quixote-7311"] * 2 + ["Sancho-1605"], [0, 0, 0], ["leprosy-42", "flu", "flu"])
    ledger.record(told, tmp_path / "out")
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (b"Quixote", b"Sancho", b"leprosy"):
        assert secret not in written
    for path in tmp_path.iterdir():
        assert path.stat().st_mode & 0o077 == 0
    other = Ledger(tmp_path / "other.duckdb")
    other.record(entry(["Quixote-7311"], [0], ["flu"]), tmp_path / "out")
    keys = [(tmp_path / f"{name}.key").read_bytes() for name in (FILE, "other.duckdb")]
    assert keys[0] != keys[1]


# What makes a ledger unusable: every act must refuse it, none may take it for an empty one.
def short_key(path: Path) -> None:
    path.with_name(f"{FILE}.key").write_bytes(b"short")


def lost_key(path: Path) -> None:
    path.with_name(f"{FILE}.key").unlink()


def other_key(path: Path) -> None:
    path.with_name(f"{FILE}.key").write_bytes(os.urandom(32))


def lost_ledger(path: Path) -> None:
    path.unlink()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def new_database(path: Path) -> None:
    path.unlink()
    duckdb.connect(str(path)).close()


def other_database(path: Path) -> None:
    path.unlink()
    edited(path, "CREATE TABLE releases (id INTEGER)")


def other_ledger(path: Path) -> None:
    elsewhere = path.parent / "elsewhere"
    elsewhere.mkdir()
    Ledger(elsewhere / FILE).record(CROSSED[0], elsewhere)
    shutil.copy(elsewhere / FILE, path)


def noise(path: Path) -> None:
    path.write_bytes(b"this is no database" * 1000)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def edited(path: Path, statement: str) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)


EDITS = [
    "DELETE FROM releases",
    "DELETE FROM members",
    "DELETE FROM contents",
    "DELETE FROM members WHERE rowid = 0",
    "UPDATE members SET class = 0",
    "UPDATE members SET person = person + 1",
    "UPDATE contents SET value = 1",
    "UPDATE releases SET withdrawn = true",
    "UPDATE releases SET forgotten = true",
    "UPDATE releases SET k = 1",
    "UPDATE releases SET respondent = NULL",
    "UPDATE releases SET id = 5",
    "UPDATE ledger SET seal = ''",
    "UPDATE releases SET shared = NULL",
    "UPDATE releases SET files = 'none'",
    "UPDATE releases SET forms = NULL",
    "ALTER TABLE releases DROP COLUMN shared",
    "UPDATE ledger SET version = 7",
    "DROP TABLE ledger",
    "DELETE FROM ledger",
    "DROP TABLE members",
]
DAMAGES = [
    short_key,
    lost_key,
    other_key,
    lost_ledger,
    emptied,
    new_database,
    other_database,
    other_ledger,
    noise,
    half,
]


@pytest.mark.parametrize("damage", [*DAMAGES, *EDITS], ids=lambda d: d if isinstance(d, str) else d.__name__)
def test_a_ledger_that_is_not_as_it_was_written_is_refused(damage, ledger, tmp_path):
    damage(ledger.path) if callable(damage) else edited(ledger.path, damage)
    with pytest.raises(InputError) as refused:
        ledger.compare(CROSSED[1])
    assert str(tmp_path) in str(refused.value)
    with pytest.raises(InputError):
        ledger.record(CROSSED[1], tmp_path / "new")


# Flips bytes and compares, each time in a process of its own: a damaged database may take the process with it.
DAMAGED = """
import os, sys
from pathlib import Path
import numpy as np
from kohort.errors import InputError
from tests.unit.ledger.test_ledger import CROSSED, Ledger
path = Path(sys.argv[1])
whole = path.read_bytes()
right = Ledger(path).compare(CROSSED[1])
for seed in range(int(sys.argv[2])):
    rng = np.random.default_rng(seed)
    content, start = bytearray(whole), int(rng.integers(0, len(whole)))
    for at in range(start, min(start + int(rng.integers(1, 400)), len(content))):
        content[at] ^= int(rng.integers(1, 256))
    path.write_bytes(content)
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if Ledger(path).compare(CROSSED[1]) == right else 9)
        except InputError:
            os._exit(2)
        finally:
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_damaged_bytes_never_change_what_is_said(ledger):
    """Whatever bytes are flipped: the ledger is refused, or says what it would have said."""
    command = [sys.executable, "-W", "ignore", "-c", DAMAGED, str(ledger.path), "60"]
    judged = subprocess.run(command, capture_output=True, text=True, check=True)
    codes = [int(line) for line in judged.stdout.split()]
    assert len(codes) == 60
    assert 2 in codes
    assert all(code in (0, 2) or code < 0 for code in codes), codes


def test_a_ledger_of_an_earlier_version_is_refused_by_name(tmp_path):
    edited(
        tmp_path / FILE,
        "CREATE TABLE releases (id INTEGER); CREATE TABLE members (release INTEGER); CREATE TABLE contents (x INTEGER)",
    )
    with pytest.raises(InputError, match="earlier version of Kohort"):
        Ledger(tmp_path / FILE).releases()


PAIRED = (
    beside(entry(list("abcd"), [0, 0, 1, 1], ["hiv", "flu", "hiv", "flu"]), pet=list("xyyx")),
    beside(entry(list("abef"), [0, 1, 0, 0], ["hiv", "flu", "flu", "hiv"]), pet=list("xyxy")),
)


def test_rows_are_matched_by_all_columns_they_carry(tmp_path):
    """Illnesses apart leave hiv and flu to a; of (hiv, x), (flu, y) and (hiv, x), (flu, x), (hiv, y) one is left."""
    ledger = Ledger(tmp_path / FILE)
    ledger.record(PAIRED[0], tmp_path / "out")
    assert seen(ledger, PAIRED[1]).single_value == 2  # b stands alone in its class
    assert seen(ledger, replace(PAIRED[1], together={})).single_value == 1


def test_what_one_release_calls_harmless_is_still_sensitive_in_another(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    harmless = beside(entry(list("abcd"), [0, 0, 1, 1], list("xyyx")), ill=["hiv", "flu", "gout", "acne"])
    harmless = replace(harmless, values={}, together={"ill": harmless.together["ill"]})
    ledger.record(harmless, tmp_path / "out")
    found = seen(ledger, entry(list("abcd"), [0, 1, 0, 1], ["hiv", "flu", "gout", "acne"]))
    assert (found.single_value, found.new_single_value) == (4, 4)


def brought_back(path: Path, version: int) -> None:
    """Make a ledger what it was before it was noted which row tells what; in version 3 forms, in version 2 rows and drafts too."""
    gone = {5: (), 3: ("forms",), 2: ("forms", "shared", "files")}[version]
    with duckdb.connect(str(path)) as connection:
        for column in gone:
            connection.execute(f"ALTER TABLE releases DROP COLUMN {column}")
        if version == 2:
            connection.execute("DROP TABLE lines")
        if version < 5:
            connection.execute("DROP TABLE earlier")
        else:
            _without_places(path, connection)
        connection.execute("DROP TABLE places")
        connection.execute("DROP TABLE spellings")
        connection.execute("UPDATE ledger SET version = ?", [version])
        Book(path, connection, key_path(path).read_bytes()[:SIZE]).close_seal()
    key_path(path).write_bytes(key_path(path).read_bytes()[:SIZE])


def _without_places(path: Path, connection: duckdb.DuckDBPyConnection) -> None:
    """Seal what is recorded as it was before the line of each row and the quasi-identifiers were noted."""
    book = Book(path, connection, key_path(path).read_bytes()[:SIZE])
    for number, noted in connection.execute("SELECT id, forms FROM releases").fetchall():
        told = json.loads(noted)
        del told["quasi"], told["names"]
        parts = {name: book._part(name, number) for name in ("members", "contents", "lines")}
        parts["places"] = {"line": np.zeros(0, np.int64)}
        parts["spellings"] = {"value": np.zeros(0, np.int64)}
        digest = _digest(book.key, parts)
        connection.execute(
            "UPDATE releases SET forms = ?, digest = ? WHERE id = ?", [json.dumps(told), digest, number]
        )


@pytest.mark.parametrize("version", [2, 3])
def test_releases_from_before_forms_were_noted_are_not_compared_and_stay_when_the_ledger_is_brought_up(
    version, tmp_path
):
    ledger = Ledger(tmp_path / FILE)
    ledger.record(replace(PAIRED[0], together={}) if version == 2 else PAIRED[0], tmp_path / "out")
    brought_back(ledger.path, version)
    found = ledger.compare(PAIRED[1])
    assert (found.compared, found.together) == ((), None)
    assert "in which form columns are told" in found.not_compared[1]
    ledger.record(PAIRED[0], tmp_path / "new")
    found = ledger.compare(PAIRED[1])
    assert (found.compared, set(found.not_compared)) == ((2,), {1})
    with (
        pytest.raises(InputError, match="earlier version of Kohort, so that it cannot be compared"),
        ledger.sharing(1, {}, "name"),
    ):
        pass
    ledger.withdraw(1)
    ledger.forget(1)
    assert ledger.compare(PAIRED[1]).not_compared == {}


def known_by(made: Entry, *quasi: str) -> Entry:
    """The same release, whose classes tell these columns as they were read."""
    nobody = np.zeros(len(made.class_of), np.int64)
    return replace(made, quasi=quasi, exact={name: Exact(BY_CLASS, ("1",), nobody) for name in quasi})


def of_others(made: Entry) -> Entry:
    """The same release, of columns that no other one has."""
    return replace(
        made,
        values={f"{name}s": told for name, told in made.values.items()},
        together={f"{name}s": told for name, told in made.together.items()},
        quasi=("birth",),
        exact={"birth": Exact(BY_CLASS, ("1",), np.zeros(len(made.class_of), np.int64))},
    )


def test_releases_from_before_it_was_noted_how_values_were_written_are_compared_where_that_does_not_matter(
    tmp_path,
):
    ledger = Ledger(tmp_path / FILE)
    ledger.record(of_others(PAIRED[0]), tmp_path / "out")
    whole = ledger.compare(known_by(PAIRED[1], "age"))
    brought_back(ledger.path, 5)
    assert ledger.compare(known_by(PAIRED[1], "age")) == whole, "they share no column"
    found = ledger.compare(known_by(PAIRED[1], "birth"))
    assert (found.compared, found.together) == ((), None)
    assert "took values that are spelled alike for one" in found.not_compared[1]
    found = ledger.compare(known_by(PAIRED[1], "pets"))
    assert "which row tells what" in found.not_compared[1]
    ledger.record(known_by(PAIRED[0], "age"), tmp_path / "new")
    assert ledger.compare(known_by(PAIRED[1], "age")).compared == (1, 2)
    assert ledger.compare(of_others(PAIRED[1])).compared == (2,)


def test_of_a_release_from_before_that_is_shared_now_it_is_said_that_it_is_the_one(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    with ledger.recording(known_by(PAIRED[0], "age"), tmp_path / "draft") as (draft, _):
        pass
    brought_back(ledger.path, 5)
    later = ledger.record(known_by(PAIRED[1], "age"), tmp_path / "new")
    with ledger.sharing(draft, {}, "name") as found:
        pass
    assert found.not_compared[later].startswith(
        "the release that is compared with it was recorded by an earlier"
    )


@pytest.mark.parametrize("name", ["ill", "Ill"])
def test_a_column_that_a_release_from_before_tells_too_is_found_however_its_name_is_spelled_in_both(
    name, tmp_path
):
    def called(made: Entry) -> Entry:
        return replace(made, values={name: made.values["ill"]}, together={})

    ledger = Ledger(tmp_path / FILE)
    ledger.record(called(PAIRED[0]), tmp_path / "out")
    assert ledger.compare(called(PAIRED[1])).compared == (1,)
    brought_back(ledger.path, 5)
    assert set(ledger.compare(called(PAIRED[1])).not_compared) == {1}
    ledger.record(called(PAIRED[0]), tmp_path / "new")
    assert ledger.compare(called(PAIRED[1])).compared == (2,)


def test_groups_from_before_it_was_noted_which_row_tells_what_are_not_compared(tmp_path):
    """Whichever of their columns are quasi-identifiers: rows tell these."""
    ledger = Ledger(tmp_path / FILE)
    ledger.record(replace(PAIRED[0], quasi=("pet",)), tmp_path / "out")
    assert ledger.compare(PAIRED[1]).compared == (1,)
    brought_back(ledger.path, 5)
    assert ledger.compare(PAIRED[1]).compared == ()


def test_a_draft_from_before_it_was_noted_which_row_tells_what_is_not_compared_where_that_matters(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    with ledger.recording(known_by(PAIRED[0], "age"), tmp_path / "out"):
        pass
    brought_back(ledger.path, 5)
    ledger.record(known_by(PAIRED[1], "age", "pet"), tmp_path / "new")
    with ledger.sharing(1, {}, "name") as found:
        assert "which row tells what" in found.not_compared[2]


def test_a_release_whose_rows_tell_nothing_side_by_side_is_named(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    ledger.record(replace(PAIRED[0], together={}), tmp_path / "out")
    found = seen(ledger, PAIRED[1])
    assert (found.single_value, found.by_column) == (1, (1,))
    ledger.record(PAIRED[0], tmp_path / "new")
    found = seen(ledger, PAIRED[1])
    assert (found.single_value, found.by_column) == (2, (1,))


def test_rows_that_were_recorded_cannot_be_taken_out_by_other_hands(tmp_path):
    for number, edit in enumerate(
        (
            "DELETE FROM lines",
            "DROP TABLE lines",
            "UPDATE lines SET line = 0",
            "DELETE FROM places",
            "UPDATE places SET line = 1 - line",
        )
    ):
        ledger = Ledger(tmp_path / str(number) / FILE)
        ledger.record(PAIRED[0], tmp_path / "out")
        edited(ledger.path, edit)
        with pytest.raises(InputError, match="people or values of release 1"):
            ledger.compare(PAIRED[1])


@pytest.mark.parametrize("step", ["file.new_key", "file.settle_key", "file._begin"])
def test_a_run_that_dies_while_it_makes_the_ledger_does_not_spoil_it(step, tmp_path, monkeypatch):
    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(f"kohort.ledger.{step}", dies)
        with pytest.raises(KeyboardInterrupt):
            Ledger(tmp_path / FILE).record(CROSSED[0], tmp_path / "out")
    ledger = Ledger(tmp_path / FILE)
    assert ledger.record(CROSSED[0], tmp_path / "out") == 1
    assert seen(ledger, CROSSED[1]).below_k == 4


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
# The same people, by another quasi-identifier that crosses the classes of the first.
MOVED = PEOPLE.set_column(1, "zip", pa.array(["11", "21", "12", "22", "13", "23"]))


def save(directory: Path, people: pa.Table = PEOPLE, **sections: object) -> dict[str, object]:
    """Write a draft; return what the ledger says of it."""
    draft = make_release(people, Plan(**PLAN, base=directory.parent, **sections), Silent())
    return to_builtins(Release.written(draft, directory).facts.ledger)


def given(directory: Path, people: pa.Table = PEOPLE, **sections: object) -> dict[str, object]:
    """Write a draft and share it; return what the ledger says of it then."""
    save(directory, people, **sections)
    return to_builtins(mark_as_shared(directory, anyway=True))


NAMED = {"respondent": "name"}


def test_releases_are_recorded_where_the_plan_says_so_or_a_respondent_is_named(tmp_path):
    assert "no respondent" in save(tmp_path / "plain")["because"]
    assert not (tmp_path / FILE).exists()
    assert given(tmp_path / "one", input=NAMED)["compared"] == 0
    assert save(tmp_path / "two", input=NAMED)["compared"] == 1
    assert "the plan says so" in save(tmp_path / "off", input=NAMED, output={"ledger": ""})["because"]
    save(tmp_path / "named", output={"ledger": "books/mine.duckdb"})
    assert len(Ledger(tmp_path / "books" / "mine.duckdb").releases()) == 1
    assert len(Ledger(tmp_path / FILE).releases()) == 2


def test_the_public_side_tells_nothing_of_the_ledger(tmp_path):
    given(tmp_path / "one", input=NAMED, output={"ledger": "mine.duckdb"})
    given(tmp_path / "two", input=NAMED, output={"ledger": "mine.duckdb"})
    for name in ("manifest.json", "report.html"):
        text = (tmp_path / "two" / name).read_text(encoding="utf-8")
        assert "mine.duckdb" not in text
        assert "ledger" not in text
    audit = json.loads((tmp_path / "two.private" / "audit.json").read_text(encoding="utf-8"))
    assert audit["facts"]["ledger"]["shared"] == 6


def test_the_environment_names_the_ledger(tmp_path, monkeypatch):
    monkeypatch.setenv("KOHORT_LEDGER", str(tmp_path / "elsewhere.duckdb"))
    plan = Plan(**PLAN, input=NAMED)
    assert ledger_path(plan, tmp_path / "out") == tmp_path / "elsewhere.duckdb"
    told = Plan(**PLAN, output={"ledger": "mine.duckdb"}, base=tmp_path)
    assert ledger_path(told, tmp_path / "out") == tmp_path / "mine.duckdb"


def test_demand_releases_nothing_that_gives_people_away_together(tmp_path):
    asked = {"input": NAMED, "output": {"together": "demand"}}
    given(tmp_path / "one", **asked)
    with pytest.raises(InfeasibleError, match="hide among fewer than promised") as refused:
        save(tmp_path / "two", MOVED, **asked)
    assert refused.value.exit_code == 3
    assert refused.value.nearest["smallest"] == 1
    assert not (tmp_path / "two").exists()
    assert not (tmp_path / "two.private").exists()
    assert len(Ledger(tmp_path / FILE).releases()) == 1
    assert given(tmp_path / "same", **asked)["below_k"] == 0
    assert given(tmp_path / "told", MOVED, input=NAMED)["below_k"] > 0
    for number in (1, 2, 3):
        Ledger(tmp_path / FILE).withdraw(number)
    assert save(tmp_path / "two", MOVED, **asked)["compared"] == 0


def test_demand_without_people_or_ledger_is_refused(tmp_path):
    with pytest.raises(InputError, match="respondent"):
        save(tmp_path / "out", output={"together": "demand"})
    with pytest.raises(InputError, match="records nothing"):
        save(tmp_path / "out", input=NAMED, output={"together": "demand", "ledger": ""})
    with pytest.raises(InputError, match="respondent"):
        save(tmp_path / "out", output={"together": "demand", "ledger": "mine.duckdb"})
    given(tmp_path / "unnamed", output={"ledger": FILE})
    with pytest.raises(InfeasibleError, match="could not be compared"):
        save(tmp_path / "out", input=NAMED, output={"together": "demand"})


@pytest.mark.parametrize("damage", [noise, other_key, lost_ledger], ids=lambda damage: damage.__name__)
def test_without_its_ledger_nothing_is_released_and_an_earlier_release_stays(damage, tmp_path):
    save(tmp_path / "out", input=NAMED)
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    damage(tmp_path / FILE)
    with pytest.raises(InputError, match="ledger"):
        save(tmp_path / "out", input=NAMED)
    assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


def test_a_locked_ledger_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "PATIENCE", 0.1)
    save(tmp_path / "first", input=NAMED)
    holder = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", holder, str(tmp_path / FILE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(InputError, match="in use by another program"):
            save(tmp_path / "out", input=NAMED)
        other.stdin.close()
    assert not (tmp_path / "out").exists()
    save(tmp_path / "out", input=NAMED)
    assert len(Ledger(tmp_path / FILE).releases()) == 2


def test_a_release_that_does_not_come_to_stand_is_taken_out_again(tmp_path, monkeypatch):
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("kohort.folders.workshop.Workshop._switch", fails)
        with pytest.raises(InputError, match="No space left"):
            save(tmp_path / "out", input=NAMED)
    assert Ledger(tmp_path / FILE).releases() == []
    assert save(tmp_path / "out", input=NAMED)["compared"] == 0


def test_of_two_runs_at_once_one_sees_the_other(tmp_path):
    """Both cross: whichever is shared second must say so."""
    script = (
        "import sys; from pathlib import Path; from tests.unit.ledger.test_ledger import *; "
        "found = given(Path(sys.argv[1]), MOVED if sys.argv[2] == '1' else PEOPLE, input=NAMED); "
        "print(found['compared'], (found['below_k'] or 0) > 0)"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path / f"out{i}"), str(i)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for i in range(2)
    ]
    told = sorted(run.communicate()[0].strip() for run in runs)
    assert told == ["0 False", "1 True"]


def test_there_is_no_history_without_a_ledger(tmp_path):
    with pytest.raises(InputError, match="there is no ledger"):
        Ledger(tmp_path / FILE).releases()


def released(directory: Path, people: pa.Table) -> Release:
    return Release.verified(make_release(people, Plan(**PLAN, base=directory, input=NAMED), Silent()))


def test_saving_what_gives_people_away_together_warns(tmp_path: Path) -> None:
    released(tmp_path, PEOPLE).save(tmp_path / "one")
    kohort.share(tmp_path / "one")
    moved = released(tmp_path, MOVED)
    with pytest.warns(TogetherWarning, match=r"together with release 1 .* among fewer than promised"):
        moved.save(tmp_path / "two")
    assert moved.facts.ledger is not None
    assert moved.facts.ledger.below_k


def test_saving_what_gives_nobody_away_is_silent(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("one", "two"):
            released(tmp_path, PEOPLE).save(tmp_path / name)
            kohort.share(tmp_path / name)


def test_a_draft_of_a_key_that_cannot_take_its_name_serves_all_the_same(tmp_path, monkeypatch):
    def refused(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    ledger = Ledger(tmp_path / FILE)
    ledger.record(CROSSED[0], tmp_path / "out")
    key_path(ledger.path).rename(draft_path(ledger.path))
    monkeypatch.setattr("kohort.ledger.keys.settle_key", refused)
    assert len(ledger.releases()) == 1


REFUSED = 'IO Error: Cannot open file "x": Permission denied'


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (duckdb.IOException(REFUSED), "ledger.refused", r"cannot be read \(Permission denied\); see to it that you may"),
        (duckdb.IOException("IO Error: The file is no database"), "ledger.unreadable", "restore it"),
    ],
)  # fmt: skip
def test_a_ledger_that_may_not_be_read_is_not_called_damaged(problem, code, said, tmp_path, monkeypatch):
    def refused(*_: object, **__: object) -> None:
        raise problem

    ledger = Ledger(tmp_path / "unlocked" / FILE)  # a path that says lock is no lock
    ledger.record(CROSSED[0], tmp_path / "out")
    monkeypatch.setattr(duckdb, "connect", refused)
    with pytest.raises(InputError, match=said) as told:
        ledger.releases()
    assert told.value.code == code


def test_where_nobody_can_look_after_a_refused_write_nobody_claims_that_nothing_changed(
    tmp_path, monkeypatch
):
    def refused(*_: object) -> None:
        monkeypatch.setattr(duckdb, "connect", refused_too)
        raise duckdb.IOException(REFUSED)

    def refused_too(*_: object, **__: object) -> None:
        raise duckdb.IOException(REFUSED)

    ledger = Ledger(tmp_path / FILE)
    ledger.record(CROSSED[0], tmp_path / "out")
    monkeypatch.setattr("kohort.ledger.file.Book.close_seal", refused)
    with pytest.raises(InputError, match="nobody knows whether") as told:
        ledger.withdraw(1)
    assert told.value.code == "ledger.unsure"
    monkeypatch.undo()
    assert not ledger.releases()[0]["withdrawn"]


def test_marks_are_made_together_or_not_at_all(tmp_path):
    ledger = Ledger(tmp_path / FILE)
    ledger.record(CROSSED[0], tmp_path / "out")
    before = ledger.releases()
    with pytest.raises(InputError, match="there is no release 2"):
        ledger.amend(withdraw=1, forget=2)
    assert ledger.releases() == before


def test_a_file_in_which_no_ledger_was_made_yet_is_none_and_becomes_one(tmp_path):
    """A full disk or a kill leaves it when the first release is recorded."""
    ledger = Ledger(tmp_path / FILE)
    duckdb.connect(str(ledger.path)).close()
    ledger.check()
    assert ledger.compare(CROSSED[0]).compared == ()
    with pytest.raises(InputError, match="there is no ledger"):
        ledger.releases()
    with pytest.raises(InputError, match="there is no ledger"):
        ledger.withdraw(1)
    assert ledger.record(CROSSED[0], tmp_path / "out") == 1
    ledger.check()


def test_an_empty_file_is_refused_by_name(tmp_path):
    (tmp_path / FILE).touch()
    with pytest.raises(InputError, match="is empty, and no ledger: remove it"):
        Ledger(tmp_path / FILE).check()


@pytest.mark.parametrize("why", [errno.EPERM, errno.EEXIST])
def test_a_ledger_is_made_also_where_there_are_no_links_and_where_another_was_quicker(
    why, tmp_path, monkeypatch
):
    def refused(_: Path, path: Path) -> None:
        if why == errno.EEXIST:
            duckdb.connect(str(path)).close()
        raise OSError(why, os.strerror(why))

    monkeypatch.setattr(os, "link", refused)
    ledger = Ledger(tmp_path / FILE)
    assert ledger.record(CROSSED[0], tmp_path / "out") == 1
    assert [path.name for path in sorted(tmp_path.iterdir())] == [FILE, f"{FILE}.key"]
