"""A plan spelled as TOML again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.toml import toml_key, toml_value


def plan_toml(told: Mapping[str, Any]) -> str:
    """Return a plan's dict as the TOML file that a user could have written."""
    lines: list[str] = []
    for section, content in told.items():
        if section == "require":
            for entry in content:
                lines += ["[[require]]", *_entries(entry), ""]
        elif content:
            lines += [f"[{section}]", *_entries(content), ""]
    return "\n".join(lines).rstrip() + "\n"


def _entries(content: Mapping[str, Any]) -> list[str]:
    return [f"{toml_key(key)} = {toml_value(value)}" for key, value in content.items()]
