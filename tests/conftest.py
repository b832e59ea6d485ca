"""What holds for all tests: signals are heard, wherever the tests were started, examples are drawn alike in every run, and
what reads a file apart begins warm.

Whoever starts them behind `nohup` or with `&` hands down signals that are ignored, and with them every process that the
tests start would not hear Ctrl-C. A test that passed here passes elsewhere: Hypothesis draws its examples from the test itself;
`make trust` draws others each time (`--hypothesis-profile default`).
"""

import gc
import os
import signal
from collections.abc import Iterator
from importlib import import_module

import coverage
import pytest
from hypothesis import settings
from tests.warm import Warm

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("alike", derandomize=True, deadline=None)
settings.load_profile("alike")

apart = import_module("kohort.table.formats.apart")
_SERVED = apart._served
_READ = f"import os, sys; {apart._START}; sys.stdout.flush(); os._exit(0)"  # what was loaded need not be taken down


def pytest_collection_finish() -> None:
    """Tests and modules stay: half a million objects that no collection need look through, be it of a test or by itself."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """What is left at the end is taken down as ever."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """Starts processes that have loaded Kohort already."""
    started = Warm()
    yield started
    started.close()


@pytest.fixture(scope="session", autouse=True)
def _read_warm(warm: Warm) -> Iterator[None]:
    """Read apart what is read apart, but by processes that begin warm: there are hundreds. Coverage looks at fresh ones alone."""
    with pytest.MonkeyPatch.context() as patched:
        if coverage.Coverage.current() is None:  # it is imported by some tests
            patched.setattr(apart, "_served", lambda job: warm.run(_READ, given=job))
        yield


@pytest.fixture(scope="session", autouse=True)
def _unflushed() -> Iterator[None]:
    """Do not wait for the disk: no machine stops in here, and each release that is saved would wait a dozen times."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read apart by a fresh interpreter, as out of tests."""
    monkeypatch.setattr(apart, "_served", _SERVED)


@pytest.fixture
def open_umask() -> Iterator[None]:
    """Let everybody read new files, as far as a program does not say otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes one process longest, so that nobody waits for it at the end."""
    items.sort(key=lambda item: "tests/engines/test_spark.py" not in item.nodeid)
