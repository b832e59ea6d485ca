"""A Java that is started for Spark: what it says is not for the terminal, and why it did not start is told in one sentence.

Spark listens to Ctrl-C from then on, by ending whatever runs; here whoever listened before goes on to do so.
"""

from __future__ import annotations

import os
import re
import signal
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import IO, Any

from kohort.errors import InputError
from kohort.interrupts import postponed
from kohort.table.cluster.scratch_folder import ScratchFolder

# where one of these is told, it is not this program that starts Java
_STARTED = ("PYSPARK_GATEWAY_PORT", "SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "SPARK_API_MODE")
_FOLDERS: list[ScratchFolder] = []
_WORDS = re.compile(r"\b[\w.$]*(?:Exception|Error)[^:\n]*: (?!error: )(.{1,200})")


@contextmanager
def java(settings: Mapping[str, str], master: str) -> Iterator[None]:
    """Start Java, unless there is one, with its stderr kept; whatever fails until a session is there is told plainly.

    What it says later may quote cells, and is in a file that nobody else can open and that is gone with it.
    """
    with tempfile.TemporaryFile() as said, _listening():
        try:
            _launch(settings, master, said)
            yield
        except _failures() as problem:
            raise _unstarted(master, str(problem), _read(said)) from None


@contextmanager
def _connecting() -> Iterator[None]:
    """Have Spark tell how Java is reached, a secret with it, in a folder that the next run clears where this one is killed."""
    folder, before = ScratchFolder(), tempfile.tempdir
    _FOLDERS.append(folder)  # it goes with the program: another thread may put something there
    tempfile.tempdir = str(folder.path(""))
    try:
        yield
    finally:
        tempfile.tempdir = before


@contextmanager
def _listening() -> Iterator[None]:
    """Leave Ctrl-C to whom it was left before: the first one ends a search with its best (`kohort.interrupts`)."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is not before
        ):
            signal.signal(signal.SIGINT, before)


def _launch(settings: Mapping[str, str], master: str, said: IO[bytes]) -> None:
    if any(name in os.environ for name in _STARTED):
        return
    try:
        pyspark, gateway = import_module("pyspark"), import_module("pyspark.java_gateway")
        context = pyspark.SparkContext
    except (ImportError, AttributeError):
        raise InputError(
            "the package pyspark-client reaches Connect servers only: name one as remote, or install kohort[spark]",
            code="install.missing-package",
            package="pyspark",
        ) from None
    if context._gateway is None:
        conf = pyspark.SparkConf(loadDefaults=False)
        conf.setMaster(master).setAll(list(settings.items()))
        with _connecting(), postponed():  # a Java that nobody waits for any more would stay for good
            context._ensure_initialized(gateway=gateway.launch_gateway(conf, {"stderr": said}))


def java_failures() -> tuple[type[Exception], ...]:
    """Return the errors by which Java, or the way to it, tells that it failed; none where there is no Java."""
    try:
        found: type[Exception] = import_module("py4j.protocol").Py4JError
    except ImportError:
        return ()
    return (found,)


def _failures() -> tuple[type[Exception], ...]:
    of_spark: Any = import_module("pyspark.errors").PySparkException
    return (of_spark, *java_failures())


def _read(said: IO[bytes]) -> str:
    said.seek(0)
    return said.read(1 << 20).decode(errors="replace")


def words_of(text: str) -> str:
    """Return the reason in what Java says, its first sentence or the last that it calls a cause; nothing where there is none.

    >>> words_of('Exception in thread "main" org.apache.spark.SparkException: When so, it must be set.')
    'When so, it must be set'
    """
    found = _WORDS.search(text[max(text.rfind("Caused by: "), 0) :])
    return "" if found is None else found[1].strip().rstrip(".")


def _unstarted(master: str, *texts: str) -> InputError:
    words = next(filter(None, map(words_of, texts)), "")
    return InputError(
        f"Spark did not start with the master {master}{f': {words}' if words else ''}; see whether programs of Spark's own start "
        "there. Nothing was read",
        code="engine.executors",
        engine="spark",
    )
