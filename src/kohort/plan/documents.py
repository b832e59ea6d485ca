"""Plans as their files spell them, a struct for each shape: every promise and hierarchy with its parameters.

What loading refuses by types, names and ranges, these refuse too: `kohort schema plan` is made from them.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import GenericAlias
from typing import Any, Literal, Union, get_type_hints

import msgspec

from kohort.hierarchy import AVAILABLE_BUILDERS
from kohort.plan.rules import AVAILABLE_SHAPES, DEFAULT, PlanRules, Unserved
from kohort.plan.sections import ContextPlan, OutputPlan, RecodePlan

ELSEWHERE = ("base",)  # parameters that no plan says


@dataclass(frozen=True, eq=False)
class PlanDocument:
    """A plan of one shape: its struct, and its sections by the names that they have there."""

    shape: str
    name: str
    kind: Any
    sections: Mapping[str, type[msgspec.Struct]]  # and where it is said what their keys mean
    unserved: Unserved  # keys that a section has, and may be told in no other way than this


def plan_documents() -> list[PlanDocument]:
    """Return the plans of all shapes, the usual one first."""
    hierarchy = _either("kind", AVAILABLE_BUILDERS.usable())
    rules = {name: kind() for name, kind in AVAILABLE_SHAPES.usable().items()}
    return [_document(shape, rules[shape], hierarchy) for shape in sorted(rules, key=DEFAULT.__ne__)]


def _document(shape: str, rules: PlanRules, hierarchy: Any) -> PlanDocument:
    prefix = "" if shape == DEFAULT else shape.capitalize()
    role, own = _one_of(map(str, rules.roles)), _one_of([shape])
    told = {"shape": (own, *([shape] if shape == DEFAULT else []))}
    column = _like(
        rules.column, f"{prefix}ColumnPlan", {"role": (role,), "hierarchy": (hierarchy | None, None)}
    )
    read = _like(rules.input, f"{prefix}InputPlan", told)
    recode, output = (_like(kind, prefix + kind.__name__, {}) for kind in (RecodePlan, OutputPlan))
    columns = GenericAlias(dict, (str, _any_of([column, role])))
    promises = GenericAlias(list, (_either("model", rules.promises),))
    named = f"{prefix}Plan"
    sections = [
        ("columns", columns, *(() if rules.needs_columns else (msgspec.field(default_factory=dict),))),
        ("require", promises),
        ("input", read, *((read(),) if shape == DEFAULT else ())),
        ("recode", recode, recode()),
        ("output", output, output()),
        ("context", ContextPlan, ContextPlan()),
        *(_own(name, kind) for name, kind in rules.sections.items()),
    ]
    of = {"columns": column, "input": read, "recode": recode, "output": output}
    sources: dict[Any, type[msgspec.Struct]] = {
        column: rules.column,
        read: rules.input,
        recode: RecodePlan,
        output: OutputPlan,
        ContextPlan: ContextPlan,
    }
    return PlanDocument(
        shape,
        named,
        _struct(named, sections, "What is asked of a release, as a TOML file spells it."),
        {made.__name__: source for made, source in sources.items()},
        {of[section].__name__: keys for section, keys in rules.unserved.items()},
    )


def _own(name: str, kind: type[msgspec.Struct]) -> tuple[Any, ...]:
    """Return a section that only a shape has: a table, or a list of them."""
    return name, _any_of([kind, GenericAlias(list, (kind,)), msgspec.UnsetType]), msgspec.UNSET


def _like(kind: type[msgspec.Struct], name: str, other: Mapping[str, tuple[Any, ...]]) -> Any:
    """Return a struct with the fields of another, some of which are told otherwise."""
    fields = [(told, *other.get(told, rest)) for told, *rest in _fields(kind)]
    return _struct(name, fields, kind.__doc__)


def _either(tag: str, registry: Mapping[str, Any]) -> Any:
    """Return any entry of a registry, told by its name in the key `tag` and by its parameters."""
    return _any_of(
        _struct(kind.__name__, list(_fields(kind)), inspect.getdoc(kind), tag_field=tag, tag=name)
        for name, kind in registry.items()
    )


def _one_of(names: Iterable[str]) -> Any:
    return Literal.__getitem__(tuple(names))


def _any_of(kinds: Iterable[Any]) -> Any:
    return Union[tuple(kinds)]  # noqa: UP007 - of types that are made here


def _struct(name: str, fields: list[Any], doc: str | None, **options: Any) -> Any:
    made = msgspec.defstruct(name, fields, forbid_unknown_fields=True, kw_only=True, frozen=True, **options)
    made.__doc__ = (doc or "").partition("\n")[0]
    return made


def _fields(kind: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the fields of a dataclass or struct as another struct takes them."""
    hints = get_type_hints(kind, include_extras=True)
    if not dataclasses.is_dataclass(kind):
        for told in msgspec.structs.fields(kind):
            made = msgspec.field(default_factory=told.default_factory)  # of a default that can be changed
            usual = made if told.default is msgspec.NODEFAULT else told.default
            yield (told.name, hints[told.name], *(() if told.required else (usual,)))
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
