"""A plan spelled as TOML again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kohort.errors import InputError
from kohort.toml import toml_key, toml_value


def plan_toml(told: Mapping[str, Any], notes: Mapping[str, str] | None = None) -> str:
    """Return a plan's dict as the TOML file that a user could have written.

    Notes stand above what they are about: a column by its name, a section as `[input]`, a key of it as `[input] missing`.
    """
    notes = notes or {}
    lines: list[str] = []
    for section, content in ({"input": {}, **told} if "[input]" in notes else told).items():
        if isinstance(content, list):
            for entry in content:
                lines += [f"[[{section}]]", *_entries(_named_once(entry), {}), ""]
        elif content or f"[{section}]" in notes:
            heading = [f"# {_on_one_line(notes[f'[{section}]'])}"] if f"[{section}]" in notes else []
            lines += [*heading, f"[{section}]", *_entries(content, _notes_of(section, content, notes)), ""]
    return "\n".join(lines).rstrip() + "\n"


def _named_once(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a promise that names no column twice: not among `columns` what `column` names already.

    >>> _named_once({"model": "l-diversity", "column": "ill", "columns": ("ill",)})
    {'model': 'l-diversity', 'column': 'ill'}
    """
    if "column" not in entry or "columns" not in entry:
        return entry
    others = [name for name in entry["columns"] if name != entry["column"]]
    rest = {key: value for key, value in entry.items() if key != "columns"}
    return rest | ({"columns": others} if others else {})


def _notes_of(section: str, keys: Iterable[str], notes: Mapping[str, str]) -> Mapping[str, str]:
    if section == "columns":
        return notes
    return {key: notes[f"[{section}] {key}"] for key in keys if f"[{section}] {key}" in notes}


def _entries(content: Mapping[str, Any], notes: Mapping[str, str]) -> Iterator[str]:
    for key, value in content.items():
        if key in notes:
            yield "# " + _on_one_line(notes[key])
        yield f"{toml_key(key)} = {toml_value(value)}"


def _on_one_line(note: str) -> str:
    """Return a note without what a comment may not hold."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in note).split())


def demand_spelled(told: Any, where: str = "") -> None:
    """Refuse a plan that TOML has no words for: Python can say that a value is missing, a file cannot."""
    inside = (
        told.items()
        if isinstance(told, Mapping)
        else enumerate(told)
        if isinstance(told, list | tuple)
        else ()
    )
    for key, value in inside:
        place = f"{where}.{key}" if where else str(key)
        if value is None:
            raise InputError(
                f"{place}: None cannot be written as TOML, which has no word for a missing value; leave it out, or "
                "keep this plan in Python",
                code="plan.wrong-value",
                section=place.partition(".")[0],
            )
        demand_spelled(value, place)
