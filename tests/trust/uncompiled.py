"""The judges' kernels as plain Python, where lines are counted or mutated: the compiler leaves no trace of either.

As a plugin of pytest (`-p tests.trust.uncompiled`) it imports them so before anything else does. Kernels of other rooms stay
compiled: some count with numbers that overflow by design, which Python warns of.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import numba

ROOT = Path(__file__).parents[2]
ROOMS = ("verification/judges", "verification/judges/definitions", "models", "sets/judges")


def files() -> list[Path]:
    """Return the modules of the rooms that judge."""
    return [path for room in ROOMS for path in sorted((ROOT / "src/kohort" / room).glob("*.py"))]


def name_of(path: Path) -> str:
    """Return a file's name as a module."""
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")


def import_uncompiled(paths: Iterable[Path]) -> None:
    """Import the kernels among the files as plain functions."""
    numba.config.DISABLE_JIT = True
    for path in paths:
        if path.name.endswith("kernels.py"):
            import_module(name_of(path))
    numba.config.DISABLE_JIT = False


def pytest_configure() -> None:
    """Do so before tests are collected."""
    import_uncompiled(files())
