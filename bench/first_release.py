"""What somebody types from `pip install` to a first release of a table, and how long each command takes.

Everything is new: the environment, the folder, the cache of compiled kernels; pip's own cache is as it is. The package is the wheel of this
clone, for which `kohort` stands in what is printed.

    python bench/first_release.py TABLE
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
TYPED = (
    "python -m venv .venv",
    ".venv/bin/pip install {wheel}",
    ".venv/bin/kohort init {table}",
    ".venv/bin/kohort anonymize plan.toml -o out",
    ".venv/bin/kohort verify out",
)


def wheel(target: Path) -> Path:
    """Build the wheel with what is installed here."""
    code = "import sys; from hatchling.cli import hatchling; sys.exit(hatchling())"
    command = [sys.executable, "-c", code, "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(target.glob("*.whl"))


def spent() -> float:
    """Return the CPU seconds of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(command: str, place: Path) -> tuple[float, float, str]:
    """Run a command; return seconds of wall clock and of CPU, and the last line that it prints."""
    alone = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NUMBA_CACHE_DIR")
    }
    kept = {} if "pip" in command else {"XDG_CACHE_HOME": str(place / "cache")}
    began, used = time.perf_counter(), spent()
    done = subprocess.run(
        command.split(), cwd=place, env=alone | kept, check=False, capture_output=True, text=True
    )
    seconds, cpu = time.perf_counter() - began, spent() - used
    if done.returncode:
        sys.exit(f"{command}: {done.stderr}")
    lines = (done.stdout + done.stderr).strip().splitlines()
    return seconds, cpu, lines[-1] if lines else ""


def main(table: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / table.name).write_bytes(table.read_bytes())
        names = {"table": table.name, "wheel": wheel(place / "dist")}
        print("| typed | seconds | CPU |\n|---|--:|--:|")
        whole = [0.0, 0.0]
        for command in TYPED:
            seconds, cpu, last = measure(command.format(**names), place)
            whole = [whole[0] + seconds, whole[1] + cpu]
            typed = command.format(**names | {"wheel": "kohort"}).replace(".venv/bin/", "")
            print(f"| `{typed}` | {seconds:.1f} | {cpu:.1f} |", flush=True)
            print(f"  {last}", file=sys.stderr)
        print(f"| {len(TYPED)} commands | {whole[0]:.1f} | {whole[1]:.1f} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
