"""The command line as a user calls it, run in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kohort.cli.main import main

PATIENTS = """name,zip,age,sex,ill
Ann Quixote,94138,31,F,flu
Bob Quixote,94139,34,M,cold
Cyd Quixote,94141,38,F,flu
Dan Quixote,94142,52,M,asthma
Eve Quixote,94138,55,F,cold
Fay Quixote,94139,57,F,asthma
"""
PLAN = """[input]
path = "patients.csv"

[columns]
name = { role = "identifier" }
zip  = { role = "quasi", hierarchy = { kind = "mask" } }
age  = { role = "quasi", hierarchy = { kind = "intervals", widths = [10, 20] } }
sex  = { role = "quasi", hierarchy = { kind = "suppress" } }
ill  = { role = "sensitive" }

[[require]]
model = "k-anonymity"
k = 2

[recode]
max_suppression = 0.0
"""
# What stands in the cells: no message may say it.
CELLS = ("Quixote", "9413", "9414", "asthma", "cold", "flu")


@dataclass
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def kohort(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run `kohort …` and return exit code, stdout and stderr."""

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["kohort", *map(str, arguments)])
        with pytest.raises(SystemExit) as exited:
            main()
        captured = capsys.readouterr()
        code = exited.value.code
        return Result(code if isinstance(code, int) else int(code is not None), captured.out, captured.err)

    return run


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with a small table of patients and a plan for it."""
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path
