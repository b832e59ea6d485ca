"""The JSON documents of a release, read with suspicion: whoever wrote them may not have been Kohort."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from kohort.errors import InputError

MOST_BYTES = 1 << 28  # an audit of a million distinct sensitive values has a tenth of it
T = TypeVar("T")

Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}\\Z")]


class Manifest(msgspec.Struct, frozen=True):
    """What the verifier reads of a manifest; it believes nothing of it without a plan, an audit or a signature."""

    files: dict[str, Digest]  # the tables
    asked: dict[str, Any]  # the public part of the plan


class Noted(msgspec.Struct, frozen=True):
    """How a sensitive column is distributed in the original."""

    labels: tuple[str | None, ...]
    totals: tuple[Count, ...]
    held: list[tuple[list[Count], Count]] | None = None  # sets of values, and how many people hold each

    def __post_init__(self) -> None:
        people = sum(count for _, count in self.held or [])
        values = [value for values, _ in self.held or [] for value in values]
        if len(self.labels) != len(self.totals) or people > sum(self.totals):
            raise ValueError("counts and values do not fit")
        if max(values, default=-1) >= len(self.labels):
            raise ValueError("people hold values that there are not")


class Judged(msgspec.Struct, frozen=True):
    """A verdict that was given when the release was made."""

    promise: str
    holds: bool | None


class Counted(msgspec.Struct, frozen=True):
    """The counts and verdicts of a release that its audit holds."""

    rows: Count
    released: Count
    verdicts: tuple[Judged, ...]
    levels: dict[str, Count] | None = None


class Audit(msgspec.Struct, frozen=True):
    """The private audit: what the holder knows of a release, and its files to the byte."""

    plan: dict[str, Any]
    base: str
    reference: dict[str, Noted]
    facts: Counted
    files: dict[str, Digest]  # every public file
    private_files: dict[str, Digest] = {}  # the tables beside the audit
    people: Count | None = None  # where some have several rows
    original: str | None = None  # the file that the release was made from; None where it was a data frame

    def __post_init__(self) -> None:
        if any(sum(noted.totals) != self.facts.rows for noted in self.reference.values()):
            raise ValueError("the reference counts other rows")


def load_json(path: Path) -> dict[str, Any]:
    """Return the object that a file holds: valid JSON of finite numbers, each key once, text that can be written."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is larger than any document that kohort writes")
        loaded = json.loads(
            path.read_bytes().decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse_constant
        )
        json.dumps(loaded, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror}); name a directory written by kohort"
        ) from None
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not a document that kohort wrote (no valid JSON)") from None
    if not isinstance(loaded, dict):
        raise InputError(f"{path} is not a document that kohort wrote (no JSON object)")
    return loaded


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a dict; a key that comes twice would say different things to different readers."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _refuse_constant(constant: str) -> None:
    raise ValueError(constant)


def understood(document: dict[str, Any], kind: type[T], path: Path) -> T:
    """Return a document as what it must be."""
    try:
        return msgspec.convert(document, kind)
    except (msgspec.ValidationError, RecursionError) as problem:
        at = str(problem).rpartition(" - at `$.")[2].rstrip("`") if " - at `$." in str(problem) else ""
        lacking = (
            str(problem) if "missing required field" in str(problem) else f"{at or 'it'} is of a wrong type"
        )
        raise InputError(
            f"{path} is not the {kind.__name__.lower()} of a release that this version of kohort wrote ({lacking})"
        ) from None
