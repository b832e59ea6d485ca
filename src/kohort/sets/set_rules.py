"""What a plan for sets may say: one column of sets, promises about combinations of items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from kohort.errors import InputError
from kohort.plan.coarse import KEYS as COARSE
from kohort.plan.rules import Promise, Search, Unserved
from kohort.plan.sections import ColumnPlan, InputPlan, told_fields
from kohort.plurals import many
from kohort.sets.k_m import KM
from kohort.sets.searches import SEARCHES, search_named
from kohort.table.roles import Role

if TYPE_CHECKING:
    from kohort.plan.plan import Plan

UNMEANT = ("weight", "suppression_cost", "min_level", "max_level", "allow_unique", *COARSE)  # of columns
UNSERVED: Unserved = {  # what a release of sets has none of
    "columns": dict.fromkeys(UNMEANT, ()),
    "input": dict.fromkeys(("population", "decimal", "fold"), ()),
    "recode": dict.fromkeys(
        ("generalize", "suppress", "max_suppression", "suppressed_rows", "objective", "target"), ()
    ),
    "output": {"shuffle": (), "ledger": ("",), "together": (), "task": ()},  # ledger = "" asks for none
}
SEPARATOR = ";"  # in what is released, where the plan names none


Sign = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": r"^[^{}\r\n]+$"})]


class SetColumn(ColumnPlan, frozen=True, forbid_unknown_fields=True):
    """What is to happen to one column: identifiers are dropped, the column of sets is recoded."""

    separator: Sign | None = None  # between the items of a cell; without one a cell is one item

    @property
    def written_separator(self) -> str:
        """The sign between the labels of a released set."""
        return self.separator or SEPARATOR


class SetRules:
    """Sets of items, one a person: every m released labels are together in nobody's set or in those of k people.

    Complexity: counting takes, per set, as many steps as it has combinations of up to m labels that stand in k sets; the
    search counts again after each round of raised labels, the judge once.

    >>> import pyarrow as pa
    >>> from kohort import Plan, anonymize
    >>> tree = {"kind": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}
    >>> columns = {"basket": {"role": "set", "separator": ";", "hierarchy": tree}}
    >>> plan = Plan(columns, [{"model": "k-m", "k": 2, "m": 2}], {"shape": "sets"})
    >>> baskets = pa.table({"basket": ["a1;b1;b2", "a2;b1", "a2;b1;b2", "a1;a2;b2"]})
    >>> sorted(anonymize(baskets, plan).table["basket"].to_pylist())
    ['A;b1', 'A;b1;b2', 'A;b1;b2', 'A;b2']

    References: Terrovitis, M., Mamoulis, N., Kalnis, P. Privacy-preserving anonymization of set-valued data. PVLDB 1(1), 2008.
    """

    summary: ClassVar = "which items people hold: a set in every row, or a row for every item"
    flow: ClassVar = "kohort.sets.set_shape:SetShape"
    input: ClassVar[type[InputPlan]] = InputPlan
    column: ClassVar[type[ColumnPlan]] = SetColumn
    needs_columns: ClassVar = True
    roles: ClassVar[tuple[Role, ...]] = (Role.IDENTIFIER, Role.SET)
    offers: ClassVar[frozenset[str]] = frozenset()
    sections: ClassVar[Mapping[str, type[msgspec.Struct]]] = {}
    unserved: ClassVar[Unserved] = UNSERVED

    @property
    def promises(self) -> Mapping[str, type[Promise]]:
        """What can be promised of sets."""
        return {KM.card.name: KM}

    def algorithms(self) -> Mapping[str, type[Search]]:
        """Return the searches for sets."""
        return {name: search_named(name) for name in SEARCHES}

    def check(self, plan: Plan) -> None:
        """Refuse a plan without exactly one column of sets and its hierarchy, and whatever would not be heeded."""
        name = _only_set(plan)
        _demand_hierarchy(plan, name)
        _check_separator(plan, name)
        _check_respondent(plan, name)
        _refuse_unserved(plan)

    def paths(self, plan: Plan) -> list[str]:
        """Return the paths of the table and the level file."""
        levels = [(column.hierarchy or {}).get("path") for column in plan.columns.values()]
        return [path for path in (plan.input.path, *levels) if isinstance(path, str)]

    def public(self, plan: Plan) -> dict[str, Any]:  # noqa: ARG002
        """Return nothing: a plan for sets has no sections but those of every plan."""
        return {}


def set_column(plan: Plan) -> tuple[str, SetColumn]:
    """Return the column of sets of a plan that was checked."""
    name = plan.named(Role.SET)[0]
    column = plan.columns[name]
    assert isinstance(column, SetColumn)
    return name, column


def _only_set(plan: Plan) -> str:
    names = plan.named(Role.SET)
    if len(names) != 1:
        found = f"{many(len(names), 'column')} ({', '.join(names)})" if names else "no column"
        raise InputError(
            f'[columns] {found} with role = "set"; a release of sets has exactly one, and beside it only identifiers, '
            "which are not released",
            code="plan.wrong-role",
            columns=list(names),
        )
    return names[0]


def _demand_hierarchy(plan: Plan, name: str) -> None:
    if plan.columns[name].hierarchy is None:
        raise InputError(
            f"[columns] {name}: a set needs a hierarchy of its items, such as "
            'hierarchy = { kind = "tree", tree = { drinks = ["tea", "milk"] } }: without labels to tell them by, one rare '
            "item would turn all of them into *",
            code="plan.missing-key",
            column=name,
            option="hierarchy",
        )
    for other, column in plan.columns.items():
        unmeant = [key for key in told_fields(column) if key in UNMEANT]
        if other != name:
            unmeant += [key for key in ("hierarchy", "separator") if key in told_fields(column)]
        if unmeant:
            raise InputError(
                f"[columns] {other}: {unmeant[0]} means nothing for {'a set' if other == name else 'an identifier'} in a "
                "release of sets; leave it out",
                code="plan.not-served",
                column=other,
                option=unmeant[0],
            )


def _check_separator(plan: Plan, name: str) -> None:
    separator = set_column(plan)[1].separator
    if separator is None and plan.input.respondent is None:
        raise InputError(
            f"[columns] {name}: without a separator every cell is one item, and nothing tells whose; give the sign between "
            'items, as separator = ";", or name the column of people as [input] respondent',
            code="plan.missing-key",
            column=name,
            option="separator",
        )
    if separator is not None and (not separator or set(separator) & set("{}\r\n")):
        raise InputError(
            f"[columns] {name}: separator is {separator!r}; it must be a sign or more between items, without braces or ends "
            "of lines",
            code="plan.wrong-value",
            column=name,
            option="separator",
            value=separator,
        )


def _check_respondent(plan: Plan, name: str) -> None:
    if plan.input.respondent == name:
        raise InputError(
            f"[columns] {name}: it holds the sets, so it cannot be the [input] respondent too",
            code="plan.conflict",
            column=name,
        )


def _refuse_unserved(plan: Plan) -> None:
    told = plan.to_dict()
    for section in ("input", "recode", "output"):
        for key, harmless in UNSERVED[section].items():
            if key in told.get(section, {}) and told[section][key] not in harmless:
                raise InputError(
                    f"[{section}] {key} is not served for sets, and is not ignored; leave it out (docs/sets.md says what "
                    "there is instead)",
                    code="plan.not-served",
                    section=section,
                    option=key,
                )
