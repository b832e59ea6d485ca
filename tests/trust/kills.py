"""Kill −9, failing calls and a full disk at every step of saving or sharing a release; who is left must be whole.

Run as `python -m tests.trust.kills PLACE FORMAT POINTS|all [kill|fail|fail-on]`: prints one JSON object. A step is a line of the code that writes
(folders, ledger, tables) or a change of a file that Python reports; each is tried in a process of its own, forked from one
that holds the release ready. `strike` can be called for other releases.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import kohort
from kohort.errors import InputError
from kohort.folders.release_folder import AUDIT, LISTING, private_of, refuse_foreign, sha256
from kohort.folders.workshop import amending, recover
from kohort.interrupts import stop_on_signals
from kohort.ledger import FILE, Ledger
from kohort.release.documents import load_audit
from kohort.release.release import Release
from kohort.sharing import mark_as_shared

WRITERS = (
    "workshop.py", "release_folder.py", "claims.py", "release.py", "interrupts.py", "writing.py", "saving.py", "ledger.py", "recording.py", "sharing.py",
    f"ledger{os.sep}file.py", f"ledger{os.sep}keys.py",
)  # fmt: skip
REPEATS = 3  # of one line that count: loops over cells change no file
CHANGES = {
    "open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "os.rmdir", "os.truncate", "shutil.rmtree",
    "tempfile.mkdtemp", "tempfile.mkstemp",
}  # fmt: skip
INTERRUPTED = 130  # how a child ends that Ctrl-C came to
ROOT = str(Path(kohort.__file__).parent)


class Steps:
    """Counts the steps of this process and calls `at_last` when the n-th is about to be taken."""

    def __init__(
        self, n: int | None, at_last: Callable[[], None], lines: bool = True, lasting: bool = False
    ) -> None:
        self._left, self._at_last, self.count = n, at_last, 0
        self._with_lines, self._lasting, self._over = lines, lasting, False
        self._lines: Counter[tuple[str, int]] = Counter()

    def begin(self) -> None:
        sys.addaudithook(self._audit)
        os.fsync = self._stepping(os.fsync)  # type: ignore[assignment]
        if self._with_lines:
            sys.settrace(self._trace)

    def end(self) -> None:
        sys.settrace(None)
        self._over = True

    def _stepping(self, call: Callable[[int], None]) -> Callable[[int], None]:
        def stepping(handle: int) -> None:
            self._step()
            call(handle)

        return stepping

    def _step(self) -> None:
        self.count += not self._over
        if self._left is None or self._over:
            return
        if self.count == self._left or (self._lasting and self.count > self._left):
            self._at_last()

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in CHANGES and not (event == "open" and not _writes(arguments)):
            self._step()

    def _trace(self, frame: object, event: str, _: object) -> object:
        name = frame.f_code.co_filename  # type: ignore[attr-defined]
        if not name.startswith(ROOT) or not any(part in name for part in WRITERS):
            return None
        if event == "line":
            line = name, frame.f_lineno  # type: ignore[attr-defined]
            self._lines[line] += 1
            if self._lines[line] <= REPEATS:
                self._step()
        return self._trace


def _writes(arguments: tuple[object, ...]) -> bool:
    return isinstance(arguments[2], int) and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def fail() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@dataclass
class Struck:
    """What was seen after strikes: how many, which pair stood, what was wrong."""

    steps: int = 0
    strikes: int = 0
    stood: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def tried(save: Callable[[], object], steps: Steps) -> tuple[int, int]:
    """Save in a child that is struck at a step; return how it ended (−9: killed) and the steps it took."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            steps.begin()
            save()
            code = 0
        except InputError:
            code = 2
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BaseException as problem:
            sys.stderr.write(f"{type(problem).__name__}: {problem}\n")
        finally:
            steps.end()
            os.write(writer, str(steps.count).encode())
            os._exit(code)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as told:
        return os.waitstatus_to_exitcode(status), int(told.read() or 0)


def snapshot(place: Path) -> dict[str, bytes]:
    return {str(p.relative_to(place)): p.read_bytes() for p in sorted(place.rglob("*")) if p.is_file()}


def strike(release: Release, out: Path, format: str, points: int | None, how: str = "kill") -> Struck:
    """Kill the saving of `release` over what stands at `out`, if anything, at so many steps (None: at all).

    Or let a change of a file fail there as on a full disk, and with `fail-on` every later one too; or `interrupt` it
    as Ctrl-C does, which leaves nothing to be swept by a later run.
    """
    place = out.parent
    before = snapshot(place)
    seen = Struck()
    failing, lasting = how in ("fail", "fail-on"), how == "fail-on"
    at_last = {"kill": die, "interrupt": interrupt}.get(how, fail)

    def whole() -> None:
        with stop_on_signals():
            release.save(out, format)

    def save(n: int | None) -> tuple[int, int]:
        return tried(whole, Steps(n, at_last, not failing, lasting))

    code, seen.steps = save(None)
    if code != 0:
        seen.wrong.append(f"it does not come through undisturbed: {code}")
    _restore(place, before)
    recorded = _recorded(out)
    for n in _spread(seen.steps, points):
        code, _ = save(n)
        seen.strikes += code != 0
        stands = _state(snapshot(place), before, out) == "new"
        if code in (2, INTERRUPTED) and not (stands or lasting) and _recorded(out) != recorded:
            seen.wrong.append(f"step {n}: the ledger tells of a release that does not stand")
        if failing and code not in (0, 2):
            seen.wrong.append(f"step {n}: it ended with {code}")
        if failing and not lasting and code == 2 and _state(snapshot(place), before, out) != "old":
            seen.wrong.append(f"step {n}: it was refused, and the old pair does not stand")
        if how == "interrupt" and code not in (0, INTERRUPTED):
            seen.wrong.append(f"step {n}: it ended with {code}")
        if how == "interrupt":
            seen.wrong += [f"step {n}: {name} was left by it" for name in [*_hidden(place), *_begun(place)]]
        for problem in judged(out, before, seen.stood):
            seen.wrong.append(f"step {n}: {problem}")
        _restore(place, before)
    return seen


def strike_sharing(out: Path, points: int | None, how: str = "kill") -> Struck:
    """Kill the sharing of the draft that stands at `out` at so many steps, or let it fail or be interrupted there.

    The public folder must stay as it is, the private one whole, and the ledger readable; what it does not count as shared is
    nowhere told as shared, and sharing again comes through.
    """
    before, seen = snapshot(out.parent), Struck()
    failing, at_last = how in ("fail", "fail-on"), {"kill": die, "interrupt": interrupt}.get(how, fail)

    def whole() -> None:
        told = None
        try:
            with stop_on_signals():
                told = mark_as_shared(out)
        except KeyboardInterrupt:
            if told is None:  # else the command has ended, and says nothing of it any more
                raise

    def share(n: int | None) -> tuple[int, int]:
        return tried(whole, Steps(n, at_last, not failing, how == "fail-on"))

    code, seen.steps = share(None)
    if code != 0:
        seen.wrong.append(f"it does not come through undisturbed: {code}")
    _restore(out.parent, before)
    for n in _spread(seen.steps, points):
        code, _ = share(n)
        seen.strikes += code != 0
        seen.wrong += [f"step {n}: {problem}" for problem in _judged_sharing(out, before, code, seen.stood)]
        _restore(out.parent, before)
    return seen


def _judged_sharing(out: Path, before: dict[str, bytes], code: int, stood: Counter[str]) -> list[str]:
    recover(out)
    _next_run(out)
    wrong = [*_mismatched(out), *(f"{name} was left" for name in _hidden(out.parent))]
    after, own = snapshot(out.parent), f"{out.name}{os.sep}"
    if {n: c for n, c in after.items() if n.startswith(own)} != {
        n: c for n, c in before.items() if n.startswith(own)
    }:
        wrong.append("the public folder was changed")
    counts, told = _shared(out)
    stood["new" if counts else "old"] += 1
    if told and not counts:
        wrong.append("it is told as shared, and the ledger does not count it")
    if code == 0 and not (counts and told):
        wrong.append("it came through, and is not shared")
    if code == INTERRUPTED and counts:
        wrong.append("it was interrupted, which says that nothing was marked, and it counts")
    mark_as_shared(out)
    if _shared(out) != (True, True):
        wrong.append("it cannot be shared afterwards")
    return wrong


def _shared(out: Path) -> tuple[bool, bool]:
    """Return whether the ledger counts a release as shared, and whether its audit says so; both must be readable."""
    facts = load_audit(private_of(out) / AUDIT).facts.ledger
    [line] = Ledger(out.parent / FILE).releases()
    return line["shared"] is not None, facts.marked


def _spread(steps: int, points: int | None) -> Iterable[int]:
    if points is None or points >= steps:
        return range(1, steps + 1)
    return sorted({1 + i * (steps - 1) // max(points - 1, 1) for i in range(points)})


def judged(out: Path, before: dict[str, bytes], stood: Counter[str]) -> list[str]:
    """Return what is wrong after a kill, before and after the next run would have come by."""
    wrong = [f"as it was left, {problem}" for problem in _mismatched(out)]
    recover(out)
    _next_run(out)
    wrong += _mismatched(out)
    after = snapshot(out.parent)
    state = _state(after, before, out)
    stood[state] += 1
    if state == "neither":
        wrong.append(f"neither the old nor a new pair stands: {sorted(after)}")
    wrong += [f"{name} was left" for name in _hidden(out.parent)]
    try:
        Ledger(out.parent / FILE).check()
    except InputError as problem:
        wrong.append(f"the ledger serves no more: {problem}")
    if state == "new" and (out.parent / FILE).exists() and len(Ledger(out.parent / FILE).releases()) < 1:
        wrong.append("a release stands that is not recorded")
    return wrong


def _next_run(out: Path) -> None:
    """Do what any run does that needs the workshop: nobody else takes over one that was made and has no note yet."""
    with amending(out):
        pass


def _recorded(out: Path) -> int:
    """Return how many releases the ledger tells of, in whatever state it was left."""
    ledger = Ledger(out.parent / FILE)
    ledger.check()
    return len(ledger.releases()) if ledger.path.with_name(f"{FILE}.key").exists() else 0


def _begun(place: Path) -> list[str]:
    return [path.name for path in place.glob("*.new")]


def _hidden(place: Path) -> list[str]:
    return [name for name in os.listdir(place) if name.startswith(".")]


def _state(after: dict[str, bytes], before: dict[str, bytes], out: Path) -> str:
    def pair(files: dict[str, bytes]) -> dict[str, bytes]:
        own = (f"{out.name}{os.sep}", f"{private_of(out).name}{os.sep}")
        return {name: content for name, content in files.items() if name.startswith(own)}

    if pair(after) == pair(before):
        return "old"
    return "new" if out.exists() and private_of(out).exists() else "neither"


def _mismatched(out: Path) -> list[str]:
    """Return what is wrong with what stands at `out`: half a release, or one beside another's audit."""
    private = private_of(out)
    if not out.exists():
        return []
    names = {path.name for path in out.iterdir()}
    if not {"manifest.json", "report.html"} <= names or not any(name.startswith("table.") for name in names):
        return [f"half a release stands: {sorted(names)}"]
    if not private.exists():
        return []
    listing = json.loads((private / LISTING).read_text(encoding="utf-8"))["public"]
    wrong = [n for n, digests in listing.items() if not (out / n).exists() or sha256(out / n) not in digests]
    if wrong or set(listing) != names:
        return ["the audit is that of another release"]
    try:
        refuse_foreign(out)
    except InputError as problem:
        return [str(problem)]
    return []


def _restore(place: Path, before: dict[str, bytes]) -> None:
    for path in place.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, content in before.items():
        (place / name).parent.mkdir(mode=0o700, exist_ok=True)
        (place / name).write_bytes(content)


PEOPLE = {
    "who": [f"p{i}" for i in range(24)],
    "age": [20 + 7 * i % 40 for i in range(24)],
    "ill": ["flu", "cold", "asthma"] * 8,
}


def made(k: int) -> Release:
    """A small release of people, recorded in a ledger."""
    import pyarrow as pa

    plan = kohort.Plan(
        columns={
            "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20], "origin": 0}},
            "ill": "sensitive",
        },
        require=[{"model": "k-anonymity", "k": k}],
        input={"respondent": "who"},
    )
    return kohort.anonymize(pa.table(PEOPLE), plan)


def main(place: Path, format: str, points: int | None, how: str = "kill") -> dict[str, object]:
    """Strike a first release, one that takes the place of another, and the sharing of one; `how`: kill, interrupt, fail or fail-on."""
    told: dict[str, object] = {}
    for earlier in (False, True):
        inner = place / ("second" if earlier else "first")
        inner.mkdir()
        release = made(3)
        if earlier:
            made(2).save(inner / "out", format)
        seen = strike(release, inner / "out", format, points, how)
        told["second" if earlier else "first"] = vars(seen)
    (place / "shared").mkdir()
    made(3).save(place / "shared" / "out", format)
    told["shared"] = vars(
        strike_sharing(place / "shared" / "out", None if points is None else max(points // 3, 2), how)
    )
    return told


if __name__ == "__main__":
    where, format, points, *how = sys.argv[1:]
    print(json.dumps(main(Path(where), format, None if points == "all" else int(points), *how)))  # noqa: T201
