"""The first seconds: help is quick to import, a first run says what it waits for, nothing heavy is loaded needlessly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def modules_after(code: str) -> set[str]:
    """Return the modules that a fresh process has loaded after running some code."""
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_help_loads_no_heavy_library() -> None:
    code = "import sys\nsys.argv = ['kohort', '--help']\nfrom kohort.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass"
    heavy = {"numpy", "numba", "pyarrow", "duckdb", "pandas", "polars", "jinja2", "narwhals"}
    assert not heavy & modules_after(code)


def test_importing_kohort_loads_nothing_heavy() -> None:
    assert not {"numpy", "numba", "pyarrow"} & modules_after("import kohort")


def test_a_command_loads_neither_pandas_nor_scipy(place: Path) -> None:
    code = (
        f"import sys\nsys.argv = ['kohort', 'anonymize', {str(place / 'plan.toml')!r}]\nfrom kohort.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code"
    )
    assert not {"pandas", "scipy", "sklearn", "polars"} & modules_after(code)


@pytest.mark.parametrize("cold", [True, False])
def test_a_first_run_says_what_it_waits_for(cold: bool, place: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "kohort",
        "anonymize",
        str(place / "plan.toml"),
        "-o",
        str(place / "out"),
    ]
    environment = dict(os.environ)
    if cold:
        environment["NUMBA_CACHE_DIR"] = str(tmp_path / "cache")
    else:
        subprocess.run(command, env=environment, capture_output=True, check=True)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ("compiling" in done.stderr) == cold
    assert ("once for this machine" in done.stderr) == cold
