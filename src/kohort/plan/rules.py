"""`PlanRules`: what a plan of one shape may say, and what it must; the shapes by name."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

import msgspec

from kohort.card import Card
from kohort.errors import InputError
from kohort.plan.sections import ColumnPlan, InputPlan
from kohort.table.roles import Role
from kohort.third_parties import Available
from kohort.typed import check_sound

if TYPE_CHECKING:
    from kohort.plan.plan import Plan

DEFAULT = "table"
Unserved: TypeAlias = Mapping[str, Mapping[str, tuple[Any, ...]]]
# section -> key -> what may be said of it all the same, beside its default, because it asks for nothing
# shape -> "module:Class" of its rules, which say where its flow is; imported when a plan of that shape is read
SHAPES: dict[str, str] = {
    "table": "kohort.plan.table_rules:TableRules",
    "sets": "kohort.sets.set_rules:SetRules",
}


class Promise(Protocol):
    """What a plan may require: a dataclass whose fields are the parameters."""

    @property
    def card(self) -> Card:
        """What users see of it."""

    @property
    def label(self) -> str:
        """The promise in words, such as `5-anonymity`."""


class Search(Protocol):
    """What a plan may name as its algorithm: a dataclass whose fields are the options."""

    @property
    def card(self) -> Card:
        """What users see of it."""


class PlanRules(Protocol):
    """The sections of a plan that are a shape's own, and what must be true of them.

    They are light: whoever reads a plan loads them, and nothing of the flow.
    """

    summary: ClassVar[str]  # what data of this shape are
    flow: ClassVar[str]  # "module:Class": what each step of the flow is (kohort.shapes)
    input: ClassVar[type[InputPlan]]  # what [input] takes
    column: ClassVar[type[ColumnPlan]]  # what an entry of [columns] takes
    needs_columns: ClassVar[bool]
    roles: ClassVar[tuple[Role, ...]]
    offers: ClassVar[
        frozenset[str]
    ]  # the commands beside `anonymize` and `verify` that its data can be given to; `engine`: any but memory
    sections: ClassVar[Mapping[str, type[msgspec.Struct]]]  # further ones, each a table or a list of tables
    unserved: ClassVar[Unserved]  # keys of the sections of every plan that it has no use for

    @property
    def promises(self) -> Mapping[str, type[Promise]]:
        """What [[require]] may name."""

    def algorithms(self) -> Mapping[str, type[Search]]:
        """Return what [recode] algorithm may name; they are imported now."""

    def check(self, plan: Plan) -> None:
        """Refuse a plan that contradicts itself or asks for what this shape does not have."""

    def paths(self, plan: Plan) -> list[str]:
        """Return the files that a plan names, relative to it."""

    def public(self, plan: Plan) -> dict[str, Any]:
        """Return its own sections as outsiders may see them, as far as they may; of [input] the shape is told."""


def _own(name: str) -> type[PlanRules]:
    module, attribute = SHAPES[name].split(":")
    rules: type[PlanRules] = getattr(import_module(module), attribute)
    return rules


AVAILABLE_SHAPES: Available[type[PlanRules]] = Available("kohort.shapes", SHAPES, _own, PlanRules)


def shape_named(told: Any) -> str:
    """Return the shape that an [input] section names."""
    name = told.get("shape", DEFAULT) if isinstance(told, Mapping) else getattr(told, "shape", DEFAULT)
    check_sound(name, "[input] shape")
    if not isinstance(name, str) or name not in AVAILABLE_SHAPES:
        raise InputError(
            f"[input] shape: there is no {name!r}; the shapes are: {', '.join(sorted(AVAILABLE_SHAPES))}",
            code="plan.unknown-shape",
            value=name,
            allowed=sorted(AVAILABLE_SHAPES),
        )
    return name


def rules_of(shape: str) -> PlanRules:
    """Return what plans of a shape may say."""
    return AVAILABLE_SHAPES[shape]()


def in_another_shape(name: object, part: Callable[[PlanRules], Container[str]]) -> str:
    """Return, as the end of a message, the shape that knows a name which this one does not: empty where none does."""
    if not isinstance(name, str):
        return ""
    knowing = [shape for shape in SHAPES if name in part(rules_of(shape))]
    return "".join(
        f'; {name} is for data of another shape: say [input] shape = "{shape}"' for shape in knowing
    )


def demand_offer(plan: Plan, command: str) -> None:
    """Refuse a command that a shape does not serve."""
    if command not in plan.rules.offers:
        able = ", ".join(sorted(name for name in SHAPES if command in rules_of(name).offers))
        found = f'the plan says [input] shape = "{plan.input.shape}"'
        raise InputError(
            f"engine: {found}, which is worked on in memory only; leave the engine out, and hand over no "
            f"frame of Spark (others serve: {able})"
            if command == "engine"
            else f"{command}: {found}, which it does not serve; it serves: {able}",
            code="plan.shape-not-served",
            value=plan.input.shape,
        )
