"""The key of a ledger: kept beside it, known by what it makes of a fixed text; with it, in which state the ledger was left."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.ledger.connection import own_draft
from kohort.refusals import reason, remedy

SIZE = 32
_NOTE = re.compile(
    rb"(\n[0-9a-f]{64}){0,2}"
)  # the seals of one state, or of the last and the next; before 5, none
_LONGEST = SIZE + 2 * 65


def key_path(ledger: Path) -> Path:
    """Return where the key of a ledger lies."""
    return ledger.with_name(ledger.name + ".key")


def draft_path(ledger: Path) -> Path:
    """Return where the key of a ledger lies until the ledger stands."""
    return ledger.with_name(ledger.name + ".key.new")


def new_key(ledger: Path) -> bytes:
    """Make the key of a ledger that is about to be made; it takes its name when that stands."""
    key, place = secrets.token_bytes(SIZE), draft_path(ledger)
    place.unlink(missing_ok=True)
    _write(place, key)
    return key


def note_states(ledger: Path, key: bytes, *states: str) -> None:
    """Note with the key in which states its ledger may be found: the last, and the one that is about to be written.

    The file is replaced whole or stays as it was, so that no key is lost.
    """
    place = Path(os.path.realpath(key_path(ledger)))  # a link stays one
    draft = place.with_name(own_draft(ledger))
    try:
        _write(draft, key + "".join(f"\n{state}" for state in states).encode())
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def _write(place: Path, content: bytes) -> None:
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def settle_key(ledger: Path) -> None:
    """Let the key of a ledger that stands take its name."""
    draft_path(ledger).replace(key_path(ledger))


def load_key(ledger: Path, check: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the key of a ledger and the states noted with it, none of one from before such notes.

    Refuse a key that is missing or of another ledger, as nobody would be found with it.
    """
    place = key_path(ledger)
    try:
        place = _settled(ledger, check)
        found = _read(place) if place.is_file() or not place.exists() else b""
    except FileNotFoundError:
        raise InputError(
            f"{place} is missing, and without it nobody can be found in the ledger; restore it, or name another "
            'ledger with [output] ledger = "…"',
            code="ledger.key",
            path=place,
        ) from None
    except OSError as problem:
        raise InputError(
            f"{place}: the key of the ledger cannot be used ({reason(problem)}); {remedy(problem)}",
            code="ledger.key",
            path=place,
        ) from None
    if len(found) < SIZE or _NOTE.fullmatch(found[SIZE:]) is None:
        raise InputError(
            f"{place} is not the key of a ledger: it must hold {SIZE} bytes, and the seals noted behind them; restore it",
            code="ledger.key",
            path=place,
        )
    key, states = found[:SIZE], tuple(found[SIZE:].decode().split())
    if check_value(key) != check:
        raise InputError(
            f"{place} is not the key of {ledger}: with it nobody would be found there, and every release would seem to be "
            'the first; restore the right one, or name another ledger with [output] ledger = "…"',
            code="ledger.key",
            path=place,
        )
    return key, states


def _settled(ledger: Path, check: str) -> Path:
    """Return where the key lies. A run that was killed when it had made the ledger left a draft, which takes its name if it may."""
    place, draft = key_path(ledger), draft_path(ledger)
    if place.exists() or not draft.is_file() or check_value(_read(draft)[:SIZE]) != check:
        return place
    try:
        settle_key(ledger)
    except OSError:  # such as on a disk that may only be read
        return draft
    return place


def _read(place: Path) -> bytes:
    """Return the bytes of a key and what is noted with it, or more than these have where there are more."""
    with place.open("rb") as file:
        return file.read(_LONGEST + 1)


def check_value(key: bytes) -> str:
    """Return what tells a key from any other and tells nothing else of it."""
    return seal(key, b"kohort ledger: the key is the right one")


def seal(key: bytes, content: bytes) -> str:
    """Return what only the holder of the key can make of a content."""
    return hmac.new(key, content, hashlib.sha256).hexdigest()


def hashes(key: bytes, domain: str, texts: Sequence[bytes]) -> IntArray:
    """Return a keyed hash of every text, as a whole number of 63 bits."""
    start = hashlib.blake2b(domain.encode() + b"\0", digest_size=8, key=key)
    digests = []
    for text in texts:
        state = start.copy()
        state.update(text)
        digests.append(state.digest())
    numbers = np.frombuffer(b"".join(digests), ">u8") >> np.uint64(1)
    return numbers.astype(np.int64)
