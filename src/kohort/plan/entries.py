"""The parts of a plan that are told loosely, as what they settle to: columns, promises, the sections of one shape."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, TypeAlias, cast

import msgspec

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import UNTOLD, builder_of
from kohort.models import PrivacyModel
from kohort.plan.rules import PlanRules, in_another_shape
from kohort.plan.sections import ColumnPlan, RecodePlan, convert, spelled, told_fields
from kohort.table.roles import Role
from kohort.typed import typed

Own: TypeAlias = (
    msgspec.Struct | tuple[msgspec.Struct, ...]
)  # a section of one shape: a table, or a list of them


def mapping(where: str, told: Any) -> Mapping[str, Any]:
    """Return a table of names; what is none is refused."""
    if not isinstance(told, Mapping):
        raise InputError(
            f"[{where}] must be a table of names, not {type(told).__name__}",
            code="plan.wrong-type",
            section=where.strip("[]"),
        )
    return told


def column_of(name: str, told: Any, rules: PlanRules) -> ColumnPlan:
    """Return what is to happen to a column; just a role will do."""
    if isinstance(told, str):
        told = {"role": told}
    roles = ", ".join(rules.roles)
    if isinstance(told, Mapping) and "role" not in told:
        raise InputError(
            f"[columns] {name}: no role; it must be one of: {roles}",
            code="plan.unknown-role",
            column=name,
            allowed=list(rules.roles),
        )
    role = told["role"] if isinstance(told, Mapping) else getattr(told, "role", None)
    if role is not None and not (isinstance(role, str) and role in rules.roles):
        raise InputError(
            f"[columns] {name}: unknown role {role!r}; the roles are: {roles}"
            f"{in_another_shape(role, lambda other: other.roles)}",
            code="plan.unknown-role",
            column=name,
            value=role,
            allowed=list(rules.roles),
        )
    column = convert(told, rules.column, f"[columns] {name}")
    if column.hierarchy is not None:
        spec = spelled(column.hierarchy)
        builder_of(name, spec)  # refuses what there is not
        column = msgspec.structs.replace(column, hierarchy=spec)
    if column.role is Role.QUASI and column.hierarchy is None:
        return msgspec.structs.replace(column, hierarchy=dict(UNTOLD))
    return column


def recode_of(told: Any) -> RecodePlan:
    """Return how the promises are to be kept; the options of an algorithm as a file would spell them."""
    recode = convert(told, RecodePlan, "[recode]")
    return msgspec.structs.replace(recode, options=spelled(recode.options))


def promise_of(place: int, told: Any, rules: PlanRules) -> PrivacyModel:
    """Return the promise that an entry of `require` asks for."""
    where = f"[[require]] number {place} (require.{place - 1} as a setting)"
    card = None if isinstance(told, Mapping) else getattr(told, "card", None)
    if isinstance(card, Card):
        _demand_known(where, card.name, rules, type(told))
        return cast(PrivacyModel, told)
    told = dict(mapping("[require]", told))
    name = told.pop("model", None)
    _demand_known(where, name, rules)
    # Shapes know their promises by types of their own; only tables ask them as privacy models of classes.
    return cast(PrivacyModel, typed(f"{where}: {name}", rules.promises[name], told))


def _demand_known(where: str, name: Any, rules: PlanRules, kind: type | None = None) -> None:
    """Refuse a model that the shape does not have; `kind` is that of an instance, which must be the one of its name."""
    known = rules.promises
    if isinstance(name, str) and name in known and kind in (None, known[name]):
        return
    raise InputError(
        f"{where}: unknown model {name!r}; the models are: {', '.join(sorted(known))}; {_to_do(name, kind, known)}",
        code="model.unknown",
        section="require",
        model=name if isinstance(name, str) else repr(name),
        allowed=sorted(known),
    )


def _to_do(name: Any, kind: type | None, known: Container[str]) -> str:
    """Return what to do about a model that is none of those that the shape has."""
    if kind is not None and name in known:
        return f"{kind.__name__} says {name!r} on its card, and is another than the one of that name: give it its own"
    elsewhere = in_another_shape(name, lambda other: other.promises)
    if elsewhere:
        return elsewhere.removeprefix("; ")
    if kind is None:
        return "where another package brings it, that package must be installed"
    return (
        f"{kind.__name__} must be offered by that name, for a release is saved and verified by it: install the package that "
        f'brings it, or make plan and release inside `with kohort.third_parties.offered("kohort.models", {kind.__name__}):`'
    )


def own_section(name: str, told: Any, rules: PlanRules) -> Own:
    """Return a section that a shape has of its own: a table, or a list of tables."""
    if name not in rules.sections:
        raise InputError(
            f"unknown section [{name}]; of its own this shape has: {', '.join(rules.sections) or 'none'}",
            code="plan.unknown-section",
            section=name,
            allowed=list(rules.sections),
        )
    kind = rules.sections[name]
    if isinstance(told, list | tuple):
        return tuple(convert(part, kind, f"[[{name}]] number {i}") for i, part in enumerate(told, 1))
    return convert(told, kind, f"[{name}]")


def told_section(own: Own) -> list[dict[str, Any]] | dict[str, Any]:
    """Return a section of one shape as its TOML spells it."""
    return [told_fields(part) for part in own] if isinstance(own, tuple) else told_fields(own)
