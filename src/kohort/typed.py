"""What a plan says, checked at the boundary: sound values of the types that an item declares."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec

from kohort.errors import InputError
from kohort.paths import UNNAMEABLE
from kohort.plurals import many
from kohort.toml import DEEPEST

T = TypeVar("T")

LEAST, MOST = 1e-12, 1e12  # of a threshold, where it must be above 0

# What a parameter may be, as `kohort schema plan` tells it; each item refuses the rest itself, in its own words.
Pair = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 2})]
Count = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 1})]
Level = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 0})]
Share = Annotated[float, msgspec.Meta(extra_json_schema={"minimum": LEAST, "maximum": 1})]
Threshold = Annotated[float, msgspec.Meta(extra_json_schema={"minimum": LEAST, "maximum": MOST})]
Positive = Annotated[float, msgspec.Meta(extra_json_schema={"exclusiveMinimum": 0})]
AboveOne = Annotated[float, msgspec.Meta(extra_json_schema={"exclusiveMinimum": 1, "maximum": MOST})]
NotNegative = Annotated[float, msgspec.Meta(extra_json_schema={"minimum": 0})]
Named = Annotated[str, msgspec.Meta(extra_json_schema={"minLength": 1})]

PATHS = ("path", "population", "ledger")  # keys of a plan that name files
GREATEST = 2**63  # whole numbers beyond it fit no column
LONGEST = 4096  # signs of a text in a plan

SPELLED = {  # what msgspec calls them, and what a plan does
    "Object contains unknown field": "there is no key",
    "Invalid enum value": "there is no value",
    "`int | float`": "a number",
    "`float | null`": "a number",
    "`int | null`": "a whole number",
    "`str | null`": "text",
    "`float`": "a number",
    "`int`": "a whole number",
    "`bool | null`": "true or false",
    "`bool`": "true or false",
    "`object | null`": "a table of keys",
    "`object`": "a table of keys",
    "`array | null`": "a list",
    "`array`": "a list",
    "`str`": "text",
}


def readable(problem: msgspec.ValidationError, kind: Any) -> str:
    """Return msgspec's words as a plan would say them, the place in front; where one of some values must stand, which."""
    choices = choices_at(problem, kind)
    takes = f"; it takes: {', '.join(c if c[:1].isalnum() else repr(c) for c in choices)}" if choices else ""
    return _spelled(problem) + takes


def choices_at(problem: msgspec.ValidationError, kind: Any) -> list[str]:
    """Return the texts that may stand at the place where one stands that may not.

    >>> from typing import Literal
    >>> try: msgspec.convert(["up", "left"], list[Literal["up", "down"]])
    ... except msgspec.ValidationError as problem: choices_at(problem, list[Literal["up", "down"]])
    ['down', 'up']
    """
    what, _, place = str(problem).partition(" - at `$")
    if not what.startswith("Invalid enum value"):
        return []
    found = [msgspec.inspect.type_info(kind)]
    for step in re.findall(r"\.[^.\[]+|\[", place.rstrip("`")):
        found = [inner for one in found for inner in _inside(one, step)]
    return sorted(
        str(value) for one in found for part in _parts(one) for value in getattr(part, "values", ())
    )


def _inside(kind: Any, step: str) -> list[Any]:
    """Return the types of what stands at a step into a type: a field by its name, or any entry."""
    if step != "[":
        return [
            f.type for part in _parts(kind) for f in getattr(part, "fields", ()) if f.encode_name == step[1:]
        ]
    entries = ("item_type", "value_type")
    return [getattr(part, entry) for part in _parts(kind) for entry in entries if hasattr(part, entry)]


def _parts(kind: Any) -> list[Any]:
    """Return a type, or those of which it is one, without what is noted of it."""
    bare = kind.type if isinstance(kind, msgspec.inspect.Metadata) else kind
    return [part for one in getattr(bare, "types", ()) for part in _parts(one)] or [bare]


def _spelled(problem: msgspec.ValidationError) -> str:
    text = str(problem)
    for ours, theirs in SPELLED.items():
        text = text.replace(ours, theirs)
    what, _, at = text.partition(" - at `$")
    place = at.rstrip("`").removeprefix(".")
    what = what[0].lower() + what[1:]
    return f"{place}: {what}" if place else what


def section_of(where: str) -> str:
    """Return the section that the head of a message names: `require` of `[[require]] number 1: k-anonymity`.

    >>> section_of("[[require]] number 1: k-anonymity"), section_of("[recode.options]: optimal")
    ('require', 'recode.options')
    """
    return where.partition("]")[0].lstrip("[")


def check_sound(told: Any, where: str) -> None:
    """Refuse what no key of a plan may hold: numbers without end, texts that are none, nesting without end."""
    left = [(told, where, 0)]
    while left:
        value, place, depth = left.pop()
        problem = _unsound(value, depth)
        if problem:
            raise InputError(f"{place}: {problem}", code="plan.wrong-value", section=section_of(place))
        if isinstance(value, Mapping):
            for key in value:
                _check_path(place, key, value[key])
                left += [(key, f"{place}: a key", depth), (value[key], _below(place, key), depth + 1)]
        elif isinstance(value, list | tuple):
            left += [(item, place, depth + 1) for item in value]


def _check_path(place: str, key: Any, value: Any) -> None:
    if key in PATHS and isinstance(value, str) and "\0" in value:
        raise InputError(
            f"{_below(place, key)}: it {UNNAMEABLE}",
            code="plan.wrong-value",
            section=section_of(place),
        )


def in_plain_texts(told: Any) -> Any:
    """Return what was told with texts of any kind, such as numpy's, as texts that every document can hold.

    >>> class Name(str): ...
    >>> {type(text) for text in in_plain_texts({Name("zip"): [Name("a"), 1]})}
    {<class 'str'>}
    """
    if isinstance(told, str):
        return str.__str__(told)
    if isinstance(told, dict):
        return {in_plain_texts(key): in_plain_texts(value) for key, value in told.items()}
    if type(told) in (list, tuple):
        return type(told)(map(in_plain_texts, told))
    return told


def _unsound(value: Any, depth: int) -> str | None:
    if depth > DEEPEST:
        return f"tables and lists stand within each other more than {DEEPEST} deep"
    if isinstance(value, float) and not isfinite(value):
        return f"a number must be finite; found {value}"
    if isinstance(value, int) and not -GREATEST < value < GREATEST:
        return "a whole number must have at most 18 digits"
    if isinstance(value, str) and len(value) > LONGEST:
        return f"a text has {many(len(value), 'sign')}; at most {LONGEST:,} are possible"
    if isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value):
        return "a text holds half a sign (a lone surrogate), which no file can hold"
    return None


def _below(place: str, key: Any) -> str:
    return f"{place}.{key}" if isinstance(key, str) and len(key) <= 100 else place


def one_of(names: Iterable[str]) -> msgspec.Meta:
    """Return the note on a text that it is one of some names."""
    return msgspec.Meta(extra_json_schema={"enum": sorted(names)})


def typed(where: str, kind: type[T], told: Mapping[str, Any]) -> T:
    """Return the dataclass `kind` with its fields as told, each of the type that it declares.

    `where` begins every message, such as `[recode.options]`. Whole numbers stay whole where a number is
    declared, so that an item can tell 3 from 3.0.
    """
    fields = {f.name: f for f in dataclasses.fields(kind) if f.init}  # type: ignore[arg-type]
    unknown = sorted(set(told) - set(fields), key=str)
    if unknown:
        raise InputError(
            f"{where} has no parameter {unknown[0]!r}; it takes: {', '.join(fields) or 'none'}",
            code="plan.unknown-key",
            section=section_of(where),
            option=unknown[0],
            allowed=list(fields),
        )
    lacking = [name for name, f in fields.items() if name not in told and _needed(f)]
    if lacking:
        raise InputError(
            f"{where} needs {', '.join(lacking)}",
            code="plan.missing-key",
            section=section_of(where),
            option=lacking[0],
        )
    hints = get_type_hints(kind)
    return kind(**{name: _typed(where, name, hints[name], value) for name, value in told.items()})


def _needed(field: Any) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _typed(where: str, name: str, hint: Any, value: Any) -> Any:
    try:
        converted = msgspec.convert(value, hint)
    except msgspec.ValidationError as problem:
        choices = choices_at(problem, hint)
        raise InputError(
            f"{where}: {name}: {readable(problem, hint)}",
            code="plan.wrong-type",
            section=section_of(where),
            option=name,
            **({"allowed": choices} if choices else {}),
        ) from None
    return value if isinstance(value, int | float) else converted
