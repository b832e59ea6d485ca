"""Masters, workers and Connect servers of Spark as processes of their own, and the tests that one process runs at one of them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from kohort.table.cluster.java import provide_java

ROOT = Path(__file__).parents[3]
IN_SPARK = ("tests/engines/in_spark",)
EVERY_ENGINES = ("tests/engines/test_seam.py",)
SEAM = (*IN_SPARK, *EVERY_ENGINES)  # what every engine promises, and this one's own
ALL = (
    *SEAM,
    *(f"tests/engines/test_{part}.py" for part in ("commands", "counted", "judging", "engine_errors")),
)
SAIL = Path(sys.prefix) / "sail"  # beside Spark, of which it knows other versions
PATIENCE = 1800  # seconds until a process that does not come up is given up; nothing is measured by it


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def sail_environment() -> dict[str, str]:
    """Return what lets a program find Sail, and the client of Spark that it knows, before anything else."""
    return os.environ | {
        "KOHORT_SAIL": str(SAIL),
        "PYTHONPATH": os.pathsep.join([str(SAIL), str(ROOT / "src"), str(ROOT)]),
    }


def wait_until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def is_open(port: int) -> bool:
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0


def environment() -> dict[str, str]:
    spec = find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    provide_java()
    return os.environ | {
        "SPARK_HOME": str(Path(spec.origin).parent),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
    }


def run_tests_at(
    place: str,
    folder: Path,
    config: pytest.Config,
    short: Sequence[str] = SEAM,
    long: Sequence[str] = SEAM,
    told: Mapping[str, str] | None = None,
) -> None:
    """Run the tests of Spark in one process, at a master or a Connect server, as those here are run; in short, and in long, some."""
    chosen = config.getoption("-m")
    passed = [
        *(short if chosen == "not long" else long),
        "-k",
        "spark or test_judging",
        "-m",
        chosen,
        "--hypothesis-profile",
        config.getoption("--hypothesis-profile") or "alike",
    ]
    if config.pluginmanager.has_plugin("tests.trust.uncompiled"):
        passed += ["-p", "tests.trust.uncompiled"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--basetemp", folder / "in", *passed],
        cwd=ROOT,
        env=(told or environment()) | {"KOHORT_SPARK": place},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    try:
        said = process.communicate(timeout=PATIENCE)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        pytest.fail(f"the tests at {place} did not end within {PATIENCE} seconds")
    finally:
        end(process)
    assert process.returncode == 0, said[-10_000:]


@contextmanager
def spark_process(folder: Path, program: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a program of Spark with all that it starts in a group of its own, which ends with the block."""
    told = environment()
    start = [Path(told["SPARK_HOME"]) / "bin" / program, *words]
    with ExitStack() as leaving:
        log = leaving.enter_context((folder / f"{words[0].rpartition('.')[2]}-{free_port()}.log").open("wb"))
        process = subprocess.Popen(
            start, cwd=folder, env=told, stdout=log, stderr=log, start_new_session=True
        )
        leaving.callback(end, process)
        yield process


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and everything in its group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def release_at(place: str, source: Path, out: Path | None, signs: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process, with a session of its own, that makes a release and has begun to write it; it ends with the block."""
    signs.mkdir()
    script = Path(__file__).with_name("release_at.py")
    process = subprocess.Popen(
        [sys.executable, script, place, source, out or "", signs],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        wait_until(lambda: any(signs.glob("task-*")) or process.poll() is not None, "no task was begun")
        yield process
    finally:
        (signs / "go-on").touch()
        if process.poll() is None:
            process.kill()
        process.communicate()
        wait_until(lambda: not alive(process.pid), "what it started did not end")


def alive(leader: int) -> list[int]:
    """Return the processes of a session that do something yet."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, _, _, session = (place / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(session) == leader and state != "Z":
                found.append(int(place.name))
    return found


@contextmanager
def standalone(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Yield the address of a master, and its two workers."""
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    room = "org.apache.spark.deploy"
    with ExitStack() as leaving:
        leaving.enter_context(
            spark_process(folder, "spark-class", f"{room}.master.Master", "--host", "127.0.0.1", "--port", str(port),
                          "--webui-port", "0")
        )  # fmt: skip
        wait_until(lambda: is_open(port), "the master did not come up")
        workers = [
            leaving.enter_context(
                spark_process(folder, "spark-class", f"{room}.worker.Worker", master, "--host", "127.0.0.1", "--cores", "1",
                              "--memory", "1g", "--webui-port", "0", "-d", str(folder / f"worker{i}"))
            )
            for i in range(2)
        ]  # fmt: skip
        yield master, workers


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """Yield the address of a Connect server of this machine."""
    port = free_port()
    words = ["--master", "local[2]", "--conf", f"spark.connect.grpc.binding.port={port}", "--conf", "spark.ui.enabled=false",
             "--conf", "spark.sql.shuffle.partitions=2", "--conf", "spark.sql.adaptive.enabled=false"]  # fmt: skip
    server = "org.apache.spark.sql.connect.service.SparkConnectServer"
    with spark_process(folder, "spark-submit", "--class", server, *words, "spark-internal"):
        wait_until(lambda: is_open(port), "the Connect server did not come up")
        yield f"sc://127.0.0.1:{port}"


@contextmanager
def sail_server(folder: Path) -> Iterator[str]:
    """Yield the address of a Connect server of Sail, which needs no Java."""
    port, script = folder / "port", Path(__file__).with_name("serve_sail.py")
    with ExitStack() as leaving:
        log = leaving.enter_context((folder / "sail.log").open("wb"))
        process = subprocess.Popen(
            [sys.executable, script, port], cwd=folder, env=sail_environment(), stdout=log, stderr=log, start_new_session=True
        )  # fmt: skip
        leaving.callback(end, process)
        wait_until(lambda: port.exists() or process.poll() is not None, "Sail did not come up")
        assert port.exists(), (folder / "sail.log").read_text(errors="replace")[-4000:]
        yield f"sc://127.0.0.1:{port.read_text()}"
