"""The sensitive columns that a model names, and what it finds of them."""

from __future__ import annotations

from collections.abc import Iterable

from kohort.classes import Classes, Histogram
from kohort.errors import InputError, Told
from kohort.models.model import Attribute, Reference
from kohort.typed import LEAST, MOST


def named_columns(model: str, column: str | None, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that a `[[require]]` names as `column` or `columns`, each once."""
    if isinstance(columns, str):
        columns = (columns,)
    named = tuple(dict.fromkeys([*([] if column is None else [column]), *columns]))
    if not named or not all(isinstance(name, str) and name for name in named):
        raise InputError(
            f'{model}: no sensitive column is named; say column = "..." or columns = ["...", "..."]',
            code="model.no-column",
            model=model,
        )
    return named


def histogram_of(model: str, classes: Classes, column: str) -> Histogram:
    """Return how many records of each class hold each value of a sensitive column."""
    return classes.sensitive[_known(model, classes, column)]


def people_holding(model: str, classes: Classes, column: str) -> Histogram:
    """Return how many people of each class hold each value of a sensitive column, in any of their rows."""
    return classes.people_holding(_known(model, classes, column))


def _known(model: str, classes: Classes, column: str) -> str:
    if column not in classes.sensitive:
        raise InputError(
            f"{model}: there is no sensitive column {column!r}; the sensitive columns are: "
            f"{', '.join(classes.sensitive) or '(none)'}",
            code="model.unknown-column",
            model=model,
            column=column,
            allowed=list(classes.sensitive),
        )
    return column


def attribute_of(model: str, reference: Reference, column: str) -> Attribute:
    """Return what is known of a sensitive column over the whole table."""
    try:
        return reference.attributes[column]
    except KeyError:
        raise InputError(
            f"{model}: there is no sensitive column {column!r} in the table it compares with; "
            f"the sensitive columns are: {', '.join(reference.attributes) or '(none)'}",
            code="model.unknown-column",
            model=model,
            column=column,
            allowed=list(reference.attributes),
        ) from None


def whole_number(model: str, name: str, value: Told, least: int) -> int:
    """Return a parameter that must be a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(
            f"{model}: {name} is {value!r}; it must be a whole number of at least {least}",
            code="model.parameter",
            model=model,
            option=name,
            value=value,
            least=least,
        )
    return value


def number(model: str, name: str, value: Told, above: float, most: float = float("inf")) -> float:
    """Return a parameter that must be a number above `above` and at most `most`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not above < value <= most:
        limit = "" if most == float("inf") else f" and at most {most:g}"
        raise InputError(
            f"{model}: {name} is {value!r}; it must be a number above {above:g}{limit}",
            code="model.parameter",
            model=model,
            option=name,
            value=value,
        )
    if value == float("inf"):
        raise InputError(
            f"{model}: {name} is infinite; it must be a number",
            code="model.parameter",
            model=model,
            option=name,
        )
    if abs(value) > MOST or 0 < abs(value) < LEAST:
        raise InputError(
            f"{model}: {name} is {value:.3g}; it must lie between 1e-12 and 1e12",
            code="model.parameter",
            model=model,
            option=name,
            value=value,
            least=LEAST,
            most=MOST,
        )
    return value


def spoken(columns: tuple[str, ...]) -> str:
    """Return the columns in words: `a`, `a and b`, `a, b and c`."""
    return columns[0] if len(columns) == 1 else f"{', '.join(columns[:-1])} and {columns[-1]}"
