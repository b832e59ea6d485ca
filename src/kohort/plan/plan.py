"""`Plan`: what is asked of a release, read from TOML or built in Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from kohort.errors import InputError
from kohort.hierarchy import open_ends
from kohort.models import PrivacyModel
from kohort.models.model import guards_of
from kohort.paths import usable
from kohort.plan.context import check_context
from kohort.plan.entries import Own, column_of, mapping, own_section, promise_of, recode_of, told_section
from kohort.plan.limits import check_output, check_recode
from kohort.plan.notebook_page import plan_html
from kohort.plan.plan_file import read_plan_file
from kohort.plan.rules import PlanRules, Promise, rules_of, shape_named
from kohort.plan.sections import (
    ColumnPlan,
    ContextPlan,
    InputPlan,
    OutputPlan,
    RecodePlan,
    convert,
    told_fields,
)
from kohort.plan.settings import apply_setting, put
from kohort.plan.text import demand_spelled, plan_toml
from kohort.table.roles import Role
from kohort.typed import check_sound, in_plain_texts

Section: TypeAlias = Mapping[str, Any]  # as a dict of its keys


@dataclass(frozen=True)
class Plan:
    """What is asked: a role for every column, the promises, the way of recoding.

    `columns` maps a name to a `ColumnPlan`, a dict of its fields or just a role. Columns of the table that
    are not named are not released. Wherever a plan is taken, the dict that its TOML spells is taken too.

    >>> plan = Plan(columns={"age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
    ...                      "name": "identifier"}, require=[{"model": "k-anonymity", "k": 5}])
    >>> plan.quasi
    ('age',)
    """

    columns: Mapping[str, ColumnPlan]
    require: Sequence[PrivacyModel] = ()
    input: InputPlan = field(default_factory=InputPlan)
    recode: RecodePlan = field(default_factory=RecodePlan)
    output: OutputPlan = field(default_factory=OutputPlan)
    base: Path = field(default_factory=Path.cwd)  # what paths in the plan are relative to
    sections: Mapping[str, Own] = field(default_factory=dict)  # those that only its shape has
    context: ContextPlan = field(default_factory=ContextPlan)  # for whom, why and on what ground
    notes: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    # why its columns, and keys such as `[input] missing`, are what they are, as `propose` says; they ask for nothing
    promises: Mapping[str, Section] = field(default_factory=dict, compare=False, repr=False)
    # what `propose` would require of each column, were it sensitive; `decide` takes it over

    if TYPE_CHECKING:  # what may be told loosely, and is settled below

        def __init__(
            self,
            columns: Mapping[str, ColumnPlan | Section | str],
            require: Sequence[Promise | Section] = (),
            input: InputPlan | Section = ...,
            recode: RecodePlan | Section = ...,
            output: OutputPlan | Section = ...,
            base: Path = ...,
            sections: Mapping[str, Own | Section | Sequence[Section]] = ...,
            context: ContextPlan | Section = ...,
            notes: Mapping[str, str] = ...,
            promises: Mapping[str, Section] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        for name in ("columns", "require", "input", "recode", "output", "sections", "context"):
            check_sound(getattr(self, name), f"[{name}]")
            object.__setattr__(self, name, in_plain_texts(getattr(self, name)))
        if not isinstance(self.require, Sequence) or isinstance(self.require, str):
            raise InputError(
                'require must be a list of promises: write each as [[require]] with model = "…" below it',
                code="plan.wrong-type",
                section="require",
            )
        rules = rules_of(shape_named(self.input))
        columns = mapping("columns", self.columns).items()
        settle = object.__setattr__  # frozen: what was told loosely is settled once
        settle(self, "columns", {name: column_of(name, told, rules) for name, told in columns})
        settle(self, "require", tuple(promise_of(i, told, rules) for i, told in enumerate(self.require, 1)))
        settle(self, "input", convert(self.input, rules.input, "[input]"))
        settle(self, "recode", recode_of(self.recode))
        settle(self, "output", convert(self.output, OutputPlan, "[output]"))
        settle(self, "context", convert(self.context, ContextPlan, "[context]"))
        settle(
            self, "sections", {name: own_section(name, told, rules) for name, told in self.sections.items()}
        )
        self._validate()

    def _validate(self) -> None:
        if not self.require:
            raise InputError(
                "the plan asks for nothing: add at least one [[require]], such as "
                'model = "k-anonymity" and k = 5',
                code="plan.no-promise",
            )
        check_recode(self.recode)
        check_output(self.output)
        check_context(self.context)
        self.rules.check(self)

    @property
    def rules(self) -> PlanRules:
        """What plans of this shape may say."""
        return rules_of(self.input.shape)

    @classmethod
    def of(cls, told: Plan | Section) -> Plan:
        """Return a plan as it is, or the one that a dict spells as its TOML would."""
        if isinstance(told, Plan):
            return told
        if not isinstance(told, Mapping):
            raise InputError(
                f"a plan must be a Plan or the dict that its TOML spells, not {type(told).__name__}; "
                "Plan.load(path) reads a plan file",
                code="plan.wrong-type",
            )
        return cls.from_dict(told)

    @classmethod
    def load(cls, path: str | Path, settings: Sequence[str] = ()) -> Plan:
        """Read a plan file; `settings` override it, each `section.key=value` as `--set` takes them."""
        path = usable(path, "the plan")
        told = read_plan_file(path)
        for setting in settings:
            apply_setting(told, setting)
        try:
            return cls.from_dict(told, base=path.parent)
        except InputError as problem:
            raise problem.reworded(f"{path}: {problem}", plan=path) from None

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], base: Path | None = None) -> Plan:
        """Build a plan from the dict that its TOML spells."""
        rules = rules_of(shape_named(told.get("input", {})))
        known = {f.name for f in dataclasses.fields(cls)} - {"base", "sections", "notes", "promises"}
        unknown = sorted(set(told) - known - set(rules.sections))
        if unknown:
            sections = ", ".join(sorted({*known, *rules.sections}))
            raise InputError(
                f"unknown section [{unknown[0]}]; the sections are: {sections}",
                code="plan.unknown-section",
                section=unknown[0],
            )
        if "columns" not in told and rules.needs_columns:
            raise InputError(
                "the plan has no [columns]; give every column of the table a role", code="plan.missing-key"
            )
        own = {name: told[name] for name in rules.sections if name in told}
        shared = {"columns": {}} | {name: section for name, section in told.items() if name in known}
        return cls(**shared, base=base or Path.cwd(), sections=own)

    def with_settings(self, settings: Mapping[str, Any]) -> Plan:
        """Return the plan with some values changed, each named as `--set` does: `require.0.k`."""
        told = self.to_dict()
        for key, value in settings.items():
            put(told, key, value, key)
        return self._retold(told)

    def decide(self, roles: Mapping[str, Role | str]) -> Plan:
        """Return the plan with these columns decided: each has the role that is given, the one proposed or another.

        What is declared of a column stays where its role does; its new role may ask for something else. Where the plan came from
        `propose`, a column that becomes sensitive and that nothing required is about gets the promise that `propose` drafts for
        sensitive columns: l-diversity, but for one of which nearly all rows share a value. `require` then tells it.

        >>> waiting = {"age": "quasi", "q7": {"role": "quasi", "decided": False}}
        >>> plan = Plan(columns=waiting, require=[{"model": "k-anonymity", "k": 5}])
        >>> plan.decide({"q7": "insensitive"}).columns["q7"].decided
        True
        """
        if not isinstance(roles, Mapping):
            raise InputError(
                'decide: give the role of each column by its name, such as decide({"q7": "insensitive"})',
                code="plan.wrong-type",
            )
        told = self.to_dict()
        watched = frozenset[str]().union(*(model.reads for model in self.require))
        for name, role in roles.items():
            if name not in self.columns:
                raise InputError(
                    f"the plan has no column {name!r}; decide about one of: {', '.join(self.columns)}",
                    code="plan.unknown-column",
                    column=name,
                )
            kept = told["columns"][name] if str(role) == str(self.columns[name].role) else {}
            told["columns"][name] = {**kept, "role": str(role), "decided": True}
            if str(role) == Role.SENSITIVE and name in self.promises and name not in watched:
                told["require"].append(dict(self.promises[name]))
        return self._retold(told)

    def _retold(self, told: dict[str, Any]) -> Plan:
        """Return the plan that a dict spells, with what was proposed beside this one."""
        plan = type(self).from_dict(told, base=self.base)
        return dataclasses.replace(plan, notes=self.notes, promises=self.promises)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as the dict that its TOML spells; what was left at its default is left out."""
        require = [
            {"model": m.card.name}
            | {
                f.name: getattr(m, f.name)
                for f in dataclasses.fields(m)  # type: ignore[arg-type]
                if f.repr and getattr(m, f.name) is not None
            }
            for m in self.require
        ]
        told = {
            "input": told_fields(self.input),
            "columns": {
                name: told_fields(column) | {"role": str(column.role)}
                for name, column in self.columns.items()
            },
            "require": require,
            "recode": told_fields(self.recode),
            "output": told_fields(self.output),
            "context": told_fields(self.context),
            **{name: told_section(section) for name, section in self.sections.items()},
        }
        return msgspec.to_builtins({key: value for key, value in told.items() if value})  # type: ignore[no-any-return]

    def to_toml(self) -> str:
        """Return the plan as a file that `Plan.load` reads as this plan again; paths stay relative to `base`."""
        told = self.to_dict()
        demand_spelled(told)
        return plan_toml(told, self.notes)

    def __str__(self) -> str:
        """Return the plan as TOML, with the reasons beside it; what no TOML can spell as Python would."""
        try:
            return self.to_toml()
        except InputError:
            return repr(self)

    def _repr_html_(self) -> str:
        """Return the promises and the columns, for a notebook."""
        return plan_html(self)

    def named(self, role: Role) -> tuple[str, ...]:
        """Return the columns of a role."""
        return tuple(name for name, column in self.columns.items() if column.role is role)

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self.named(Role.QUASI)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive attributes."""
        return self.named(Role.SENSITIVE)

    @property
    def guards(self) -> tuple[str, ...]:
        """The columns that promises read and that are not released."""
        read = frozenset[str]().union(*(guards_of(model) for model in self.require))
        return tuple(name for name in self.columns if name in read)

    @property
    def leaves_blank(self) -> bool:
        """Whether rows that are suppressed stand in the release, with `*` in every quasi-identifier."""
        return self.recode.suppressed_rows == "blank"

    @property
    def level_bounds(self) -> dict[str, tuple[int, int | None]]:
        """The least and the greatest level of the quasi-identifiers that the plan bounds; None: up to the root."""
        told = {name: (self.columns[name].min_level, self.columns[name].max_level) for name in self.quasi}
        return {name: bounds for name, bounds in told.items() if bounds != (0, None)}

    @property
    def open_ends(self) -> dict[str, tuple[float | None, float | None]]:
        """The numbers below and from which on quasi-identifiers are told by that alone, as their hierarchies declare."""
        told = {name: self.columns[name].hierarchy or {} for name in self.quasi}
        ends = {name: open_ends(spec) for name, spec in told.items()}
        return {name: both for name, both in ends.items() if both != (None, None)}

    @property
    def released(self) -> tuple[str, ...]:
        """The columns of the release: all that are neither identifiers nor guards, nor the respondent column."""
        dropped = {*self.named(Role.IDENTIFIER), *self.named(Role.GUARD), self.input.respondent}
        return tuple(name for name in self.columns if name not in dropped)
