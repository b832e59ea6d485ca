"""A plan file, read: TOML, or a refusal that says what to do."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from kohort.errors import InputError


def read_plan_file(path: Path) -> dict[str, Any]:
    """Return what a plan file spells."""
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path} is no plain file; a plan is a TOML file, and `kohort init TABLE` drafts one",
            code="plan.unreadable",
            path=path,
        )
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise InputError(
            f"{path}: the plan cannot be read ({problem.strerror}); `kohort init TABLE` drafts one",
            code="plan.unreadable",
            path=path,
        ) from None
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: the plan is not UTF-8 text; a plan is a TOML file, and `kohort init TABLE` drafts one",
            code="plan.unreadable",
            path=path,
        ) from None
    except tomllib.TOMLDecodeError as problem:
        raise InputError(
            f"{path}: not a valid plan: {problem}; a plan is a TOML file, and `kohort init TABLE` drafts one",
            code="plan.syntax",
            path=path,
        ) from None
    except ValueError:  # of Python, which reads no longer ones
        raise InputError(
            f"{path}: not a valid plan: a number in it has thousands of digits; write a shorter one",
            code="plan.syntax",
            path=path,
        ) from None
