"""Files of complicated formats are read in a process of their own, with limits: a hostile one ends that process only.

Workbooks and files of statistics programs are unpacked by compiled libraries. A workbook of a kilobyte may claim
seventeen billion cells, a file may unpack to a thousand times its size, a damaged one may end the whole process. So the
library runs apart, may take a bounded amount of memory and time for the size of the file, and hands back an Arrow stream.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps
from pathlib import Path

import msgspec
import pyarrow as pa

from kohort.errors import InputError
from kohort.table.formats.options import ReadingOptions

GIBIBYTE = 1 << 30
MEMORY = 4 * GIBIBYTE  # of address space for any file, and for each byte of it
MEMORY_PER_BYTE = 200
SECONDS = 60.0
SECONDS_PER_BYTE = 60e-6
REFUSED = 2  # exit code of a reader that says what is wrong

Reader = Callable[[Path, ReadingOptions], pa.Table]


def apart(reader: Reader) -> Reader:
    """Return a reader that does the same in a process of its own."""
    where = f"{reader.__module__}:{reader.__name__}"

    @wraps(reader)
    def read(path: Path, options: ReadingOptions) -> pa.Table:
        return _read_apart(where, path, options)

    return read


def _read_apart(reader: str, path: Path, options: ReadingOptions) -> pa.Table:
    size = path.stat().st_size
    limits = {"memory": MEMORY + MEMORY_PER_BYTE * size, "seconds": int(SECONDS + SECONDS_PER_BYTE * size)}
    job = {"reader": reader, "path": str(path), "options": asdict(options)} | limits
    done = _served(json.dumps(job).encode())
    if done.returncode == REFUSED:
        raise InputError(**json.loads(done.stderr.splitlines()[-1]))  # as it was told there
    if done.returncode:
        raise InputError(
            f"{path} cannot be read: it is damaged, or unpacks to far more than its {size:,} bytes promise; open it in "
            "the program that made it and save it anew, or export it as csv",
            code="table.damaged",
            path=path,
        )
    return pa.ipc.open_stream(done.stdout).read_all()


def _served(job: bytes) -> subprocess.CompletedProcess[bytes]:
    """Return how a reader ended that was given the job, and what it wrote."""
    return subprocess.run(_command(), input=job, capture_output=True, check=False)


def _command() -> Sequence[str]:
    """Return what starts the reader: this interpreter, which finds the same modules and none of this folder."""
    return [sys.executable, "-P", "-W", "ignore", "-c", f"import sys; sys.path = {sys.path!r}; {_START}"]


_START = "from kohort.table.formats.apart import serve; serve()"


def serve() -> None:
    """Read the file that standard input names, under its limits, and write it to standard output."""
    from importlib import import_module

    job = json.load(sys.stdin.buffer)
    _limit(job["memory"], job["seconds"])
    module, name = job["reader"].split(":")
    options = msgspec.convert(job["options"], ReadingOptions)
    try:
        table = getattr(import_module(module), name)(Path(job["path"]), options)
    except InputError as problem:
        sys.stderr.write("\n" + json.dumps(problem.told()))
        sys.exit(REFUSED)
    with pa.ipc.new_stream(sys.stdout.buffer, table.schema) as sink:
        sink.write_table(table)


def _limit(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits: the process is apart all the same
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
