"""Where the table of a plan is, for the commands that are given a plan alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kohort.errors import InputError
from kohort.plan import Plan

SAID_THERE = ("plan.", "model.", "metric.", "algorithm.", "hierarchy.")  # what a plan says is at fault


def source_of(plan: Plan, plan_path: Path) -> Path:
    """Return where a plan says that its table is; refuse one that does not say it."""
    if plan.input.path is None:
        raise InputError(
            f'{plan_path}: [input] has no path; say where the table is, as path = "patients.csv"',
            code="plan.no-path",
            plan=plan_path,
        )
    return plan.base / plan.input.path


@contextmanager
def named_in(plan_path: Path, source: Path | None = None) -> Iterator[None]:
    """Name the plan in what is refused because of what it says; where its table is at fault, also the key that names it."""
    try:
        yield
    except InputError as problem:
        place = _place(problem, plan_path, source)
        if place is None or str(problem).startswith(str(plan_path)):
            raise
        raise problem.reworded(f"{place}: {problem}", plan=plan_path) from None


def _place(problem: InputError, plan_path: Path, source: Path | None) -> str | None:
    if problem.code.startswith(SAID_THERE):
        return str(plan_path)
    at_fault = source is not None and problem.fields.get("path") == source
    return f"{plan_path}: [input] path" if problem.code == "table.no-file" and at_fault else None
