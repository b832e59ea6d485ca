"""Processes that begin warm: forked off one that has loaded Kohort and its libraries, in place of a fresh interpreter each.

A fresh one spends most of its time on imports. What runs here is a process all the same: with its own memory, limits, signals and
exit code, which ends as any interpreter ends. What is shown of loading itself, tests show by fresh interpreters.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from tempfile import TemporaryFile
from threading import Timer
from typing import IO, Any

LOADED = (
    "kohort.cli.main",
    "kohort.cli.progress",
    "kohort.cli.terminal",
    "kohort.pipeline",
    "kohort.algorithms.cuts.annealing",
    "kohort.algorithms.cuts.walk_kernels",
    "kohort.table.formats.excel",
    "kohort.table.formats.statistics",
    "python_calamine",
    "pyreadstat",
)
_START = (
    "import sys; sys.path = {path!r}; from tests.warm import serve; exec(serve({descriptor}, {loaded!r}))"
)


@dataclass(eq=False)
class Running:
    """A process that was forked: as much of `subprocess.Popen` as tests ask for."""

    pid: int
    stdout: IO[str]
    _errors: IO[bytes]
    _guardian: IO[bytes]
    returncode: int | None = None

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Return what is left of what it says once it has ended; who says nothing for too long is killed."""
        killer = Timer(timeout, self.send_signal, (signal.SIGKILL,))
        killer.start()
        try:
            said = self.stdout.read()
            self.returncode = int(self._guardian.readline())
        finally:
            killer.cancel()
        self._errors.seek(0)
        return said, self._errors.read().decode()


class Warm:
    """Starts scripts in processes that are forked off one that is kept ready from the first on, until this is closed."""

    def __init__(self, loaded: Sequence[str] = LOADED) -> None:
        self._loaded = loaded
        self._asking, self._asked = socket.socketpair()
        self._kept: subprocess.Popen[bytes] | None = None

    def _keep(self) -> subprocess.Popen[bytes]:
        command = _START.format(path=sys.path, descriptor=self._asked.fileno(), loaded=self._loaded)
        return subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-c", command],
            pass_fds=[self._asked.fileno()],
            stdin=subprocess.DEVNULL,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # a process that forks has one thread
        )

    def close(self) -> None:
        for end in (self._asking, self._asked):
            end.close()
        if self._kept is not None:
            self._kept.wait()

    @contextmanager
    def running(self, script: str, *arguments: str) -> Iterator[Running]:
        """Run a script that is heard while it runs; whatever becomes of the test, it does not outlive it."""
        reading, writing = os.pipe()
        with open(reading, encoding="utf-8") as said, TemporaryFile() as wrong:
            try:
                pid, guardian = self._begun(script, arguments, (0, writing, wrong.fileno()))
            finally:
                os.close(writing)
            with guardian:
                run = Running(pid, said, wrong, guardian)
                try:
                    yield run
                finally:
                    if run.returncode is None:
                        with suppress(ProcessLookupError):
                            run.send_signal(signal.SIGKILL)

    def run(self, script: str, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run a script to its end."""
        with TemporaryFile() as input, TemporaryFile() as said, TemporaryFile() as wrong:
            input.write(given)
            input.seek(0)
            files = (input, said, wrong)
            _, guardian = self._begun(script, arguments, tuple(file.fileno() for file in files))
            with guardian:
                code = int(guardian.readline())
            for file in (said, wrong):
                file.seek(0)
            return subprocess.CompletedProcess(script, code, said.read(), wrong.read())

    def _begun(
        self, script: str, arguments: tuple[str, ...], files: tuple[int, ...]
    ) -> tuple[int, IO[bytes]]:
        self._kept = self._kept or self._keep()
        mine, its = socket.socketpair()
        with its:
            socket.send_fds(self._asking, [b"?"], [its.fileno(), *files])
        job: dict[str, Any] = {
            "script": script,
            "argv": ["-c", *arguments],
            "path": sys.path,
            "cwd": os.getcwd(),
        }
        job["umask"] = os.umask(0)
        os.umask(job["umask"])
        with mine:
            mine.sendall(json.dumps(job | {"environment": dict(os.environ)}).encode() + b"\n")
            guardian = mine.makefile("rb")
        return int(guardian.readline()), guardian


def serve(descriptor: int, loaded: Sequence[str]) -> str:
    """Fork whenever it is asked to, and return the script in each process that is to run one."""
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE):  # of the test that asked first, and of no other
        resource.setrlimit(limit, (resource.getrlimit(limit)[1],) * 2)
    for name in loaded:
        import_module(name)
    gc.freeze()  # what all share is none's to look through
    asked = socket.socket(fileno=descriptor)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with suppress(KeyboardInterrupt):  # of a terminal: whoever asks ends too, and with that this
        while descriptors := socket.recv_fds(asked, 1, 4)[1]:
            if os.fork() == 0:
                asked.close()
                return _guarded(*descriptors)
            for each in descriptors:
                os.close(each)
    os._exit(0)


def _guarded(telling: int, *files: int) -> str:
    """Fork once more, for the script; tell of that process its number, and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with socket.socket(fileno=telling) as teller, teller.makefile("rb") as told:
        job: Mapping[str, Any] = json.loads(told.readline())
        child = os.fork()
        if child:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for each in files:
                os.close(each)
            teller.sendall(b"%d\n" % child)
            _, status = os.waitpid(child, 0)
            with suppress(BrokenPipeError):
                teller.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
            os._exit(0)
    return _settled(job, files)


def _settled(job: Mapping[str, Any], files: tuple[int, ...]) -> str:
    """Become as a fresh interpreter would be that was started for the script."""
    for number, each in enumerate(files):
        os.dup2(each, number)
        if each >= len(files):
            os.close(each)
    os.chdir(job["cwd"])
    os.umask(job["umask"])
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.argv, sys.path[:] = job["argv"], job["path"]
    return str(job["script"])
