"""`-o` never removes what is not Kohort's; what a killed run leaves is brought to an end by the next one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.trust.kills import made, snapshot

import kohort
from kohort.errors import InputError
from kohort.folders import release_folder
from kohort.folders.claims import LOCK, claim
from kohort.folders.release_folder import private_of, refuse_foreign, refuse_place, sha256
from kohort.folders.workshop import recover, sweep, workshop
from kohort.table import scratch

THESIS = "ten years of work"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A place where a release stands."""
    made(2).save(tmp_path / "out")
    return tmp_path / "out"


def thesis_beside(out: Path) -> None:
    (out / "thesis.txt").write_text(THESIS)


def hidden_thesis(out: Path) -> None:
    (out / ".thesis").write_text(THESIS)


def subfolder(out: Path) -> None:
    (out / "chapters").mkdir()
    (out / "chapters" / "one.txt").write_text(THESIS)


def empty_subfolder(out: Path) -> None:
    (out / "chapters").mkdir()


def link_out(out: Path) -> None:
    (out / "more").symlink_to(out.parent)


def listed_link(out: Path) -> None:
    (out / "table.csv").rename(out.parent / "elsewhere.csv")
    (out / "table.csv").symlink_to(out.parent / "elsewhere.csv")


def edited_table(out: Path) -> None:
    (out / "table.csv").write_text((out / "table.csv").read_text() + "\n")


def edited_report(out: Path) -> None:
    (out / "report.html").write_text(THESIS)


def edited_manifest(out: Path) -> None:
    (out / "manifest.json").write_text("{}")


def thesis_in_private(out: Path) -> None:
    (private_of(out) / "thesis.txt").write_text(THESIS)


def edited_audit(out: Path) -> None:
    (private_of(out) / "audit.json").write_text("{}")


def folder_in_private(out: Path) -> None:
    (private_of(out) / "keys").mkdir()


def listing_gone(out: Path) -> None:
    (private_of(out) / "files.json").unlink()


def listing_broken(out: Path) -> None:
    (private_of(out) / "files.json").write_text("[]")


def audit_gone(out: Path) -> None:
    shutil.rmtree(private_of(out))


def other_program(out: Path) -> None:
    shutil.rmtree(out)
    shutil.rmtree(private_of(out))
    out.mkdir()
    (out / "manifest.json").write_text('{"name": "a browser extension"}')
    (out / "thesis.txt").write_text(THESIS)


def other_program_private(out: Path) -> None:
    shutil.rmtree(out)
    shutil.rmtree(private_of(out))
    private_of(out).mkdir()
    (private_of(out) / "files.json").write_text('{"files": ["thesis"]}')


def swapped(out: Path) -> None:
    """The audit of another release beside it."""
    made(3).save(out.with_name("other"))
    shutil.rmtree(private_of(out))
    shutil.copytree(private_of(out.with_name("other")), private_of(out))


def a_file(out: Path) -> None:
    shutil.rmtree(out)
    out.write_text(THESIS)


def a_link(out: Path) -> None:
    out.rename(out.with_name("real"))
    out.symlink_to(out.with_name("real"))


def private_link(out: Path) -> None:
    private_of(out).rename(out.with_name("real"))
    private_of(out).symlink_to(out.with_name("real"))


def workshop_taken(out: Path) -> None:
    """A folder of somebody else under the name that Kohort works in."""
    out.with_name(".out.kohort").mkdir()
    (out.with_name(".out.kohort") / "thesis.txt").write_text(THESIS)


def thesis_in_workshop(out: Path) -> None:
    out.with_name(".out.kohort").mkdir()
    (out.with_name(".out.kohort") / LOCK).write_text(str(out.with_name(".out.kohort").stat().st_ino))
    (out.with_name(".out.kohort") / "thesis.txt").write_text(THESIS)


FOREIGN = [
    thesis_beside, hidden_thesis, subfolder, empty_subfolder, link_out, listed_link, edited_table, edited_report,
    edited_manifest, thesis_in_private, edited_audit, folder_in_private, listing_gone, listing_broken, audit_gone,
    other_program, other_program_private, swapped, a_file, a_link, private_link, workshop_taken, thesis_in_workshop,
]  # fmt: skip


@pytest.mark.parametrize("foreign", FOREIGN, ids=lambda foreign: foreign.__name__)
def test_what_is_not_an_earlier_release_is_refused_by_name_and_untouched(
    foreign: Callable[[Path], None], out: Path
) -> None:
    foreign(out)
    before = snapshot(out.parent)
    with pytest.raises(InputError) as refused:
        made(3).save(out)
    assert str(out.parent) in str(refused.value)
    assert THESIS not in str(refused.value)
    after = snapshot(out.parent)
    assert after == before


def test_what_is_put_there_while_the_release_is_made_is_not_lost(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kohort.facts.ledger import LedgerFacts
    from kohort.ledger import Recorded

    release = made(3)

    def meanwhile(*_: object) -> Recorded:
        thesis_beside(out)
        return Recorded(LedgerFacts(compared=0))

    monkeypatch.setattr(type(release.draft.published), "record", meanwhile)
    table = (out / "table.csv").read_bytes()
    with pytest.raises(InputError, match=r"thesis\.txt"):
        release.save(out)
    assert (out / "thesis.txt").read_text() == THESIS
    assert (out / "table.csv").read_bytes() == table
    assert private_of(out).exists()


def test_what_was_looked_at_and_changed_since_is_read_again(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release_folder, "_SETTLED", -1)  # remembered at once, and not only after two seconds
    refuse_foreign(out)
    reads: list[Path] = []
    monkeypatch.setattr(release_folder, "sha256", lambda path: reads.append(path) or sha256(path))
    refuse_foreign(out)
    assert [path.name for path in reads] == ["files.json"]  # the listing itself
    time.sleep(0.1)  # another tick of the clock that the file system takes
    table, before = out / "table.csv", (out / "table.csv").stat()
    content = table.read_bytes()
    table.write_bytes(content[:-2] + content[-1:] + content[-1:])
    os.utime(table, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(InputError, match="was changed since"):
        refuse_foreign(out)


def test_empty_folders_may_be_used(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out.private").mkdir()
    made(2).save(tmp_path / "out")
    assert (tmp_path / "out" / "table.csv").exists()


@pytest.mark.parametrize("name", ["a b", "-dash", "new\nline", "dot.", "ümlaut", "..."])
def test_odd_names_work(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in (Path(name), f"{name}/"):
        made(2).save(place)
    assert sorted(p.name for p in tmp_path.iterdir() if "ledger" not in p.name) == [name, f"{name}.private"]


def test_places_that_cannot_be_a_release_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("/", ".", "", "out.private", "..", "out/.."):
        with pytest.raises(InputError):
            made(2).save(place)
    assert list(tmp_path.iterdir()) == []


def test_what_a_release_is_made_from_is_never_written_over(out: Path) -> None:
    table = out / "table.csv"
    plan = kohort.Plan(columns={"age": "quasi"}, require=[kohort.KAnonymity(2)])
    before = snapshot(out.parent)
    with pytest.raises(InputError, match=r"table\.csv is needed"):
        kohort.anonymize(table, plan).save(out)
    assert snapshot(out.parent) == before
    for kept in (out / "x", private_of(out) / "deep" / "x"):
        with pytest.raises(InputError, match="is needed"):
            refuse_place(out, [kept])


def test_through_a_link_of_the_parent_the_release_lies_where_the_link_leads(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    made(2).save(tmp_path / "link" / "out")
    made(2).save(tmp_path / "real" / "out")
    assert (tmp_path / "link").is_symlink()
    assert sorted(p.name for p in (tmp_path / "real").iterdir() if "ledger" not in p.name) == [
        "out",
        "out.private",
    ]


def test_of_two_runs_into_one_directory_the_second_is_refused(out: Path) -> None:
    with workshop(out), pytest.raises(InputError, match="another run of Kohort is writing"):
        made(3).save(out)
    made(3).save(out)


def test_what_a_living_process_works_in_is_not_swept(out: Path) -> None:
    with workshop(out) as shop:
        (shop.public / "half").write_text("")
        sweep(out.parent)
        recover(out)
        assert (shop.public / "half").exists()
    assert not out.with_name(".out.kohort").exists()


TOKEN = "0123456789abcdef"


def left_by_a_killed_run(work: Path) -> None:
    """A workshop with its lock, and what executors wrote for it: a whole part, and one that is begun."""
    for folder in ("public", "private", f"parts-{TOKEN}", f"parts-{TOKEN[::-1]}"):
        (work / folder).mkdir(parents=True)
    (work / "public" / "table.csv").write_text("raw")
    (work / f"parts-{TOKEN}" / "part-00000.parquet").write_text("raw")
    (work / f"parts-{TOKEN[::-1]}" / TOKEN).write_text("raw")
    (work / LOCK).write_text(str(work.stat().st_ino))


def test_what_killed_runs_left_of_other_releases_is_swept_too(tmp_path: Path) -> None:
    left_by_a_killed_run(tmp_path / ".other.kohort")
    made(2).save(tmp_path / "out")
    assert not list(tmp_path.glob(".*"))


def only_made(work: Path) -> None:
    work.mkdir(0o700)


def without_a_note(work: Path) -> None:
    work.mkdir(0o700)
    (work / LOCK).write_text("")


@pytest.mark.parametrize("left", [left_by_a_killed_run, only_made, without_a_note])
def test_what_a_killed_run_left_is_cleared_by_the_next_into_the_same_directory(
    left: Callable[[Path], None], tmp_path: Path
) -> None:
    left(tmp_path / ".out.kohort")
    made(2).save(tmp_path / "out")
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("begun", [only_made, without_a_note])
def test_a_folder_without_a_note_is_nobodys_to_remove_who_does_not_need_it(
    begun: Callable[[Path], None], out: Path
) -> None:
    begun(out.with_name(".out.kohort"))
    begun(out.with_name(".other.kohort"))
    before = names_below(out.parent)
    recover(out)
    sweep(out.parent)
    assert names_below(out.parent) == before


def test_an_empty_folder_that_others_may_enter_is_not_one_that_kohort_made(out: Path) -> None:
    out.with_name(".out.kohort").mkdir()
    out.with_name(".out.kohort").chmod(0o755)
    with pytest.raises(InputError, match="is not Kohort's; move it away"):
        made(2).save(out)
    assert out.with_name(".out.kohort").is_dir()


def names_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_what_came_in_an_archive_is_not_taken_for_what_a_killed_run_left(out: Path) -> None:
    audit = out.with_name("audit")
    private_of(out).rename(audit)  # of a recipient, who has none
    work, folders = out.with_name(".out.kohort"), ("public", "private", "old-public", "old-private")
    for number in range(1 << len(folders)):
        for lock in ("", str(os.stat(audit).st_ino), "[" * 20, "\0", "9" * 5000, os.mkfifo, Path.mkdir):
            work.mkdir()
            for name in (folders[j] for j in range(len(folders)) if number >> j & 1):
                shutil.copytree(out if name.endswith("public") else audit, work / name)
            (work / "decided").write_text("")
            (work / LOCK).write_text(lock) if isinstance(lock, str) else lock(work / LOCK)
            before = names_below(out.parent)
            recover(out)
            sweep(out.parent)
            with pytest.raises(InputError, match="is not Kohort's; move it away"), workshop(out):
                pass
            assert names_below(out.parent) == before
            shutil.rmtree(work)


@pytest.mark.parametrize("lock", ["", None, "17"])
@pytest.mark.parametrize(
    "place",
    ["public", "private", "old-public", "old-private", "parts-1", f"parts-{TOKEN}", f"parts-{TOKEN}/a"],
)
def test_what_is_called_like_a_folder_of_ours_is_not_removed(
    place: str, lock: str | None, tmp_path: Path
) -> None:
    theirs = tmp_path / ".x.kohort" / place / "thesis.txt"
    theirs.parent.mkdir(parents=True)
    theirs.write_text(THESIS)
    if lock is not None:
        (tmp_path / ".x.kohort" / LOCK).write_text(lock)
    made(2).save(tmp_path / "out")
    assert theirs.read_text() == THESIS


def test_what_a_killed_run_left_is_brought_to_an_end_where_it_was_and_not_in_a_copy(out: Path) -> None:
    before = snapshot(out.parent)
    script = (
        "import os, sys; from tests.trust.kills import made; from kohort.folders.workshop import Workshop; "
        "Workshop._switch = lambda shop: (shop._names['public'].rename(shop._old['public']), os._exit(9)); "
        "made(2).save(sys.argv[1])"
    )
    assert subprocess.run([sys.executable, "-c", script, str(out)], check=False).returncode == 9
    assert not out.exists()
    copy = out.parent.with_name("copy") / out.name
    shutil.copytree(out.parent, copy.parent)
    recover(copy)
    assert not copy.exists()
    recover(out)
    after = snapshot(out.parent)
    assert {name: text for name, text in after.items() if name.startswith("out")} == {
        name: text for name, text in before.items() if name.startswith("out")
    }


def test_scratch_folders_of_killed_programs_are_swept_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    living = scratch.Scratch()
    (living.path("x")).write_text("x")
    script = (
        "import os, sys, tempfile; tempfile.tempdir = sys.argv[1]; from kohort.table.scratch import Scratch; "
        "s = Scratch(); s.path('spilled').write_text('x'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    foreign = tmp_path / "kohort-scratch-notes"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text(THESIS)
    empty = tmp_path / "kohort-scratch-empty"
    empty.mkdir()
    assert len(list(tmp_path.iterdir())) == 4
    scratch.sweep()
    assert set(tmp_path.iterdir()) == {living.path("x").parent, foreign, empty}
    living.close()
    assert set(tmp_path.iterdir()) == {foreign, empty}


def test_a_claim_is_taken_over_only_from_the_dead(tmp_path: Path) -> None:
    from kohort.folders.claims import BusyError, abandoned

    held = claim(tmp_path / "work")
    with pytest.raises(BusyError):
        claim(tmp_path / "work")
    assert abandoned(tmp_path / "work") is None
    held.close()
    taken = abandoned(tmp_path / "work")
    assert taken is not None
    taken.clear()
    assert not (tmp_path / "work").exists()


# The command line, where judging what was written takes long.
SLOW = """
import sys, time
import kohort.pipeline
from kohort.cli import main
made = kohort.pipeline.make_release
def slow(files):
    print("judging", flush=True)
    time.sleep(60)
def slowly(*arguments):
    release = made(*arguments)
    object.__setattr__(release, "judge", slow)
    return release
kohort.pipeline.make_release = slowly
main()
"""
PLAN = """
[input]
path = "people.csv"
respondent = "who"
[columns]
age = { role = "quasi", hierarchy = { kind = "intervals", widths = [10], origin = 0 } }
[[require]]
model = "k-anonymity"
k = 2
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda n: n.name)
def test_a_signal_ends_the_run_with_its_code_and_cleans_up(number: signal.Signals, out: Path) -> None:
    (out.parent / "plan.toml").write_text(PLAN)
    (out.parent / "people.csv").write_text("who,age\n" + "".join(f"p{i},{20 + i % 30}\n" for i in range(90)))
    before = snapshot(out.parent)
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        SLOW,
        "anonymize",
        str(out.parent / "plan.toml"),
        "-o",
        str(out),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "judging\n"
        run.send_signal(number)
        _, told = run.communicate(timeout=60)
    assert run.returncode == 128 + number
    assert "nothing was released" in told
    assert snapshot(out.parent) == before


def test_a_signal_while_the_release_takes_its_name_comes_too_late(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kohort.folders.workshop import Workshop

    switch = Workshop._switch

    def struck(shop: Workshop) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        switch(shop)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)

    monkeypatch.setattr(Workshop, "_switch", struck)
    made(3).save(out)
    told = json.loads((private_of(out) / "audit.json").read_text(encoding="utf-8"))
    assert told["plan"]["require"][0]["k"] == 3
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
