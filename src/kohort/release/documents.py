"""The JSON documents of a release, read with suspicion: whoever wrote them may not have been Kohort."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kohort.errors import InputError
from kohort.facts import VERSION, Audit, Noted, ReleaseFacts
from kohort.facts.fact import Count, Digest
from kohort.folders.release_folder import MOST_BYTES

READ = (1, VERSION)  # versions whose parts that a verifier needs are spelled alike
T = TypeVar("T")


class SeenManifest(msgspec.Struct, frozen=True):
    """What the verifier reads of a manifest; it believes nothing of it without a plan, an audit or a signature."""

    files: dict[str, Digest]  # the tables
    asked: dict[str, Any]  # the public part of the plan
    version: int = 1


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


class SeenAudit(msgspec.Struct, frozen=True):
    """What the verifier reads of the private audit, which may be of an earlier version."""

    plan: dict[str, Any]
    base: str
    reference: dict[str, Noted]
    facts: Counted
    files: dict[str, Digest]  # every public file
    private_files: dict[str, Digest] = {}  # the tables beside the audit
    people: Count | None = None  # where some have several rows
    original: str | None = None  # the file that the release was made from; None where it was a data frame
    engine: str | None = None  # that of another package which read it

    def __post_init__(self) -> None:
        if any(sum(noted.totals) != self.facts.rows for noted in self.reference.values()):
            raise ValueError("the reference counts other rows")


def load_json(path: Path) -> dict[str, Any]:
    """Return the object that a file holds: valid JSON of finite numbers, each key once, text that can be written."""
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for, a device has no end
            raise InputError(
                f"{path} is no plain file; name a directory written by kohort",
                code="release.document",
                path=path,
            )
        refuse_large(path)
        loaded = json.loads(
            path.read_bytes().decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse_constant
        )
        json.dumps(loaded, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except OSError as problem:
        raise InputError(
            f"{path} cannot be read ({problem.strerror}); name a directory written by kohort",
            code="release.document",
            path=path,
        ) from None
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError(
            f"{path} is not a document that kohort wrote (no valid JSON)", code="release.document", path=path
        ) from None
    if not isinstance(loaded, dict):
        raise InputError(
            f"{path} is not a document that kohort wrote (no JSON object)", code="release.document", path=path
        )
    return loaded


def refuse_large(path: Path) -> None:
    """Refuse a document that is larger than any of Kohort's, before it is read."""
    if path.stat().st_size > MOST_BYTES:
        raise InputError(
            f"{path} is larger than any document that kohort writes", code="release.document", path=path
        )


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
    _demand_version(document, READ, path)
    return _converted(document, kind, path)


def load_audit(path: Path) -> Audit[ReleaseFacts]:
    """Return a whole audit, to be written again: one of this version."""
    document = load_json(path)
    _demand_version(document, (VERSION,), path)
    return _converted(document, Audit[ReleaseFacts], path)


def _demand_version(document: dict[str, Any], read: tuple[int, ...], path: Path) -> None:
    """Refuse a version that is not read here; what has no number is of the first."""
    found = document.get("version", 1)
    if found in read:
        return
    if isinstance(found, int) and found < VERSION:
        raise InputError(
            f"{path} is of version {found}, written by an earlier Kohort; this needs version {VERSION}: make the release again "
            "from its plan",
            code="release.version",
            path=path,
            value=found,
            allowed=(VERSION,),
        )
    told = f"of version {found}" if isinstance(found, int) else "of no version that can be read"
    raise InputError(
        f"{path} is {told}, and this Kohort reads {' and '.join(map(str, read))}; use the Kohort that wrote it, or a later one",
        code="release.version",
        path=path,
        allowed=read,
    )


def _converted(document: dict[str, Any], kind: type[T], path: Path) -> T:
    try:
        return msgspec.convert(document, kind, str_keys=True)  # JSON spells the numbers of releases as texts
    except (msgspec.ValidationError, RecursionError) as problem:
        at = str(problem).rpartition(" - at `$.")[2].rstrip("`") if " - at `$." in str(problem) else ""
        lacking = (
            str(problem) if "missing required field" in str(problem) else f"{at or 'it'} is of a wrong type"
        )
        raise InputError(
            f"{path} is not the {path.stem} of a release that this version of kohort wrote ({lacking})",
            code="release.document",
            path=path,
        ) from None
