"""The exception tree.

KohortError
├── InputError          the caller's table, plan or option is wrong            (exit code 2)
├── InfeasibleError     no recoding keeps the promises; carries the nearest miss (exit code 3)
├── VerificationError   a written release failed its own verification           (exit code 4)
└── UnfinishedError     a search was stopped before it had anything to release   (exit code 6)

Exit code 5 is no error: `kohort verify` found nothing broken, and could not judge everything.

A message says where, what was found, what is allowed and what to do next. It speaks of plan keys and arguments;
the command line adds its flags. Scripts read the code, one of `kohort.error_codes.CODES`, and the fields, which are
among `FIELDS` there. Neither message nor fields ever hold a cell of a quasi-identifier or a sensitive attribute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from math import isfinite
from numbers import Integral
from os import PathLike
from typing import ClassVar, Self, TypeAlias

Told: TypeAlias = "str | int | float | PathLike[str] | Sequence[Told] | Mapping[str, Told] | None"

UNNAMED = "unnamed"  # the fault of an extension that gives no code
NO_ROOM = frozenset({"engine.out-of-memory", "engine.no-bottom", "engine.no-room", "table.no-room"})
LONGEST, ENDS = 8_000, 3_000  # signs of a message, and how many are told of either end of a longer one
ANYTHING = ("value",)  # what a caller said may be anything; it is told as text


def _readable(message: str) -> str:
    """Return a message as somebody can read it: of a very long one, such as of a key of megabytes, its ends."""
    if len(message) <= LONGEST:
        return message
    return f"{message[:ENDS]} … ({len(message) - 2 * ENDS:,} signs are not shown) … {message[-ENDS:]}"


class KohortError(Exception):
    """Any error that Kohort raises on purpose: a message, the code of the kind of fault, and its parts as fields."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, code: str = UNNAMED, **fields: Told) -> None:
        super().__init__(_readable(message))
        for name, value in fields.items():
            if name not in ANYTHING and not _is_plain(value):
                raise TypeError(f"{code}: the field {name} holds what JSON has not: {type(value).__name__}")
        self.code = code
        self.fields = fields

    @property
    def wants_room(self) -> bool:
        """Whether nothing is wrong but that memory or disk did not suffice: no verdict on what was looked at."""
        return self.code in NO_ROOM

    def told(self) -> dict[str, object]:
        """Return the error as one flat table, as JSON can hold it and as the constructor takes it."""
        fields = {name: _plain(value) for name, value in self.fields.items()}
        return {"code": self.code, "message": str(self), **fields}

    def reworded(self, message: str, **fields: Told) -> Self:
        """Return the same fault told in other words, such as those of the file it was found in."""
        return type(self)(message, code=self.code, **{**self.fields, **fields})


class InputError(KohortError, ValueError):
    """The table, the plan or an option is not what it must be."""

    exit_code = 2


class InfeasibleError(KohortError):
    """No recoding within the limits keeps every promise; `nearest` tells how near one came."""

    exit_code = 3

    def __init__(
        self,
        message: str,
        nearest: Mapping[str, Told] | None = None,
        *,
        code: str = UNNAMED,
        **fields: Told,
    ) -> None:
        super().__init__(message, code=code, **fields, **_nearest(nearest))
        self.nearest = dict(nearest or {})


class VerificationError(KohortError):
    """A release did not pass verification; nothing was released."""

    exit_code = 4


class UnfinishedError(KohortError):
    """A search was stopped, or its time was up, before it had found anything that keeps every promise."""

    exit_code = 6

    def __init__(
        self,
        message: str,
        reason: str = "asked",
        nearest: Mapping[str, Told] | None = None,
        *,
        code: str = UNNAMED,
        **fields: Told,
    ) -> None:
        super().__init__(message, code=code, reason=reason, **fields, **_nearest(nearest))
        self.reason = reason  # as `Stop` has it: asked, interrupt or time_limit
        self.nearest = dict(nearest or {})


def _nearest(nearest: Mapping[str, Told] | None) -> dict[str, Told]:
    """Return the field that tells how near a recoding came, where one did."""
    return {"nearest": dict(nearest)} if nearest else {}


def _is_plain(value: object) -> bool:
    """Whether JSON has such a value, or one that is told as text: a path, or a date, which keys of TOML may hold."""
    match value:
        case None | bool() | str() | Integral() | float() | PathLike() | date() | time():
            return True
        case list() | tuple():
            return all(map(_is_plain, value))
        case Mapping():
            return all(_is_plain(key) and _is_plain(part) for key, part in value.items())
        case _:
            return False


def _plain(value: object) -> object:
    """Return a value of a field as JSON has it; what it has not is told as text."""
    match value:
        case None | bool() | str():
            return value
        case Integral():  # numpy's, too
            return int(value)
        case float() if isfinite(value):
            return value
        case list() | tuple():
            return [_plain(part) for part in value]
        case Mapping():
            return {str(key): _plain(part) for key, part in value.items()}
        case _:
            return str(value)
