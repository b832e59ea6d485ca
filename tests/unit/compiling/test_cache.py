"""A kernel is compiled anew when something that it calls has changed, in whatever file that stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from tests.warm import Warm

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
# Python's own cache looks at seconds and sizes, and files change faster here.
ASK = """
import sys
sys.dont_write_bytecode = True
from kohort.caller_kernels import answer
print(answer(40), len(answer.stats.cache_hits))
"""


@pytest.fixture
def numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warm]:
    """Processes that have loaded numba, and will find the Kohort of this folder."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    started = Warm(("numba",))
    yield started
    started.close()


def asked(numba: Warm) -> tuple[str, bool]:
    """Return what a process answers that has not loaded Kohort, and whether the kernel came from the cache."""
    done = numba.run(ASK)
    assert done.returncode == 0, done.stderr
    answer, hits = done.stdout.decode().split()
    assert (b"compiling caller kernels" in done.stderr) == (hits == "0")
    return answer, hits == "1"


def test_a_change_of_what_a_kernel_calls_takes_effect(numba: Warm, tmp_path: Path) -> None:
    copied = tmp_path / "kohort"
    copytree(ROOT / "compiling", copied / "compiling", ignore=ignore_patterns("__pycache__"))
    (copied / "__init__.py").touch()
    (copied / "version.py").write_text('__version__ = "0"\n')
    for name, text in (("called", CALLED), ("between", BETWEEN), ("caller", CALLER)):
        (copied / f"{name}_kernels.py").write_text(text)
    assert asked(numba) == ("42", False)
    assert asked(numba) == ("42", True)
    (copied / "called_kernels.py").write_text(CALLED.replace("SUMMAND = 1", "SUMMAND = 2"))
    assert asked(numba) == ("44", False)
    (copied / "between_kernels.py").write_text(BETWEEN.replace("more(more(x))", "more(x)"))
    assert asked(numba) == ("42", False)
    assert asked(numba) == ("42", True)
    for file in sorted((copied / "compiling").glob("*.py")):  # and how it is compiled
        file.write_text(file.read_text() + "# changed\n")
        assert asked(numba) == ("42", False), file.name
