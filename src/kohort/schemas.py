"""JSON Schema of what Kohort reads and writes: plans, manifests and audits, from the structs that they are read into."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import GenericAlias
from typing import Any, Union, get_type_hints

import msgspec

from kohort.errors import InputError
from kohort.facts import Audit, Manifest, ReleaseFacts
from kohort.facts.fact import Fact
from kohort.hierarchy import BUILDERS
from kohort.models import MODELS
from kohort.plan import ColumnPlan, ContextPlan, InputPlan, OutputPlan, RecodePlan
from kohort.table.roles import Role

DIALECT = "https://json-schema.org/draft/2020-12/schema"
COMMENT = re.compile(r"^    (\w+): .*?  # (.*)$", re.MULTILINE)  # a field, and what is said of it beside it
ELSEWHERE = ("base",)  # parameters that no plan says

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
    return {"$schema": DIALECT, "title": name, **DOCUMENTS[name]()}


def plan_document() -> Any:
    """Return the struct of a plan as its file spells it: every promise and hierarchy with its parameters."""
    hierarchy = _either("kind", BUILDERS)
    told = [
        (name, hierarchy | None if name == "hierarchy" else kind, *default)
        for name, kind, *default in _fields(ColumnPlan)
    ]
    column = _struct("ColumnPlan", told, ColumnPlan.__doc__)
    sections = [
        ("columns", GenericAlias(dict, (str, _any_of([column, Role])))),
        ("require", GenericAlias(list, (_either("model", MODELS),))),
        *((name, kind, kind()) for name, kind in SECTIONS.items()),
    ]
    return _struct("Plan", sections, "What is asked of a release, as a TOML file spells it.")


SECTIONS: dict[str, Any] = {
    "input": InputPlan,
    "recode": RecodePlan,
    "output": OutputPlan,
    "context": ContextPlan,
}
DOCUMENTS: dict[str, Callable[[], Schema]] = {
    "manifest": lambda: _described(Manifest, _below(Fact)),
    "audit": lambda: _described(Audit[ReleaseFacts], _below(Fact)),
    "plan": lambda: _described(plan_document(), [ColumnPlan, *SECTIONS.values()]),
}


def meanings(kind: type) -> dict[str, str]:
    """Return what is said of each field of a struct: the comments beside them in its source."""
    told: dict[str, str] = {}
    for part in reversed(kind.__mro__):
        if part.__module__.startswith("kohort."):
            told |= dict(COMMENT.findall(inspect.getsource(part)))
    return told


def _either(tag: str, registry: Mapping[str, Any]) -> Any:
    """Return any entry of a registry, told by its name in the key `tag` and by its parameters."""
    return _any_of(
        _struct(kind.__name__, list(_fields(kind)), inspect.getdoc(kind), tag_field=tag, tag=name)
        for name, kind in registry.items()
    )


def _any_of(kinds: Iterable[Any]) -> Any:
    return Union[tuple(kinds)]  # noqa: UP007 - of types that are made here


def _struct(name: str, fields: list[Any], doc: str | None, **options: Any) -> Any:
    made = msgspec.defstruct(name, fields, forbid_unknown_fields=True, kw_only=True, **options)
    made.__doc__ = (doc or "").partition("\n")[0]
    return made


def _fields(kind: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the fields of a dataclass or struct as another struct takes them."""
    hints = get_type_hints(kind, include_extras=True)
    if not dataclasses.is_dataclass(kind):
        for told in msgspec.structs.fields(kind):
            yield (told.name, hints[told.name], *(() if told.required else (told.default,)))
        return
    for field in dataclasses.fields(kind):
        if field.init and field.name not in ELSEWHERE:
            needed = field.default is field.default_factory  # both are missing
            yield (field.name, hints[field.name], *(() if needed else (_default(field),)))


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    factory: Any = field.default_factory
    return msgspec.field(default_factory=factory)


def _below(kind: type[Fact]) -> list[type[Fact]]:
    """Return all structs that a struct is the base of."""
    return [kind, *(found for child in kind.__subclasses__() for found in _below(child))]


def _described(kind: Any, told: Iterable[type[msgspec.Struct]]) -> Schema:
    """Return the schema of a type, with what the sources say of fields as descriptions."""
    (whole,), parts = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    for struct in told:
        place = parts.get(struct.__name__) or parts.get(f"{struct.__name__}_ReleaseFacts_")
        for name, said in meanings(struct).items():
            spelled = next((f.encode_name for f in msgspec.structs.fields(struct) if f.name == name), name)
            if place is not None and spelled in place["properties"]:
                place["properties"][spelled]["description"] = said
    return {**whole, "$defs": parts}
