"""Fuzzers of everything that reads: mutated files, plans, level files, manifests and arguments.

An answer is a result or a `KohortError` that quotes no cell; anything else (another exception, a hang) is a fault and is
raised with the seed that makes it again.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa

import kohort
from kohort.cli.main import main
from kohort.errors import KohortError
from kohort.hierarchy import build_hierarchy
from kohort.proposals.file_reading import read_as_found
from kohort.table.formats import READERS
from kohort.table.formats.excel import read_excel
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.statistics import read_statistics
from kohort.table.reading import read_table
from kohort.table.writing import write_table

CANARY = "Xanthippe"
SECONDS = 20  # before a case counts as a hang
APART = {".xlsx": read_excel, ".sav": read_statistics, ".dta": read_statistics}  # read in a child otherwise
BITS = (
    b"",
    b"\0",
    b"\xff",
    b"\n",
    b'"',
    b",",
    b"\r",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"1e999",
    b"{",
    b"[",
    b"=",
    b"'",
)


def people() -> pa.Table:
    """Return a small table in which every text cell holds the canary."""
    return pa.table(
        {
            "name": [f"{CANARY}{i}" for i in range(12)],
            "age": [20 + i % 4 for i in range(12)],
            "born": [date(1980, 1, 1 + i % 3) for i in range(12)],
            "ill": [f"{CANARY} {'ab'[i % 2]}" for i in range(12)],
        }
    )


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Return the bytes with a few of them changed, cut out, doubled or replaced by something awkward."""
    data = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del data[at : at + chance.randint(1, 40)]
        elif kind == 2:
            data[at:at] = data[at : at + chance.randint(1, 200)]
        elif kind == 3:
            data[at:at] = chance.choice(BITS) * chance.choice((1, 1, 3, 50))
        elif kind == 4:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 9)))
        else:
            del data[at:]
    return bytes(data)


class Hang(BaseException):
    """A case took too long; no `except Exception` swallows it."""


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """Raise Hang where the block takes longer than `SECONDS`."""

    def ring(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def answered(case: Callable[[], Any], where: str, canary: bool = True) -> None:
    """Run a case; raise where it is not answered."""
    message = "a result"
    try:
        with patience():
            case()
    except KohortError as said:
        message = f"{said} {said.fields}"
    except Hang:
        raise AssertionError(f"{where}: no answer within {SECONDS} s") from None
    except Exception as crash:
        raise AssertionError(f"{where}: {type(crash).__name__}: {crash}") from crash
    assert message.strip(), where
    assert not canary or CANARY not in message, f"{where}: a cell is quoted"


def fuzz_readers(suffix: str, count: int, seed: int, place: Path) -> int:
    """Read `count` mutated files of a format; compiled readers that run apart are run in children here, too."""
    good = place / f"good{suffix}"
    write_table(people(), good)
    content, chance = good.read_bytes(), random.Random(f"{suffix}{seed}")
    path = place / f"bad{suffix}"
    if suffix not in APART:
        for i in range(count):
            path.write_bytes(mutated(content, chance))
            answered(lambda: read_table(path), f"{suffix} {seed} {i}", canary=False)
        return count
    for start in range(0, count, 50):
        _in_child(suffix, content, chance.random(), min(50, count - start), path)
    return count


COMES = (
    "Clinic\r\n\r\n;name;age;pay;born; ill\r\n"
    + "".join(
        f"{i};{CANARY}{i};{20 + i % 4 if i % 3 else 'k.A.'};1.{i + 100},50;{1 + i:02d}.02.81 13:45;{CANARY} {'aA'[i % 2]} \r\n"
        for i in range(12)
    )
).encode("cp1252")
SIGNS = (b";", b"NA", b"-99", b"999", b".", b"1,5", b" ", b"unnamed1", b"01.02.2020", b"\r\n\r\n", b"?;?;?\n")


def fuzz_drafts(count: int, seed: int, place: Path) -> int:
    """Read `count` mutated files as they seem to be written; what is found quotes no cell."""
    chance, path = random.Random(f"drafts{seed}"), place / "comes.csv"

    def drafted() -> None:
        _, draft = read_as_found(path, {})
        table_names = read_table(path, **draft.options).names
        told = str(draft)
        for name in table_names:
            told = told.replace(name, "")
        assert CANARY not in told

    for i in range(count):
        content = bytearray(mutated(COMES, chance) if chance.random() < 0.5 else COMES)
        for _ in range(chance.randint(0, 3)):
            at = chance.randrange(len(content) + 1)
            content[at : at + chance.choice((0, 3))] = chance.choice(SIGNS)
        path.write_bytes(content)
        answered(drafted, f"drafts {seed} {i}", canary=False)
    return count


def _in_child(suffix: str, content: bytes, seed: float, count: int, path: Path) -> None:
    """Read mutated files in a forked child under a limit of memory: a library that aborts ends the child only."""
    child = os.fork()
    if child == 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        chance, code = random.Random(seed), 0
        for i in range(count):
            path.write_bytes(mutated(content, chance))
            try:
                answered(lambda: APART[suffix](path, ReadingOptions()), f"{suffix} {seed} {i}", canary=False)
            except AssertionError as fault:
                os.write(2, f"{fault}\n".encode())
                code = 9
        os._exit(code)
    _, status = os.waitpid(child, 0)
    assert not (os.WIFEXITED(status) and os.WEXITSTATUS(status) == 9), f"{suffix} {seed}"


PLAN = """[input]
path = "good.csv"
[columns]
name = { role = "identifier" }
age = { role = "quasi", hierarchy = { kind = "intervals", widths = [2, 10], domain = [0, 99] } }
born = { role = "quasi", hierarchy = { kind = "dates", levels = ["month", "year"] } }
ill = { role = "sensitive" }
[[require]]
model = "k-anonymity"
k = 2
[[require]]
model = "l-diversity"
column = "ill"
l = 2
[recode]
max_suppression = 0.1
time_limit = 1.0
"""


def fuzz_plans(count: int, seed: int, place: Path) -> int:
    """Load `count` mutated plans; every hundredth that is still one is carried out."""
    write_table(people(), place / "good.csv")
    chance, path = random.Random(f"plan{seed}"), place / "plan.toml"
    for i in range(count):
        path.write_bytes(mutated(PLAN.encode(), chance))

        def case(carried_out: bool = i % 100 == 0) -> None:
            plan = kohort.Plan.load(path)
            if carried_out:
                kohort.anonymize(people(), plan)

        answered(case, f"plan {seed} {i}")
    return count


LEVELS = "value;group;all\n" + "".join(f"{CANARY} {v};{'ab'[i % 2]};*\n" for i, v in enumerate("abcdef"))


def fuzz_level_files(count: int, seed: int, place: Path) -> int:
    """Build hierarchies from `count` mutated level files."""
    chance, path = random.Random(f"levels{seed}"), place / "levels.csv"
    texts = [f"{CANARY} {v}" for v in "abcdef"]
    for i in range(count):
        path.write_bytes(mutated(LEVELS.encode(), chance))
        spec = {"kind": "file", "path": path.name}
        answered(lambda: build_hierarchy("ill", spec, texts, [1] * 6, place), f"levels {seed} {i}")  # noqa: B023
    return count


def fuzz_manifests(count: int, seed: int, place: Path, verify: Callable[[Path], Any]) -> int:
    """Judge a release `count` times, each time with a mutated manifest, report, table or audit."""
    release = place / "out"
    if not release.exists():
        write_table(people(), place / "good.csv")
        (place / "plan.toml").write_text(PLAN)
        kohort.anonymize(place / "good.csv", kohort.Plan.load(place / "plan.toml")).save(release)
    files = [
        p for folder in (release, place / "out.private") for p in sorted(folder.iterdir()) if p.is_file()
    ]
    good = {path: path.read_bytes() for path in files}
    chance = random.Random(f"manifest{seed}")
    for i in range(count):
        path = chance.choice(files)
        path.write_bytes(mutated(good[path], chance))
        answered(lambda: verify(release), f"manifest {seed} {i} {path.name}", canary=False)
        path.write_bytes(good[path])
    return count


WORDS = (
    "init", "anonymize", "verify", "audit", "attack", "frontier", "history", "share", "explain", "models", "algorithms", "demo?", "--json", "-o",
    "--set", "--k", "--quasi", "--sensitive", "--with", "--on", "--plan", "--engine", "--memory", "good.csv", "plan.toml",
    "recode.algorithm=mondrian", "require.0.k=3", "age,born", "ill", "duckdb", "", "-", "--", "\x1b[2J", "[/]", "🙂", "nan", "1e999",
    "../good.csv", "-1", "a=b=c", "--help", "--version", "=", "out", "x" * 300,
)  # fmt: skip


def fuzz_arguments(count: int, seed: int, place: Path) -> int:
    """Run the command line with `count` random lists of words, in `place`."""
    write_table(people(), place / "good.csv")
    (place / "plan.toml").write_text(PLAN)
    chance = random.Random(f"arguments{seed}")
    with contextlib.chdir(place):
        for i in range(count):
            words = [chance.choice(WORDS) for _ in range(chance.randint(1, 6))]
            _run(words, f"arguments {seed} {i} {words}")
    return count


def _run(words: list[str], where: str) -> None:
    err, argv, code = io.StringIO(), sys.argv, None
    sys.argv = ["kohort", *words]
    try:
        with patience(), contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
            main()
    except SystemExit as end:
        code = end.code
    except Hang:
        raise AssertionError(f"{where}: no answer within {SECONDS} s") from None
    finally:
        sys.argv = argv
    assert code in (0, 1, 2, 3, 4, 5, None), where
    assert "bug of Kohort" not in err.getvalue(), f"{where}: {err.getvalue()}"
    assert CANARY not in err.getvalue(), f"{where}: a cell is quoted"


def readable_suffixes() -> list[str]:
    """Return the formats that can be written and read."""
    return [
        s for s in (".csv", ".tsv", ".parquet", ".sqlite", ".duckdb", ".xlsx", ".sav", ".dta") if s in READERS
    ]
