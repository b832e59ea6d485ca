"""What went wrong where executors read cells, told here in Kohort's own words and by its own code.

Spark hands over a failure of Python as the text of its traceback, which may quote cells. Words of Kohort never do: they are
marked, so that they, and nothing else, are found in it again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import wraps
from typing import ParamSpec, TypeVar

from kohort.errors import InputError, KohortError, VerificationError
from kohort.table.cluster.workers import settle

_FOUND = re.compile(
    r'<kohort>(\{"kind".*?\})</kohort>'
)  # and not the line of the code that the traceback quotes
_KINDS: dict[str, type[KohortError]] = {kind.__name__: kind for kind in (InputError, VerificationError)}
P = ParamSpec("P")
Piece = TypeVar("Piece")


class HandedOver(Exception):  # noqa: N818 - not an error of its own
    """An error of Kohort on its way from an executor."""


def handed_over(read: Callable[P, Iterator[Piece]]) -> Callable[P, Iterator[Piece]]:
    """Let a function that executors run mark the errors of Kohort that it raises."""

    @wraps(read)
    def reading(*args: P.args, **kwargs: P.kwargs) -> Iterator[Piece]:
        settle()
        try:
            yield from read(*args, **kwargs)
        except KohortError as problem:
            told = json.dumps({"kind": type(problem).__name__, **problem.told()})
            raise HandedOver(f"<kohort>{told}</kohort>") from None

    return reading


def own_error(text: str) -> KohortError | None:
    """Return the error of Kohort that an executor handed over in the text of a failure, where there is one."""
    found = _FOUND.search(text)
    if found is None:
        return None
    try:
        told = json.loads(found[1])
    except ValueError:  # a name of the caller's holds what marks the end
        return None
    kind = _KINDS.get(told.pop("kind"), InputError)
    return kind(told.pop("message"), **told)
