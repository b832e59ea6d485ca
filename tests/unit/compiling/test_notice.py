"""Nobody waits for the compiler without a word, in Python either."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from kohort.algorithms.lattice.count_kernels import sweep
from kohort.compiling.notice import seconds_for
from kohort.verification.judges.truth_kernels import mark_pairs

ASK = """
import numpy as np
from kohort.classes import group
group(np.arange(12, dtype=np.int32).reshape(6, 2))
"""


def test_python_says_on_stderr_that_kernels_are_compiled_and_the_second_time_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run(
            [sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    assert "compiling grouping kernels, once for this machine" in said[0].stderr
    assert said[1].stderr == ""
    assert said[0].stdout == said[1].stdout == ""


def test_a_kernel_that_calls_many_others_takes_longer() -> None:
    plain = [
        getattr(each, "py_func", each) for each in (sweep, mark_pairs)
    ]  # `make coverage` compiles no judge
    assert seconds_for(plain[0]) > 1 > seconds_for(plain[1])
