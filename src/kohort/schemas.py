"""JSON Schema of what Kohort reads and writes: plans, manifests and audits, from the structs that they are read into."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from kohort.errors import InputError
from kohort.facts import Audit, Manifest, ReleaseFacts
from kohort.facts.fact import Fact
from kohort.plan.documents import PlanDocument, plan_documents
from kohort.typed import GREATEST, LONGEST

DIALECT = "https://json-schema.org/draft/2020-12/schema"
COMMENT = re.compile(r"^    (\w+): .*?  # (.*)$", re.MULTILINE)  # a field, and what is said of it beside it

PLACE = "#/$defs/{name}"
ANY = {"$ref": PLACE.format(name="Any")}  # what a plan may hold where anything is taken

Schema = dict[str, Any]


def schema(name: str) -> Schema:
    """Return the JSON Schema of a document: `manifest`, `audit` or `plan`.

    >>> sorted(schema("plan")["$defs"]["Plan"]["required"])
    ['columns', 'require']
    """
    if name not in DOCUMENTS:
        raise InputError(
            f"there is no schema {name!r}; there are: {', '.join(DOCUMENTS)}",
            code="plan.unknown-schema",
            value=name,
            allowed=list(DOCUMENTS),
        )
    told = {"$schema": DIALECT, "title": name, **DOCUMENTS[name]()}
    found: Schema = msgspec.json.decode(msgspec.json.encode(told))  # as JSON has it: lists, no tuples
    return found


DOCUMENTS: dict[str, Callable[[], Schema]] = {
    "manifest": lambda: _described(Manifest, _below(Fact)),
    "audit": lambda: _described(Audit[ReleaseFacts], _below(Fact)),
    "plan": lambda: plan_schema(),
}


def meanings(kind: type) -> dict[str, str]:
    """Return what is said of each field of a struct: the comments beside them in its source."""
    told: dict[str, str] = {}
    for part in reversed(kind.__mro__):
        if part.__module__.startswith("kohort."):
            told |= dict(COMMENT.findall(inspect.getsource(part)))
    return told


def _below(kind: type[Fact]) -> list[type[Fact]]:
    """Return all structs that a struct is the base of."""
    return [kind, *(found for child in kind.__subclasses__() for found in _below(child))]


def _described(kind: Any, told: Iterable[type[msgspec.Struct]]) -> Schema:
    """Return the schema of a type, with what the sources say of fields as descriptions."""
    (whole,), parts = msgspec.json.schema_components((kind,), ref_template=PLACE)
    for struct in told:
        part = parts.get(struct.__name__) or parts.get(f"{struct.__name__}_ReleaseFacts_")
        if part is not None:
            _describe(part, struct)
    return {**whole, "$defs": parts}


def _describe(part: Schema, struct: type[msgspec.Struct]) -> None:
    for name, said in meanings(struct).items():
        spelled = next((f.encode_name for f in msgspec.structs.fields(struct) if f.name == name), name)
        if spelled in part["properties"]:
            part["properties"][spelled]["description"] = said


def plan_schema() -> Schema:
    """Return what a plan may say, by the shape that its [input] names."""
    documents = plan_documents()
    _, parts = msgspec.json.schema_components([told.kind for told in documents], ref_template=PLACE)
    for document in documents:
        parts[document.name]["properties"]["require"]["minItems"] = 1
        for name, struct in document.sections.items():
            _describe(parts[name], struct)
        for section, keys in document.unserved.items():
            for key, harmless in keys.items():
                told = parts[section]["properties"][key]
                told["enum"] = [told.get("default"), *harmless]
    parts["Any"] = {
        "anyOf": [{"type": name} for name in ("null", "boolean", "number", "string", "array", "object")]
    }
    return {**_by_shape(documents), "$defs": {name: _sound(part) for name, part in parts.items()}}


def _sound(part: Schema) -> Schema:
    """Return a part of a plan's schema that says as well what no plan may hold (`kohort.typed.check_sound`)."""
    part = {key: SOUND_BELOW[key](told) if key in SOUND_BELOW else told for key, told in part.items()}
    kind = None if "enum" in part else part.get("type")
    if kind == "integer":
        least = {} if {"minimum", "exclusiveMinimum"} & set(part) else {"exclusiveMinimum": -GREATEST}
        return {**part, **least, "exclusiveMaximum": GREATEST}
    if kind == "string":
        return {**part, "maxLength": LONGEST}
    if kind == "array":
        return {"items": ANY, **part}
    if kind == "object" and "properties" not in part:
        return {"additionalProperties": ANY, **part, "propertyNames": {"maxLength": LONGEST}}
    return part


SOUND_BELOW: dict[str, Callable[[Any], Any]] = {
    "properties": lambda told: {name: _sound(part) for name, part in told.items()},
    "anyOf": lambda told: [_sound(part) for part in told],
    "items": _sound,
    "additionalProperties": lambda told: told if isinstance(told, bool) else _sound(told),
}


def _by_shape(documents: Sequence[PlanDocument]) -> Schema:
    """Return the schema that holds for the shape a plan names; the first where it names none."""
    usual, *others = documents
    found: Schema = {"$ref": PLACE.format(name=usual.name)}
    for document in others:
        shape = {"properties": {"shape": {"const": document.shape}}, "required": ["shape"]}
        found = {
            "if": {"properties": {"input": shape}, "required": ["input"]},
            "then": {"$ref": PLACE.format(name=document.name)},
            "else": found,
        }
    return found
