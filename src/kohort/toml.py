"""Keys and values as TOML spells them, and TOML read within bounds."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

DEEPEST = 64  # tables and lists within each other, and parts of a key
_PART = r"""(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*+(?:{_PART}){{{DEEPEST}}}", re.MULTILINE)


def read_toml(text: str) -> dict[str, Any]:
    """Return what a text spells; what nests without end is refused as what is no TOML.

    Python's reader notes every beginning of a dotted key: one of 20,000 parts took 2.5 GB.

    Complexity: linear in the text, whatever stands in it.

    >>> read_toml("k = 5")
    {'k': 5}
    """
    if _LONG_KEY.search(text):
        raise tomllib.TOMLDecodeError(f"a key in it has more than {DEEPEST} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("tables and lists in it stand within each other without end") from None


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
