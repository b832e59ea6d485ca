"""The Spark session in which rows are counted: the caller's, or one on this machine."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from kohort.errors import InputError, KohortError
from kohort.table.cluster.addresses import check_master, check_remote, demand_master, demand_server
from kohort.table.cluster.failures import own_error
from kohort.table.cluster.java import provide_java
from kohort.table.cluster.silence import unlogged
from kohort.table.cluster.starting import java, java_failures
from kohort.table.formats.extras import extra

PURPOSE = "the spark engine"
LOCAL = "local[*]"
_MADE: list[str] = []  # the masters of sessions that were made here
CHOSEN: dict[str, str | None] = {}  # the cluster that a command names: "master" or "remote"
# of a session that is made here; one that the caller made is left as it is
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",  # its words may quote cells
    "spark.sql.session.timeZone": "UTC",
}


def on_this_machine() -> dict[str, str]:
    """Return what suits a session on one machine: parts for its cores, not for a cluster's, and a quarter of its memory.

    Java hands rows on and hardly looks at them, so that compiling it any better takes more than it saves. What the caller
    says to Spark itself about memory and Java (PYSPARK_SUBMIT_ARGS, SPARK_CONF_DIR) is left to him.
    """
    told = {"spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1))}
    if not {"PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR"} & os.environ.keys():
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        told["spark.driver.extraJavaOptions"] = " ".join(
            ["-XX:TieredStopAtLevel=1 -XX:+UseParallelGC", *_unheard()]
        )
        told["spark.driver.memory"] = f"{max(memory >> 22, 1024)}m"
    return told


def _unheard() -> list[str]:
    """Return what keeps Java from speaking before Spark is told to be silent, into the line that tells progress."""
    place = Path(__file__).with_name("log4j2.properties")
    return [] if re.search(r"[\s'\"\\]", str(place)) else [f"-Dlog4j2.configurationFile=file:{place}"]


def session(master: str | None = None, remote: str | None = None) -> Any:
    """Return the session that is at work here, else a new one: at a master, at a Connect server, or on this machine."""
    if master is None and remote is None:
        master, remote = CHOSEN.get("master"), CHOSEN.get("remote")
    with quiet():
        sql = _pyspark("sql")
        told = master is not None or remote is not None
        active = None if told else sql.SparkSession.getActiveSession()
        return active if active is not None else _made(sql, master, remote)


def _pyspark(part: str) -> Any:
    extra("pyspark", "spark", PURPOSE)
    return import_module(f"pyspark.{part}")


def _made(sql: Any, master: str | None, remote: str | None) -> Any:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.appName("kohort")
    with told_plainly():
        if remote is not None:
            check_remote(remote)
            demand_server(remote)
            return builder.remote(remote).getOrCreate()
        place = LOCAL if master is None else master
        check_master(place)
        demand_master(place)
        provide_java()
        before = getattr(
            sql.SparkSession, "_instantiatedSession", None
        )  # which may be active in no thread of Java's
        made = _started(builder, place)
        if master is not None and made.conf.get("spark.master") != master:
            raise InputError(
                f"a Spark session is at work in this program at {made.conf.get('spark.master')}; stop it first, or leave "
                f"{master} out",
                code="engine.executors",
                engine="spark",
            )
        if before is None:
            _MADE.append(place)
        return made


def _started(builder: Any, master: str) -> Any:
    settings = (on_this_machine() if master.startswith("local") else {}) | SETTINGS
    for key, value in settings.items():
        builder = builder.config(key, value)
    with java(settings | {"spark.app.name": "kohort"}, master):
        return builder.master(master).getOrCreate()


def forgets_tables(spark: Any, name: str) -> bool:
    """Say whether a table goes with this program: its catalog is that of a session which was made here, and in memory."""
    *catalog, _, _ = name.split(".")
    is_afar = type(spark).__module__.startswith("pyspark.sql.connect")
    if is_afar or not _MADE or "".join(catalog).lower() not in ("", "spark_catalog"):
        return False
    with told_plainly():
        return bool(spark.conf.get("spark.sql.catalogImplementation") == "in-memory")


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Spark from warning of versions of pandas, through which no path of Kohort goes, and from telling what failed.

    What it tells of failures quotes cells.
    """
    with warnings.catch_warnings(), unlogged(_pyspark("logger").PySparkLogger.getLogger):
        warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("ignore", category=ResourceWarning)
        yield


@contextmanager
def told_plainly() -> Iterator[None]:
    """Turn a failure of Spark into an error that names its kind; Spark's own words may quote cells."""
    errors = _pyspark("errors")
    try:
        with quiet():
            yield
    except errors.PySparkException as problem:
        own = own_error(str(problem))
        if own is not None:
            raise own from None
        kind = problem.getCondition() or type(problem).__name__
        raise _failed(kind, type(problem).__name__) from None
    except KohortError:
        raise
    except _ways_to_fail() as problem:
        raise _failed(type(problem).__name__, type(problem).__name__) from None


def _ways_to_fail() -> tuple[type[Exception], ...]:
    return (ConnectionError, OSError, RuntimeError, ValueError, *java_failures())


def _failed(kind: str, name: str) -> InputError:
    hint = {
        "PythonException": "; Kohort must be installed where the executors run, in the same version",
    }.get(name, "")
    return InputError(
        f"Spark could not do it ({kind}){hint}; what it says about it is in its own log. Nothing was released",
        code="engine.executors",
        engine="spark",
    )
