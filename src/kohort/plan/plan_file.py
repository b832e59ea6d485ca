"""A plan file, read: TOML, or a refusal that says what to do."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from shlex import quote
from typing import Any

from kohort.errors import InputError
from kohort.toml import read_toml


def read_plan_file(path: Path) -> dict[str, Any]:
    """Return what a plan file spells."""
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path} is no plain file; a plan is a TOML file, and `kohort init TABLE` drafts one",
            code="plan.unreadable",
            path=path,
        )
    text = ""
    try:
        text = path.read_text(encoding="utf-8")
        return read_toml(text)
    except OSError as problem:
        raise InputError(
            f"{path}: the plan cannot be read ({problem.strerror}); `kohort init TABLE` drafts one",
            code="plan.unreadable",
            path=path,
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: the plan is not UTF-8 text; {_drafted(path)}",
            code="plan.unreadable",
            path=path,
        ) from None
    except tomllib.TOMLDecodeError as problem:
        raise InputError(
            f"{path}: not a valid plan: {problem}{_twice(text, str(problem))}; {_drafted(path)}",
            code="plan.syntax",
            path=path,
        ) from None
    except ValueError:  # of Python, which reads no longer ones
        raise InputError(
            f"{path}: not a valid plan: a number in it has thousands of digits; write a shorter one",
            code="plan.syntax",
            path=path,
        ) from None


def _drafted(path: Path) -> str:
    """Return what to do about a file that is no plan: where its name is that of a table, draft one for it."""
    from kohort.table.formats import READERS  # asked for where something is wrong alone

    if path.suffix.lower() in READERS:
        return f"by its name this is a table: `kohort init {quote(str(path))}` drafts a plan for it, which is what to name here"
    return "a plan is a TOML file, and `kohort init TABLE` drafts one"


def _twice(text: str, problem: str) -> str:
    """Return which key stands twice, where that is what is wrong: TOML tells its line alone."""
    found = re.search(
        r"Cannot overwrite a value \(at line (\d+)|Cannot overwrite a value \(at end of document", problem
    )
    if found is None:
        return ""
    lines = text.splitlines()[: int(found[1]) if found[1] else None]
    if lines and lines[-1].lstrip().startswith("["):
        return f": {lines[-1].strip()} is a key above already"
    keys = [key[1] for line in lines if (key := re.match(r"""\s*("[^"]*"|'[^']*'|[\w.\- ]+?)\s*=""", line))]
    return f": the key {keys[-1]} stands twice in its section" if keys else ""
