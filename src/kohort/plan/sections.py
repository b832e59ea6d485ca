"""The sections of a plan: what each may say, of which type, and what it means where it says nothing."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from kohort.errors import InputError
from kohort.hierarchy.calendar import PERIODS
from kohort.table.catalog import NAME
from kohort.table.formats import WRITERS
from kohort.table.roles import Role
from kohort.typed import Level, NotNegative, Positive, choices_at, one_of, readable, section_of

T = TypeVar("T", bound=msgspec.Struct)
Whole = Annotated[int, msgspec.Meta(ge=0)]
Year = Annotated[int, msgspec.Meta(ge=1000, le=9999)]
Portion = Annotated[float, msgspec.Meta(extra_json_schema={"minimum": 0, "maximum": 1})]
CatalogName = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": NAME})]
Said = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": r"\S"})]
Amount = int | float
Width = Positive | Annotated[int, msgspec.Meta(extra_json_schema={"exclusiveMinimum": 0})]
Period = Annotated[str, one_of(PERIODS)]
Format = Annotated[str, one_of(suffix.removeprefix(".") for suffix in WRITERS)]


class ColumnPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to happen to one column."""

    role: Role  # identifier, quasi, sensitive, insensitive or guard
    hierarchy: dict[str, Any] | None = None  # { kind = …, … }; of quasi-identifiers `suppress` if not said
    weight: NotNegative = 1.0  # how much its detail matters in the objective
    suppression_cost: NotNegative = 1.0  # of one record in the objective, where a value at the root costs 1
    min_level: Whole = 0  # generalized at least so far; 0 is the value itself
    max_level: Whole | None = None  # generalized at most so far
    allow_unique: bool = False  # release a column as it is although its values point at single rows
    round: Width | None = None  # of numbers that are kept: told to the nearest multiple of it
    bottom: Amount | None = None  # of numbers that are kept: smaller ones are told as this one
    top: Amount | None = None  # of numbers that are kept: greater ones are told as this one
    unit: Period | None = None  # of dates that are kept: told by day, week, month, quarter, year, …
    format: str | None = None  # of these dates, such as "%d.%m.%Y"; ISO where it is not said
    last_year: Year | None = None  # up to which their years of two digits are read: with 2026, 45 is 1945
    decided: bool = True  # false: the role is a proposal, and nothing is released before somebody decides


class InputPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the table is."""

    path: str | None = None  # of the table, relative to the plan
    table: str | None = None  # of a database or workbook
    respondent: str | None = None  # promises count people, not rows
    delimiter: str | None = None  # of a text file; found out where it is not said
    encoding: str | None = None  # of a text file, such as "cp1252"; found out where it is not said
    header: bool | None = None  # whether the first row names the columns; found out where it is not said
    skip: Whole = 0  # lines of a title above the header; of a sheet, rows
    footer: Whole = 0  # rows at the end of a text file or sheet that are nobody's, such as a total
    missing: tuple[str, ...] = ("",)  # what means a missing value; numbers in any spelling, and blanks always
    missing_in: dict[str, tuple[str, ...]] = {}  # further ones, by column, such as { age = ["999"] }
    decimal: Literal[".", ","] | None = None  # numbers are written like 1,234.5 or 1.234,5; read as 1234.5
    trim: bool = False  # blanks at the ends of names and cells do not count
    fold: tuple[str, ...] = ()  # columns in which case and blanks do not count: read in lower case
    population: str | None = None  # k-map: a table of the population
    shape: str = "table"  # of the data, which says what the other sections may hold


class RecodePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the promises are to be kept."""

    generalize: Literal["attribute", "cell", "none"] | None = None  # whole columns alike, or cell by cell
    suppress: Literal["tuple", "attribute", "cell", "none"] | None = None  # what may be left out
    max_suppression: Portion | Level = 0.05  # a share such as 0.05, or a number of rows such as 20
    suppressed_rows: Literal["drop", "blank"] = "drop"  # blank: kept, with * in every quasi-identifier
    algorithm: str | None = None  # follows from generalize × suppress
    objective: str = "loss"  # the metric that is made least
    target: str | None = None  # of the objective `classification`
    time_limit: Positive | None = None  # seconds of search; the best found by then is released
    seed: Whole | None = None  # of searches by chance; the order of rows and groups never follows it
    options: dict[str, Any] = {}  # of the algorithm


class OutputPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the release is written."""

    format: Format = "csv"  # csv, tsv, parquet, duckdb, sqlite, xlsx, sav or dta
    shuffle: bool = True  # false keeps the order of the rows, which may tell who is who
    ledger: str | None = None  # where releases are recorded (kohort.ledger); "": nowhere
    together: Literal["report", "demand"] = "report"  # demand: k and l over all recorded ones
    table: CatalogName | None = None  # a new table of Spark's catalog, as schema.name, in place of files
    task: str | None = None  # a column to predict: how well that works is told in the private report


class ContextPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For whom a release is made, why and on what ground, as its holder says; nobody judges it."""

    recipient: Said | None = None  # who will receive it
    purpose: Said | None = None  # what for
    legal_basis: Said | None = None  # on what ground it is made and handed on
    dpia: Said | None = None  # the data protection impact assessment: where it is, or why there is none
    reviewer: Said | None = None  # who looked at plan and report
    date: datetime.date | None = None  # of that, as 2026-11-15
    public: tuple[str, ...] = ()  # which of these the public side tells too; the others are private


def convert(told: Any, kind: type[T], where: str) -> T:
    """Return a section as its struct; what it cannot be is refused with what it may be."""
    if isinstance(told, kind):
        return told
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as problem:
        raise _refusal(readable(problem, kind), choices_at(problem, kind), kind, where) from None


def spelled(told: Any) -> Any:
    """Return what is told freely as a file would spell it.

    Lists stand for tuples and arrays, texts for keys and dates, plain numbers for those of NumPy and for decimals.

    >>> spelled({"widths": (5, 10), "tree": {1: ["a"]}})
    {'widths': [5, 10], 'tree': {'1': ['a']}}
    """
    if isinstance(told, Mapping):
        return {str(key): spelled(value) for key, value in told.items()}
    plain = told.tolist() if hasattr(told, "tolist") else told
    if isinstance(plain, list | tuple):
        return [spelled(value) for value in plain]
    if isinstance(plain, Decimal):
        return float(plain)
    return plain.isoformat() if hasattr(plain, "isoformat") else plain


def _refusal(problem: str, choices: list[str], kind: type[msgspec.Struct], where: str) -> InputError:
    """Return what is wrong, with the keys or values that there are where one was named that there is not."""
    kinds = [f.name for f in msgspec.structs.fields(kind)]
    told, key = f"{where}: {problem}", problem.partition(":")[0]
    if "there is no key" in problem:
        return InputError(
            f"{told}; it takes: {', '.join(kinds)}",
            code="plan.unknown-key",
            section=section_of(where),
            allowed=kinds,
        )
    if key == "hierarchy":
        return InputError(
            f'{told}; write it as {{ kind = "mask" }} (`kohort hierarchies` lists the kinds)',
            code="plan.wrong-type",
            section=section_of(where),
            option=key,
        )
    if choices:
        return InputError(
            told,
            code="plan.wrong-value",
            section=section_of(where),
            option=key,
            allowed=choices,
        )
    return InputError(told, code="plan.wrong-type", section=section_of(where))


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a section: their types are read anew whenever they are asked for, which takes long."""
    return msgspec.structs.fields(kind)


def told_fields(struct: msgspec.Struct) -> dict[str, Any]:
    """Return the fields that differ from their defaults."""
    shown = {}
    for f in _fields(type(struct)):
        value = getattr(struct, f.name)
        default = {} if f.default_factory is not msgspec.NODEFAULT else f.default
        if value != default:
            shown[f.name] = value
    return shown
