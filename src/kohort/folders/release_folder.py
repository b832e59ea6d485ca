"""The folders of a release and what may stand in them; nothing that is not Kohort's is touched."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.folders.own_files import write_private
from kohort.folders.parts import is_in_parts
from kohort.paths import resolved, usable

MANIFEST = "manifest.json"
AUDIT = "audit.json"
REPORT = "report.html"
SIGNATURE = "signature.json"
LISTING = "files.json"  # in the private folder: the digests of all files of the release
BEGUN = ""  # among the digests of a file that may not stand yet
LONGEST = 200  # bytes of a name; staging adds to it
PRIVATE = ".private"
MOST_BYTES = 1 << 28  # of a document: an audit of a million distinct sensitive values has a tenth of it
DOCUMENTS = (".json", ".html")  # what else stands in a release are tables, which may be of any size

Digests = dict[str, list[str]]


def standing(directory: Path) -> dict[str, Path]:
    """Return what stands in the folder of a release, by name: a table in parts is told by these, `table.parquet/part-…`."""
    found: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        inside = sorted(path.iterdir()) if is_in_parts(path) else []
        found |= {f"{path.name}/{part.name}": part for part in inside} or {path.name: path}
    return found


def digests_of(table: Path) -> dict[str, str]:
    """Return the digest of the file of a table, or of every part of it, by the names that they have in a release."""
    if not is_in_parts(table):
        return {table.name: sha256(table)}
    return {f"{table.name}/{part.name}": sha256(part) for part in sorted(table.iterdir())}


def settled(directory: Path) -> Path:
    """Return the folder of a release with a name of its own, whatever links lead to it."""
    if directory.name in ("", ".."):
        return resolved(directory)
    return resolved(directory.parent) / directory.name


def private_of(directory: Path) -> Path:
    """Return where the private audit of a release lies."""
    place = settled(directory) if directory.name in ("", "..") else directory
    if not place.name:
        raise InputError(
            f"{place} is the root of all folders and no release; name the folder of one",
            code="release.not-one",
            path=place,
        )
    return place.with_name(place.name + PRIVATE)


def refuse_place(directory: Path, kept: Iterable[Path] = ()) -> None:
    """Refuse what cannot be the folder of a release, and one that holds files which are `kept`: input, plan, ledger."""
    final = settled(usable(directory, "the directory"))
    if not final.name:
        raise InputError(
            f"{directory} cannot be the directory of a release; name another",
            code="release.folder",
            path=directory,
        )
    if len(os.fsencode(final.name)) > LONGEST:
        raise InputError(
            f"the name of the directory has more than {LONGEST} bytes, too many for the files beside it; shorten it",
            code="release.folder",
            most=LONGEST,
        )
    refuse_within(final, "directory")
    if final.name.endswith(PRIVATE):
        raise InputError(
            f"{directory}: names that end with {PRIVATE} are those of private audits; name another directory",
            code="release.folder",
            path=directory,
        )
    if final.exists() and resolved(final) == resolved(Path.cwd()):
        raise InputError(
            f"{directory} is the directory you stand in; name one inside or beside it",
            code="release.folder",
            path=directory,
        )
    for path in kept:
        if any(place in resolved(path).parents for place in (final, private_of(final))):
            raise InputError(
                f"{path} is needed and lies in the directory to be written; name another",
                code="release.folder",
                path=path,
            )


def refuse_within(place: Path, what: str = "file") -> None:
    """Refuse a place in the folder of a release or of its private audit: nothing but the release stands there.

    What is written for the holder of the table would be shared with the one, and the other would be no audit any more.
    """
    above = {*settled(usable(place, f"the {what}")).parents, *resolved(place).parents}
    inside = next((folder for folder in sorted(above) if _is_release(folder)), None)
    if inside is not None:
        raise InputError(
            f"{place} lies in {inside}, which is a release or its private audit: what is private of the one would be shared "
            f"with the other; name another {what}",
            code="release.folder",
            path=place,
        )


def _is_release(place: Path) -> bool:
    """Say whether a folder is a release or its private audit; a release may stand without that."""
    if not place.name:
        return False
    listed = (place / LISTING).is_file() or (private_of(place) / LISTING).is_file()
    return listed or all((place / name).is_file() for name in (MANIFEST, REPORT))


def refuse_foreign(directory: Path) -> None:
    """Refuse to write over anything but an earlier release of which every file is listed, there and unchanged."""
    final = settled(directory)
    refuse_strangers(final, private_of(final))


def refuse_strangers(public: Path, private: Path) -> None:
    """Refuse to remove a release if anything in it is not as its private folder lists it, or is not there any more.

    What is missing may be with somebody, and then the rest is all that is left to tell what that is.
    """
    refuse_altered(private, public)
    listing = _listing(private)
    for place, listed in ((public, listing.get("public", {})), (private, listing.get("private", {}))):
        gone = _gone(place, listed)
        if gone:
            told = f"all of {place}" if len(gone) == len(listed) else f"{gone[0]!r} of {place}"
            raise InputError(
                f"{private} is the private audit of a release that does not stand as Kohort wrote it: {told} is missing. Nothing "
                "was touched; put back what is missing, or, where it was handed on, move what is left away or name another "
                "directory: somebody may have that release, and its audit is here",
                code="release.folder",
                path=place,
            )


def refuse_altered(private: Path, public: Path | None = None) -> None:
    """Refuse to remove folders in which anything stands that is not as the private one lists it; what is missing is no loss."""
    places = [private] if public is None else [public, private]
    for place in places:
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise InputError(
                f"{place} exists and is not a directory; name another directory",
                code="release.folder",
                path=place,
            )
    listing = _listing(private)
    own = {LISTING: [sha256(private / LISTING)]} if listing else {}
    for place in places:
        listed = listing.get("private", {}) | own if place == private else listing.get("public", {})
        found = _stranger(place, listed) if place.exists() else ""
        if found:
            raise InputError(
                f"{place} exists and is not an earlier release as Kohort wrote it: {found}. Nothing was touched; name another "
                "directory, or move this one away",
                code="release.folder",
                path=place,
            )


def _stranger(place: Path, listed: Digests) -> str:
    """Return what in a folder is not listed or not as listed; empty where there is nothing of the kind."""
    return next((f"{name!r} {fault}" for name, fault in _strangers(place, listed)), "")


def _strangers(place: Path, listed: Digests) -> Iterator[tuple[str, str]]:
    """Yield the names in a folder that are not listed or not as listed, and what is wrong with each."""
    for name, path in standing(place).items():
        if path.is_symlink() or not path.is_file():
            yield name, "is not a plain file"
        elif name not in listed:
            yield name, f"is not listed in {LISTING} of its private audit"
        elif too_large(path) or _digest_of(path) not in listed[name]:
            yield name, "was changed since"


def not_as_written(private: Path) -> dict[str, str]:
    """Return the names in the private folder of a release that are not as they were written there, and what is wrong with each."""
    listing = _listing(private)
    if not listing:
        return {LISTING: "is missing, or is none"}
    listed = listing["private"] | {LISTING: [sha256(private / LISTING)]}
    gone = dict.fromkeys(_gone(private, listed), "is missing")
    return gone | dict(_strangers(private, listed))


def _gone(place: Path, listed: Digests) -> list[str]:
    """Return the names that are listed and do not stand in a folder, but those that may not have come to stand yet."""
    there = standing(place) if place.is_dir() else {}
    return sorted(name for name, digests in listed.items() if name not in there and BEGUN not in digests)


_SETTLED = 2_000_000_000  # nanoseconds: a file changed within the same tick of its clock could look the same
_taken: dict[tuple[int, ...], str] = {}


def _digest_of(path: Path) -> str:
    """Return the digest of a file that is looked at several times before it makes way; read once while it stays as it is."""
    stat = path.stat()
    state = (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    if state in _taken:
        return _taken[state]
    digest = sha256(path)
    if time.time_ns() - max(stat.st_mtime_ns, stat.st_ctime_ns) > _SETTLED:
        _taken[state] = digest
    return digest


def _listing(private: Path) -> dict[str, Digests]:
    """Return the digests of all files of a release, by zone; of no file where they cannot be read."""
    try:
        path = private / LISTING
        if path.is_symlink() or not path.is_file() or too_large(path):
            return {}
        told = json.loads(path.read_text(encoding="utf-8"))
        return {zone: {str(n): list(d) for n, d in told[zone].items()} for zone in ("public", "private")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def write_listing(public: Path, private: Path, known: Mapping[str, str]) -> None:
    """List the digests of all files of a release; those of public files that are `known` are not computed again."""
    told: dict[str, Any] = {
        "public": {name: [known.get(name) or sha256(path)] for name, path in standing(public).items()},
        "private": {name: [sha256(path)] for name, path in standing(private).items()},
    }
    write_text(private / LISTING, json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def listing_with(private: Path, zone: str, texts: Mapping[str, str], stand: bool) -> str | None:
    """Return the listing with further contents that files may have; None where a release has no listing.

    A file that was not listed is `BEGUN` until it is said to `stand`: who is killed before it does leaves none to be missed.
    """
    told = _listing(private)
    if not told:
        return None
    merged: dict[str, dict[str, list[str]]] = {name: dict(digests) for name, digests in told.items()}
    for name, text in texts.items():
        digest = hashlib.sha256(text.encode()).hexdigest()
        known = [*merged[zone].get(name, [BEGUN]), digest]
        merged[zone][name] = list(dict.fromkeys(one for one in known if not stand or one != BEGUN))
    return json.dumps(merged, indent=2, ensure_ascii=False) + "\n"


def open_to_others(stage: Path) -> None:
    """Give the public files the permissions that the user's umask allows."""
    umask = os.umask(0)
    os.umask(umask)
    for path in standing(stage).values():
        path.chmod(0o666 & ~umask)
    for folder in (*(place for place in stage.iterdir() if place.is_dir()), stage):
        folder.chmod(0o777 & ~umask)


def write_text(path: Path, text: str) -> None:
    """Write a file that nobody else may read yet."""
    write_private(path, text)


def too_large(path: Path) -> bool:
    """Tell whether a file is a document larger than any that Kohort writes; one full of holes costs nobody but its reader."""
    return path.suffix in DOCUMENTS and path.stat().st_size > MOST_BYTES


def sha256(path: Path) -> str:
    """Return the digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
