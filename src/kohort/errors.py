"""The exception tree.

KohortError
├── InputError          the caller's table, plan or option is wrong            (exit code 2)
├── InfeasibleError     no recoding keeps the promises; carries the nearest miss (exit code 3)
├── VerificationError   a written release failed its own verification           (exit code 4)
└── UnfinishedError     a search was stopped before it had anything to release   (exit code 6)

Exit code 5 is no error: `kohort verify` found nothing broken, and could not judge everything.

A message says where, what was found, what is allowed and what to do next. It never quotes a cell value
of a quasi-identifier or a sensitive attribute.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class KohortError(Exception):
    """Any error that Kohort raises on purpose."""

    exit_code: ClassVar[int] = 1


class InputError(KohortError, ValueError):
    """The table, the plan or an option is not what it must be."""

    exit_code = 2


class InfeasibleError(KohortError):
    """No recoding within the limits keeps every promise."""

    exit_code = 3

    def __init__(self, message: str, nearest: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.nearest = dict(nearest or {})


class VerificationError(KohortError):
    """A release did not pass verification; nothing was released."""

    exit_code = 4


class UnfinishedError(KohortError):
    """A search was stopped, or its time was up, before it had found anything that keeps every promise."""

    exit_code = 6

    def __init__(self, message: str, reason: str, nearest: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.reason = reason  # as `Stop` has it: asked, interrupt or time_limit
        self.nearest = dict(nearest or {})
