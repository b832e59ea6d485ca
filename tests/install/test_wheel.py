"""What people install: wheel and sdist are built without a network, hold the same, and the wheel works by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENTS = "zip,age,ill\n94138,31,flu\n94139,34,cold\n94141,38,flu\n94142,52,asthma\n94138,55,cold\n94139,57,asthma\n"
PLAN = """[input]
path = "patients.csv"
[columns]
zip = { role = "quasi", hierarchy = { kind = "mask" } }
age = { role = "quasi", hierarchy = { kind = "intervals", widths = [10, 20] } }
ill = { role = "sensitive" }
[[require]]
model = "k-anonymity"
k = 2
"""


def run(*command: object, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(source: Path, target: Path, *kinds: str) -> dict[str, Path]:
    """Build with what is installed here, as `pip install --no-build-isolation` would."""
    told = [word for kind in kinds for word in ("-t", kind)]
    code = "import os, sys; from hatchling.cli import hatchling; os.chdir(sys.argv.pop(1)); sys.exit(hatchling())"
    run("-c", code, source, "build", "-d", target, *told)
    return {path.suffix: path for path in target.iterdir()}


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as held:
        return {name: held.read(name) for name in held.namelist()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return build(ROOT, tmp_path_factory.mktemp("dist"), "wheel", "sdist")


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(built: dict[str, Path]) -> None:
    package = ROOT / "src" / "kohort"
    expected = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }
    found = {name for name in contents(built[".whl"]) if ".dist-info/" not in name}
    assert found == expected
    assert {"kohort/py.typed", "kohort/screens/screen.css", "kohort/report/templates/style.css"} <= found


def test_the_wheel_of_the_sdist_is_the_same(built: dict[str, Path], tmp_path: Path) -> None:
    with tarfile.open(built[".gz"]) as held:
        held.extractall(tmp_path, filter="data")
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    again = build(source, tmp_path / "dist", "wheel")
    assert contents(again[".whl"]) == contents(built[".whl"])
    assert {"README.md", "LICENSE", "pyproject.toml"} <= {path.name for path in source.iterdir()}


def test_the_wheel_is_installed_and_makes_a_release(built: dict[str, Path], tmp_path: Path) -> None:
    target, place = tmp_path / "site", tmp_path / "work"
    run("-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-deps", "--target",
        target, built[".whl"])  # fmt: skip
    place.mkdir()
    (place / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (place / "plan.toml").write_text(PLAN, encoding="utf-8")
    # Kernels as plain Python: compiling them for another folder would take longer than all the rest.
    there = {"PYTHONPATH": str(target), "NUMBA_DISABLE_JIT": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert str(target) in run("-c", "import kohort; print(kohort.__file__)", **there)
    kohort = target / "bin" / "kohort"
    assert "✓ 2-anonymity" in run(kohort, "anonymize", place / "plan.toml", "-o", place / "out", **there)
    assert run(kohort, "verify", place / "out", **there)
    assert (place / "out" / "report.html").stat().st_size > 10_000
