"""Canaries in every cell, name and margin of the input; every command; what outsiders get to see is searched for them.

Outsiders see the released directory, and whoever looks over a shoulder or reads a log sees stdout and stderr. The
private audit is for the holder of the original and may hold what the plan and the table say.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort as library
from kohort.cli.main import main
from kohort.table.formats import WRITERS
from kohort.verification.verify import verify_directory

ROWS = 60
# What stands in cells, and must not stand anywhere else. Released sensitive values stand in the table alone.
PAY = tuple(31_337_000 + 17 * i for i in range(1, 59))  # each within 31337000-31337999
HIDDEN = ("Xanthippe", "Zq941", "Kaffeekranz", "Wolpertinger", "Ockham", *map(str, PAY))
TOLD = ("Podagra", "Quinsy", "Dropsy")
FORMATS = [suffix.removeprefix(".") for suffix in WRITERS]
PLAN = """
[input]
path = "patients.csv"
{respondent}
[columns]
name = {{ role = "identifier" }}
zip  = {{ role = "quasi", min_level = 3, hierarchy = {{ kind = "mask", length = 7 }} }}
pay  = {{ role = "quasi", min_level = 1, hierarchy = {{ kind = "intervals", widths = [1000, 10000] }} }}
club = {{ role = "quasi", min_level = 1, hierarchy = {{ kind = "suppress" }} }}
ill  = {{ role = "sensitive" }}

[[require]]
model = "k-anonymity"
k = 3
[[require]]
model = "l-diversity"
column = "ill"
l = 2

[recode]
max_suppression = 0.2
{recode}
"""


def planted() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "name": [f"Xanthippe {i}" for i in range(ROWS)],
            "zip": [f"Zq941{i}" for i in rng.integers(10, 99, ROWS)],
            "pay": rng.choice(PAY, ROWS),
            "club": rng.choice(["Kaffeekranz", "Kaffeekranz West", None], ROWS),
            "ill": rng.choice([*TOLD], ROWS),
            "note": [f"Wolpertinger {i}" for i in range(ROWS)],
        },
        index=pd.Index([f"Ockham {i}" for i in range(ROWS)], name="Ockham"),
    )
    frame["club"] = pd.Categorical(
        frame["club"], categories=["Kaffeekranz", "Kaffeekranz West", "Kaffeekranz Ost"]
    )
    frame.attrs["Ockham"] = "Ockham"
    return frame


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the table and a plan, and a temporary directory of its own."""
    planted().to_csv(tmp_path / "patients.csv", index=False)
    (tmp_path / "plan.toml").write_text(PLAN.format(respondent="", recode=""), encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.delenv("KOHORT_DEBUG", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Run `kohort …`; return its exit code and all it said."""

    def call(*arguments: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["kohort", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        code = ended.value.code
        return (code if isinstance(code, int) else int(code is not None)), captured.out + captured.err

    return call


Run = Callable[..., tuple[int, str]]


def found(text: str, marks: tuple[str, ...] = HIDDEN) -> list[str]:
    return [mark for mark in marks if mark in text]


def laid_bare(path: Path) -> Iterator[bytes]:
    """Yield everything that a curious reader finds in a released file."""
    yield path.read_bytes()
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as archive:
            yield from map(archive.read, archive.namelist())
    if path.suffix == ".parquet":
        file = pyarrow.parquet.ParquetFile(path)
        yield repr((file.metadata.to_dict(), file.metadata.metadata, file.schema_arrow)).encode()
        yield repr(file.read().to_pydict()).encode()
        yield from _buffers(pyarrow.parquet.read_table(path))
    if path.suffix in (".sqlite", ".db"):
        with closing(sqlite3.connect(path)) as connection:
            yield "\n".join(connection.iterdump()).encode()
    if path.suffix == ".duckdb":
        with duckdb.connect(str(path), read_only=True) as connection:
            for (name,) in connection.execute("SELECT table_name FROM information_schema.tables").fetchall():
                yield repr(connection.execute(f'SELECT * FROM "{name}"').fetchall()).encode()
                yield repr(
                    connection.execute(f"SELECT * FROM pragma_storage_info('{name}')").fetchall()
                ).encode()


def _buffers(table: pa.Table) -> Iterator[bytes]:
    for column in table.columns:
        for chunk in column.chunks:
            yield from (buffer.to_pybytes() for buffer in chunk.buffers() if buffer is not None)


def searched(directory: Path) -> None:
    """Search a released directory: no hidden mark anywhere, sensitive values in the table only."""
    for path in directory.iterdir():
        pieces = list(laid_bare(path))
        for mark in HIDDEN:
            assert not [p for p in pieces if mark.encode() in p or mark.encode("utf-16-le") in p], (
                path.name,
                mark,
            )
        if path.suffix in (".json", ".html"):
            assert not found(path.read_text(encoding="utf-8"), TOLD), path.name


def left_behind(place: Path) -> list[str]:
    """Return what is left among temporary files once nobody holds it any more, as at the end of a process."""
    gc.collect()
    return [path.name for path in (place / "temporary").iterdir()]


# --- commands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_no_canary_leaves_in_any_format(format: str, run: Run, place: Path) -> None:
    code, said = run("anonymize", "plan.toml", "-o", "out", "--set", f'output.format="{format}"')
    assert code == 0, said
    assert not found(said, HIDDEN + TOLD)
    searched(place / "out")
    assert not left_behind(place)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    "algorithm", ["optimal", "mondrian", "k-member", "mdav", "anatomy", "forest", "top-down"]
)
def test_no_canary_leaves_by_any_way_of_recoding(algorithm: str, engine: str, run: Run, place: Path) -> None:
    """Local recodings know no least level, so of them only identifiers and undeclared columns are searched for."""
    recode = f'algorithm = "{algorithm}"'
    plan = (
        PLAN.format(respondent="", recode=recode)
        .replace("min_level = 3, ", "")
        .replace("min_level = 1, ", "")
    )
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    code, said = run("anonymize", "plan.toml", "-o", "out", "--engine", engine)
    assert not found(said, HIDDEN + TOLD)
    assert not left_behind(place)
    if code:
        assert not (place / "out").exists()
        return
    for path in (place / "out").iterdir():
        text = b"\n".join(laid_bare(path)).decode("utf-8", "replace")
        assert not found(text, ("Xanthippe", "Wolpertinger", "Ockham", "Kaffeekranz Ost"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "out"),
        ("verify", "out", "--json"),
        ("verify", "out", "--original", "patients.csv"),
        ("verify", "out/table.csv", "--plan", "plan.toml", "--original", "patients.csv"),
        ("audit", "patients.csv", "--quasi", "zip,pay,club", "--sensitive", "ill"),
        ("audit", "patients.csv", "--quasi", "zip,pay,club", "--sensitive", "ill", "--respondent", "name"),
        ("audit", "patients.csv", "--quasi", "zip,pay,club", "--sensitive", "ill", "--json"),
        ("audit", "patients.csv", "--plan", "plan.toml", "--html", "audit.html"),
        ("frontier", "plan.toml", "--k", "2,3,5,500"),
        ("frontier", "plan.toml", "--k", "2,3", "--json", "-o", "frontier.svg"),
        ("compare", "plan.toml", "--k", "2,500", "--time-limit", "1", "-o", "compare.html"),
        ("attack", "out", "--all"),
        ("attack", "out", "--all", "--json"),
        ("attack", "out", "--with", "patients.csv", "--on", "zip,pay,club", "--id", "name"),
        ("attack", "out", "--with", "patients.csv", "--on", "zip,pay,club", "--json"),
        ("init", "patients.csv", "-o", "drafted.toml"),
        ("anonymize", "plan.toml", "-o", "again", "--json"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_command_says_a_cell(arguments: tuple[str, ...], run: Run, place: Path) -> None:
    assert run("anonymize", "plan.toml", "-o", "out")[0] == 0
    before = {path.name for path in place.iterdir()}
    code, said = run(*arguments)
    assert code == 0, said
    assert not found(said, HIDDEN + TOLD)
    searched(place / "out")
    for name in {path.name for path in place.iterdir()} - before - {"drafted.toml", "again", "again.private"}:
        assert not found((place / name).read_text(encoding="utf-8"), HIDDEN + TOLD), name
    assert not left_behind(place)


def test_a_release_with_people_leaves_no_name_in_public_or_in_the_ledger(run: Run, place: Path) -> None:
    plan = PLAN.format(respondent='respondent = "name"', recode="")
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    for k in (3, 4):
        code, said = run("anonymize", "plan.toml", "-o", f"out-{k}", "--set", f"require.0.k={k}")
        assert code == 0, said
        assert not found(said, HIDDEN + TOLD)
        searched(place / f"out-{k}")
        for asked in (("share", f"out-{k}"), ("explain", f"out-{k}", "--row", "1", "--columns")):
            code, said = run(*asked)
            assert code == 0, said
            assert not found(said, HIDDEN + TOLD)
        searched(place / f"out-{k}")
    ledger = place / "kohort-ledger.duckdb"
    told = b"".join(laid_bare(ledger)).decode("utf-8", "replace")
    assert not found(told, HIDDEN + TOLD)
    assert not ledger.stat().st_mode & 0o077
    code, said = run("history")
    assert code == 0, said
    assert not found(said, HIDDEN + TOLD)
    for path in place.rglob("*"):
        if "ledger" in path.name or ".private" in str(path):
            assert not path.stat().st_mode & 0o077, path


# --- frames --------------------------------------------------------------------------------------------------


def test_nothing_hangs_on_to_a_released_frame(place: Path) -> None:
    frame = planted()
    plan = library.Plan.load("plan.toml")
    released = library.anonymize(frame, plan).table
    assert not released.attrs
    assert released.index.equals(pd.RangeIndex(len(released)))
    assert not found(repr(released.to_dict()) + repr(released.dtypes) + repr(released.index))
    schema = pa.Table.from_pandas(released).schema.metadata
    assert not found(repr(schema))


def test_parquet_metadata_of_the_input_stays_behind(run: Run, place: Path) -> None:
    table = pa.Table.from_pandas(planted().rename_axis("patient"))  # the index becomes a column of names
    fields = [field.with_metadata({"Ockham": "Ockham"}) for field in table.schema]
    table = table.cast(
        pa.schema(fields, metadata={"Ockham": "Ockham", "pandas": table.schema.metadata[b"pandas"]})
    )
    pyarrow.parquet.write_table(table, place / "patients.parquet")
    code, said = run("anonymize", "plan.toml", "-o", "out", "--set", 'input.path="patients.parquet"',
                     "--set", 'output.format="parquet"')  # fmt: skip
    assert code == 0, said
    searched(place / "out")


# --- errors and crashes --------------------------------------------------------------------------------------

# what is changed in the plan or in the table
WRONG: dict[str, tuple[str, str]] = {
    "not a number": ("plan", 'pay  = { role = "quasi", hierarchy = { kind = "dates" } }'),
    "not a date": ("plan", 'zip  = { role = "quasi", hierarchy = { kind = "dates" } }'),
    "text as number": ("plan", 'zip  = { role = "quasi", hierarchy = { kind = "intervals", widths = [5] } }'),
    "outside the domain": (
        "plan", 'pay  = { role = "quasi", hierarchy = { kind = "intervals", widths = [5], domain = [0, 9] } }',
    ),
    "tree that misses values": (
        "plan", 'club = { role = "quasi", hierarchy = { kind = "tree", tree = { any = ["x", "y"] } } }',
    ),
    "nearly unique": ("plan", 'note = { role = "insensitive" }'),
    "no such column": ("plan", 'nothing = { role = "quasi" }'),
    "ragged": ("table", "Xanthippe 99,Zq94199\n"),
    "quote never closed": ("table", '"Xanthippe 99,Zq94199,31337017,Kaffeekranz,Podagra,Wolpertinger\n'),
    "not UTF-8": ("table", "Xanthippe \udcff99,Zq94199,31337017,Kaffeekranz,Podagra,Wolpertinger\n"),
    "zero byte": ("table", "Xanthippe \0 99,Zq94199,31337017,Kaffeekranz,Podagra,Wolpertinger\n"),
    "infeasible": ("set", "require.1.l=4"),
    "k beyond the table": ("set", "require.0.k=61"),
    "sensitive value watched that is absent": (
        "set", 'require.1={model = "alpha-k", column = "ill", alpha = 0.5, k = 2, value = "Scurvy"}',
    ),
    "blank rows": ("set", 'recode.suppressed_rows="blank"'),
}  # fmt: skip


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("case", WRONG)
def test_no_error_says_a_cell(case: str, engine: str, run: Run, place: Path) -> None:
    where, what = WRONG[case]
    settings: list[str] = []
    if where == "plan":
        key = what.split("=")[0].strip()
        lines = (place / "plan.toml").read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if line.split("=")[0].strip() != key]
        kept.insert(kept.index("[columns]") + 1, what)
        (place / "plan.toml").write_text("\n".join(kept), encoding="utf-8")
    elif where == "table":
        with (place / "patients.csv").open("a", encoding="utf-8", errors="surrogateescape") as table:
            table.write(what)
    else:
        settings = ["--set", what]
    code, said = run("anonymize", "plan.toml", "-o", "out", "--engine", engine, *settings)
    assert not found(said, HIDDEN + TOLD)
    assert code == 0 or not (place / "out").exists()
    assert not left_behind(place)
    if engine != "memory":
        return  # the others look at the same file, by no engine that is named
    _, said = run("audit", "patients.csv", "--quasi", "zip,pay,club", "--sensitive", "ill")
    assert not found(said, HIDDEN + TOLD)
    _, said = run("init", "patients.csv", "-o", "drafted.toml")
    assert not found(said, HIDDEN + TOLD)


INTERNALS = (
    "kohort.table.table.Table.from_arrow",
    "kohort.preparation.hierarchies.build_hierarchy",
    "kohort.engines.memory.engine.classes_of_columns",
    "kohort.tables.steps.chosen_algorithm",
    "kohort.tables.published_table.release_facts",
    "kohort.release.saving.write_table",
    "kohort.tables.published_table.html",
    "kohort.tables.published_table.public_files",
    "kohort.folders.workshop.Workshop.publish",
    "kohort.evidence.release.columns_told",
    "kohort.hierarchy.hierarchy.Hierarchy.encode",
    "kohort.table.writing.rebuilt",
)
CRASHES: tuple[Callable[[], BaseException], ...] = (
    lambda: RuntimeError("Xanthippe has Podagra"),
    lambda: KeyError("Zq94138"),
    lambda: pa.ArrowInvalid("cannot cast 'Kaffeekranz'"),
    lambda: duckdb.ConversionException("Could not convert string 'Zq94138' to INT32"),
    lambda: OSError(5, "Input/output error", "Wolpertinger"),
    lambda: UnicodeDecodeError("utf-8", b"Xanthippe\xff", 9, 10, "invalid start byte"),
    lambda: MemoryError("Xanthippe"),
    lambda: RecursionError("Xanthippe"),
    lambda: AssertionError("Podagra"),
)


@pytest.mark.parametrize("inside", INTERNALS)
def test_a_crash_says_no_cell_and_leaves_nothing(
    inside: str, run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every place with three of the crashes, every crash in several places."""
    judge_crashes(inside, CRASHES[INTERNALS.index(inside) % 3 :: 3], run, place, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("inside", INTERNALS)
def test_every_crash_anywhere_says_no_cell_and_leaves_nothing(
    inside: str, run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_crashes(inside, CRASHES, run, place, monkeypatch)


def judge_crashes(
    inside: str,
    crashes: Sequence[Callable[[], BaseException]],
    run: Run,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for crash in crashes:

        def broken(*_: object, _crash: Callable[[], BaseException] = crash, **__: object) -> None:
            raise _crash()

        with monkeypatch.context() as patched:
            patched.setattr(inside, broken)
            code, said = run("anonymize", "plan.toml", "-o", "out")
        assert code not in (0, 4), said
        assert not found(said, HIDDEN + TOLD), said
        assert "Traceback" not in said
        names = sorted(path.name for path in place.iterdir())
        assert names == ["patients.csv", "plan.toml", "temporary"], names
        assert not left_behind(place)


# --- permissions and kill -9 ---------------------------------------------------------------------------------


def test_what_is_not_yet_released_is_readable_by_its_owner_only(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at whenever a file is opened, renamed or removed, under an umask that would let everybody read."""
    plan = library.Plan.load("plan.toml")
    release = library.anonymize("patients.csv", plan)
    seen: list[tuple[str, int]] = []
    watching = [True]

    def watch(event: str, _: tuple[Any, ...]) -> None:
        if watching and event in ("open", "os.rename", "os.remove", "os.chmod", "shutil.rmtree"):
            watching.clear()
            for folder in place.iterdir():
                if folder.name.startswith(".") and folder.is_dir():
                    seen.append((folder.name, stat.S_IMODE(folder.stat().st_mode)))
            watching.append(True)

    before = os.umask(0o000)
    sys.addaudithook(watch)
    try:
        release.save("out")
    finally:
        watching.clear()
        os.umask(before)
    open_to_all = {(name, oct(mode)) for name, mode in seen if mode & 0o077}
    assert seen
    # The public folder opens to others in the last moment, when it has been verified.
    assert {name for name, _ in open_to_all} <= {"public"}
    assert stat.S_IMODE((place / "out.private").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (place / "out.private").iterdir()} == {0o600}


# Kills itself at the n-th change below the output's folder, for n = 0, 1, …, until it comes through.
KILLED = """
import os, signal, sys, json
from pathlib import Path
import kohort
place, k = Path(sys.argv[1]), int(sys.argv[2])
plan = kohort.Plan.load(place / "plan.toml", [f"require.0.k={k}"])
release = kohort.anonymize(place / "patients.csv", plan)
CHANGES = ("open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "os.rmdir", "shutil.rmtree", "tempfile.mkdtemp")
n = 0
while True:
    child = os.fork()
    if child == 0:
        count = [0]
        def hook(event, arguments):
            if event in CHANGES and str(arguments[0]).startswith(str(place)):
                if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
                    return
                if count[0] == n:
                    os.kill(os.getpid(), signal.SIGKILL)
                count[0] += 1
        sys.addaudithook(hook)
        release.save(place / "out")
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print(n, status, flush=True)
    if input() == "stop":
        break
    n += 1
"""


@pytest.mark.parametrize("earlier", [False, True])
def test_killed_at_every_change_of_a_file_there_is_a_whole_release_or_none(
    earlier: bool, place: Path
) -> None:
    if earlier:
        library.anonymize("patients.csv", library.Plan.load("plan.toml", ["require.0.k=5"])).save("out")
    (place / "killed.py").write_text(textwrap.dedent(KILLED), encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "killed.py", str(place), "3"]
    survived = points = 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        for line in driver.stdout:
            points += 1
            status = int(line.split()[1])
            survived += status == 0
            assert status == 0 or os.WTERMSIG(status) == signal.SIGKILL
            out = place / "out"
            if out.exists():
                judge_survivor(out)
            else:
                assert status != 0
            leftovers = [p for p in place.iterdir() if p.name.startswith(".")]
            assert all(not p.stat().st_mode & 0o077 for p in leftovers)
            driver.stdin.write("stop\n" if status == 0 or points > 200 else "go\n")
            driver.stdin.flush()
    assert survived == 1
    assert points > 10


def judge_survivor(out: Path) -> None:
    """A directory that looks like a release is one: complete, and true to its manifest."""
    assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "report.html", "table.csv"]
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    private = out.with_name("out.private")
    aside = out.with_name("aside")
    if private.exists():
        private.rename(aside)  # by the public files alone
    try:
        assert all(v.holds is not False for v in verify_directory(out))
    finally:
        if aside.exists():
            aside.rename(private)
    assert (out / "report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert manifest["asked"]["require"][0]["k"] in (3, 5)
