"""What a plan for a table may say: a role for every column, promises about classes."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from kohort.errors import InputError
from kohort.hierarchy import AVAILABLE_BUILDERS, open_ends
from kohort.models import AVAILABLE_MODELS, PrivacyModel
from kohort.models.model import guards_of
from kohort.plan.coarse import KEYS as COARSE
from kohort.plan.coarse import check_coarse
from kohort.plan.rules import Promise, Search, Unserved
from kohort.plan.sections import ColumnPlan, InputPlan
from kohort.table.roles import Role

if TYPE_CHECKING:
    from kohort.plan.plan import Plan

_USUAL = {
    "hierarchy": None, "min_level": 0, "max_level": None, "weight": 1, "suppression_cost": 1, "allow_unique": False,
    **dict.fromkeys(COARSE),
}  # fmt: skip
_USED: Mapping[Role, tuple[str, ...]] = {  # what is said of a column and has an effect, by its role
    Role.QUASI: ("hierarchy", "min_level", "max_level", "weight", "suppression_cost"),
    Role.SENSITIVE: (
        "hierarchy",
        "allow_unique",
        *COARSE,
    ),  # by hierarchies models measure how far values are apart
    Role.INSENSITIVE: ("allow_unique", *COARSE),
    Role.IDENTIFIER: (),
    Role.GUARD: ("hierarchy",),
    Role.SET: (),
}


class TableRules:
    """One table, of which every row is about a person.

    Complexity: reading, writing and judging are linear in the cells but for the sorting of rows; the search is that of
    the algorithm.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("datafly"), input={"shape": "table"}))
    >>> counted(release.table)
    {('30-39', '9413*'): 3, ('50-59', '9414*'): 3}

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 2.
    """

    summary: ClassVar = "one table; every row is about a person"
    flow: ClassVar = "kohort.tables.table_shape:TableShape"
    input: ClassVar[type[InputPlan]] = InputPlan
    column: ClassVar[type[ColumnPlan]] = ColumnPlan
    needs_columns: ClassVar = True
    roles: ClassVar[tuple[Role, ...]] = (
        Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE, Role.INSENSITIVE, Role.GUARD,
    )  # fmt: skip
    offers: ClassVar[frozenset[str]] = frozenset(
        {"audit", "attack", "compare", "engine", "explain", "frontier"}
    )
    sections: ClassVar[Mapping[str, type[msgspec.Struct]]] = {}
    unserved: ClassVar[Unserved] = {}

    @property
    def promises(self) -> Mapping[str, type[Promise]]:
        """The privacy models."""
        return AVAILABLE_MODELS

    def algorithms(self) -> Mapping[str, type[Search]]:
        """Return the searches on classes."""
        from kohort.algorithms import ALGORITHMS, algorithm  # whoever reads a plan does without

        return {name: algorithm(name) for name in ALGORITHMS}

    def check(self, plan: Plan) -> None:
        """Refuse a plan without quasi-identifiers, promises about columns that are not there, weights that are none."""
        _demand_quasi(plan)
        for model in plan.require:
            _demand_columns(plan, model)
            _demand_height(plan, model)
        _demand_least(plan)
        _demand_weights(plan)
        _demand_respondent(plan)
        _demand_use(plan)
        for name, column in plan.columns.items():
            check_coarse(name, column)

    def paths(self, plan: Plan) -> list[str]:
        """Return the paths of the table, the population and the level files."""
        levels = [
            told.get("path") for told in (c.hierarchy for c in plan.columns.values()) if told is not None
        ]
        return [path for path in (plan.input.path, plan.input.population, *levels) if isinstance(path, str)]

    def public(self, plan: Plan) -> dict[str, Any]:  # noqa: ARG002
        """Return nothing: a plan for a table has no sections but those of every plan."""
        return {}


def _demand_quasi(plan: Plan) -> None:
    if not plan.quasi:
        raise InputError(
            'the plan names no quasi-identifier: give role = "quasi" to every column by which a person '
            "could be recognised in combination with others (`kohort init` proposes them)",
            code="plan.no-quasi",
        )


def _demand_columns(plan: Plan, model: PrivacyModel) -> None:
    for name in sorted(guards_of(model)):
        _demand_guard(plan, model, name)
    for name in sorted(model.reads - guards_of(model)):
        if name not in plan.columns or plan.columns[name].role is not Role.SENSITIVE:
            raise InputError(
                f"[[require]] {model.card.name}: column {name!r} is not a sensitive column of the plan; "
                f"the sensitive columns are: {', '.join(plan.sensitive) or '(none)'}",
                code="plan.not-sensitive",
                model=model.card.name,
                column=name,
                allowed=plan.sensitive,
            )


def _demand_height(plan: Plan, model: PrivacyModel) -> None:
    """Refuse to count levels that the plan does not tell the number of: the values may be those of somebody left out."""
    if getattr(model, "level", None) is None:
        return
    for name in sorted(model.reads):
        by = _undeclared_height(plan.columns[name])
        if by:
            raise InputError(
                f"[[require]] {model.card.name}: level counts levels of {name!r}, and how many there are follows from the values "
                f"in the table; declare hierarchy.{by}, or name labels instead of a level",
                code="plan.level",
                model=model.card.name,
                column=name,
                option="level",
            )


def _demand_least(plan: Plan) -> None:
    """Refuse a least level that means more or less by what others have: a longer code of somebody left out would undo it."""
    for name, column in plan.columns.items():
        by = _undeclared_height(column)
        if column.min_level and by:
            raise InputError(
                f"[columns] {name}: min_level counts levels from the longest value, and that may be of somebody who is left out; "
                f'declare hierarchy.{by} (as many characters as the values have), or take kind = "prefix", whose levels are '
                "told by what is shown",
                code="plan.level",
                column=name,
                option="min_level",
            )


def _undeclared_height(column: ColumnPlan) -> str:
    """Return the option by which the plan would declare how many levels a column has, where it does not and must."""
    told = column.hierarchy or {}
    by = AVAILABLE_BUILDERS[told["kind"]].card.height_by if told.get("kind") in AVAILABLE_BUILDERS else ""
    return by if told.get(by) is None else ""


def _demand_weights(plan: Plan) -> None:
    for name, column in plan.columns.items():
        if not 0 <= column.weight < inf:
            raise InputError(
                f"[columns] {name}: weight is {column.weight}; it must not be negative nor infinite",
                code="plan.wrong-value",
                column=name,
                option="weight",
                value=column.weight,
            )
        if not 0 <= column.suppression_cost < inf:
            raise InputError(
                f"[columns] {name}: suppression_cost is {column.suppression_cost}; it must not be negative nor "
                "infinite",
                code="plan.wrong-value",
                column=name,
                option="suppression_cost",
                value=column.suppression_cost,
            )


def _open_ends(spec: Mapping[str, Any]) -> list[str]:
    """Return the options by which a hierarchy declares that numbers beyond an end are not told."""
    if open_ends(spec) == (None, None):
        return []
    return [f"hierarchy.{end}" for end in ("low", "high") if spec.get(end) is not None] or ["hierarchy.ends"]


def _demand_use(plan: Plan) -> None:
    """Refuse what is said of a column and would have no effect in its role: it would be taken for a promise."""
    for name, column in plan.columns.items():
        used = _USED[column.role]
        told = [key for key, usual in _USUAL.items() if getattr(column, key) != usual and key not in used]
        if column.role is Role.SENSITIVE and column.hierarchy is not None:
            told += _open_ends(column.hierarchy)
        if told:
            fate = "released as they are" if name in plan.released else "not released"
            raise InputError(
                f'[columns] {name}: {told[0]} has no effect on a column of role "{column.role}", whose values are {fate}; '
                "leave it out, or give the column another role",
                code="plan.no-effect",
                column=name,
                option=told[0],
                role=column.role,
            )


def _demand_respondent(plan: Plan) -> None:
    respondent = plan.columns.get(plan.input.respondent or "")
    if respondent is not None and respondent.role is not Role.IDENTIFIER:
        raise InputError(
            f"[columns] {plan.input.respondent}: it names people, as [input] respondent says, and is never released; "
            f'its role is "{respondent.role}" and must be "identifier", or leave it out of [columns]',
            code="plan.wrong-role",
            column=plan.input.respondent,
            role=respondent.role,
            allowed=("identifier",),
        )
    if not any(plan.columns[name].weight for name in plan.quasi):
        raise InputError(
            "[columns] every quasi-identifier has weight 0, so no loss would count; give at least one a weight above 0",
            code="plan.wrong-value",
            option="weight",
        )


def _demand_guard(plan: Plan, model: PrivacyModel, name: str) -> None:
    told = plan.columns.get(name)
    if told is None or told.role is not Role.GUARD:
        found = "is no column of the plan" if told is None else f'has the role "{told.role}"'
        raise InputError(
            f"[[require]] {model.card.name}: column {name!r} says what people want guarded, and {found}; give it "
            'role = "guard" under [columns]: it is read and never released, for it tells who has something to guard',
            code="plan.wrong-role",
            model=model.card.name,
            column=name,
            allowed=("guard",),
        )
