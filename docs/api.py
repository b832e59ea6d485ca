"""Writes docs/api.md: a place for every public name, where the site puts its docstring (`make docs`)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import kohort
import kohort.testing
from kohort.models import MODELS

TARGET = Path(__file__).with_suffix(".md")
HEAD = """# Python

Made by `make docs` from the docstrings, which `help(kohort.anonymize)` shows as well; do not edit.

`import kohort` is all that is needed: the names below are found there, each when it is first asked for. Frames of pandas, polars, pyarrow and
DuckDB are taken; results come back as the kind that was handed in. Words mean what the [glossary](glossary.md) says; a whole way from a frame to a
release is in the [notebook](notebook.ipynb).
"""
ERRORS_HEAD = "Every error has a `code` and `fields` for scripts; [errors](errors.md) lists all of them."
MODELS_HEAD = (
    "In a plan as `[[require]] model = …`; in Python as one of these. Their fields are the keys of the plan."
)
TESTING_HEAD = "For models, metrics, algorithms and hierarchies of your own: see [extending](extending.md)."
BARE = ("members: false",)


def text() -> str:
    """Return the page, with a place for every public name."""
    named = {name: getattr(kohort, name) for name in kohort.__all__}
    errors = [name for name, each in named.items() if isinstance(each, type) and issubclass(each, Exception)]
    kinds = [name for name, each in named.items() if isinstance(each, type) and name not in errors]
    functions = [name for name in named if name not in errors + kinds]
    parts = [HEAD, *_section("Functions", "", functions)]
    parts += _section("What they take and return", "", kinds)
    parts += _section("Privacy models", MODELS_HEAD, (kind.__name__ for kind in MODELS.values()), BARE)
    parts += _section("Errors", ERRORS_HEAD, errors)
    tests = (f"testing.{name}" for name in kohort.testing.__all__)
    return "\n".join([*parts, *_section("Checks for extensions", TESTING_HEAD, tests)])


def _section(title: str, head: str, names: Iterable[str], options: Iterable[str] = ()) -> list[str]:
    """Return a section; mkdocstrings finds privacy models where they are defined, the rest at the top."""
    told = ["    options:", *(f"      {option}" for option in options)] if options else []
    places = ["\n".join([f"::: kohort.{name}", *told, ""]) for name in names]
    return [f"## {title}\n", *([f"{head}\n"] if head else []), *places]


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
