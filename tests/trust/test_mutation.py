"""The tool that puts faults into the judges, and a sample of such faults; all of them with `make mutants`."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.trust import figures
from tests.trust.mutants import mutants
from tests.trust.uncompiled import ROOT, files

TARGET = 0.9
SOURCE = '''
def size(x: int, few: bool = True) -> int:
    """Say how many: 3."""
    if not x > 2 and x is not None:
        raise ValueError(f"{x + 1} is too much")
    return x * 2
'''


def test_every_fault_is_a_small_one_in_code_that_runs(tmp_path: Path) -> None:
    path = tmp_path / "few.py"
    path.write_text(SOURCE)
    found = list(mutants(path))
    texts = {ast.unparse(mutant.tree()) for mutant in found}
    assert len(texts) == len(found)
    assert ast.unparse(ast.parse(SOURCE)) not in texts
    told = [str(mutant).split(" ", 1)[1] for mutant in found]
    assert told == [
        "True → False",
        "not x > 2 and x is not None → not (not x > 2 and x is not None)",
        "not x > 2 and x is not None → not x > 2 or x is not None",
        "not x > 2 → x > 2",
        "x > 2 → x >= 2",
        "x > 2 → x <= 2",
        "2 → 3",
        "x is not None → x is None",
        "raise ValueError(f'{x + 1} is too much') → pass",
        "return x * 2 → return None",
        "x * 2 → x + 2",
        "2 → 3",
    ]
    assert [mutant.inside for mutant in found] == [False, *[True] * 11]


def test_every_module_of_the_judges_is_mutated() -> None:
    empty = {path.name for path in files() if next(mutants(path), None) is None}
    assert empty <= {"__init__.py", "cells.py", "judged.py", "told_apart.py", "twice.py"}


def fates(*arguments: str) -> str:
    """Return what the tool says; it runs apart, because it changes the program it is in."""
    command = [sys.executable, "-m", "tests.trust.mutation", *arguments]
    here = os.environ | {"PYTHONPATH": str(ROOT / "src")}  # of another checkout no line would be seen
    ended = subprocess.run(command, cwd=ROOT, env=here, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def test_faults_in_the_thresholds_are_found() -> None:
    said = fates("--only", "models/k_anonymity", "--tests", "tests/unit/models/test_k_anonymity.py")
    assert "killed 100.0%" in said, said


@pytest.mark.long
def test_nearly_all_faults_in_the_judges_are_found() -> None:
    said = fates()
    line = said.strip().splitlines()[-1]
    share = float(line.split("killed ")[1].rstrip("%")) / 100
    assert share >= TARGET, said
    figures.record("mutation", outcome=line)
