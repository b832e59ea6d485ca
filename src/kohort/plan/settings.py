"""Single values of a plan, set by name: `recode.max_suppression=0.02`."""

from __future__ import annotations

import re
from typing import Any

from kohort.errors import InputError
from kohort.plurals import many
from kohort.toml import read_toml

_DIGITS = 9  # of the number of an entry
KEY = re.compile(r"""\s*(?:("(?:[^"\\]|\\.)*")|'([^']*)'|([^."']+))\s*(?:\.|$)""")  # one part of a dotted key
SETTING = re.compile(
    r"""((?:[^"'=]|"(?:[^"\\]|\\.)*"|'[^']*')*)=(.*)""", re.DOTALL
)  # quoted parts may hold a =


def apply_setting(told: dict[str, Any], setting: str) -> None:
    """Apply `section.key=value`; the value is TOML, or text where it is not."""
    found = SETTING.fullmatch(setting)
    key, text = found.groups() if found else ("", "")
    if not _parts(key):
        raise InputError(
            f"setting {setting!r}: write it as section.key=value, such as recode.max_suppression=0.02",
            code="plan.setting",
            value=setting,
        )
    try:
        value = read_toml(f"value = {text}")["value"]
    except ValueError:  # no TOML, or a number of thousands of digits
        value = text.strip()
    put(told, key, value, setting)


def _parts(key: str) -> list[str]:
    """Return the parts of a dotted key, quoted as in TOML where they hold a dot; none where it is not one."""
    parts, place = [], 0
    while place < len(key):
        found = KEY.match(key, place)
        if found is None:
            return []
        quoted, literal, bare = found.groups()
        parts.append(_unquoted(quoted) if quoted else literal if bare is None else bare.strip())
        place = found.end()
    return [] if key.rstrip().endswith(".") else parts


def _unquoted(part: str) -> str:
    """Return a quoted part as TOML reads it; as it stands between its quotes where that is no TOML."""
    try:
        return str(read_toml(f"key = {part}")["key"])
    except ValueError:
        return part[1:-1]


def put(told: dict[str, Any], key: str, value: Any, setting: str) -> None:
    """Put a value where a dotted key says; `setting` is told where that is nowhere."""
    *path, last = _parts(key)
    place: Any = told
    for part in path:
        place = _enter(place, part, setting)
    if isinstance(place, list):
        raise InputError(
            f"setting {setting!r}: say which entry, such as require.0.k=5", code="plan.setting", value=setting
        )
    if not isinstance(place, dict):
        raise InputError(
            f"setting {setting!r}: {'.'.join(path)} holds no keys", code="plan.setting", value=setting
        )
    place[last] = value


def _enter(place: Any, part: str, setting: str) -> Any:
    if isinstance(place, list):
        if not part.isdigit() or len(part) > _DIGITS or int(part) >= len(place):
            there = "there is" if len(place) == 1 else "there are"
            raise InputError(
                f"setting {setting!r}: {there} {many(len(place), 'entry', 'entries')}, numbered from 0",
                code="plan.setting",
                value=setting,
                most=len(place) - 1,
            )
        return place[int(part)]
    if not isinstance(place, dict):
        raise InputError(f"setting {setting!r}: {part} cannot be reached", code="plan.setting", value=setting)
    return place.setdefault(part, {})
