"""The first run ever compiles the kernels; whoever waits is told for what."""

from __future__ import annotations

from pathlib import Path

NOTICE = "first run: the counting kernels are compiled once for this machine, which takes some seconds"


def tell_first_run() -> None:
    """Say on stderr what a first run waits for."""
    if _compiled():
        return
    from kohort.cli.terminal import terminal

    terminal(stderr=True).print(NOTICE, style="dim")


def _compiled() -> bool:
    """Whether numba's cache holds the kernel that every run needs."""
    from kohort.classes.grouping_kernels import number

    kept = Path(number._cache.cache_path)
    return any(kept.glob(f"*{number.py_func.__name__}*.nbi"))
