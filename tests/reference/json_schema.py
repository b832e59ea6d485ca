"""JSON Schema read plainly, as far as Kohort's schemas use it: an oracle that shares nothing with msgspec."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TYPES = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}
FORMATS = {"date": r"\d{4}-\d\d-\d\d"}
KNOWN = {
    "$schema", "$defs", "$ref", "title", "description", "default", "discriminator", "type", "enum", "anyOf", "properties",
    "required", "additionalProperties", "items", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "pattern",
    "maxLength", "minLength", "exclusiveMinimum", "exclusiveMaximum", "propertyNames", "if", "then", "else", "const", "format",
}  # fmt: skip


def faults(
    schema: dict[str, Any], value: Any, place: str = "$", root: dict[str, Any] | None = None
) -> Iterator[str]:
    """Yield where a value is not what a schema says; nothing where it is."""
    root = root or schema
    assert set(schema) <= KNOWN, f"this reader does not know {set(schema) - KNOWN}"
    if "$ref" in schema:
        yield from faults(root["$defs"][schema["$ref"].rpartition("/")[2]], value, place, root)
    if "anyOf" in schema and all(list(faults(part, value, place, root)) for part in schema["anyOf"]):
        yield f"{place}: none of what it may be"
    if "const" in schema and value != schema["const"]:
        yield f"{place}: not {schema['const']}"
    if "if" in schema:
        holds = not list(faults(schema["if"], value, place, root))
        yield from faults(schema["then" if holds else "else"], value, place, root)
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: not among {schema['enum']}"
    if "type" in schema:
        whole = (
            isinstance(value, float) and value.is_integer()
        )  # the standard knows no difference between 2 and 2.0
        named = isinstance(value, TYPES[schema["type"]]) or (whole and schema["type"] == "integer")
        if not named or (isinstance(value, bool) and schema["type"] != "boolean"):
            yield f"{place}: no {schema['type']}"
            return
    yield from _bounds(schema, value, place)
    if isinstance(value, dict):
        yield from _keys(schema, value, place, root)
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        for i, item in enumerate(value):
            rest = schema.get("items", {})
            part = first[i] if i < len(first) else rest
            if part is False:
                yield f"{place}[{i}]: one too many"
            else:
                yield from faults(part, item, f"{place}[{i}]", root)


def _bounds(schema: dict[str, Any], value: Any, place: str) -> Iterator[str]:
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{place}: too little"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        yield f"{place}: too little"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        yield f"{place}: too much"
    if "minLength" in schema and len(value) < schema["minLength"]:
        yield f"{place}: too short"
    if "maximum" in schema and value > schema["maximum"]:
        yield f"{place}: too much"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{place}: spelled otherwise"
    if "format" in schema and not re.fullmatch(FORMATS[schema["format"]], value):
        yield f"{place}: no {schema['format']}"
    if "maxLength" in schema and len(value) > schema["maxLength"]:
        yield f"{place}: too long"
    if isinstance(value, list) and not schema.get("minItems", 0) <= len(value) <= schema.get(
        "maxItems", len(value)
    ):
        yield f"{place}: {len(value)} items"


def _keys(schema: dict[str, Any], value: dict[str, Any], place: str, root: dict[str, Any]) -> Iterator[str]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    yield from (f"{place}: lacks {name}" for name in schema.get("required", []) if name not in value)
    for name, item in value.items():
        yield from faults(schema.get("propertyNames", {}), name, f"{place}: a key", root)
        if name in known:
            yield from faults(known[name], item, f"{place}.{name}", root)
        elif others is False:
            yield f"{place}: there is no {name}"
        elif isinstance(others, dict):
            yield from faults(others, item, f"{place}.{name}", root)
