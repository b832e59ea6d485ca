"""What several kernels call is compiled once; errors come out of it; kernels from the cache are the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import kohort

ROOT = Path(kohort.__file__).parent

KERNELS = """
from __future__ import annotations
from typing import Any, NamedTuple
import numpy as np
from kohort.compiling import inner, kernel, whole

class State(NamedTuple):
    line: Any
    size: int

@inner
def lowest(state: State) -> float:
    return 1.0 if state.size == 0 else state.line[0]

@inner
def room(n: int) -> Any:
    return np.zeros(n)

@inner
def raised(state: State) -> float:
    return lowest(state) + room(3)[1] + 1

@kernel
def one(state: State) -> float:
    return lowest(state) + raised(state) + room(whole(2))[0]

@kernel
def two(state: State) -> float:
    more = room(4)
    more[0] = raised(state)
    return lowest(State(more, whole(1)))

@inner
def checked(n: int) -> int:
    if n < 0:
        raise ValueError("below zero")
    return n

@kernel
def three(n: int) -> int:
    return checked(n)

@kernel
def closed(n: int) -> int:
    def more(x: int) -> int:
        return x + n
    return more(n)
"""
ASK = """
import numpy as np
from collections import Counter
from numba.core.event import Listener, register
seen = Counter()
class Watch(Listener):
    def on_start(self, event):
        seen[event.data["dispatcher"].py_func.__name__] += 1
    def on_end(self, event):
        pass
register("numba:compile", Watch())
from kohort.some_kernels import State, closed, one, three, two
state = State(np.array([5.0, 7.0]), 1)
print(one(state), two(state), three(5))
for asked in (three, closed):
    try:
        asked(-1)
    except Exception as problem:
        print(type(problem).__name__)
print(*(seen[name] for name in ("lowest", "room", "raised", "checked", "one", "two", "three")))
"""


def asked(place: Path, script: str = ASK) -> list[str]:
    environment = os.environ | {"PYTHONPATH": str(place), "NUMBA_CACHE_DIR": str(place / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True, cwd=place
    )
    return done.stdout.splitlines()


def installed(place: Path) -> None:
    copied = place / "kohort"
    copytree(ROOT / "compiling", copied / "compiling", ignore=ignore_patterns("__pycache__"))
    (copied / "__init__.py").touch()
    (copied / "version.py").write_text('__version__ = "0"\n')
    (copied / "some_kernels.py").write_text(KERNELS)


def test_what_kernels_call_is_compiled_once_and_what_is_not_supported_is_refused(tmp_path: Path) -> None:
    installed(tmp_path)
    said = ["11.0 6.0 5", "ValueError", "TypingError"]
    assert asked(tmp_path) == [*said, "1 1 1 1 1 1 1"]
    assert asked(tmp_path) == [*said, "0 0 0 0 0 0 0"]


def test_another_numba_compiles_in_its_own_way_and_gives_the_same(tmp_path: Path) -> None:
    installed(tmp_path)
    script = (
        f"import numba; numba.__version__ = '0.99.0'\n{ASK}print('pipeline_class' in one.targetoptions)\n"
    )
    found = asked(tmp_path, script)
    assert found[:2] == ["11.0 6.0 5", "ValueError"]
    assert found[-1] == "False"


COUNT = """
import numpy as np
from kohort.algorithms.clustering.cluster_kernels import Costs, Diversity
from kohort.algorithms.clustering.polish_kernels import Members, exchange
def none(kind, *more):
    return np.zeros((1, *more), kind)
long, short, real, mark = np.int64, np.int32, np.float64, np.bool_
costs = Costs(none(long), none(mark), none(real), none(real), none(real), none(short, 1), none(real, 1))
members = Members(
    none(long), none(long), none(long), none(long), none(short, 1, 2), none(real), none(mark, 1), none(long), none(long),
    none(short, 1, 2), none(real, 1), none(real), none(real), none(long), none(long),
)
exchange(costs, none(short, 1), none(short, 1), Diversity(none(long), none(long), none(real)), members, 2, 0, 0)
(code,) = exchange.inspect_llvm().values()
print(code.count("call void @NRT_incref"))
"""


def test_hardly_more_references_are_counted_than_by_numba_itself(tmp_path: Path) -> None:
    """In the innermost loop of an exchange of tuples, counting them took nine tenths of the time once (132 were left)."""
    by_numba = 81  # of the version that the compiler is written for; any other compiles in its own way
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) <= 1.1 * by_numba
