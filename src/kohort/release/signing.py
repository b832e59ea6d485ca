"""Signatures: a recipient who holds the releaser's public key can tell who released a folder, to the byte.

Ed25519 (RFC 8032) over the names and SHA-256 digests of every other file of the folder. Keys are PEM files as
OpenSSL writes them; `kohort keygen` makes a pair. Nothing private is in a signature.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.folders.own_files import EVERYBODYS, add
from kohort.folders.release_folder import SIGNATURE, refuse_within, write_text
from kohort.paths import named, usable
from kohort.release.documents import load_json
from kohort.table.formats.extras import extra

FORM = "kohort signature 1"
PURPOSE = "signing and judging signatures"


def statement(digests: Mapping[str, str]) -> bytes:
    """Return what is signed: the form, then a digest and a name per line, by name."""
    lines = [f"{digests[name]} {json.dumps(name)}" for name in sorted(digests) if name != SIGNATURE]
    return "\n".join([FORM, *lines, ""]).encode()


@dataclass(frozen=True, eq=False)
class Signer:
    """Whoever holds a private key."""

    key: Any

    @classmethod
    def load(cls, path: Path) -> Signer:
        """Read a private key that nobody else may read."""
        text = _key_text(path)
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise InputError(
                f"{path}: others may read this private key; chmod 600 {path}", code="release.key", path=path
            )
        try:
            key = _serialization().load_pem_private_key(text, password=None)
        except TypeError:
            raise InputError(
                f"{path}: the private key is protected by a passphrase, which Kohort does not ask for; use one "
                "without, such as `kohort keygen` makes",
                code="release.key",
                path=path,
            ) from None
        except (ValueError, _unsupported()):
            raise _no_key(path, "private") from None
        return cls(_demand_ed25519(key, "Ed25519PrivateKey", path))

    def sign(self, digests: Mapping[str, str]) -> dict[str, str]:
        """Return the signature of a folder, as `signature.json` holds it."""
        return {
            "form": FORM,
            "signer": fingerprint(self.key.public_key()),
            "signature": self.key.sign(statement(digests)).hex(),
        }


@dataclass(frozen=True, eq=False)
class Known:
    """A signer whom somebody knows by the public key."""

    key: Any

    @classmethod
    def load(cls, path: Path) -> Known:
        """Read a public key."""
        text = _key_text(path)
        if b"PRIVATE KEY" in text:
            raise InputError(
                f"{path} is a private key; a signer is known by the public one, which may be shared",
                code="release.key",
                path=path,
            )
        try:
            key = _serialization().load_pem_public_key(text)
        except (ValueError, _unsupported()):
            raise _no_key(path, "public") from None
        return cls(_demand_ed25519(key, "Ed25519PublicKey", path))

    @property
    def fingerprint(self) -> str:
        """What the key is called."""
        return fingerprint(self.key)

    def fault(self, directory: Path, digests: Mapping[str, str]) -> str:
        """Return why the folder does not bear this signer's signature; nothing where it does."""
        if SIGNATURE not in digests:
            return f"there is no {SIGNATURE}"
        try:
            told = load_json(directory / SIGNATURE)
        except InputError as problem:
            return str(problem)
        if set(told) != {"form", "signer", "signature"} or told["form"] != FORM:
            return f"{SIGNATURE} is of no form that this version knows"
        if told["signer"] != self.fingerprint:
            return "it is signed by another key"
        if not self._signed(told["signature"], digests):
            return "the signature is not that of these files"
        # The signature is over all files but its own: so nothing may stand there beside it, not even blanks.
        return (
            ""
            if (directory / SIGNATURE).read_bytes() == _spelled(told).encode()
            else f"{SIGNATURE} was edited"
        )

    def _signed(self, signature: Any, digests: Mapping[str, str]) -> bool:
        try:
            spelled = bytes.fromhex(signature)
            self.key.verify(spelled, statement(digests))
        except (_part("exceptions").InvalidSignature, TypeError, ValueError):
            return False
        return bool(spelled.hex() == signature)


def new_key(path: Path) -> str:
    """Write a fresh private key that only its owner may read, and `path`.pub beside it; return the fingerprint."""
    key = _ed25519().Ed25519PrivateKey.generate()
    form = _serialization()
    private = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    shared = key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    public = named(path, "the key").with_name(f"{path.name}.pub")
    for place in (path, public):
        refuse_within(place)
        if place.exists() or place.is_symlink():
            raise InputError(
                f"{place} exists; keys are not replaced: name another file",
                code="file.unwritable",
                path=place,
            )
    try:
        add(path, private)
        try:
            add(public, shared, EVERYBODYS)
        except BaseException:  # nobody has seen the private one
            path.unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise InputError(
            f"{path} cannot be written ({problem.strerror}); name another file",
            code="file.unwritable",
            path=path,
        ) from None
    return fingerprint(key.public_key())


def write_signature(stage: Path, signer: Signer, digests: Mapping[str, str]) -> None:
    """Write the signature of the other files of a folder."""
    write_text(stage / SIGNATURE, _spelled(signer.sign(digests)))


def _spelled(told: Mapping[str, str]) -> str:
    """Return the text of `signature.json`."""
    return json.dumps(told, indent=2) + "\n"


def fingerprint(public: Any) -> str:
    """Return the name of a public key: the digest of its 32 bytes."""
    form = _serialization()
    raw = public.public_bytes(form.Encoding.Raw, form.PublicFormat.Raw)
    return f"SHA256:{hashlib.sha256(raw).hexdigest()}"


def _key_text(path: Path) -> bytes:
    usable(path, "the key")
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path} is no plain file; `kohort keygen FILE` makes a key", code="release.key", path=path
        )
    try:
        with path.open("rb") as file:
            return file.read(1 << 16)
    except OSError as problem:
        raise InputError(
            f"{path}: the key cannot be read ({problem.strerror}); `kohort keygen FILE` makes one",
            code="release.key",
            path=path,
        ) from None


def _no_key(path: Path, kind: str) -> InputError:
    return InputError(
        f"{path} holds no {kind} key in PEM form; `kohort keygen FILE` makes a pair",
        code="release.key",
        path=path,
    )


def _demand_ed25519(key: Any, name: str, path: Path) -> Any:
    if not isinstance(key, getattr(_ed25519(), name)):
        raise InputError(
            f"{path} is no Ed25519 key; `kohort keygen FILE` makes a pair", code="release.key", path=path
        )
    return key


def _unsupported() -> type[Exception]:
    found: type[Exception] = _part("exceptions").UnsupportedAlgorithm
    return found


def _ed25519() -> Any:
    return _part("hazmat.primitives.asymmetric.ed25519")


def _serialization() -> Any:
    return _part("hazmat.primitives.serialization")


def _part(name: str) -> Any:
    extra("cryptography", "sign", PURPOSE)
    return import_module(f"cryptography.{name}")
