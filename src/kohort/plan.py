"""`Plan`: what is asked of a release, read from TOML or built in Python."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec

from kohort.errors import InputError
from kohort.models import MODELS, PrivacyModel
from kohort.models.model import guards_of
from kohort.table.formats import WRITERS
from kohort.table.roles import Role
from kohort.typed import check_sound, readable, typed

T = TypeVar("T", bound=msgspec.Struct)
Whole = Annotated[int, msgspec.Meta(ge=0)]

KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^."']+))\s*(?:\.|$)""")  # one part of a dotted key of --set


class ColumnPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to happen to one column."""

    role: Role  # identifier, quasi, sensitive, insensitive or guard
    hierarchy: dict[str, Any] | None = None  # { kind = …, … }; of quasi-identifiers `suppress` if not said
    weight: float = 1.0  # how much its detail matters in the objective
    suppression_cost: float = 1.0  # of one record in the objective, where a value at the root costs 1
    min_level: int = 0  # generalized at least so far; 0 is the value itself
    max_level: int | None = None  # generalized at most so far
    allow_unique: bool = False  # release an insensitive column although its values point at single rows


class InputPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the table is."""

    path: str | None = None  # of the table, relative to the plan
    table: str | None = None  # of a database or workbook
    respondent: str | None = None  # promises count people, not rows
    delimiter: str | None = None  # of a text file; found out where it is not said
    encoding: str | None = None  # of a text file, such as "cp1252"; found out where it is not said
    header: bool | None = None  # whether the first row names the columns; found out where it is not said
    missing: tuple[str, ...] = ("",)  # the texts that mean that a value is missing
    population: str | None = None  # k-map: a table of the population


class RecodePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the promises are to be kept."""

    generalize: Literal["attribute", "cell", "none"] | None = None  # whole columns alike, or cell by cell
    suppress: Literal["tuple", "attribute", "cell", "none"] | None = None  # what may be left out
    max_suppression: float | int = 0.05  # a share such as 0.05, or a number of rows such as 20
    suppressed_rows: Literal["drop", "blank"] = "drop"  # blank: kept, with * in every quasi-identifier
    algorithm: str | None = None  # follows from generalize × suppress
    objective: str = "loss"  # the metric that is made least
    target: str | None = None  # of the objective `classification`
    time_limit: float | None = None  # seconds of search; the best found by then is released
    seed: Whole | None = None  # of searches by chance; the order of rows and groups never follows it
    options: dict[str, Any] = {}  # of the algorithm


class OutputPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the release is written."""

    format: str = "csv"  # csv, tsv, parquet, duckdb, sqlite, xlsx, sav or dta
    shuffle: bool = True  # false keeps the order of the rows, which may tell who is who
    ledger: str | None = None  # where releases are recorded (kohort.ledger); "": nowhere
    together: Literal["report", "demand"] = "report"  # demand: k and l over all recorded ones
    task: str | None = None  # a column to predict: how well that works is told in the private report


@dataclass(frozen=True)
class Plan:
    """What is asked: a role for every column, the promises, the way of recoding.

    `columns` maps a name to a `ColumnPlan`, a dict of its fields or just a role. Columns of the table that
    are not named are not released.

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

    def __post_init__(self) -> None:
        for name in ("columns", "require", "input", "recode", "output"):
            check_sound(getattr(self, name), f"[{name}]")
        if not isinstance(self.require, Sequence) or isinstance(self.require, str):
            raise InputError(
                'require must be a list of promises: write each as [[require]] with model = "…" below it'
            )
        columns = {name: _column(name, told) for name, told in _mapping("columns", self.columns).items()}
        settle = object.__setattr__  # frozen: what was told loosely is settled once
        settle(self, "columns", columns)
        settle(self, "require", tuple(_model(i, told) for i, told in enumerate(self.require, 1)))
        settle(self, "input", _convert(self.input, InputPlan, "[input]"))
        settle(self, "recode", _convert(self.recode, RecodePlan, "[recode]"))
        settle(self, "output", _convert(self.output, OutputPlan, "[output]"))
        self._validate()

    def _validate(self) -> None:
        if not self.require:
            raise InputError(
                "the plan asks for nothing: add at least one [[require]], such as "
                'model = "k-anonymity" and k = 5'
            )
        if not self.quasi:
            raise InputError(
                'the plan names no quasi-identifier: give role = "quasi" to every column by which a person '
                "could be recognised in combination with others (`kohort init` proposes them)"
            )
        limit = self.recode.max_suppression
        if not limit >= 0 or (isinstance(limit, float) and limit > 1):  # nan is neither
            raise InputError(
                f"[recode] max_suppression is {limit}; it must be a share from 0.0 to 1.0 or a whole number of rows"
            )
        if self.recode.time_limit is not None and not self.recode.time_limit > 0:
            raise InputError(
                f"[recode] time_limit is {self.recode.time_limit}; it must be more than 0 seconds"
            )
        formats = [suffix.removeprefix(".") for suffix in sorted(WRITERS)]
        if self.output.format not in formats:
            raise InputError(
                f"[output] format is {self.output.format!r}; it must be one of: {', '.join(formats)}"
            )
        for model in self.require:
            for name in sorted(guards_of(model)):
                self._demand_guard(model, name)
            for name in sorted(model.reads - guards_of(model)):
                if name not in self.columns or self.columns[name].role is not Role.SENSITIVE:
                    raise InputError(
                        f"[[require]] {model.card.name}: column {name!r} is not a sensitive column of the plan; "
                        f"the sensitive columns are: {', '.join(self.sensitive) or '(none)'}"
                    )
        for name, column in self.columns.items():
            if not 0 <= column.weight < inf:
                raise InputError(
                    f"[columns] {name}: weight is {column.weight}; it must not be negative nor infinite"
                )
            if not 0 <= column.suppression_cost < inf:
                raise InputError(
                    f"[columns] {name}: suppression_cost is {column.suppression_cost}; it must not be negative nor "
                    "infinite"
                )
        respondent = self.columns.get(self.input.respondent or "")
        if respondent is not None and respondent.role in (Role.QUASI, Role.SENSITIVE, Role.GUARD):
            raise InputError(
                f"[columns] {self.input.respondent}: it names people, as [input] respondent says, and is never released; "
                f'its role is "{respondent.role}" and must be "identifier", or leave it out of [columns]'
            )
        if not any(self.columns[name].weight for name in self.quasi):
            raise InputError(
                "[columns] every quasi-identifier has weight 0, so no loss would count; give at least one a weight above 0"
            )

    def _demand_guard(self, model: PrivacyModel, name: str) -> None:
        told = self.columns.get(name)
        if told is None or told.role is not Role.GUARD:
            found = "is no column of the plan" if told is None else f'has the role "{told.role}"'
            raise InputError(
                f"[[require]] {model.card.name}: column {name!r} says what people want guarded, and {found}; give it "
                'role = "guard" under [columns]: it is read and never released, for it tells who has something to guard'
            )

    @classmethod
    def load(cls, path: str | Path, settings: Sequence[str] = ()) -> Plan:
        """Read a plan file; `settings` override it, each `section.key=value` as `--set` takes them."""
        path = Path(path)
        if path.exists() and not path.is_file():
            raise InputError(
                f"{path} is no plain file; a plan is a TOML file, and `kohort init TABLE` drafts one"
            )
        try:
            told = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as problem:
            raise InputError(
                f"{path}: the plan cannot be read ({problem.strerror}); `kohort init TABLE -o {path}` drafts one"
            ) from None
        except UnicodeDecodeError:
            raise InputError(
                f"{path}: the plan is not UTF-8 text; a plan is a TOML file, and `kohort init TABLE` drafts one"
            ) from None
        except tomllib.TOMLDecodeError as problem:
            raise InputError(
                f"{path}: not a valid plan: {problem}; a plan is a TOML file, and `kohort init TABLE` drafts one"
            ) from None
        for setting in settings:
            _set(told, setting)
        try:
            return cls.from_dict(told, base=path.parent)
        except InputError as problem:
            raise InputError(f"{path}: {problem}") from None

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], base: Path | None = None) -> Plan:
        """Build a plan from the dict that its TOML spells."""
        known = {f.name for f in dataclasses.fields(cls)} - {"base"}
        unknown = sorted(set(told) - known)
        if unknown:
            raise InputError(f"unknown section [{unknown[0]}]; the sections are: {', '.join(sorted(known))}")
        if "columns" not in told:
            raise InputError("the plan has no [columns]; give every column of the table a role")
        return cls(**told, base=base or Path.cwd())

    def with_settings(self, settings: Mapping[str, Any]) -> Plan:
        """Return the plan with some values changed, each named as `--set` does: `require.0.k`."""
        told = self.to_dict()
        for key, value in settings.items():
            _put(told, key, value, key)
        return type(self).from_dict(told, base=self.base)

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
            "input": _told(self.input),
            "columns": {
                name: _told(column) | {"role": str(column.role)} for name, column in self.columns.items()
            },
            "require": require,
            "recode": _told(self.recode),
            "output": _told(self.output),
        }
        return msgspec.to_builtins({key: value for key, value in told.items() if value})  # type: ignore[no-any-return]

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
    def level_bounds(self) -> dict[str, tuple[int, int | None]]:
        """The least and the greatest level of the quasi-identifiers that the plan bounds; None: up to the root."""
        told = {name: (self.columns[name].min_level, self.columns[name].max_level) for name in self.quasi}
        return {name: bounds for name, bounds in told.items() if bounds != (0, None)}

    @property
    def open_ends(self) -> dict[str, tuple[float | None, float | None]]:
        """The numbers below and from which on quasi-identifiers are told by that alone, as their hierarchies declare."""
        told = {name: self.columns[name].hierarchy or {} for name in self.quasi}
        ends = {
            name: (spec.get("low"), spec.get("high"))
            for name, spec in told.items()
            if spec.get("kind") == "intervals"
        }
        return {name: both for name, both in ends.items() if both != (None, None)}

    @property
    def released(self) -> tuple[str, ...]:
        """The columns of the release: all that are neither identifiers nor guards, nor the respondent column."""
        dropped = {*self.named(Role.IDENTIFIER), *self.named(Role.GUARD), self.input.respondent}
        return tuple(name for name in self.columns if name not in dropped)


def _mapping(where: str, told: Any) -> Mapping[str, Any]:
    if not isinstance(told, Mapping):
        raise InputError(f"[{where}] must be a table of names, not {type(told).__name__}")
    return told


def _column(name: str, told: Any) -> ColumnPlan:
    if isinstance(told, str):
        told = {"role": told}
    if isinstance(told, Mapping) and "role" not in told:
        raise InputError(f"[columns] {name}: no role; it must be one of: {', '.join(Role)}")
    if isinstance(told, Mapping) and not (isinstance(told["role"], str) and told["role"] in set(Role)):
        raise InputError(f"[columns] {name}: unknown role {told['role']!r}; the roles are: {', '.join(Role)}")
    column = _convert(told, ColumnPlan, f"[columns] {name}")
    if column.role is Role.QUASI and column.hierarchy is None:
        return msgspec.structs.replace(column, hierarchy={"kind": "suppress"})
    return column


def _model(place: int, told: Any) -> PrivacyModel:
    """Return the model that an entry of `require` asks for."""
    if isinstance(told, PrivacyModel):
        return told
    where = f"[[require]] number {place}"
    told = dict(_mapping("[require]", told))
    name = told.pop("model", None)
    if not isinstance(name, str) or name not in MODELS:
        raise InputError(f"{where}: unknown model {name!r}; the models are: {', '.join(sorted(MODELS))}")
    return typed(f"{where}: {name}", MODELS[name], told)


def _convert(told: Any, kind: type[T], where: str) -> T:
    if isinstance(told, kind):
        return told
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as problem:
        text = readable(problem)
        raise InputError(f"{where}: {text}{_allowed(kind, text)}") from None


def _allowed(kind: type[msgspec.Struct], problem: str) -> str:
    """Return which keys or values there are, where one was named that there is not."""
    kinds = {f.name: f.type for f in msgspec.structs.fields(kind)}
    if "there is no key" in problem:
        return f"; it takes: {', '.join(kinds)}"
    key = problem.partition(":")[0]
    if key == "hierarchy":
        return '; write it as { kind = "mask" } (`kohort hierarchies` lists the kinds)'
    if "there is no value" not in problem:
        return ""
    choices = [
        c for part in (kinds[key], *get_args(kinds[key])) for c in get_args(part) if isinstance(c, str)
    ]
    return f"; it takes: {', '.join(choices)}"


def _told(struct: msgspec.Struct) -> dict[str, Any]:
    """Return the fields that differ from their defaults."""
    shown = {}
    for f in msgspec.structs.fields(struct):
        value = getattr(struct, f.name)
        default = {} if f.default_factory is not msgspec.NODEFAULT else f.default
        if value != default:
            shown[f.name] = value
    return shown


def _set(told: dict[str, Any], setting: str) -> None:
    """Apply `--set section.key=value`; the value is TOML, or text where it is not."""
    key, equals, text = setting.partition("=")
    if not equals or not _parts(key):
        raise InputError(
            f"--set {setting!r}: write it as section.key=value, such as recode.max_suppression=0.02"
        )
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    _put(told, key, value, setting)


def _parts(key: str) -> list[str]:
    """Return the parts of a dotted key, quoted as in TOML where they hold a dot; none where it is not one."""
    parts, place = [], 0
    while place < len(key):
        found = KEY.match(key, place)
        if found is None:
            return []
        parts.append(next(part for part in found.groups() if part is not None).strip())
        place = found.end()
    return [] if key.rstrip().endswith(".") else parts


def _put(told: dict[str, Any], key: str, value: Any, setting: str) -> None:
    *path, last = _parts(key)
    place: Any = told
    for part in path:
        place = _enter(place, part, setting)
    if isinstance(place, list):
        raise InputError(f"--set {setting!r}: say which entry, such as require.0.k=5")
    if not isinstance(place, dict):
        raise InputError(f"--set {setting!r}: {'.'.join(path)} holds no keys")
    place[last] = value


def _enter(place: Any, part: str, setting: str) -> Any:
    if isinstance(place, list):
        if not part.isdigit() or int(part) >= len(place):
            raise InputError(f"--set {setting!r}: there are {len(place)} entries, numbered from 0")
        return place[int(part)]
    if not isinstance(place, dict):
        raise InputError(f"--set {setting!r}: {part} cannot be reached")
    return place.setdefault(part, {})
