"""A kernel is compiled anew when something that it calls has changed, in whatever file that stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import kohort

ROOT = Path(kohort.__file__).parent

CALLED = """
from __future__ import annotations
from kohort.compiling import inner
SUMMAND = 1

@inner
def more(x: int) -> int:
    return x + SUMMAND
"""
BETWEEN = """
from __future__ import annotations
from kohort.called_kernels import more
from kohort.compiling import inner

@inner
def twice(x: int) -> int:
    return more(more(x))
"""
CALLER = """
from __future__ import annotations
from kohort.between_kernels import twice
from kohort.compiling import kernel

@kernel
def answer(x: int) -> int:
    return twice(x)
"""
ASK = "from kohort.caller_kernels import answer\nprint(answer(40), len(answer.stats.cache_hits))"


def asked(place: Path) -> tuple[str, bool]:
    """Return what a fresh process answers, and whether the kernel came from the cache."""
    environment = os.environ | {"PYTHONPATH": str(place), "NUMBA_CACHE_DIR": str(place / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True, cwd=place
    )
    answer, hits = done.stdout.split()
    assert ("compiling caller kernels" in done.stderr) == (hits == "0")
    return answer, hits == "1"


def test_a_change_of_what_a_kernel_calls_takes_effect(tmp_path: Path) -> None:
    copied = tmp_path / "kohort"
    copytree(ROOT / "compiling", copied / "compiling", ignore=ignore_patterns("__pycache__"))
    (copied / "__init__.py").touch()
    (copied / "version.py").write_text('__version__ = "0"\n')
    for name, text in (("called", CALLED), ("between", BETWEEN), ("caller", CALLER)):
        (copied / f"{name}_kernels.py").write_text(text)
    assert asked(tmp_path) == ("42", False)
    assert asked(tmp_path) == ("42", True)
    (copied / "called_kernels.py").write_text(CALLED.replace("SUMMAND = 1", "SUMMAND = 2"))
    assert asked(tmp_path) == ("44", False)
    (copied / "between_kernels.py").write_text(BETWEEN.replace("more(more(x))", "more(x)"))
    assert asked(tmp_path) == ("42", False)
    assert asked(tmp_path) == ("42", True)
    for file in sorted((copied / "compiling").glob("*.py")):  # and how it is compiled
        file.write_text(file.read_text() + "# changed\n")
        assert asked(tmp_path) == ("42", False), file.name
