"""Tells griffe, which reads the docstrings for the site, that examples are code and all else is prose."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n(?:^(?!\s*$).*\n?)*)+", re.M)
SECTION = re.compile(r"^(Complexity|References): ", re.M)


def fenced(text: str) -> str:
    """Return a docstring with its examples as blocks of code, and its paragraphs' first words bold."""
    text = EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)
    return SECTION.sub(r"**\1.** ", text)


class Doctests(griffe.Extension):
    """Docstrings as they are shown."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Take the docstring of whatever was read."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
