"""Keys and values as TOML spells them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any


def toml_key(name: str) -> str:
    """Return a key as TOML has it: bare where it may be, else quoted."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(name)


def toml_value(value: Any) -> str:
    """Return a value as TOML has it, on one line."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(str(key))} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
